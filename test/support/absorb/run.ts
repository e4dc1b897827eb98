/** Random edits, one after the other, and what became of each. */
import { type Edit, editOf, type Kind, kinds } from './edits.ts';
import { judge, type Verdict } from './judge.ts';
import type { Laboratory, Result } from './laboratory.ts';
import { openProject, projectName, randomOf } from './projects.ts';
import { pick } from './random.ts';

export interface Tried extends Verdict {
  readonly seed: number;
  readonly number: number;
  readonly project: string;
  readonly kind: Kind;
  readonly edit: Edit;
  readonly lab: Laboratory;
  readonly result: Result;
}

/** Edits of one seed; a project is chosen for several of them, since opening one takes longer than an edit. */
export class Trials {
  readonly #seed: number;
  readonly #perProject: number;
  #open: { readonly name: string; readonly lab: Laboratory | undefined } | undefined;

  constructor(seed: number, perProject = 12) {
    this.#seed = seed;
    this.#perProject = perProject;
  }

  /** The edit of a number; `undefined`: the project has nothing to be edited so. */
  async try(number: number): Promise<Tried | undefined> {
    const name = projectName(randomOf(this.#seed, -1 - Math.floor(number / this.#perProject)));
    if (this.#open?.name !== name) this.#open = { name, lab: await openProject(name).catch(() => undefined) };
    const { lab } = this.#open;
    if (!lab) return undefined;
    const random = randomOf(this.#seed, number);
    const kind = pick(kinds, random);
    const edit = editOf(kind, lab, random);
    if (!edit) return undefined;
    const result = await lab.absorb(edit.changes, { files: edit.files, added: edit.added });
    return { seed: this.#seed, number, project: name, kind, edit, lab, result, ...judge(edit, kind, lab, result) };
  }
}
