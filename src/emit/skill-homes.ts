import type { TargetRequest } from '../kinds/request.ts';
import { areOne, type Skill } from './skill-texts.ts';

/** The folders of the project in which skills can lie. */
export interface SkillPlaces {
  /** The folder of skills that belongs to no tool. */
  readonly universal: string;
  /** Whether a path is a source, which is never written. */
  readonly isSource: (path: string) => boolean;
  /** Whether something else is written to a path. */
  readonly isTaken: (path: string) => boolean;
  /** The enabled tools that look for skills in a folder. */
  readonly lookingIn: (dir: string) => readonly TargetRequest[];
}

/**
 * The folder of each of these skills, which are one skill for several targets, that is not to lie in its own;
 * `undefined`: the source itself is there.
 */
export function chooseHomes(
  skills: readonly Skill[],
  places: SkillPlaces,
): ReadonlyMap<Skill, string | undefined> {
  const homes = new Homes(skills, places);
  for (const skill of skills) if (skill.dirs.length === 1) homes.put(skill, skill.own);
  for (const skill of skills) if (skill.dirs.length > 1 && !skill.source) homes.settle(skill);
  homes.open();
  for (const skill of skills) if (!skill.source) homes.put(skill, skill.own, 'unless placed');
  homes.evict();
  return homes.moved();
}

class Homes {
  readonly #skills: readonly Skill[];
  readonly #places: SkillPlaces;
  readonly #dirs = new Map<string, Set<Skill>>();
  readonly #homeOf = new Map<Skill, string>();
  readonly #atSource = new Set<Skill>();

  constructor(skills: readonly Skill[], places: SkillPlaces) {
    this.#skills = skills;
    this.#places = places;
    for (const skill of skills) if (skill.source !== undefined) this.#atSource.add(skill);
  }

  put(skill: Skill, dir: string, when?: 'unless placed'): void {
    const before = this.#homeOf.get(skill);
    if (before !== undefined && when) return;
    if (before !== undefined) this.#dirs.get(before)!.delete(skill);
    this.#homeOf.set(skill, dir);
    this.#dirs.set(dir, (this.#dirs.get(dir) ?? new Set()).add(skill));
  }

  /** Puts a skill into the folder where it lies for another tool anyway, when both get the same there. */
  settle(skill: Skill): void {
    if (this.#in(skill.own).length > 0) {
      this.put(skill, skill.own);
      return;
    }
    const home = skill.dirs.find(
      dir =>
        this.#in(dir).length > 0 &&
        !this.#places.isSource(`${dir}/${skill.rest}`) &&
        areOne([...this.#in(dir), skill]),
    );
    if (home !== undefined) this.put(skill, home);
  }

  /** Puts the remaining skills into the universal folder, when every tool that looks there wants them. */
  open(): void {
    const dir = this.#places.universal;
    const left = this.#skills.filter(
      skill => !this.#homeOf.has(skill) && !this.#atSource.has(skill) && skill.dirs.includes(dir),
    );
    const path = left[0] && `${dir}/${left[0].rest}`;
    if (
      left.length < 2 ||
      this.#in(dir).length > 0 ||
      this.#places.isSource(path!) ||
      this.#places.isTaken(path!)
    )
      return;
    if (!this.#isForAll(dir, left)) return;
    for (const skill of left) this.put(skill, dir);
  }

  /**
   * Returns skills to the folders of their own tools where the chosen folder would give those tools something else as
   * well. One return may cause others, so it is repeated until none is needed.
   */
  evict(): void {
    for (let again = true; again; ) {
      again = false;
      for (const skill of [...this.#skills]) {
        if (!this.#isAway(skill) || this.#findsOnlyItself(skill)) continue;
        this.#atSource.delete(skill);
        this.put(skill, skill.own);
        again = true;
      }
    }
  }

  moved(): ReadonlyMap<Skill, string | undefined> {
    return new Map(
      this.#skills.flatMap(skill =>
        this.#isAway(skill) ? [[skill, this.#atSource.has(skill) ? undefined : this.#homeOf.get(skill)]] : [],
      ),
    );
  }

  #in(dir: string): readonly Skill[] {
    return [...(this.#dirs.get(dir) ?? [])];
  }

  #isAway(skill: Skill): boolean {
    return this.#atSource.has(skill) || this.#homeOf.get(skill) !== skill.own;
  }

  /** Whether every enabled tool that looks in a folder gets there the skill that it would have alone. */
  #isForAll(dir: string, there: readonly Skill[]): boolean {
    return this.#places.lookingIn(dir).every(request => {
      const its = this.#skills.filter(skill => skill.request === request);
      return its.length > 0 && its.every(skill => areOne([...there, skill]));
    });
  }

  #findsOnlyItself(skill: Skill): boolean {
    return skill.dirs.every(dir => {
      if (this.#places.isSource(`${dir}/${skill.rest}`)) return dir === skill.source;
      const there = this.#in(dir);
      return there.length === 0 || areOne([...there, skill]);
    });
  }
}
