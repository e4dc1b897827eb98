/** How much of a long property a run goes through: one part in so many (`--depth` of scripts/test.ts); by itself a test takes all. */
const depth = Number(process.env.TEST_DEPTH ?? 1);

/** The runs of a property, or a part of them, and so with what they must have come to. */
export const runs = (all: number): number => Math.ceil(all / depth);

/** What a test is repeated for, or a part of it, the same one each time; another part for another number. */
export const sample = <T>(all: readonly T[], number = 0): readonly T[] =>
  all.filter((_, index) => (index + number) % depth === 0);

/** Whether nothing is left out: then each run of the program is a process of its own, too. */
export const isWhole = depth === 1;
