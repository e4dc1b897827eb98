import { outputsCollide, outputsDisagree } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { fewNames } from '../text/names.ts';
import type { Draft } from './draft.ts';

interface ClashingKey {
  readonly key: readonly string[];
  /** The path of the entry in the program; absent for settings. */
  readonly about: string | undefined;
}

interface Collision {
  readonly names: { readonly first: string; readonly second: string };
  readonly path: string;
  readonly drafts: readonly [Draft, Draft];
}

/** Collects drafts for one path that cannot be merged. */
export class Clashes {
  private readonly collisions: Collision[] = [];

  constructor(
    private readonly report: Report,
    /** Entries that were reported already, as `target entry`. */
    private readonly reported: ReadonlySet<string>,
  ) {}

  /**
   * Adds a conflict; `at` is the first line that differs, or the key of a structured file with its entry. A
   * conflict between two targets is reported at once; collisions of two parts are reported by `finish` for
   * all targets.
   */
  add(path: string, first: Draft, second: Draft, at: number | ClashingKey): void {
    const [one, other] = [partOf(first), partOf(second)];
    const about = typeof at === 'number' ? undefined : at.about;
    const isSamePart = one === undefined || other === undefined || one === other;
    if (first.request !== second.request && (isSamePart || about !== undefined)) {
      const line = typeof at === 'number' ? `line ${at}` : `\`${at.key.join('.')}\``;
      this.disagree(path, line, about, first, second);
      return;
    }
    const names = { first: one ?? first.place ?? first.kind, second: other ?? second.place ?? second.kind };
    this.collisions.push({ names, path, drafts: [first, second] });
  }

  private disagree(
    path: string,
    line: string,
    about: string | undefined,
    draft: Draft,
    { request: { spec, at: span } }: Draft,
  ): void {
    const [first, target] = [draft.request.spec.id, spec.id];
    const holes = { first, second: target, path, line };
    const where = { file: path, target, span };
    if (about === undefined) {
      this.report(outputsDisagree(holes, { ...where, about: itemPathOf(draft) }));
      return;
    }
    if ([first, target].some(id => this.reported.has(`${id} ${about}`))) return;
    const hint = `The file is one for both: say the same for ${first} and ${target} in \`${about}\` and under its \`tools\`, or leave one of them out with \`except: [${target}]\`, which reads the file all the same.`;
    this.report(outputsDisagree(holes, { ...where, about, hint }));
  }

  finish(): void {
    for (const all of groupBy(this.collisions, ({ names }) => JSON.stringify(names)).values()) {
      const [{ names, path, drafts }] = all;
      const [first, second] = drafts;
      const paths = new Set(all.map(one => one.path));
      const targets = new Set(all.flatMap(one => one.drafts.map(({ request }) => request.spec.id)));
      const holes = { ...names, path: fewNames([...paths]), targets: fewNames([...targets]) };
      const about = itemPathOf(second) ?? itemPathOf(first);
      this.report(outputsCollide(holes, { file: path, about, span: second.request.at }));
    }
  }
}

/** The part of the program that a file is made from; `undefined` for files made from many. */
function partOf(draft: Draft): string | undefined {
  const path = itemPathOf(draft);
  return draft.kind !== 'content' || draft.resource === undefined ? path : `${path} (${draft.resource})`;
}

const itemPathOf = (draft: Draft): string | undefined =>
  draft.kind === 'content' ? draft.item?.path : undefined;
