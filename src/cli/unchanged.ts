/**
 * Answers a plain `compile` or `validate` from the record of the previous run while none of its dependencies
 * has changed. The record is in the user's cache, so a repository cannot provide one. To remove this feature,
 * delete its calls in `dispatch` and `run`.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { repositoryVariables } from '../host/git-variables.ts';
import { cacheDirectory } from '../host/home.ts';
import type { WritableDisk } from '../host/host.ts';
import { externalInputs } from '../host/outside.ts';
import { withOwnFile } from '../host/own-file.ts';
import { programFolder } from '../host/program-folder.ts';
import { mayBeScreen } from '../host/screen.ts';
import { version } from './command-line.ts';
import { type Printed, replayPrinted } from './streams.ts';

/** What a run asked about a path: only its kind, its whole state including contents, or its real path. */
type Question = 'kind' | 'state' | 'realpath';

/** A path (relative to the root if below it), the question, and the answer. */
type Dependency = readonly [path: string, question: Question, snapshot: string];

/** A run that changed nothing. */
interface UnchangedRun {
  /** The program, its arguments, and the environment variables that affect the output. */
  readonly key: string;
  /** Time of the record in milliseconds; if the clock shows an earlier time, it was set back. */
  readonly time: number;
  readonly dependencies: readonly Dependency[];
  /** The output, in order. Results end with the duration of the run. */
  readonly printed: readonly Printed[];
}

/** The duration at the end of a result. */
const duration = /(?<= \u00b7 )\d+(?= ms\n$)/;

/** Options that only affect the output or the exit code. */
const printOptions = ['--quiet', '--verbose', '--color', '--no-color', '--strict'];

/** Variables whose values are part of the key. */
const keyVariables = ['CI', 'COLUMNS', 'FORCE_COLOR', 'NO_COLOR', 'TERM', ...repositoryVariables];

/** The bundle; its times distinguish builds. `undefined` when running from source. */
const programFile = programFolder && join(programFolder, 'prs.cjs');

/** Whether a run may use or leave a record. Windows is excluded, because programs can set the ctime there. */
export const isRecordable = (args: readonly string[]): boolean =>
  (args[0] === 'compile' || args[0] === 'validate') &&
  args.slice(1).every(word => printOptions.includes(word)) &&
  process.platform !== 'win32' &&
  process.env.INSTR_STAMP !== '0' &&
  // Annotations contain paths in the checked-out repository.
  process.env.GITHUB_ACTIONS === undefined &&
  programFile !== undefined;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The path of the record of a command in a project. */
export const recordPath = (cache: string, root: string, command: string): string =>
  join(cache, 'unchanged', `${sha256(root).slice(0, 32)}-${command}`);

/** The text of a record: the checksum of its data, and the data. */
export const recordText = (data: unknown, json = JSON.stringify(data)): string => `${sha256(json)}\n${json}`;

/** Reads a record; `undefined` when it is damaged, or a file that other users could have written. */
const readRecord = (path: string): UnchangedRun | undefined =>
  withOwnFile(path, file => {
    const text = fs.readFileSync(file, 'utf8');
    const json = text.slice(65);
    return text.slice(0, 65) === `${sha256(json)}\n` ? (JSON.parse(json) as UnchangedRun) : undefined;
  });

const quiet = { bigint: true, throwIfNoEntry: false } as const;

/**
 * The current state of a path: device, inode, size and ctime (which programs cannot set); for a symlink also
 * those of its target. Empty when the path does not exist. Throws for the real path of a dangling symlink.
 */
export function takeSnapshot(path: string, question: Question): string {
  const stats = fs.lstatSync(path, quiet);
  if (!stats) return '';
  if (question === 'realpath') return fs.realpathSync.native(path);
  // For a folder that was only passed, changes of its entries do not matter.
  if (question === 'kind' && stats.isDirectory()) return 'directory';
  const target = stats.isSymbolicLink() ? fs.statSync(path, quiet) : undefined;
  return target ? `${stateOf(stats)} ${stateOf(target)}` : stateOf(stats);
}

