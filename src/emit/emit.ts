import type { Report } from '../diagnostics/diagnostic.ts';
import { renaming } from '../diagnostics/fixes.ts';
import {
  includedSkillUnknown,
  mainFileDoubled,
  mainFileShadowed,
  targetEnded,
  textRepeats,
} from '../generated/diagnostics.ts';
import type { Draft } from '../kinds/draft.ts';
import type { EmitSettings, SourceAt } from '../kinds/emit-settings.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import type { PlanContext } from '../kinds/plan-context.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Layouter } from '../kinds/write/convention.ts';
import { bodyTemplate, literalFor, makeLayouter } from '../kinds/write/layouts.ts';
import type { Layout } from '../load/layout.ts';
import { findOverlaps } from '../load/overlap.ts';
import { activationOf } from '../model/guards.ts';
import type { Model } from '../model/model.ts';
import { perObject } from '../text/memo.ts';
import { fewNames } from '../text/names.ts';
import { didYouMean } from '../text/similar.ts';
import { Clashes } from './clashes.ts';
import { layOutOnce } from './lay-out.ts';
import { type Budget, LimitWatch } from './limits.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { layOutNested } from './nested.ts';
import { placePinned } from './pinned.ts';
import { planTarget } from './plan-target.ts';
import { omittedAtSource } from './source-file.ts';
import { type LeftOut, reportUnreached } from './unreached.ts';
import { reportWider } from './wider.ts';

export interface EmitResult {
  readonly files: readonly OutputFile[];
  readonly omissions: readonly Omission[];
  /** What each target always loads. */
  readonly budgets: readonly Budget[];
  /** What stands where for each target; put together for those who ask. */
  readonly placed: () => readonly Placed[];
}

/** A file, or an entry of one, that holds something for a target. */
export interface Placed {
  readonly target: string;
  /** `instructions` or `local` for documents, otherwise the collection of the item. */
  readonly of: string;
  /** Name of the item; documents have none. */
  readonly name?: string;
  readonly path: string;
  /** The tool loads it whatever it works on: a document, or a rule without a condition. */
  readonly always: boolean;
}

/**
 * Model and targets to output files and omissions. Targets that want the same path share one file: documents and
 * front matter are united, entries are joined; where that is impossible the disagreement is reported and the file
 * of the first target stays. What was made from the same settings, requests and items before is found again.
 */
export function emitTargets(
  model: Model,
  requests: readonly TargetRequest[],
  settings: EmitSettings,
  report: Report,
  sourceAt: SourceAt = () => undefined,
): EmitResult {
  const { layouter, contextOf } = partsOf(settings);
  const planned: Draft[] = [];
  const omissions: Omission[] = [];
  const leftOut = new Map<TargetRequest, LeftOut>();
  for (const request of requests) {
    const plan = planTarget(model, request, contextOf(request));
    omissions.push(...plan.omissions);
    leftOut.set(request, plan.leftOut);
    planned.push(...plan.drafts);
  }
  const pinned = placePinned(planned, model.documents);
  const laid = settings.layout === 'once' ? layOutOnce(pinned) : undefined;
  const byPath = groupByPath(laid ? layOutNested(laid.drafts) : pinned);
  reportEnded(requests, report);
  if (laid) reportRepeated(laid.layout, requests, report);
  else reportOverlaps(requests, byPath, report);
  reportUnknownSkills(model, requests, settings, report);
  // A profile is made for some tools only; what it lacks others may have.
  if (settings.build === undefined) reportUnreached(model, requests, leftOut, report);
  reportWider(
    model,
    requests,
    byPath,
    (part, request) => {
      const { languageSkill: _, ...bare } = contextOf(request);
      return planTarget(part, request, bare).drafts;
    },
    report,
  );
  const files: OutputFile[] = [];
  const limits = new LimitWatch(report);
  const clashes = new Clashes(report);
  for (const drafts of byPath.values()) {
    for (const left of leftOutOfSources(drafts, model, settings, sourceAt))
      if (!omissions.some(({ target, source }) => target === left.target && source === left.source))
        omissions.push(left);
    files.push(...mergeDrafts(drafts, model, settings, layouter, limits, clashes, report, sourceAt));
  }
  clashes.finish();
  limits.finish(textsBelow(settings.baseDir, files), requests);
  files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const order = requests.map(({ spec }) => spec.id);
  omissions.sort((a, b) => order.indexOf(a.target) - order.indexOf(b.target));
  return { files, omissions, budgets: limits.budgets(), placed: () => placedOf(byPath, settings.baseDir) };
}

