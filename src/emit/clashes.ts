import type { Report } from '../diagnostics/diagnostic.ts';
import { outputsCollide, outputsDisagree } from '../generated/diagnostics.ts';
import type { Draft } from '../kinds/draft.ts';
import { fewNames } from '../text/names.ts';
import type { Span } from '../text/source.ts';

interface Collision {
  readonly first: string;
  readonly second: string;
  /** The part of the program that is told, and where the target is asked for that needs both. */
  readonly about: string | undefined;
  readonly at: Span | undefined;
  readonly paths: Set<string>;
  readonly targets: Set<string>;
}

/** Drafts for one path that cannot be one file. */
export class Clashes {
  readonly #report: Report;
  readonly #collisions = new Map<string, Collision>();

  /** How many were told so far. */
  count = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  /**
   * Two parts of the program that want one file have met, whoever reads it: told at the end, once for all targets.
   * One part that two targets want differently is reported at once. `line` is the first that differs.
   */
  add(path: string, first: Draft, second: Draft, line: number): void {
    this.count++;
    const [one, other] = [partOf(first), partOf(second)];
    const target = second.request.spec.id;
    if (first.request !== second.request && (one === undefined || other === undefined || one === other)) {
      const targets = { first: first.request.spec.id, second: target };
      const where = { file: path, about: aboutOf(first), target, span: second.request.at };
      this.#report(outputsDisagree({ ...targets, path, line }, where));
      return;
    }
    const names = {
      first: one ?? first.place ?? first.kind,
      second: other ?? second.place ?? second.kind,
    };
    const key = JSON.stringify(names);
    const known = this.#collisions.get(key) ?? {
      ...names,
      about: aboutOf(second) ?? aboutOf(first),
      at: second.request.at,
      paths: new Set(),
      targets: new Set(),
    };
    known.paths.add(path);
    for (const { request } of [first, second]) known.targets.add(request.spec.id);
    this.#collisions.set(key, known);
  }

  finish(): void {
    for (const { first, second, about, at, paths, targets } of this.#collisions.values()) {
      const [file] = paths;
      const holes = { first, second, path: fewNames([...paths]), targets: fewNames([...targets]) };
      this.#report(outputsCollide(holes, { file, about, span: at }));
    }
  }
}

/** The part of the program that a file is made from; documents and settings are made from many. */
function partOf(draft: Draft): string | undefined {
  if (draft.kind !== 'content' || !draft.item) return undefined;
  return draft.resource === undefined ? draft.item.path : `${draft.item.path} (${draft.resource})`;
}

/** The path of the item that a file is made from. */
const aboutOf = (draft: Draft): string | undefined =>
  draft.kind === 'content' ? draft.item?.path : undefined;
