import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { type Draft, foldedPath } from '../kinds/draft.ts';
import type { EmitSettings, SourceAt } from '../kinds/emit-settings.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import type { PlanContext } from '../kinds/plan-context.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Layouter } from '../kinds/write/convention.ts';
import { bodyTemplate, literalFor, makeLayouter } from '../kinds/write/layouts.ts';
import type { Unwritten } from '../kinds/write/variables.ts';
import type { Layout } from '../load/layout.ts';
import type { Model } from '../model/model.ts';
import { groupBy } from '../text/group.ts';
import { perObject } from '../text/memo.ts';
import { compareCode } from '../text/order.ts';
import { allAtOnce, isTurn, type Pieces } from '../text/pieces.ts';
import { Clashes } from './clashes.ts';
import { type Elsewhere, findElsewhere } from './elsewhere.ts';
import { layOutOnce } from './lay-out.ts';
import { type Budget, LimitWatch } from './limits.ts';
import { type Merging, mergeDrafts } from './merge-drafts.ts';
import { layOutNested } from './nested.ts';
import { type Otherwise, otherwiseFor } from './otherwise.ts';
import { type PermissionsLeft, reportPermissions } from './permissions.ts';
import { placePinned } from './pinned.ts';
import { alwaysLoaded, type Placed, placedOf, textsBelow } from './placed.ts';
import { planTarget } from './plan-target.ts';
import { findRepeated } from './repeated.ts';
import {
  reportElsewhere,
  reportEnded,
  reportOverlaps,
  reportRepeated,
  reportUnknownSkills,
} from './report-requests.ts';
import { shareSkills } from './share-skills.ts';
import { omittedAtSources } from './source-file.ts';
import { type LeftOut, reportUnreached, reportUnreadPlaces } from './unreached.ts';
import { reportUnwritten } from './unwritten.ts';
import { reportWider } from './wider.ts';

/** Everything that was made of a model for the requested targets. */
export interface EmitResult {
  readonly files: readonly OutputFile[];
  readonly omissions: readonly Omission[];
  /** The size of what each target always loads; `countLoaded` adds what is written by hand. */
  readonly budgets: readonly Budget[];
  /** Paths of entries that a target has no place for, whole, with what can be done about it. */
  readonly leftOut: ReadonlyMap<TargetRequest, LeftOut>;
  /** What targets are given by files of others in another way than it was meant. */
  readonly elsewhere: readonly Elsewhere[];
  /** Which file holds which part of the program for each target; computed on demand. */
  readonly placed: () => readonly Placed[];
  /** Rules without a condition by target. */
  readonly always: () => ReadonlyMap<string, readonly string[]>;
}

/**
 * Model and targets to output files and omissions. Under the layout `once` some targets have some of it otherwise, so that
 * others do not find it; see `otherwiseFor`.
 */
export function emitTargets(...given: Parameters<typeof emitInPieces>): EmitResult {
  return allAtOnce(emitInPieces(...given));
}

/** The same in pieces, between which an editor answers what it is asked. */
export function* emitInPieces(
  model: Model,
  requests: readonly TargetRequest[],
  settings: EmitSettings,
  report: Report,
  sourceAt: SourceAt = () => undefined,
): Pieces<EmitResult> {
  const told: Diagnostic[] = [];
  const first = yield* emitOnce(model, requests, settings, found => told.push(found), sourceAt, new Map());
  const { emitted, drafts } = first;
  const isOnce = settings.layout === 'once';
  const changed = isOnce ? otherwiseFor(emitted.elsewhere, drafts, requests) : new Map<string, Otherwise>();
  if (changed.size > 0)
    return (yield* emitOnce(model, requests, settings, report, sourceAt, changed)).emitted;
  for (const found of told) report(found);
  return emitted;
}

/**
 * Model and targets to output files and omissions. Targets that want the same path share one file: documents and
 * front matter are united, entries are joined; where that is impossible the disagreement is reported and the file
 * of the first target stays. What was made from the same settings, requests and items before is found again.
 */
