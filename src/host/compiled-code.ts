import {
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { cacheDirectory } from './cache-dir.ts';
import { delayOptimization } from './optimization.ts';
import { withFile } from './with-file.ts';

/** The value of a file of code: a function that takes `require`. */
type Code = (require: (name: string) => unknown, load: (name: string) => Promise<unknown>) => unknown;

/** Lengths in the kept file: what it was made from, then what V8 made, then `end`. */
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
  delayOptimization();
  const head = `${hash} ${process.version} ${process.arch}`.padEnd(headLength);
  const kept = join(cacheDirectory(process.env), 'code', head.trim().replaceAll(' ', '-'));
  const isKept = !process.env.NODE_DISABLE_COMPILE_CACHE;
  const cachedData = isKept ? readKept(kept, head) : undefined;
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  if (isKept && (cachedData === undefined || script.cachedDataRejected)) {
    // At the end of the run it also holds the functions that were needed, which V8 compiles when they are first called.
    process.once('exit', () => keep(kept, head, script.createCachedData()));
  }
  return script.runInThisContext() as Code;
}

/** Reads what an earlier run kept; only a whole file that belongs to this user counts. */
const readKept = (path: string, head: string): Buffer | undefined =>
  withFile(path, file => {
    const { uid, mode } = fstatSync(file);
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
    const bytes = readFileSync(file);
    const whole =
      bytes.toString('latin1', 0, headLength) === head &&
      bytes.toString('latin1', bytes.length - end.length) === end;
    return whole ? bytes.subarray(headLength, -end.length) : undefined;
  });

/** How many files are kept: one for each version of the program in use. */
const mostKept = 4;

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
    writeFileSync(passing, Buffer.concat([Buffer.from(head), data, Buffer.from(end)]), { mode: 0o600 });
    renameSync(passing, path);
    dropOldest(dirname(path));
  } catch {
    // The next run compiles the code again.
  }
}