const stateOf = ({ dev, ino, size, ctimeNs }: fs.BigIntStats): string => `${dev} ${ino} ${size} ${ctimeNs}`;

/** Everything that must be equal besides the files. */
function keyOf(args: readonly string[], cwd: string): string {
  const screens = ([1, 2] as const).map(
    descriptor => mayBeScreen(descriptor) && (descriptor === 1 ? process.stdout : process.stderr).columns,
  );
  return JSON.stringify([
    version,
    process.version,
    programFile,
    takeSnapshot(programFile!, 'state'),
    args,
    cwd,
    process.getuid?.(),
    // Some findings depend on the date.
    Math.floor(Date.now() / 86_400_000),
    screens,
    keyVariables.map(name => process.env[name] ?? null),
  ]);
}

/**
 * Prints the output of the recorded run and returns its exit code, if none of its dependencies changed.
 * Otherwise, or in doubt, returns `undefined`, and the command must run.
 */
export function answerUnchanged(args: readonly string[]): number | undefined {
  if (!isRecordable(args)) return undefined;
  try {
    const cwd = process.cwd();
    const path = recordPath(cacheDirectory(process.env), cwd, args[0]!);
    // The cache must not be in the project, because a repository could provide it.
    if (path.startsWith(cwd + sep)) return undefined;
    const run = readRecord(path);
    if (run?.key !== keyOf(args, cwd) || Date.now() < run.time) return undefined;
    for (const [path, question, snapshot] of run.dependencies)
      if (takeSnapshot(path, question) !== snapshot) return undefined;
    for (const [stream, text] of run.printed) {
      const milliseconds = String(Math.round(process.uptime() * 1000));
      replayPrinted([stream, stream === 'stdout' ? text.replace(duration, milliseconds) : text]);
    }
    return 0;
  } catch {
    return undefined;
  }
}

/** Records what a run reads from disk and environment. */
export interface DependencyRecorder {
  readonly disk: WritableDisk;
  readonly environment: NodeJS.ProcessEnv;
  /** Absolute paths by question; `undefined` when the run wrote something, or depends on other inputs. */
  dependencies(): Readonly<Record<Question, ReadonlySet<string>>> | undefined;
}

const questionOf: Readonly<Record<string, readonly Question[]>> = {
  readBytes: ['state'],
  stat: ['kind'],
  lstat: ['kind'],
  list: ['state'],
  realpath: ['kind', 'realpath'],
  readLink: ['kind'],
};

/**
 * Wraps a disk and an environment. Values of variables may be secret and are not stored: a run that reads a
 * variable outside the key leaves no record.
 */
export function recordDependencies(below: WritableDisk, variables: NodeJS.ProcessEnv): DependencyRecorder {
  const asked = { kind: new Set<string>(), state: new Set<string>(), realpath: new Set<string>() };
  let complete = true;
  const disk = Object.fromEntries(
    Object.entries(below).map(([name, method]) => [
      name,
      (path: string, ...rest: unknown[]) => {
        const questions = questionOf[name];
        // Every other method writes.
        if (!questions) complete = false;
        else if (complete) for (const question of questions) asked[question].add(path);
        return (method as (...all: unknown[]) => unknown)(path, ...rest);
      },
    ]),
  ) as unknown as WritableDisk;
  const seen = (name: PropertyKey) => {
    if (!keyVariables.includes(String(name))) complete = false;
  };
  return {
    disk,
    environment: new Proxy(variables, {
      get(target, name) {
        seen(name);
        return target[name as string];
      },
      has(target, name) {
        seen(name);
        return name in target;
      },
      ownKeys(target) {
        complete = false;
        return Reflect.ownKeys(target);
      },
    }),
    dependencies: () => (complete && externalInputs().size === 0 ? asked : undefined),
  };
}

