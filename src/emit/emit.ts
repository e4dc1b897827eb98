import { Clashes } from '../kinds/clashes.ts';
import { byTarget, type DocumentDraft, type Draft, foldedPath } from '../kinds/draft.ts';
import type { NonEmpty, PlanContext, RenderContext } from '../kinds/kind.ts';
import { Omissions, proseText } from '../kinds/omissions.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/places.ts';
import type { EmitSettings, SourceAt, TargetRequest } from '../kinds/request.ts';
import { renderDrafts } from '../kinds/table.ts';
import { type Layouter, literalFor, makeLayouter } from '../kinds/write/convention.ts';
import { strings } from '../model/data.ts';
import type { DocumentText, Model } from '../model/model.ts';
import type { Layout } from '../spec/loading/layout.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { memoize, memoizeByObject } from '../text/memo.ts';
import { compareCodeUnits } from '../text/order.ts';
import { isPauseDue, type Steps } from '../text/pieces.ts';
import { plainText } from '../text/traced.ts';
import { applyNestedLayout, applyOnceLayout } from './layout-once.ts';
import { type Budget, documentBudgets, reportLimits, type WrittenDraft } from './limits.ts';
import { reportMainOverlaps, reportRepeatedTexts, reportWiderAudience } from './loaded-twice.ts';
import {
  changesAvoidingOverlaps,
  findOverlaps,
  type Overlap,
  type PlanChanges,
  reportOverlaps,
} from './overlap.ts';
import { placePinned } from './pinned.ts';
import { alwaysLoaded, type Placement, placementsOf, textsBelow } from './placed.ts';
import { planTarget } from './plan-target.ts';
import {
  type EmitContext,
  reportEnded,
  reportPermissions,
  reportUnknownSkills,
  reportUnreached,
  reportUnreadPlaces,
  reportUnwritten,
} from './reports.ts';
import { shareSkills } from './share-skills.ts';

export interface EmitResult {
  readonly files: readonly OutputFile[];
  readonly omissions: readonly Omission[];
  /** The size of the documents of each target; `countLoaded` adds existing files. */
  readonly budgets: readonly Budget[];
  /** Paths of entries that a target has no place for at all, with advice. */
  readonly leftOut: ReadonlyMap<TargetRequest, ReadonlyMap<string, string>>;
  /** Entries that targets read in files of other targets and that are not meant for them in this form. */
  readonly overlaps: readonly Overlap[];
  /** Which file contains which part of the program for each target; computed on demand. */
  readonly placed: () => readonly Placement[];
  /** Rules without a condition by target. */
  readonly always: () => ReadonlyMap<string, readonly string[]>;
}

/**
 * Converts a model to the output files and omissions of the requested targets. Targets with the same path
 * share one file: their documents, front matter and entries are merged. If they cannot be merged, the
 * conflict is reported and the file of the first target is kept. Under the layout `once`, targets are planned
 * a second time with changes that avoid the overlaps of the first plan. Yields between parts, so that an
 * editor can answer requests.
 */
export function* emitInSteps(
  model: Model,
  requests: readonly TargetRequest[],
  settings: EmitSettings,
  report: Report,
  sourceAt: SourceAt = () => undefined,
): Steps<EmitResult> {
  const context: EmitContext = { model, requests, settings, sourceAt };
  const found: Diagnostic[] = [];
  const first = yield* emitRound(context, new Map(), diagnostic => found.push(diagnostic));
  const changes =
    settings.layout === 'once'
      ? changesAvoidingOverlaps(first.result.overlaps, first.drafts, requests)
      : new Map();
  if (changes.size > 0) return (yield* emitRound(context, changes, report)).result;
  for (const diagnostic of found) report(diagnostic);
  return first.result;
}

