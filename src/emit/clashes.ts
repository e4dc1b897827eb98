import type { Report } from '../diagnostics/diagnostic.ts';
import { outputsCollide, outputsDisagree } from '../generated/diagnostics.ts';
import type { Draft } from '../kinds/draft.ts';
import type { ClashingKey, ClashNotes } from '../kinds/rendering.ts';
import { fewNames } from '../text/names.ts';
import type { Span } from '../text/source.ts';

interface Collision {
  readonly first: string;
  readonly second: string;
  /** The part of the program that is reported, and the place in the configuration of the target that needs both. */
  readonly about: string | undefined;
  readonly at: Span | undefined;
  readonly paths: Set<string>;
  readonly targets: Set<string>;
}

/** Drafts for one path that cannot be one file. */
export class Clashes implements ClashNotes {
  readonly #report: Report;
  readonly #collisions = new Map<string, Collision>();

  /** How many were reported so far. */
  count = 0;

  readonly #told: ReadonlySet<string>;

  /** `told` holds entries that were reported already, as `target entry`. */
  constructor(report: Report, told: ReadonlySet<string> = new Set()) {
    this.#report = report;
    this.#told = told;
  }

  /**
   * Adds a disagreement. That of two parts of the program is reported at the end, once for all targets. One part that
   * two targets want differently is reported at once.
   */
  add(path: string, first: Draft, second: Draft, at: number | ClashingKey): void {
    this.count++;
    if (typeof at !== 'number' && at.about !== undefined && first.request !== second.request) {
      this.#disagree(path, first, second, at);
      return;
    }
    const [one, other] = [partOf(first), partOf(second)];
    const target = second.request.spec.id;
    if (first.request !== second.request && (one === undefined || other === undefined || one === other)) {
      const targets = { first: first.request.spec.id, second: target };
      const where = { file: path, about: aboutOf(first), target, span: second.request.at };
      const line = typeof at === 'number' ? `line ${at}` : `\`${at.key.join('.')}\``;
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

  /** Reports an entry that two tools want to be different in a file that both read. */
  #disagree(path: string, first: Draft, second: Draft, { key, about }: ClashingKey): void {
    const [one, other] = [first.request.spec.id, second.request.spec.id];
    if ([one, other].some(target => this.#told.has(`${target} ${about}`))) return;
    const hint = `The file is one for both: say the same for ${one} and ${other} in \`${about}\` and under its \`tools\`, or leave one of them out with \`except: [${other}]\`, which reads the file all the same.`;
    const holes = { first: one, second: other, path, line: `\`${key.join('.')}\`` };
    this.#report(outputsDisagree(holes, { file: path, about, target: other, hint, span: second.request.at }));
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
