import {
  type Looks,
  lookAgain,
  mayBeScreen,
  readText,
  repositoryVariables,
  stillStand,
} from '../host/looks.ts';
import { programFolder } from '../host/program-folder.ts';
import { type Printed, writeAgain } from './streams.ts';

/** Where the stamp of a command lies, below the root: `.instr/.state` is private to this machine. */
export const stampPath = ([command]: readonly string[]): string => `.instr/.state/stamp-${command}.json`;

/**
 * The record of a run that changed nothing: what it looked at and what it printed. While all of that is
 * unchanged, another run would print the same and can be skipped.
 */
export interface Stamp {
  /** A key of the program, its arguments, and the part of the environment that decides what it prints. */
  readonly key: string;
  /** When it was made, in milliseconds; a clock that says less has been set back. */
  readonly time: number;
  readonly looks: Looks;
  /** What was printed, in order; the number of milliseconds that the run took goes before `behind`. */
  readonly said: readonly (readonly [stream: Printed[0], text: string, behind?: string])[];
}

/** Options that change what is printed, or how a run ends, and nothing else. */
const printing: ReadonlySet<string> = new Set(['--quiet', '--verbose', '--color', '--no-color', '--strict']);

/**
 * Variables that decide how things are printed, whether the lock file may change, or where Git's files are; the key has
 * their values.
 */
export const telling = ['CI', 'COLUMNS', 'FORCE_COLOR', 'NO_COLOR', 'TERM', ...repositoryVariables];

/**
 * Whether a run may answer from a stamp, or leave one: only a plain compile or validation. Windows is excluded: it has no
 * time of change that programs cannot set.
 */
export const isStamped = (args: readonly string[]): boolean =>
  (args[0] === 'compile' || args[0] === 'validate') &&
  args.slice(1).every(word => printing.has(word)) &&
  process.platform !== 'win32' &&
  process.env.INSTR_STAMP !== '0' &&
  // Annotations name paths in the repository that a workflow has checked out.
  process.env.GITHUB_ACTIONS === undefined &&
  programFile !== undefined;

/** The entry: its times tell builds apart. There is none where sources run as they are. */
const programFile = programFolder && `${programFolder}/prs.cjs`;

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
    // The day counts, because some findings depend on it; as text it would open tables of time zones.
    Math.floor(Date.now() / 86_400_000),
    screens,
    telling.map(name => process.env[name] ?? null),
  ]);
}

/**
 * Answers a run from the stamp of an earlier one, where everything is as it was then: prints what it printed, and
 * gives the exit code. `undefined`: something changed or is in doubt, and the run has to be made.
 */
export function answerUnchanged(version: string, args: readonly string[]): number | undefined {
  if (!isStamped(args)) return undefined;
  try {
    const cwd = process.cwd();
    const stamp: Stamp = JSON.parse(readText(stampPath(args)));
    if (stamp.key !== stampKey(version, args, cwd) || Date.now() < stamp.time) return undefined;
    // A stamp that came with the project does not have the times that the file has on this machine.
    const isOurs = stamp.looks.some(([path, how]) => how === 'entry' && path === 'instr.yaml');
    if (!isOurs || !stillStand(stamp.looks)) return undefined;
    for (const [stream, text, behind] of stamp.said) {
      const whole = behind === undefined ? text : `${text}${Math.round(process.uptime() * 1000)}${behind}`;
      writeAgain([stream, whole]);
    }
    return 0;
  } catch {
    return undefined;
  }
}
