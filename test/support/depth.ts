/** Runs only one part in `depth` of long property tests (`--depth` of scripts/test.ts). The default runs everything. */
const depth = Number(process.env.TEST_DEPTH ?? 1);

/** The number of runs of a property, or of expected results, at this depth. */
export const runs = (all: number): number => Math.ceil(all / depth);

/** The inputs of a test at this depth. The same number selects the same inputs each time. */
export const sample = <T>(all: readonly T[], number = 0): readonly T[] =>
  all.filter((_, index) => (index + number) % depth === 0);

/** Whether nothing is left out. Then each run of the program has its own process, too. */
export const isWhole = depth === 1;
