/**
 * Answers a plain `compile` or `validate` from the record of the last one while nothing that it depended on has changed. The
 * record lies in the user's cache, so a repository cannot bring one. To remove all of this, delete the calls in `dispatch`
 * and `run`.
 */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { cacheDirectory } from '../host/cache-dir.ts';
import { repositoryVariables } from '../host/git-variables.ts';
import type { WritableDisk } from '../host/host.ts';
import { externalInputs } from '../host/outside.ts';
import { withOwnFile } from '../host/own-file.ts';
import { programFolder } from '../host/program-folder.ts';
import { mayBeScreen } from '../host/screen.ts';
import { type Printed, replayPrinted } from './streams.ts';

/** What was asked of a path: only what kind of thing it is, its whole state with contents, or where links lead it. */
type Question = 'kind' | 'state' | 'realpath';

/**
 * Device, inode, size and time of change (of content, mode or links; programs cannot set it) in one text; of a link also
 * those of its target. Empty when nothing is there.
 */
type StatSnapshot = string;

/** A path, relative where it is below the root, what was asked of it, and the answer. */
type Dependency = readonly [path: string, question: Question, snapshot: StatSnapshot];

/** A run that changed nothing. */
interface UnchangedRun {
  /** The program, its arguments, and the part of the environment that decides what is printed. */
  readonly key: string;
  /** When it was made, in milliseconds; a clock that says less has been set back. */
  readonly time: number;
  readonly dependencies: readonly Dependency[];
  /** What was printed, in order; the number of milliseconds that the run took goes before `rest`. */
  readonly printed: readonly (readonly [stream: Printed[0], text: string, rest?: string])[];
}

/** Options that change what is printed, or how a run ends, and nothing else. */
const printOptions = ['--quiet', '--verbose', '--color', '--no-color', '--strict'];

/** Variables whose values are part of the key. */
const keyVariables = ['CI', 'COLUMNS', 'FORCE_COLOR', 'NO_COLOR', 'TERM', ...repositoryVariables];

/** The entry; its times tell builds apart. There is none where the sources run as they are. */
const programFile = programFolder && join(programFolder, 'prs.cjs');

/** Whether a run may be answered from a record, or leave one. Windows is excluded: programs can set its time of change. */
export const isRecordable = (args: readonly string[]): boolean =>
  (args[0] === 'compile' || args[0] === 'validate') &&
  args.slice(1).every(word => printOptions.includes(word)) &&
  process.platform !== 'win32' &&
  process.env.INSTR_STAMP !== '0' &&
  // Annotations name paths in the repository that a workflow has checked out.
  process.env.GITHUB_ACTIONS === undefined &&
  programFile !== undefined;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Where the record of a command in a project lies. */
export const recordPath = (cache: string, root: string, command: string): string =>
  join(cache, 'unchanged', `${sha256(root).slice(0, 32)}-${command}`);

/** The text of a record: the checksum of its data, and the data. */
export const recordText = (data: unknown, json = JSON.stringify(data)): string => `${sha256(json)}\n${json}`;

/** Reads a record; `undefined` when it is not whole, or not a file that only this user can write. */
const readRecord = (path: string): UnchangedRun | undefined =>
  withOwnFile(path, file => {
    const text = readFileSync(file, 'utf8');
    const json = text.slice(65);
    return text.slice(0, 65) === `${sha256(json)}\n` ? (JSON.parse(json) as UnchangedRun) : undefined;
  });

const quiet = { bigint: true, throwIfNoEntry: false } as const;

/** What a path is now. Throws for the real path of a link that leads nowhere. */
export function takeSnapshot(path: string, question: Question): StatSnapshot {
  const found = lstatSync(path, quiet);
  if (!found) return '';
  if (question === 'realpath') return realpathSync.native(path);
  // Entries of a folder that was only passed may come and go.
  if (question === 'kind' && found.isDirectory()) return 'directory';
  const target = found.isSymbolicLink() ? statSync(path, quiet) : undefined;
  return target ? `${stateOf(found)} ${stateOf(target)}` : stateOf(found);
}

const stateOf = ({ dev, ino, size, ctimeNs }: BigIntStats): string => `${dev} ${ino} ${size} ${ctimeNs}`;

/** What must be the same besides the files. */
function keyOf(version: string, args: readonly string[], cwd: string): string {
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
    // Some findings depend on the day.
    Math.floor(Date.now() / 86_400_000),
    screens,
    keyVariables.map(name => process.env[name] ?? null),
  ]);
}

/**
 * Prints what the recorded run printed, if all of its dependencies are as they were, and returns the exit code. Returns
 * `undefined` when anything changed or is in doubt: then the run has to be made.
 */
