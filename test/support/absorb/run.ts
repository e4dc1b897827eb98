/** Tries random edits one after the other and reports the result of each. */
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
  /** Why no source can express the edit, determined from the edit alone. */
  readonly unsayable: Unsayable | undefined;
  readonly lab: Laboratory;
  readonly result: Result;
}

/** Selects the projects and the edits to try. */
export interface TrialsChoice {
  /** A folder of real projects to include. */
  readonly corpus?: string | undefined;
  /** How many edits are tried per project. Opening a project takes longer than an edit. */
  readonly perProject?: number;
}

/** This share of the edits is not filtered. For the others, an edit is searched that a source can express. */
const shareOfAny = 0.1;
const mostLooks = 6;

/** The edits of one seed. */
export class Trials {
  readonly #seed: number;
  readonly #choice: TrialsChoice;
  #open: { readonly name: string; readonly lab: Laboratory | undefined } | undefined;

  constructor(seed: number, choice: TrialsChoice = {}) {
    this.#seed = seed;
    this.#choice = choice;
  }

  /** Tries the edit with this number. `undefined`: the project has nothing that can be edited in this way. */
  async try(number: number): Promise<Tried | undefined> {
    const { corpus, perProject = 30 } = this.#choice;
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
    return {
      ...found,
      ...verdict,
      seed: this.#seed,
      number,
      project: name,
      lab,
      result,
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