function* emitRound(
  context: EmitContext,
  changes: ReadonlyMap<string, PlanChanges>,
  report: Report,
): Steps<{ readonly result: EmitResult; readonly drafts: readonly Draft[] }> {
  const { model, requests, settings } = context;
  const { layouter, contextOf, layouts } = toolsOf(settings);
  const omissions = new Map<TargetRequest, Omissions>();
  const planned: Draft[] = [];
  for (const request of requests) {
    const plan = planTarget(model, request, contextOf(request), changes.get(request.spec.id));
    omissions.set(request, plan.omissions);
    planned.push(...plan.drafts);
    yield;
  }
  const pinned = placePinned(planned, model.documents);
  const { drafts, layout } =
    settings.layout === 'once'
      ? yield* applyOnceLayout(shareSkills(pinned, context), requests, layouts)
      : { drafts: pinned, layout: undefined };
  yield;
  const byPath = groupBy(layout ? applyNestedLayout(drafts) : drafts, foldedPath);
  const merged = [...byPath.values()].flat();
  const unwritten = [...omissions.values()].flatMap(one => one.unwritten);
  reportEnded(context, report);
  reportUnwritten(unwritten, report);
  reportPermissions(model, omissions, report);
  if (!layout) reportMainOverlaps(requests, merged, report);
  reportUnknownSkills(context, report);
  // A build profile covers some of the tools only, so an entry that reaches none of them is not reported.
  if (settings.build === undefined) {
    reportUnreached(context, omissions, report);
    reportUnreadPlaces(context, pinned, report);
  }
  yield;
  const planWithoutSkill = (part: Model, request: TargetRequest) => {
    const { languageSkill: _, ...bare } = contextOf(request);
    return planTarget(part, request, bare, changes.get(request.spec.id)).drafts;
  };
  reportWiderAudience(model, requests, byPath, planWithoutSkill, report);
  yield;
  const clashes = new Clashes(report, new Set(unwritten.map(({ target, entry }) => `${target} ${entry}`)));
  const { files, written } = yield* renderFiles(byPath, { ...context, layouter, report, clashes });
  const texts = textsBelow(settings.baseDir, files);
  reportLimits(written, report);
  if (layout) reportRepeatedTexts(drafts, layout, texts, report);
  yield;
  const overlaps = findOverlaps(requests, merged, texts);
  reportOverlaps(overlaps, report);
  const result: EmitResult = {
    files,
    omissions: allOmissions(omissions, merged, context),
    leftOut: new Map([...omissions].map(([request, { leftOut }]) => [request, leftOut])),
    overlaps,
    budgets: documentBudgets(written),
    placed: () => placementsOf(merged, settings.baseDir),
    always: () => alwaysLoaded(merged),
  };
  return { result, drafts };
}

/** Renders the drafts of each path. `written` are the drafts of text files, for limits. */
function* renderFiles(
  byPath: ReadonlyMap<string, readonly [Draft, ...Draft[]]>,
  rendering: RenderContext,
): Steps<{ readonly files: readonly OutputFile[]; readonly written: readonly WrittenDraft[] }> {
  const files: OutputFile[] = [];
  const written: WrittenDraft[] = [];
  for (const drafts of byPath.values()) {
    const file = renderFile(drafts, rendering);
    if (file) files.push(file);
    if (file?.kind === 'whole' && typeof file.content === 'string') {
      const { path, content } = file;
      written.push(...byTarget(drafts).map(draft => ({ draft, path, content })));
    }
    // Documents take long to render.
    if (drafts[0].kind === 'document' || isPauseDue(files.length)) yield;
  }
  rendering.clashes.finish();
  return { files: files.sort((a, b) => compareCodeUnits(a.path, b.path)), written };
}