export function answerUnchanged(version: string, args: readonly string[]): number | undefined {
  if (!isRecordable(args)) return undefined;
  try {
    const cwd = process.cwd();
    const path = recordPath(cacheDirectory(process.env), cwd, args[0]!);
    // A repository could bring it.
    if (path.startsWith(cwd + sep)) return undefined;
    const run = readRecord(path);
    if (run?.key !== keyOf(version, args, cwd) || Date.now() < run.time) return undefined;
    for (const [path, question, snapshot] of run.dependencies)
      if (takeSnapshot(path, question) !== snapshot) return undefined;
    for (const [stream, text, rest] of run.printed) {
      const whole = rest === undefined ? text : `${text}${Math.round(process.uptime() * 1000)}${rest}`;
      replayPrinted([stream, whole]);
    }
    return 0;
  } catch {
    return undefined;
  }
}

/** Records everything that a run asks of the disk and the environment. */
export interface DependencyRecorder {
  readonly disk: WritableDisk;
  readonly environment: NodeJS.ProcessEnv;
  /** Absolute paths by question; `undefined` when the run wrote, or depends on more than the disk. */
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
 * Wraps a disk and an environment. Values of variables may be secret and are kept nowhere: a run that reads one that is not
 * part of the key leaves no record.
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

/** Milliseconds for which everything must have been unchanged before the run: a later change may not show in its times. */
const margin = 2000;

/**
 * Saves the record of a run in `root` that changed nothing, unless anything is in doubt: everything must have been left
 * alone since before the run, on one local disk, so that what is there now is what was read.
 */
export function saveUnchanged(
  version: string,
  args: readonly string[],
  root: string,
  recorder: DependencyRecorder,
  texts: readonly Printed[],
): void {
  const printed = withoutDuration(texts);
  const asked = recorder.dependencies();
  // Times of before and after cannot be compared when the clock was set meanwhile.
  const clockWasSet = Math.abs(performance.timeOrigin + performance.now() - Date.now()) > 500;
  if (!printed || !asked || clockWasSet) return;
  const path = recordPath(cacheDirectory(process.env), root, args[0]!);
  const draft = `${path}.${process.pid}`;
  try {
    const dependencies = dependenciesOf(asked, root, Date.now() - process.uptime() * 1000 - margin);
    if (!dependencies) return;
    const run: UnchangedRun = { key: keyOf(version, args, root), time: Date.now(), dependencies, printed };
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    // Follows no link: the name must be free.
    writeFileSync(draft, recordText(run), { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A cache that cannot be written is no failure: the next run is made.
    rmSync(draft, { force: true });
  }
}

/** What was printed, split at the duration of the run; `undefined` when a result does not end with one. */
function withoutDuration(texts: readonly Printed[]): UnchangedRun['printed'] | undefined {
  const printed = texts.map(([stream, text]): UnchangedRun['printed'][number] => {
    const found = stream === 'stdout' ? /^(.* \u00b7 )\d+( ms\n)$/s.exec(text) : undefined;
    return found ? [stream, found[1]!, found[2]!] : [stream, text];
  });
  const isSplit = printed.every(
    ([stream, text, rest]) => stream === 'stderr' || text === '' || rest !== undefined,
  );
  return isSplit ? printed : undefined;
}

/** Snapshots of what was asked; `undefined` when something lies on another disk than the root, or changed after `before`. */
function dependenciesOf(
  asked: Readonly<Record<Question, ReadonlySet<string>>>,
  root: string,
  before: number,
): Dependency[] | undefined {
  const { dev } = lstatSync(root, { bigint: true });
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
      // What was removed during the run looks as if it had never been there, but its folder has changed.
      const facts = (snapshot || folderSnapshot(path, root)).split(' ').map(BigInt);
      for (let at = 0; at + 4 <= facts.length; at += 4) {
        const time = facts[at + 3]!;
        if (facts[at] !== dev || time / 1_000_000n >= before) return undefined;
        finestTime ||= time % 1_000_000_000n;
      }
    }
  }
  // A disk that keeps whole seconds cannot tell two changes within one.
  return finestTime === 0n ? undefined : dependencies;
}

/** The snapshot of the nearest folder above a path that is there; none for the state folder, which every run changes. */
function folderSnapshot(path: string, root: string): StatSnapshot {
  const folder = dirname(path);
  if (relative(root, folder) === join('.instr', '.state')) return '';
  return takeSnapshot(folder, 'state') || folderSnapshot(folder, root);
}

/** Types of Linux file systems that only this machine writes: ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, Bcachefs. */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/** Whether only this machine writes to a disk: on a shared one `lstat` may be older than the content. */
function isLocalDisk(path: string, dev: bigint): boolean {
  if (process.platform === 'linux') return localTypes.has(statfsSync(path).type);
  return process.platform === 'darwin' && statSync('/private/var/tmp', { bigint: true }).dev === dev;
}
