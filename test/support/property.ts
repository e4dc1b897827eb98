/**
 * fast-check with a fixed seed, so that a run of the tests finds the same twice. `--seed` of scripts/test.ts gives another
 * one, or a new one each time (`random`).
 */
import fc from 'fast-check';

const seed = process.env.TEST_SEED ?? '1';

fc.configureGlobal({ includeErrorInReport: true, ...(seed !== 'random' && { seed: Number(seed) }) });

export default fc;
