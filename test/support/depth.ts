/** How much of a long property a run goes through: `npm run test:unit` takes a part of it, every other run all. */
const isQuick = process.env.TEST_DEPTH === 'quick';

/** The runs of a property: one in ten of them in a quick run, and so with what they must have come to. */
export const runs = (all: number): number => (isQuick ? Math.ceil(all / 10) : all);

/** What a test is repeated for: one in ten in a quick run, the same ones each time. */
export const sample = <T>(all: readonly T[]): readonly T[] => (isQuick ? all.filter((_, index) => index % 10 === 0) : all);