/** What all runs with the same settings share: layouters by convention, and what planning a target needs. */
const partsOf = perObject((settings: EmitSettings) => {
  const layouters = new Map<string, Layouter>();
  const layouter = (name: string): Layouter => {
    const known = layouters.get(name);
    if (known) return known;
    const made = makeLayouter(name, settings);
    layouters.set(name, made);
    return made;
  };
  const contextOf = perObject(
    (request: TargetRequest): PlanContext => ({
      universalDir: settings.universalDir,
      body: bodyTemplate,
      // Files of their own begin at the first level.
      helpers: layouter(request.convention).helpers(1),
      literal: literalFor(settings),
      ...(settings.languageSkill && { languageSkill: settings.languageSkill }),
    }),
  );
  return { layouter, contextOf };
});

function placedOf(byPath: ReadonlyMap<string, readonly Draft[]>, baseDir: string): Placed[] {
  return [...byPath.values()].flat().flatMap((draft): Placed[] => {
    const path = placeIn({ baseDir }, draft.path);
    const target = draft.request.spec.id;
    if (draft.kind === 'document') return [{ target, of: draft.file.of, path, always: true }];
    if (draft.kind !== 'content' || !draft.item || draft.resource !== undefined) return [];
    const file = draft.place === undefined ? undefined : draft.request.spec.files[draft.place];
    const of = file && 'of' in file ? file.of : (draft.item.path.split('.')[0] ?? '');
    const always = of === 'guards' && activationOf(draft.item) === 'always';
    return [{ target, of, name: draft.item.name, path, always }];
  });
}

/** Written texts by their path below the folder that the tools are started in. */
function textsBelow(baseDir: string, files: readonly OutputFile[]): ReadonlyMap<string, string> {
  const start = placeIn({ baseDir }, 'x').slice(0, -1);
  return new Map(
    files.flatMap(file =>
      file.kind === 'whole' && typeof file.content === 'string' && file.path.startsWith(start)
        ? [[file.path.slice(start.length), file.content]]
        : [],
    ),
  );
}

const foldedPath = perObject(({ path }: Draft) => path.normalize('NFC').toLowerCase());

/** Drafts of one file, by its path; file systems that fold cases and forms of letters hold such paths as one. */
function groupByPath(drafts: readonly Draft[]): Map<string, Draft[]> {
  const byPath = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const key = foldedPath(draft);
    const others = byPath.get(key);
    if (others) others.push(draft);
    else byPath.set(key, [draft]);
  }
  return byPath;
}

/** What documents lack whose file is itself a source. */
function leftOutOfSources(
  drafts: readonly Draft[],
  model: Model,
  settings: EmitSettings,
  sourceAt: SourceAt,
): Omission[] {
  if (!drafts.some(({ kind }) => kind === 'document')) return [];
  return drafts.flatMap(draft => {
    if (draft.kind !== 'document') return [];
    const source = sourceAt(placeIn(settings, draft.path));
    return source === undefined ? [] : omittedAtSource(draft, model, source);
  });
}

/** A name in `includeSkills` that fits no skill lets nothing through, which nobody would notice. */
function reportUnknownSkills(
  model: Model,
  requests: readonly TargetRequest[],
  { languageSkill }: EmitSettings,
  report: Report,
): void {
  const names = [
    ...[...model.items.skills, ...model.items.guards].map(({ name }) => name),
    ...(languageSkill ? [languageSkill.name] : []),
  ];
  const known = new Set(names);
  for (const { spec, includedAt = new Map() } of requests) {
    for (const [skill, span] of includedAt) {
      if (known.has(skill)) continue;
      const hint = `${didYouMean(skill, names)}Correct the name, or remove it from the list.`;
      report(
        includedSkillUnknown(
          { target: spec.id, skill },
          { span, hint, target: spec.id, fixes: renaming(span, skill, names) },
        ),
      );
    }
  }
}

/** Tools that are no longer offered. */
function reportEnded(requests: readonly TargetRequest[], report: Report): void {
  for (const { spec, at } of requests) {
    const { state, note, successor } = spec.status ?? {};
    // A tool that has only changed its name is written for as before, and asks nothing of anybody.
    if (note === undefined || (state === 'renamed' && successor === undefined)) continue;
    report(targetEnded({ note, successor: successor ?? 'another tool' }, { span: at, target: spec.id }));
  }
}

/** Main files that hide or repeat one another. */
function reportOverlaps(
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
  for (const { kind, by, ...holes } of findOverlaps(
    requests.map(({ spec }) => ({ spec, paths: main.get(spec.id)! })),
  )) {
    report(
      (kind === 'shadowed' ? mainFileShadowed : mainFileDoubled)(
        { ...holes, by: fewNames(by) },
        {
          file: holes.file,
          span: requests.find(({ spec }) => spec.id === holes.target)?.at,
          target: holes.target,
        },
      ),
    );
  }
}

/** Where the text cannot be had once, whatever is written. */
function reportRepeated({ repeated }: Layout, requests: readonly TargetRequest[], report: Report): void {
  for (const [target, files] of repeated) {
    const span = requests.find(({ spec }) => spec.id === target)?.at;
    report(
      textRepeats(
        { target, files: fewNames(files), copies: files.length },
        { file: files[0]!, span, target },
      ),
    );
  }
}