/** The omissions of all targets, in target order, including those of main documents that are sources. */
function allOmissions(
  omissions: ReadonlyMap<TargetRequest, Omissions>,
  drafts: readonly Draft[],
  context: EmitContext,
): readonly Omission[] {
  const all = [...omissions.values()].flatMap(({ found }) => found);
  const keyOf = ({ target, source }: Omission) => `${target}\0${source}`;
  const known = new Set(all.map(keyOf));
  for (const one of omittedAtSources(drafts, context))
    if (!known.has(keyOf(one))) {
      known.add(keyOf(one));
      all.push(one);
    }
  const order = new Map(context.requests.map(({ spec }, index) => [spec.id, index]));
  return all.sort((a, b) => order.get(a.target)! - order.get(b.target)!);
}

/**
 * Layouters by convention, the context for planning targets, and chosen layouts. Cached, because an editor
 * emits many times with the same settings.
 */
const toolsOf = memoizeByObject((settings: EmitSettings) => {
  const layouter = memoize((name: string) => makeLayouter(name, settings));
  // Headings in separate files start at level 1.
  const helpersOf = memoizeByObject((one: Layouter) => one.helpers(1));
  const contextOf = memoizeByObject(
    (request: TargetRequest): PlanContext => ({
      universalDir: settings.universalDir,
      helpers: helpersOf(layouter(request.convention)),
      literal: literalFor(settings),
      isTraced: settings.trace === true,
      ...(settings.languageSkill && { languageSkill: settings.languageSkill }),
    }),
  );
  return { layouter, contextOf, layouts: new Map<string, Layout>() };
});

/** Renders the drafts for one path to one file; `undefined` after a report when they cannot be merged. */
export function renderFile(drafts: NonEmpty<Draft>, rendering: RenderContext): OutputFile | undefined {
  const { clashes, settings } = rendering;
  const sorted = byTarget(drafts);
  const [first, ...others] = sorted;
  const other = others.find(draft => draft.kind !== first.kind || draft.path !== first.path);
  const path = placeIn(settings, first.path);
  if (other) {
    clashes.add(path, first, other, 1);
    return undefined;
  }
  const { build } = settings;
  const targets = [...new Set(drafts.map(({ request }) => request.spec.id))];
  return renderDrafts(sorted, { path, targets, ...(build !== undefined && { build }) }, rendering);
}

/** What is missing in main documents that are sources, because such a file is never written. */
const omittedAtSources = (
  drafts: readonly Draft[],
  { model, settings, sourceAt }: EmitContext,
): readonly Omission[] =>
  drafts.flatMap(draft => {
    const source = draft.kind === 'document' ? sourceAt(placeIn(settings, draft.path)) : undefined;
    return draft.kind !== 'document' || source === undefined ? [] : omittedAtSource(draft, model, source);
  });

function omittedAtSource(draft: DocumentDraft, model: Model, source: string): readonly Omission[] {
  const { request, path, documents, prose, lists } = draft;
  const omissions = new Omissions(request);
  const advice = `${path} is a source that ${request.spec.title} reads directly, so the compiler adds nothing to it. Write it there, or move the source to .instr/project.md, so that ${path} becomes an output.`;
  for (const document of documents) omissions.add(document.path, missingIn(document, source), advice);
  for (const { key, path: place, title, content } of model.sections)
    if (prose.has(key))
      omissions.add(place, [plainText(title ?? ''), proseText(content)].join('\n').trim(), advice);
  for (const [section, listed] of lists) {
    for (const one of listed) if (one.path === undefined) omissions.item(one.item, section, advice);
    const lines = listed
      .filter(one => one.path !== undefined)
      .map(({ item, path }) => [item.name, ...strings(item.fields.get('description')), path].join(': '));
    omissions.add(section, lines.join('\n'), advice);
  }
  return omissions.found;
}

/** The texts that `@extend` added to a document and that its source file does not contain. */
function missingIn({ text, origin }: DocumentText, source: string): string {
  if (origin?.file !== source) return plainText(text);
  const present = new Set(origin.text.split(/\r?\n/));
  const lines = plainText(text).split('\n');
  return lines.filter(line => !present.has(line)).join('\n');
}
