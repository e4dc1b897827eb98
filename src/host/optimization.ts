import { createRequire } from 'node:module';

/**
 * What V8 is told at the start of a run, and what it comes with: how long a function runs before it is compiled again
 * with optimizations, by the major versions that know the flags. Up to 11 it counts executed bytecode, in bytes;
 * later it counts calls, for each of two compilers. Other versions are left alone: a flag they lack is an error.
 */
const flags: readonly {
  readonly versions: readonly number[];
  readonly delayed: string;
  /** Absent where optimizing as usual costs more than it gives back in hundreds of compiles. */
  readonly usual?: string;
}[] = [
  { versions: [11], delayed: '--interrupt-budget=1000000' },
  {
    versions: [12, 13],
    delayed: '--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000',
    usual: '--invocation-count-for-maglev=400 --invocation-count-for-turbofan=3000',
  },
];

const known = flags.find(({ versions }) => versions.includes(Number.parseInt(process.versions.v8, 10)));

/**
 * Lets V8 wait longer before it optimizes. As it comes, a run of a tenth of a second spends a sixth of its time and a
 * third of its memory on code that it does not run long enough to get that back; large projects are as fast either way.
 */
export function delayOptimization(): void {
  if (known) setFlags(known.delayed);
}

/**
 * Lets V8 optimize as it would of itself, for a run that does the same work again and again. Up to 11 it optimizes and
 * takes back for so long that compiles while watching are slower with it, the four hundredth like the first.
 */
export function optimizeAsUsual(): void {
  if (known?.usual !== undefined) setFlags(known.usual);
}

type SetFlags = (flags: string) => void;

/**
 * `node:v8` brings all of Node's streams along, 5 ms of a start of 50, for functions about heaps. What it hands the
 * flags to is asked first; Node calls that way deprecated, and where it is closed the module is loaded.
 */
function setFlags(flags: string): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    const { binding } = process as unknown as {
      binding?: (name: string) => { setFlagsFromString: SetFlags };
    };
    binding!('v8').setFlagsFromString(flags);
  } catch {
    const v8 = createRequire(process.execPath)('node:v8') as { setFlagsFromString: SetFlags };
    v8.setFlagsFromString(flags);
  } finally {
    process.noDeprecation = noDeprecation ?? false;
  }
}
