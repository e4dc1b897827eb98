/**
 * fast-check with a fixed seed, so that test runs are reproducible. `--seed` of scripts/test.ts sets another seed, or a
 * new one for each run (`random`).
 */
import fc from 'fast-check';

const seed = process.env.TEST_SEED ?? '1';

fc.configureGlobal({ includeErrorInReport: true, ...(seed !== 'random' && { seed: Number(seed) }) });

export default fc;
