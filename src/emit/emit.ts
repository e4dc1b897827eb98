import type { Report } from '../diagnostics/diagnostic.ts';
import {
  mainFileDoubled,
  mainFileShadowed,
  outputsCollide,
  outputsDisagree,
  sharedSectionRepeats,
  targetEnded,
} from '../generated/diagnostics.ts';
import type { OutputConvention } from '../generated/types/config.ts';
import type { Item, Model } from '../model/model.ts';
import { findOverlaps } from '../spec/overlap.ts';
import type { Conventions, Template } from '../spec/spec.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { fewNames } from '../text/names.ts';
import { type ConventionTemplates, createLayouter, type Layouter } from './convention.ts';
import { type DocumentContext, renderDocument } from './document.ts';
import type { ContentDraft, DocumentDraft, Draft, EntriesDraft } from './draft.ts';
import { frontMatter } from './front-matter.ts';
import { type Budget, LimitWatch } from './limits.ts';
import type { KeyEdit, Omission, OutputFile, WholeFile } from './output.ts';
import { planTarget } from './plan-target.ts';
import type { TargetRequest } from './request.ts';

export interface EmitSettings {
  readonly conventions: Conventions;
  /** Conventions of the configuration with their compiled templates. */
  readonly customConventions: ReadonlyMap<
    string,
    { convention: OutputConvention; templates: ConventionTemplates }
  >;
  /** Directory of the build or of `output.baseDir`, relative to the project root; empty for the root itself. */
  readonly baseDir: string;
  readonly header?: string;
  readonly universalDir: string;
  readonly languageSkill?: Item;
  readonly build?: string;
}

export interface EmitResult {
  readonly files: readonly OutputFile[];
  readonly omissions: readonly Omission[];
  /** What each target always loads. */
  readonly budgets: readonly Budget[];
}

/**
 * Model and targets to output files and omissions. Targets that want the same path share one file: documents and
 * front matter are united, entries are joined; where that is impossible the disagreement is reported and the file
 * of the first target stays.
 */
export function emitTargets(
  model: Model,
  requests: readonly TargetRequest[],
  settings: EmitSettings,
  report: Report,
): EmitResult {
  const layouters = new Map<string, Layouter>();
  const layouter = (name: string): Layouter => {
    const known = layouters.get(name);
    if (known) return known;
    const made = makeLayouter(name, settings);
    layouters.set(name, made);
    return made;
  };
  const byPath = new Map<string, Draft[]>();
  const omissions: Omission[] = [];
  for (const request of requests) {
    const planned = planTarget(model, request, {
      universalDir: settings.universalDir,
      rows: settings.conventions.rows,
      body: (owner, place, name) => bodyTemplate(owner, place, name),
      // Files of their own begin at the first level.
      helpers: layouter(request.convention).helpers(1),
      ...(settings.languageSkill && { languageSkill: settings.languageSkill }),
    });
    omissions.push(...planned.omissions);
    for (const draft of planned.drafts) {
      const key = draft.path.normalize('NFC').toLowerCase();
      const others = byPath.get(key);
      if (others) others.push(draft);
      else byPath.set(key, [draft]);
    }
  }
  reportTargets(requests, byPath, report);
  const files: OutputFile[] = [];
  const limits = new LimitWatch(report);
  for (const drafts of byPath.values()) {
    files.push(...mergeDrafts(drafts, model, settings, layouter, limits, report));
  }
  limits.finish();
  files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files, omissions, budgets: limits.budgets() };
}

/** What people should know about the chosen targets: ended products, and files that hide or repeat one another. */
function reportTargets(
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  report: Report,
): void {
  const main = new Map<string, string[]>(requests.map(({ spec }) => [spec.id, []]));
  for (const drafts of byPath.values()) {
    for (const draft of drafts) {
      if (draft.kind === 'document' && draft.file.of === 'instructions')
        main.get(draft.request.spec.id)!.push(draft.path);
    }
  }
  for (const { spec } of requests) {
    const { status } = spec;
    if (status) {
      report(
        targetEnded(
          { title: spec.title, note: status.note, successor: status.successor ?? 'another tool' },
          { target: spec.id },
        ),
      );
    }
  }
  for (const { kind, by, ...holes } of findOverlaps(
    requests.map(({ spec }) => ({ spec, paths: main.get(spec.id)! })),
  )) {
    report(
      (kind === 'shadowed' ? mainFileShadowed : mainFileDoubled)(
        { ...holes, by: fewNames(by) },
        {
          file: holes.file,
          target: holes.target,
        },
      ),
    );
  }
}

