import type { Report } from '../diagnostics/diagnostic.ts';
import { outputsCollide, outputsDisagree } from '../generated/diagnostics.ts';
import type { Draft } from '../kinds/draft.ts';
import type { ClashingKey, ClashNotes } from '../kinds/rendering.ts';
import { groupBy } from '../text/group.ts';
import { fewNames } from '../text/names.ts';

/** Two parts of the program, or two places of a spec, that want different contents at one path. */
interface Collision {
  readonly names: { readonly first: string; readonly second: string };
  readonly path: string;
  readonly drafts: readonly [Draft, Draft];
}

/** Drafts for one path that cannot be one file. */
export class Clashes implements ClashNotes {
  readonly #report: Report;
  readonly #reported: ReadonlySet<string>;
  readonly #collisions: Collision[] = [];

  /** How many were added so far. */
  count = 0;

  /** `reported` holds entries that were reported already, as `target entry`. */
  constructor(report: Report, reported: ReadonlySet<string> = new Set()) {
    this.#report = report;
    this.#reported = reported;
  }

  /**
   * Adds a disagreement. One part of the program that two targets want differently is reported at once. Collisions of two
   * parts are reported by `finish`, once for all targets.
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
      this.#report(outputsDisagree(holes, { ...where, about: aboutOf(draft) }));
      return;
    }
    const { about } = at;
    if ([first, target].some(id => this.#reported.has(`${id} ${about}`))) return;
    const hint = `The file is one for both: say the same for ${first} and ${target} in \`${about}\` and under its \`tools\`, or leave one of them out with \`except: [${target}]\`, which reads the file all the same.`;
    this.#report(outputsDisagree(holes, { ...where, about, hint }));
  }

  /** Reports the collisions. */
  finish(): void {
    for (const all of groupBy(this.#collisions, ({ names }) => JSON.stringify(names)).values()) {
      const [{ names, path, drafts }] = all;
      const [first, second] = drafts;
      const paths = new Set(all.map(one => one.path));
      const targets = new Set(all.flatMap(one => one.drafts.map(({ request }) => request.spec.id)));
      const holes = { ...names, path: fewNames([...paths]), targets: fewNames([...targets]) };
      const about = aboutOf(second) ?? aboutOf(first);
      this.#report(outputsCollide(holes, { file: path, about, span: second.request.at }));
    }
  }
}

const isOfEntry = (at: number | ClashingKey): at is ClashingKey =>
  typeof at !== 'number' && at.about !== undefined;

/** The part of the program that a file is made from; documents and settings are made from many. */
function partOf(draft: Draft): string | undefined {
  const path = aboutOf(draft);
  return draft.kind !== 'content' || draft.resource === undefined ? path : `${path} (${draft.resource})`;
}

/** The path of the item that a file is made from. */
const aboutOf = (draft: Draft): string | undefined =>
  draft.kind === 'content' ? draft.item?.path : undefined;
