/** Random edits, one after the other, and what became of each. */
import { type Edit, editOf, type Kind, kinds } from './edits.ts';
import { judge, type Verdict } from './judge.ts';
import type { Laboratory, Result } from './laboratory.ts';
import { openProject, projectName, randomOf } from './projects.ts';
import { pick } from './random.ts';
import { type Unsayable, unsayable } from './sayable.ts';

export interface Tried extends Verdict {
  readonly seed: number;
  readonly number: number;
  readonly project: string;
  readonly kind: Kind;
  readonly edit: Edit;
  /** Why no source can say it, as the edit itself tells. */
  readonly unsayable: Unsayable | undefined;
  readonly lab: Laboratory;
  readonly result: Result;
  /** It stays, but not when its file may become a source of its own; only where that is asked. */
  readonly isHomeApart: boolean;
}

/** Where the projects come from, and what is tried with them. */
export interface TrialsChoice {
  /** A folder of projects as they were found, which take part. */
  readonly corpus?: string | undefined;
  /** So many edits of one project follow one another: opening one takes longer than an edit. */
  readonly perProject?: number;
  /** What stays is tried once more with `--split`. */
  readonly split?: boolean;
}

/** This part of the edits is taken as it comes; of the others one is looked for that a source could say. */
const shareOfAny = 0.1;
const mostLooks = 6;

/** Edits of one seed. */
export class Trials {
  readonly #seed: number;
  readonly #choice: TrialsChoice;
  #open: { readonly name: string; readonly lab: Laboratory | undefined } | undefined;

  constructor(seed: number, choice: TrialsChoice = {}) {
    this.#seed = seed;
    this.#choice = choice;
  }

  /** The edit of a number; `undefined`: the project has nothing to be edited so. */
  async try(number: number): Promise<Tried | undefined> {
    const { corpus, perProject = 30, split: isApart = false } = this.#choice;
    const name = projectName(randomOf(this.#seed, -1 - Math.floor(number / perProject)), corpus);
    if (this.#open?.name !== name) this.#open = { name, lab: await openProject(name, corpus).catch(() => undefined) };
    const { lab } = this.#open;
    const found = lab && findEdit(lab, randomOf(this.#seed, number));
    if (!lab || !found) return undefined;
    const { kind, edit } = found;
    const request = { files: edit.files, added: edit.added };
    const result = await lab.absorb(edit.changes, request).catch((error: Error) => {
      throw new Error(`edit ${number} of seed ${this.#seed} (${name}, ${kind} in ${edit.path}) stopped the program`, {
        cause: error,
      });
    });
    const verdict = judge(edit, kind, lab, result);
    const stays = isApart && (verdict.outcome === 'refused' || verdict.outcome === 'part');
    const again = stays ? await lab.absorb(edit.changes, { ...request, split: true }) : undefined;
    const apart = again && judge(edit, kind, lab, again);
    return {
      ...found,
      ...verdict,
      seed: this.#seed,
      number,
      project: name,
      lab,
      result,
      wrong: [...verdict.wrong, ...(apart?.wrong ?? [])],
      isHomeApart: apart?.outcome === 'home',
    };
  }
}

function findEdit(lab: Laboratory, random: () => number): Pick<Tried, 'kind' | 'edit' | 'unsayable'> | undefined {
  const kind = pick(kinds, random);
  const looks = random() < shareOfAny ? 1 : mostLooks;
  let last: Pick<Tried, 'kind' | 'edit' | 'unsayable'> | undefined;
  for (let look = 0; look < looks; look++) {
    const edit = editOf(kind, lab, random);
    if (!edit) continue;
    last = { kind, edit, unsayable: unsayable(edit, lab) };
    if (last.unsayable === undefined) return last;
  }
  return last;
}
