import {
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheDirectory } from './cache-dir.ts';
import { delayOptimization } from './optimization.ts';
import { withFile } from './with-file.ts';

/** The value of a file of code: a function that takes `require`. */
type Code = (require: (name: string) => unknown, load: (name: string) => Promise<unknown>) => unknown;

/** Length of the first part of the kept file: what it was made from, and when first. What V8 made follows, then `end`. */
const headLength = 128;
const end = 'complete';

/**
 * Evaluates a script whose value is a function, and keeps V8's compiled code for the next run: parsing and compiling
 * take longer than the work on a small project. It is a file in the cache directory; where that cannot be read or
 * written, the code is compiled each time. (Node's own cache of compiled code came with Node 22, and gives back less
 * than half of the gain, as it leaves out functions that are compiled when called.) `file` is its absolute path,
 * `hash` that of its text.
 */
export function loadCode(file: string, hash: string): Code {
  // Loaded here, so that runs without the core are without it, and before the flags are others (`withInitialFlags`).
  const { Script } = createRequire(process.execPath)('node:vm') as typeof import('node:vm');
  const restore = delayOptimization();
  // What others need makes each start slower: a `validate` by 6 % after large compiles, a `compile` by 2 % after the rest.
  const command = process.argv[2];
  const use = command === 'compile' || command === 'validate' ? ` ${command}` : '';
  const head = `${hash} ${process.version} ${process.arch}${use}`;
  const path = join(cacheDirectory(process.env), 'code', head.replaceAll(' ', '-'));
  const isKept = !process.env.NODE_DISABLE_COMPILE_CACHE;
  const text = withFile(file, read)?.toString('latin1') ?? readFileSync(file, 'latin1');
  const kept = isKept ? readKept(path, head) : undefined;
  const script = new Script(text, {
    filename: file,
    ...(kept && { cachedData: kept.data }),
  });
  restore();
  room = undefined;
  const usable = kept && !script.cachedDataRejected ? kept : undefined;
  if (isKept && (!usable || isDue(usable))) {
    // At the end of the run it also holds the functions that were needed, which V8 compiles when they are first called.
    process.once('exit', () => {
      // V8 takes it only with the flags that it was made with.
      delayOptimization();
      keep(path, `${head} ${usable?.born ?? Date.now()}`, script.createCachedData());
    });
  }
  return script.runInThisContext() as Code;
}

let room: Buffer | undefined;

/**
 * The bytes of a file, until the next one is read: new memory takes a process longer to get than a file to read, so that
 * there is room for the code, and then for what V8 made of it in the same place (0.4 of 60 ms).
 */
function read(file: number): Buffer {
  const { size } = fstatSync(file);
  if (!room || room.length < size) room = Buffer.allocUnsafeSlow(size * 2);
  let at = 0;
  for (let more = -1; more !== 0 && at < size; at += more) more = readSync(file, room, at, size - at, null);
  return room.subarray(0, at);
}

/** What an earlier run kept. */
interface Kept {
  readonly data: Buffer;
  /** When it was kept for the first time, and when last, in milliseconds. */
  readonly born: number;
  readonly written: number;
}

/** Reads what an earlier run kept; only a whole file that belongs to this user counts. */
const readKept = (path: string, head: string): Kept | undefined =>
  withFile(path, file => {
    const { uid, mode, mtimeMs } = fstatSync(file);
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = read(file);
    const first = bytes.toString('latin1', 0, headLength).trimEnd();
    const whole =
      first.startsWith(`${head} `) &&
      bytes.toString('latin1', bytes.length - end.length) === end &&
      bytes.length > headLength + end.length;
    const born = Number(first.slice(head.length + 1));
    return whole ? { data: bytes.subarray(headLength, -end.length), born, written: mtimeMs } : undefined;
  });

/**
 * Whether it is time to keep the code again, with the functions that runs needed since then: a first run on a small
 * project calls but a part of them. The waits double, so that a year has thirty of these, each of which takes as long as
 * ten runs gain.
 */
const isDue = ({ born, written }: Kept): boolean => {
  const age = Date.now() - written;
  return age > 1000 && age > written - born;
};

/** How many files are kept: for each version of the program in use up to twelve, for four scripts and three uses. */
const mostKept = 24;

function dropOldest(folder: string): void {
  const paths = readdirSync(folder).map(name => join(folder, name));
  const ages = new Map(paths.map(path => [path, statSync(path).mtimeMs]));
  paths.sort((a, b) => ages.get(b)! - ages.get(a)!);
  for (const path of paths.slice(mostKept)) unlinkSync(path);
}

/** Writes the file atomically. A cache that cannot be written is no failure. */
function keep(path: string, head: string, data: Buffer): void {
  // A machine of continuous integration starts without a cache and throws it away.
  if (process.env.CI) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const passing = `${path}.${process.pid}`;
    writeFileSync(passing, Buffer.concat([Buffer.from(head.padEnd(headLength)), data, Buffer.from(end)]), {
      mode: 0o600,
    });
    renameSync(passing, path);
    dropOldest(dirname(path));
  } catch {
    // The next run compiles the code again.
  }
}
