import { type Looks, lookAgain, mayBeScreen, readText, stillStand } from '../host/looks.ts';
import { type Printed, writeError, writeResult } from './streams.ts';

/** Where a run takes down what it saw, below the root: `.instr/.state` is known to nobody but this machine. */
export const stampPath = '.instr/.state/stamp.json';

/**
 * What a compile that changed nothing saw and said. As long as everything it looked at is as it was, another one would
 * say the same, and need not be made.
 */
export interface Stamp {
  /** The program, the words it was started with, and what else of its surroundings decides what it prints. */
  readonly key: string;
  /** When it was made, in milliseconds; a clock that says less has been set back. */
  readonly time: number;
  readonly looks: Looks;
  /** What was printed, in order; the number of milliseconds that the run took goes before `behind`. */
  readonly said: readonly (readonly [stream: Printed[0], text: string, behind?: string])[];
}

/** Options that change what is printed and nothing else. */
const printing: ReadonlySet<string> = new Set(['--quiet', '--verbose', '--color', '--no-color']);

/** Variables that decide how things are printed, or whether the lock file may change; the key has their values. */
export const telling = ['CI', 'COLUMNS', 'FORCE_COLOR', 'NO_COLOR', 'TERM'];

/**
 * Whether a run may answer from a stamp, or leave one: only a plain compile. Windows has no time of change that nobody
 * can set, which is what all of this rests on.
 */
export const isStamped = (args: readonly string[]): boolean =>
  args[0] === 'compile' &&
  args.slice(1).every(word => printing.has(word)) &&
  process.platform !== 'win32' &&
  process.env.INSTR_STAMP !== '0' &&
  // Annotations name paths in the repository that a workflow has checked out.
  process.env.GITHUB_ACTIONS === undefined &&
  programFile !== undefined;

/** The code that all commands share; its name and times tell builds apart. There is none where sources run as they are. */
const programFile = typeof __dirname === 'string' ? `${__dirname}/chunks/core.cjs` : undefined;

/** What must be the same besides the files. */
export function stampKey(version: string, args: readonly string[], cwd: string): string {
  const screens = ([1, 2] as const).map(
    descriptor => mayBeScreen(descriptor) && (descriptor === 1 ? process.stdout : process.stderr).columns,
  );
  return JSON.stringify([
    version,
    process.version,
    programFile,
    lookAgain(programFile!, 'entry'),
    args,
    cwd,
    process.getuid?.(),
    // Some findings tell what is out of date.
    new Date().toISOString().slice(0, 10),
    screens,
    telling.map(name => process.env[name] ?? null),
  ]);
}

/**
 * Answers a compile from the stamp of an earlier one, where everything is as it was then: prints what it printed, and
 * gives the exit code. `undefined`: something changed or is in doubt, and the run has to be made.
 */
export function answerUnchanged(version: string, args: readonly string[]): number | undefined {
  if (!isStamped(args)) return undefined;
  try {
    const cwd = process.cwd();
    const stamp: Stamp = JSON.parse(readText(stampPath));
    if (stamp.key !== stampKey(version, args, cwd) || Date.now() < stamp.time) return undefined;
    // Nobody can know the times of a file of this machine: a stamp that came with the project does not have them.
    const isOurs = stamp.looks.some(([path, how]) => how === 'entry' && path === 'instr.yaml');
    if (!isOurs || !stillStand(stamp.looks)) return undefined;
    for (const [stream, text, behind] of stamp.said) {
      const whole = behind === undefined ? text : `${text}${Math.round(process.uptime() * 1000)}${behind}`;
      (stream === 'stdout' ? writeResult : writeError)(whole);
    }
    return 0;
  } catch {
    return undefined;
  }
}
