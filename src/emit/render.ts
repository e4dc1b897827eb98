import { outputsCollide, outputsDisagree } from '../generated/diagnostics.ts';
import { byTarget, type DocumentDraft, type Draft } from '../kinds/draft.ts';
import type { ClashingKey, ClashNotes, NonEmpty, RenderContext } from '../kinds/kind.ts';
import { Omissions, proseText } from '../kinds/omissions.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/places.ts';
import { renderDrafts } from '../kinds/table.ts';
import { strings } from '../model/data.ts';
import type { DocumentText, Model } from '../model/model.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { fewNames } from '../text/names.ts';
import { plainText } from '../text/traced.ts';
import type { EmitContext } from './reports.ts';

/**
 * Renders the drafts of all targets for one path to one file; `undefined` after a report when they cannot be
 * merged.
 */
export function renderFile(drafts: NonEmpty<Draft>, rendering: RenderContext): OutputFile | undefined {
  const { clashes, settings } = rendering;
  const [first, ...others] = byTarget(drafts);
  const other = others.find(draft => draft.kind !== first.kind || draft.path !== first.path);
  const path = placeIn(settings, first.path);
  if (other) {
    clashes.add(path, first, other, 1);
    return undefined;
  }
  const { build } = settings;
  const targets = [...new Set(drafts.map(({ request }) => request.spec.id))];
  return renderDrafts(drafts, { path, targets, ...(build !== undefined && { build }) }, rendering);
}

interface Collision {
  readonly names: { readonly first: string; readonly second: string };
  readonly path: string;
  readonly drafts: readonly [Draft, Draft];
}

/** Collects drafts for one path that cannot be merged. */
export class Clashes implements ClashNotes {
  readonly #report: Report;
  readonly #reported: ReadonlySet<string>;
  readonly #collisions: Collision[] = [];

  count = 0;

  /** `reported` contains entries that were reported already, as `target entry`. */
  constructor(report: Report, reported: ReadonlySet<string> = new Set()) {
    this.#report = report;
    this.#reported = reported;
  }

  /**
   * Adds a conflict. One between two targets is reported at once; collisions of two parts are reported by
   * `finish` for all targets.
   */
  add(path: string, first: Draft, second: Draft, at: number | ClashingKey): void {
    this.count++;
    const [one, other] = [partOf(first), partOf(second)];
    const isSamePart = one === undefined || other === undefined || one === other;
    if (first.request !== second.request && (isSamePart || isOfEntry(at)))
      this.#disagree(path, first, second, at);
    else {
      const names = { first: one ?? first.place ?? first.kind, second: other ?? second.place ?? second.kind };
      this.#collisions.push({ names, path, drafts: [first, second] });
    }
  }

  #disagree(path: string, draft: Draft, second: Draft, at: number | ClashingKey): void {
    const [first, target] = [draft.request.spec.id, second.request.spec.id];
    const line = typeof at === 'number' ? `line ${at}` : `\`${at.key.join('.')}\``;
    const holes = { first, second: target, path, line };
    const where = { file: path, target, span: second.request.at };
    if (!isOfEntry(at)) {
      this.#report(outputsDisagree(holes, { ...where, about: itemPathOf(draft) }));
      return;
    }
    const { about } = at;
    if ([first, target].some(id => this.#reported.has(`${id} ${about}`))) return;
    const hint = `The file is one for both: say the same for ${first} and ${target} in \`${about}\` and under its \`tools\`, or leave one of them out with \`except: [${target}]\`, which reads the file all the same.`;
    this.#report(outputsDisagree(holes, { ...where, about, hint }));
  }

  finish(): void {
    for (const all of groupBy(this.#collisions, ({ names }) => JSON.stringify(names)).values()) {
      const [{ names, path, drafts }] = all;
      const [first, second] = drafts;
      const paths = new Set(all.map(one => one.path));
      const targets = new Set(all.flatMap(one => one.drafts.map(({ request }) => request.spec.id)));
      const holes = { ...names, path: fewNames([...paths]), targets: fewNames([...targets]) };
      const about = itemPathOf(second) ?? itemPathOf(first);
      this.#report(outputsCollide(holes, { file: path, about, span: second.request.at }));
    }
  }
}

const isOfEntry = (at: number | ClashingKey): at is ClashingKey =>
  typeof at !== 'number' && at.about !== undefined;

/**
 * The part of the program that a file is made from; `undefined` for documents and settings, which are made
 * from many.
 */
function partOf(draft: Draft): string | undefined {
  const path = itemPathOf(draft);
  return draft.kind !== 'content' || draft.resource === undefined ? path : `${path} (${draft.resource})`;
}

const itemPathOf = (draft: Draft): string | undefined =>
  draft.kind === 'content' ? draft.item?.path : undefined;

/**
 * The omissions of main documents that are sources: such a file is never written, so everything that is
 * missing in it.
 */
export const omittedAtSources = (
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
  const there = new Set(origin.text.split(/\r?\n/));
  const lines = plainText(text).split('\n');
  return lines.filter(line => !there.has(line)).join('\n');
}