const requestsOf = (drafts: readonly Draft[]): string[] => [
  ...new Set(drafts.map(draft => draft.request.spec.id)),
];

function mergeDrafts(
  drafts: readonly Draft[],
  model: Model,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
  limits: LimitWatch,
  report: Report,
): OutputFile[] {
  const [first] = drafts as readonly [Draft];
  const path = settings.baseDir === '' ? first.path : `${settings.baseDir}/${first.path}`;
  const base = {
    path,
    targets: requestsOf(drafts),
    ...(settings.build !== undefined && { build: settings.build }),
  };
  const other = drafts.find(draft => draft.kind !== first.kind || draft.path !== first.path);
  if (other) {
    report(disagreement(path, first, other, 1));
    return [];
  }
  if (first.kind === 'entries') {
    const entries = drafts as readonly EntriesDraft[];
    const edits = joinEdits(path, entries, report);
    return [
      {
        kind: 'shared',
        ...base,
        format: first.format,
        edits,
        ...(entries.some(draft => draft.private) && { private: true }),
      },
    ];
  }
  if (first.kind === 'content') {
    const file = mergeContent(base, drafts as readonly ContentDraft[], report);
    if (typeof file.content === 'string') {
      for (const draft of drafts as readonly ContentDraft[]) limits.see(draft, path, file.content);
    }
    return [file];
  }
  const content = mergeDocuments(path, drafts as readonly DocumentDraft[], model, settings, layouter, report);
  if (first.file.of === 'instructions') explainRepetition(path, drafts as readonly DocumentDraft[], report);
  for (const draft of drafts as readonly DocumentDraft[]) limits.see(draft, path, content);
  return [
    {
      kind: 'whole',
      ...base,
      content,
      executable: false,
      format: 'markdown',
      ...(first.file.of === 'local' && { private: true }),
    },
  ];
}

/** Drafts that are laid out alike become one text; another layout is a disagreement. */
function mergeDocuments(
  path: string,
  drafts: readonly DocumentDraft[],
  model: Model,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
  report: Report,
): string {
  const groups = new Map<string, DocumentDraft[]>();
  for (const draft of drafts) {
    const { file, request } = draft;
    const titles = JSON.stringify([
      file.of,
      file.heading,
      file.frontmatter,
      layoutOf(file.sections),
      [...request.options].filter(([name]) => usesOption(file.frontmatter, name)),
    ]);
    const key = `${request.convention}\n${titles}`;
    groups.set(key, [...(groups.get(key) ?? []), draft]);
  }
  const rendered = [...groups.values()].map(group =>
    renderDocument(group, model, documentContext(group[0]!, settings, layouter)),
  );
  const leaders = [...groups.values()].map(group => group[0]!);
  for (let index = 1; index < rendered.length; index++) {
    if (rendered[index] !== rendered[0])
      report(
        disagreement(path, leaders[0]!, leaders[index]!, firstDifference(rendered[0]!, rendered[index]!)),
      );
  }
  return rendered[0]!;
}

/** What of a section choice changes the look; the rest only changes which sections there are. */
function layoutOf(sections: DocumentDraft['file']['sections']) {
  return [sections?.list, sections?.titles, sections?.templates];
}

function usesOption(rows: DocumentDraft['file']['frontmatter'], name: string): boolean {
  return (rows ?? []).some(row => row.when?.option === name);
}

function documentContext(
  draft: DocumentDraft,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
): DocumentContext {
  return {
    catalogue: settings.conventions.catalogue,
    layouter: layouter(draft.request.convention),
    template: name => builtinTemplate(`section:${name}`),
    override: ({ request }, section) => inline(request, `section:${section}`),
    header: settings.header,
  };
}

function inline(request: TargetRequest, key: string): Template | undefined {
  return request.loaded.templates.get(key) ?? builtinTemplate(`spec:${request.spec.id}:${key}`);
}

