/** How much of a long property a run goes through: `npm run test:unit` takes a part of it, every other run all. */
const isQuick = process.env.TEST_DEPTH === 'quick';

/** The runs of a property: a quarter of them in a quick run. */
export const runs = (all: number): number => (isQuick ? Math.ceil(all / 4) : all);

/** What a test is repeated for: one in five in a quick run, the same ones each time. */
export const sample = <T>(all: readonly T[]): readonly T[] => (isQuick ? all.filter((_, index) => index % 5 === 0) : all);
