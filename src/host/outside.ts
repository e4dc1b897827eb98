/** What a run may ask besides the disk of the project. */
export type Outside = 'registry' | 'git' | 'formatter' | 'day';

const asked = new Set<Outside>();

/** Says that what the run makes depends on more than the disk of the project. */
export function noteOutside(what: Outside): void {
  asked.add(what);
}

/** What has said so in this process, since it was last forgotten. */
export const askedOutside = (): ReadonlySet<Outside> => asked;