function bodyTemplate(request: TargetRequest, place: string | undefined, name: string): Template | undefined {
  if (name.includes('{{')) return place === undefined ? undefined : inline(request, `body:${place}`);
  return builtinTemplate(`body:${name}`);
}

function mergeContent(
  base: Pick<WholeFile, 'path' | 'targets'>,
  drafts: readonly ContentDraft[],
  report: Report,
): WholeFile {
  const [first] = drafts as readonly [ContentDraft];
  const rows = new Map<string, string>();
  for (const draft of drafts) {
    for (const row of draft.rows ?? []) {
      const known = rows.get(row.key);
      if (known === undefined) rows.set(row.key, row.text);
      else if (known !== row.text)
        report(disagreement(base.path, first, draft, [...rows.keys()].indexOf(row.key) + 2));
    }
    if (typeof first.body === 'string' && draft.body !== first.body) {
      report(
        disagreement(
          base.path,
          first,
          draft,
          firstDifference(first.body, String(draft.body)) + rows.size + 3,
        ),
      );
    }
  }
  const content =
    typeof first.body === 'string'
      ? frontMatter([...rows.values()].map(text => ({ text }))) + first.body
      : first.body;
  return { kind: 'whole', ...base, content, executable: first.executable, format: first.format };
}

/** Entries of several targets in one file; the same place with different values is a disagreement. */
function joinEdits(path: string, drafts: readonly EntriesDraft[], report: Report): KeyEdit[] {
  const joined = new Map<string, { edit: KeyEdit; value: string; draft: EntriesDraft }>();
  for (const draft of drafts) {
    for (const edit of draft.edits) {
      const value = JSON.stringify(edit.value);
      const key = JSON.stringify([edit.path, edit.kind === 'element' ? value : '']);
      const known = joined.get(key);
      if (!known) joined.set(key, { edit, value, draft });
      else if (known.value !== value)
        report(disagreement(`${path} (${edit.path.join('.')})`, known.draft, draft, 1));
    }
  }
  return [...joined.values()].map(({ edit }) => edit);
}

function disagreement(path: string, first: Draft, second: Draft, line: number) {
  if (first.request === second.request) {
    const nameOf = (draft: Draft) =>
      draft.kind === 'content' ? (draft.item?.path ?? 'hooks') : (draft.place ?? draft.kind);
    return outputsCollide(
      { target: first.request.spec.id, path, first: nameOf(first), second: nameOf(second) },
      { file: path, target: second.request.spec.id },
    );
  }
  return outputsDisagree(
    { first: first.request.spec.id, second: second.request.spec.id, path, line },
    { file: path, target: second.request.spec.id },
  );
}

function firstDifference(a: string, b: string): number {
  const left = a.split('\n');
  const right = b.split('\n');
  const index = left.findIndex((line, at) => line !== right[at]);
  return (index === -1 ? left.length : index) + 1;
}

/** Says which targets of a shared document read sections that only another one needed. */
function explainRepetition(path: string, drafts: readonly DocumentDraft[], report: Report): void {
  if (drafts.length < 2) return;
  const keys = [...new Set(drafts.flatMap(draft => [...draft.lists.keys()]))];
  for (const key of keys) {
    const needed = drafts.filter(draft => draft.lists.has(key)).map(draft => draft.request.spec.id);
    const others = drafts.filter(draft => !draft.lists.has(key)).map(draft => draft.request.spec.id);
    if (others.length > 0)
      report(
        sharedSectionRepeats(
          { path, sections: key, needed: fewNames(needed), others: fewNames(others) },
          { file: path },
        ),
      );
  }
}

function makeLayouter(name: string, settings: EmitSettings): Layouter {
  const custom = settings.customConventions.get(name);
  if (custom) return createLayouter(custom.convention, custom.templates);
  const convention = settings.conventions.conventions[name]!;
  const part = (of: 'section' | 'subsection') => {
    const own = convention[of] ? of : 'section';
    const end = builtinTemplate(`convention:${name}:${own}:end`);
    return { start: builtinTemplate(`convention:${name}:${own}:start`)!, ...(end && { end }) };
  };
  return createLayouter(convention, { section: part('section'), subsection: part('subsection') });
}