function* emitOnce(
  model: Model,
  requests: readonly TargetRequest[],
  settings: EmitSettings,
  report: Report,
  sourceAt: SourceAt,
  changed: ReadonlyMap<string, Otherwise>,
): Pieces<{ emitted: EmitResult; drafts: readonly Draft[] }> {
  const { layouter, contextOf, layouts } = partsOf(settings);
  const planned: Draft[] = [];
  const omissions: Omission[] = [];
  const leftOut = new Map<TargetRequest, LeftOut>();
  const permissions = new Map<TargetRequest, PermissionsLeft>();
  const unwritten: Unwritten[] = [];
  for (const request of requests) {
    const plan = planTarget(model, request, contextOf(request), changed.get(request.spec.id));
    omissions.push(...plan.omissions);
    leftOut.set(request, plan.leftOut);
    permissions.set(request, plan);
    planned.push(...plan.drafts);
    unwritten.push(...plan.unwritten);
    yield;
  }
  const pinned = placePinned(planned, model.documents);
  const isOnce = settings.layout === 'once';
  const shared = isOnce ? yield* shareSkills(pinned, requests, settings, sourceAt) : pinned;
  yield;
  const laid = isOnce ? yield* layOutOnce(shared, requests, layouts) : undefined;
  yield;
  const byPath = groupBy(laid ? layOutNested(laid.drafts) : pinned, foldedPath);
  reportEnded(requests, report);
  reportUnwritten(unwritten, report);
  reportPermissions(model, permissions, report);
  if (!laid) reportOverlaps(requests, byPath, report);
  yield;
  reportUnknownSkills(model, requests, settings, report);
  // A build profile is for some tools only, so an entry that reaches none of them is not reported.
  if (settings.build === undefined) reportUnreached(model, requests, leftOut, settings, report);
  if (settings.build === undefined) reportUnreadPlaces(model, requests, pinned, report);
  yield;
  yield* reportWider(
    model,
    requests,
    byPath,
    (part, request) => {
      const { languageSkill: _, ...bare } = contextOf(request);
      return planTarget(part, request, bare, changed.get(request.spec.id)).drafts;
    },
    report,
  );
  yield;
  const files: OutputFile[] = [];
  const limits = new LimitWatch(report);
  const clashes = new Clashes(report, new Set(unwritten.map(({ target, entry }) => `${target} ${entry}`)));
  const merging: Merging = { model, settings, layouter, sourceAt, report, limits, clashes };
  for (const drafts of byPath.values()) {
    for (const left of omittedAtSources(drafts, model, settings, sourceAt))
      if (!omissions.some(({ target, source }) => target === left.target && source === left.source))
        omissions.push(left);
    const file = mergeDrafts(drafts, merging);
    if (file) files.push(file);
    // Documents are long.
    if (drafts[0].kind === 'document' || isTurn(files.length)) yield;
  }
  clashes.finish();
  yield;
  const texts = textsBelow(settings.baseDir, files);
  limits.finish(texts);
  yield;
  if (laid) reportRepeated(findRepeated(laid.drafts, laid.layout), texts, report);
  const elsewhere = yield* findElsewhere(requests, byPath, texts);
  reportElsewhere(elsewhere, report);
  files.sort((a, b) => compareCode(a.path, b.path));
  const order = requests.map(({ spec }) => spec.id);
  omissions.sort((a, b) => order.indexOf(a.target) - order.indexOf(b.target));
  const emitted: EmitResult = {
    files,
    omissions,
    leftOut,
    elsewhere,
    budgets: limits.budgets(),
    placed: () => placedOf(byPath, settings.baseDir),
    always: () => alwaysLoaded(byPath),
  };
  return { emitted, drafts: laid?.drafts ?? pinned };
}

/** What all runs with the same settings share: layouters by convention, what planning a target needs, chosen layouts. */
const partsOf = perObject((settings: EmitSettings) => {
  const layouters = new Map<string, Layouter>();
  const layouter = (name: string): Layouter => {
    const known = layouters.get(name);
    if (known) return known;
    const made = makeLayouter(name, settings);
    layouters.set(name, made);
    return made;
  };
  // Files of their own begin at the first level.
  const helpersOf = perObject((one: Layouter) => one.helpers(1));
  const contextOf = perObject(
    (request: TargetRequest): PlanContext => ({
      universalDir: settings.universalDir,
      body: bodyTemplate,
      helpers: helpersOf(layouter(request.convention)),
      literal: literalFor(settings),
      ...(settings.languageSkill && { languageSkill: settings.languageSkill }),
    }),
  );
  return { layouter, contextOf, layouts: new Map<string, Layout>() };
});
