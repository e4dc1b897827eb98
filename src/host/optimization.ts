import { createRequire } from 'node:module';
import { askBindings } from './bindings.ts';

/**
 * Flags of V8 that set how long a function runs before it is optimized, by what its version begins with: those for a short
 * run, those for a long one, and where they differ the ones that Node starts with. That of Node 20 counts executed bytecode,
 * in bytes; later ones count calls, for each of two compilers. Other versions are left alone: a flag they lack is an error.
 */
const flags: readonly {
  readonly versions: readonly string[];
  readonly delayed: string;
  /** Of Node 20 not those that Node starts with: they cost more than they give back in hundreds of compiles. */
  readonly usual: string;
  /** For hundreds of compiles of which none waits for the next; absent: `usual`. */
  readonly many?: string;
  /** Absent: `usual`. */
  readonly initial?: string;
  /**
   * What says when V8 begins to note the types that a function meets (how much of its bytecode has run, by its size, or how
   * often it was called), for a short run. Most functions of one are called a few times, and the notes, with the code that is
   * made with them, cost more than they save: 3 to 4 % of a run of Node 20. Half of it is slower, and eight times as much, too.
   */
  readonly noted: readonly [flag: string, short: number];
}[] = [
  {
    versions: ['11.3.'],
    delayed: '--interrupt-budget=3000000',
    usual: '--interrupt-budget=1000000',
    many: '--interrupt-budget=400000',
    initial: '--interrupt-budget=67584',
    noted: ['--interrupt-budget-factor-for-feedback-allocation', 32],
  },
  {
    versions: ['12.', '13.'],
    delayed: '--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000',
    usual: '--invocation-count-for-maglev=400 --invocation-count-for-turbofan=3000',
    noted: ['--invocation-count-for-feedback-allocation', 16],
  },
];

/** The value of both flags `noted` as Node starts. */
const notedInitially = 8;

/**
 * By how much the space for new objects grows, whether several threads sweep it, and whether patterns that are interpreted are
 * made shorter first, which pays for those that are used often: in a short run, and as Node starts.
 * (`--no-regexp-tier-up` would save 2 % more, and makes V8 crash when it is set in a running process.)
 */
const short = ' --semi-space-growth-factor=1 --no-parallel-scavenge --no-regexp-peephole-optimization';
const long = ' --semi-space-growth-factor=2 --parallel-scavenge --regexp-peephole-optimization';

const known = flags.find(({ versions }) => versions.some(version => process.versions.v8.startsWith(version)));

/**
 * Lets V8 wait longer before it optimizes. As it comes, a run of a tenth of a second spends a sixth of its time and a
 * third of its memory on code that it does not run long enough to get that back; large projects are as fast either way.
 * Of Node 20, three megabytes instead of one take a thousand sources a twelfth less of the processor.
 * The space for new objects stays as small as it is at the start: most of them die at once, and sixteen times the space
 * takes a quarter of the memory of a large run, for a hundredth of its time. It is swept by one thread: waking others for a
 * megabyte takes longer than they save. Gives back what puts a choice for a longer run in force again.
 */
export function delayOptimization(): () => void {
  const before = flagsNow.chosen;
  if (known) choose('delayed');
  return () => {
    if (before === 'usual' || before === 'many') choose(before);
  };
}

/**
 * Sets the defaults again, for a run that does the same work many times. Of Node 20 they make even the four
 * hundredth compile of a watch slower, so it waits there, too, but less.
 */
export function optimizeAsUsual(): void {
  if (known) choose('usual');
}

/** For a run that compiles hundreds of projects: it takes a quarter less of the processor than with either of the others. */
export function optimizeForMany(): void {
  if (known) choose('many');
}

/**
 * Does what loads modules of Node, with the flags that Node started with: it brings compiled code of them, which V8
 * takes only with these, and `node:crypto` alone takes 5 instead of 11 ms of Node 20. Where `work` gives a promise, they
 * stay until it is settled.
 */
export function withInitialFlags<T>(work: () => T): T {
  const before = flagsNow.chosen;
  if (before === 'initial') return work();
  choose('initial');
  const restore = () => {
    if (flagsNow.chosen === 'initial') choose(before);
  };
  let result: T | undefined;
  try {
    result = work();
    return result;
  } finally {
    if (result instanceof Promise) result.then(restore, restore);
    else restore();
  }
}

interface FlagsNow {
  chosen: 'initial' | 'delayed' | 'usual' | 'many';
}

const owner = globalThis as { [key: symbol]: FlagsNow | undefined };
const key = Symbol.for('instr.flags');

/** Flags belong to the process, and the built program has this module in more than one of its scripts. */
owner[key] ??= { chosen: 'initial' };
const flagsNow: FlagsNow = owner[key];

function choose(next: FlagsNow['chosen']): void {
  flagsNow.chosen = next;
  const isShort = next === 'delayed';
  const [flag, noted] = known!.noted;
  const budget = known![next] ?? known!.usual;
  setFlags(`${budget} ${flag}=${isShort ? noted : notedInitially}${isShort ? short : long}`);
}

interface V8 {
  setFlagsFromString(flags: string): void;
}

/**
 * `node:v8` loads all of Node's streams, 5 ms of a start of 50. The internal binding behind it is called first, and where
 * it fails the module is loaded.
 */
function setFlags(flags: string): void {
  const isSet = askBindings((binding: (name: 'v8') => V8) => {
    binding('v8').setFlagsFromString(flags);
    return true;
  });
  if (!isSet) (createRequire(process.execPath)('node:v8') as V8).setFlagsFromString(flags);
}

type Sweep = (options: { readonly type: 'minor' }) => void;

/**
 * Sweeps the space for new objects now, when nobody waits: after a round of a watch most of them are garbage, for which
 * the next one would be interrupted. Where Node does not hand its sweeper out, nothing is done.
 */
export function sweepNewObjects(): void {
  sweep ??= findSweep();
  sweep({ type: 'minor' });
}

let sweep: Sweep | undefined;

function findSweep(): Sweep {
  const { runInNewContext } = createRequire(process.execPath)('node:vm') as typeof import('node:vm');
  // Compiled code is kept with the flags of the moment, and taken with those of a start only.
  if (known) setFlags('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  if (known) setFlags('--no-expose-gc');
  return typeof found === 'function' ? (found as Sweep) : () => {};
}