/**
 * Milliseconds before the run during which nothing may have changed, because a later change could have the
 * same times.
 */
const margin = 2000;

/**
 * Saves the record of a run in `root` that changed nothing. In doubt nothing is saved: all dependencies must
 * be unchanged since before the run and on one local disk, so that their current state is what was read.
 */
export function saveUnchanged(
  args: readonly string[],
  root: string,
  recorder: DependencyRecorder,
  printed: readonly Printed[],
): void {
  const areTimed = printed.every(
    ([stream, text]) => stream === 'stderr' || text === '' || duration.test(text),
  );
  const asked = recorder.dependencies();
  // Times before and after cannot be compared when the clock was set in between.
  const clockWasSet = Math.abs(performance.timeOrigin + performance.now() - Date.now()) > 500;
  if (!areTimed || !asked || clockWasSet) return;
  const path = recordPath(cacheDirectory(process.env), root, args[0]!);
  const draft = `${path}.${process.pid}`;
  try {
    const dependencies = dependenciesOf(asked, root, Date.now() - process.uptime() * 1000 - margin);
    if (!dependencies) return;
    const run: UnchangedRun = { key: keyOf(args, root), time: Date.now(), dependencies, printed };
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.rmSync(draft, { force: true });
    // Must not follow a symlink: the name must be free.
    fs.writeFileSync(draft, recordText(run), { flag: 'wx', mode: 0o600 });
    fs.renameSync(draft, path);
  } catch {
    // An unwritable cache is not a failure: the next run just does the work.
    fs.rmSync(draft, { force: true });
  }
}

/**
 * The current snapshots of all dependencies; `undefined` when one is on another disk than the root, or
 * changed after `before`.
 */
function dependenciesOf(
  asked: Readonly<Record<Question, ReadonlySet<string>>>,
  root: string,
  before: number,
): Dependency[] | undefined {
  const { dev } = fs.lstatSync(root, { bigint: true });
  if (!isLocalDisk(root, dev)) return undefined;
  const dependencies: Dependency[] = [];
  let finestTime = 0n;
  for (const question of ['kind', 'state', 'realpath'] as const) {
    for (const path of asked[question]) {
      if (question === 'kind' && asked.state.has(path)) continue;
      const snapshot = takeSnapshot(path, question);
      const isBelow = path.startsWith(root + sep);
      dependencies.push([isBelow ? path.slice(root.length + 1) : path, question, snapshot]);
      if (question === 'realpath' || snapshot === 'directory') continue;
      // A file that was removed during the run leaves no trace except in its folder.
      const facts = (snapshot || folderSnapshot(path, root)).split(' ').map(BigInt);
      for (let at = 0; at + 4 <= facts.length; at += 4) {
        const time = facts[at + 3]!;
        if (facts[at] !== dev || time / 1_000_000n >= before) return undefined;
        finestTime ||= time % 1_000_000_000n;
      }
    }
  }
  // On a file system with times in whole seconds, two changes within a second look the same.
  return finestTime === 0n ? undefined : dependencies;
}

/**
 * The snapshot of the nearest existing parent folder; skipped for the state folder, which every run changes.
 */
function folderSnapshot(path: string, root: string): string {
  const folder = dirname(path);
  if (relative(root, folder) === join('.instr', '.state')) return '';
  return takeSnapshot(folder, 'state') || folderSnapshot(folder, root);
}

/** Types of local Linux file systems: ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, Bcachefs. */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/** Whether a disk is local: on a shared one, `lstat` may be older than the content. */
function isLocalDisk(path: string, dev: bigint): boolean {
  if (process.platform === 'linux') return localTypes.has(fs.statfsSync(path).type);
  return process.platform === 'darwin' && fs.statSync('/private/var/tmp', { bigint: true }).dev === dev;
}
