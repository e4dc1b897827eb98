import type { Report } from '../diagnostics/diagnostic.ts';
import { sharedSectionRepeats } from '../generated/diagnostics.ts';
import { isFor } from '../kinds/audience.ts';
import { renderDocument } from '../kinds/document/render.ts';
import type { ContentDraft, DocumentDraft, Draft, EntriesDraft } from '../kinds/draft.ts';
import type { EmitSettings, SourceAt } from '../kinds/emit-settings.ts';
import type { Json, KeyEdit, OutputFile, WholeFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import type { Layouter } from '../kinds/write/convention.ts';
import { frontMatter, headerText, plainStart } from '../kinds/write/front-matter.ts';
import { documentContext, literalFor, specPlace } from '../kinds/write/layouts.ts';
import type { Model } from '../model/model.ts';
import type { Text } from '../model/origin.ts';
import { sameData } from '../text/equal.ts';
import { fewNames } from '../text/names.ts';
import { compareCode } from '../text/order.ts';
import { fillGaps, joinTexts, plain } from '../text/traced.ts';
import type { Clashes } from './clashes.ts';
import type { LimitWatch } from './limits.ts';

const requestsOf = (drafts: readonly Draft[]): string[] => [
  ...new Set(drafts.map(draft => draft.request.spec.id)),
];

/** Brings the drafts of all targets for one path together; gives no file when they cannot be one. */
export function mergeDrafts(
  wanted: readonly Draft[],
  model: Model,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
  limits: LimitWatch,
  clashes: Clashes,
  report: Report,
  sourceAt: SourceAt = () => undefined,
): OutputFile[] {
  const known = knownFile(wanted);
  if (known) {
    seeContent(known, limits);
    return [known.file];
  }
  // The order of the targets in the configuration must not change a byte.
  const drafts = [...wanted].sort((a, b) => compareCode(a.request.spec.id, b.request.spec.id));
  const [first] = drafts as readonly Draft[] as readonly [Draft];
  const path = placeIn(settings, first.path);
  const base = {
    path,
    targets: requestsOf(wanted),
    ...(settings.build !== undefined && { build: settings.build }),
  };
  const other = drafts.find(draft => draft.kind !== first.kind || draft.path !== first.path);
  if (other) {
    clashes.add(path, first, other, 1);
    return [];
  }
  if (first.kind === 'entries') {
    const entries = drafts as readonly EntriesDraft[];
    const edits = joinEdits(path, entries, clashes);
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
    const made = contentFile(
      base,
      wanted as readonly ContentDraft[],
      drafts as ContentDraft[],
      settings,
      clashes,
    );
    seeContent(made, limits);
    return [made.file];
  }
  const source = sourceAt(path);
  if (source !== undefined) {
    // The file stays as it stands; what the plan compares it with is what the tools read of it.
    const { origin } = model.documents.find(document => document.origin?.file === source) ?? {};
    const content = (origin?.text ?? '').replace(/\r\n/g, '\n');
    for (const draft of drafts as readonly DocumentDraft[]) limits.see(draft, path, content);
    return [{ kind: 'whole', ...base, content, executable: false, format: 'markdown' }];
  }
  const content = mergeDocuments(
    path,
    drafts as readonly DocumentDraft[],
    model,
    settings,
    layouter,
    clashes,
  );
  if (first.file.of === 'instructions') explainRepetition(path, drafts as readonly DocumentDraft[], report);
  for (const draft of drafts as readonly DocumentDraft[]) limits.see(draft, path, plain(content));
  return [
    {
      kind: 'whole',
      ...base,
      ...contentOf(content, settings, `conventions/${first.request.convention}.yaml`),
      executable: false,
      format: 'markdown',
      ...(first.file.of === 'local' && { private: true }),
    },
  ];
}

/** The file of drafts for one path, with the drafts in the order in which they were asked for and brought together. */
interface ContentFile {
  readonly wanted: readonly Draft[];
  readonly drafts: readonly ContentDraft[];
  readonly file: WholeFile;
}

/** By the first draft. Drafts belong to settings, so that the same drafts are the same file. */
const files = new WeakMap<Draft, ContentFile>();

function knownFile(wanted: readonly Draft[]): ContentFile | undefined {
  const known = files.get(wanted[0]!);
  const isSame =
    known?.wanted.length === wanted.length && known.wanted.every((one, at) => one === wanted[at]);
  return isSame ? known : undefined;
}

/** Makes the file. One whose drafts disagree is made each time, because that is to be reported. */
function contentFile(
  base: Pick<WholeFile, 'path' | 'targets'>,
  wanted: readonly ContentDraft[],
  drafts: readonly ContentDraft[],
  settings: EmitSettings,
  clashes: Clashes,
): ContentFile {
  const before = clashes.count;
  const made = { wanted, drafts, file: mergeContent(base, drafts, settings, clashes) };
  if (clashes.count === before) files.set(wanted[0]!, made);
  return made;
}

function seeContent({ drafts, file: { path, content } }: ContentFile, limits: LimitWatch): void {
  if (typeof content === 'string') for (const draft of drafts) limits.see(draft, path, content);
}

/** Drafts that are laid out alike become one text; another layout is a disagreement. */
function mergeDocuments(
  path: string,
  drafts: readonly DocumentDraft[],
  model: Model,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
  clashes: Clashes,
): Text {
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
    const [one, other] = [plain(rendered[0]!), plain(rendered[index]!)];
    if (one !== other) clashes.add(path, leaders[0]!, leaders[index]!, firstDifference(one, other));
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

function mergeContent(
  base: Pick<WholeFile, 'path' | 'targets'>,
  drafts: readonly ContentDraft[],
  settings: EmitSettings,
  clashes: Clashes,
): WholeFile {
  const [first] = drafts as readonly [ContentDraft];
  const rows = new Map<string, Text>();
  for (const draft of drafts) {
    for (const row of draft.rows ?? []) {
      const known = rows.get(row.key);
      if (known === undefined) rows.set(row.key, row.text);
      else if (plain(known) !== plain(row.text))
        clashes.add(base.path, first, draft, [...rows.keys()].indexOf(row.key) + 2);
    }
    if (typeof first.body === 'function' || draft.body === first.body) continue;
    const [one, other] = [plain(first.body), typeof draft.body === 'function' ? '' : plain(draft.body)];
    if (one !== other) clashes.add(base.path, first, draft, firstDifference(one, other) + rows.size + 3);
  }
  const file = { kind: 'whole', ...base, executable: first.executable, format: first.format } as const;
  if (typeof first.body === 'function') {
    const { item, resource } = first;
    const copied = settings.trace && item && resource !== undefined ? { item, resource } : undefined;
    return { ...file, content: first.body, ...(copied && { copied }) };
  }
  const literal = literalFor(settings);
  const above = first.format === 'markdown' ? headerText(settings.header, literal) : '';
  const by = specPlace(first.request, `files.${first.place ?? 'fallback'}`);
  // Only the skill that comes with the program is no item of it.
  const bundled = first.item && !first.item.origins ? 'conventions/language-skill.md' : undefined;
  const head = frontMatter(
    [...rows.values()].map(text => ({ text })),
    by,
    literal,
  );
  const said = drafts.flatMap(draft => draft.rows ?? []);
  const implied = [...rows.keys()].filter(key => said.every(row => row.key !== key || row.implied));
  const bare = first.format === 'markdown' && rows.size === 0 && plain(above) === '';
  const body = bare ? plainStart(first.body, literal) : first.body;
  const content = contentOf(joinTexts([head, above, body]), settings, bundled ?? by);
  return {
    ...file,
    ...content,
    ...(implied.length > 0 && { implied }),
    ...(first.keys && { keys: first.keys }),
  };
}

/** The content of a file, with its origins where it is traced. */
const contentOf = (text: Text, { trace }: EmitSettings, by: string): Pick<WholeFile, 'content' | 'made'> =>
  trace ? { content: plain(text), made: fillGaps(text, { kind: 'layout', by }) } : { content: plain(text) };

/** Entries of several targets in one file; the same place with different values is a disagreement. */
function joinEdits(path: string, drafts: readonly EntriesDraft[], clashes: Clashes): KeyEdit[] {
  const joined = new Map<string, { edit: KeyEdit; draft: EntriesDraft }>();
  for (const draft of drafts) {
    for (const edit of draft.edits) {
      const value = JSON.stringify(edit.value);
      const key = JSON.stringify([edit.path, edit.kind === 'element' ? value : '']);
      const known = joined.get(key);
      const united = known && uniteValues(known.edit.value, edit.value);
      if (!known) joined.set(key, { edit, draft });
      else if (united === undefined) clashes.add(`${path} (${edit.path.join('.')})`, known.draft, draft, 1);
      else joined.set(key, { edit: { ...known.edit, value: united }, draft: known.draft });
    }
  }
  return [...joined.values()].map(({ edit }) => edit);
}

/** One value that holds all that both say; `undefined` when they disagree. Objects may each know keys of their own. */
function uniteValues(a: Json, b: Json): Json | undefined {
  if (!isObject(a) || !isObject(b)) return sameData(a, b) ? a : undefined;
  const united: Record<string, Json> = Object.assign(Object.create(null), a);
  for (const [key, value] of Object.entries(b)) {
    const both = Object.hasOwn(a, key) ? uniteValues(a[key]!, value) : value;
    if (both === undefined) return undefined;
    united[key] = both;
  }
  return united;
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
    const listed = drafts.flatMap(draft => draft.lists.get(key) ?? []);
    // What is not meant for a tool that reads it is told elsewhere.
    const others = drafts
      .filter(
        ({ lists, request }) =>
          !lists.has(key) && listed.some(({ item }) => isFor(item.audience, request.spec)),
      )
      .map(draft => draft.request.spec.id);
    if (others.length > 0)
      report(
        sharedSectionRepeats(
          { path, sections: key, needed: fewNames(needed), others: fewNames(others) },
          { file: path },
        ),
      );
  }
}
