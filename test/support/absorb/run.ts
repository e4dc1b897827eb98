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
  /** It stays, but not when its file may become a source of its own. */
  readonly isHomeApart: boolean;
}

/** Edits of one seed; a project is chosen for several of them, since opening one takes longer than an edit. */
export class Trials {
  readonly #seed: number;
  readonly #perProject: number;
  #open: { readonly name: string; readonly lab: Laboratory | undefined } | undefined;

  readonly #corpus: string | undefined;

  /** `corpus`: a folder of projects as they were found, which take part. */
  constructor(seed: number, perProject = 12, corpus?: string) {
    this.#seed = seed;
    this.#corpus = corpus;
    this.#perProject = perProject;
  }

  /** The edit of a number; `undefined`: the project has nothing to be edited so. */
  async try(number: number): Promise<Tried | undefined> {
    const name = projectName(randomOf(this.#seed, -1 - Math.floor(number / this.#perProject)), this.#corpus);
    if (this.#open?.name !== name) this.#open = { name, lab: await openProject(name, this.#corpus).catch(() => undefined) };
    const { lab } = this.#open;
    if (!lab) return undefined;
    const random = randomOf(this.#seed, number);
    const kind = pick(kinds, random);
    const edit = editOf(kind, lab, random);
    if (!edit) return undefined;
    const request = { files: edit.files, added: edit.added };
    const result = await lab.absorb(edit.changes, request);
    const verdict = judge(edit, kind, lab, result);
    const stays = verdict.outcome === 'refused' || verdict.outcome === 'part';
    const again = stays ? await lab.absorb(edit.changes, { ...request, apart: true }) : undefined;
    const apart = again && judge(edit, kind, lab, again);
    return { seed: this.#seed, number, project: name, kind, edit, lab, result, ...verdict, wrong: [...verdict.wrong, ...(apart?.wrong ?? [])], isHomeApart: apart?.outcome === 'home' };
  }
}
