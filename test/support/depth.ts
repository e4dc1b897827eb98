/** How much of a long property a run goes through: one part in so many (`--depth` of scripts/test.ts); by itself a test takes all. */
const depth = Number(process.env.TEST_DEPTH ?? 1);

/** The runs of a property, or a part of them, and so with what they must have come to. */
export const runs = (all: number): number => Math.ceil(all / depth);

/** What a test is repeated for, or a part of it, the same one each time. */
export const sample = <T>(all: readonly T[]): readonly T[] => all.filter((_, index) => index % depth === 0);
