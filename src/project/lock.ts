import { join } from 'node:path';
import { lockSidesDiffer, lockSourceUnknown } from '../generated/diagnostics.ts';
import { readTextAt } from '../host/host.ts';
import type { Executables, Lock, LockEntry } from '../registry/lock.ts';
import { joinSides, printLock, readLock } from '../registry/lock.ts';
import type { RegistryOverrides } from '../registry/overrides.ts';
import { conflictMark, conflictSides } from '../text/conflict.ts';
import { splitSource } from '../text/source-name.ts';
import type { RecordedExecutable } from './executables.ts';
import { isRecorded, joinExecutables } from './executables.ts';
import type { WithClock, WithDisk, WithEnvironment, WithReport } from './session/world.ts';
import { writeSources } from './write/write-sources.ts';

/** Path of the lock, relative to the project. */
export const LOCK_FILE = 'instr.lock';

/** What the disk says about the lock; `broken` when there is one that cannot be used, which has been reported. */
export type PresentLock =
  | { readonly kind: 'lock'; readonly lock: Lock; readonly text: string }
  | 'none'
  | 'broken';

/** Reads `instr.lock` at the root of a project. */
export async function openLock(root: string, { disk, report }: WithDisk & WithReport): Promise<PresentLock> {
  const text = readTextAt(disk, join(root, LOCK_FILE));
  if (text === undefined) return 'none';

  const lock = readLock(text, report, LOCK_FILE);
  return lock ? { kind: 'lock', lock, text } : 'broken';
}

/** How registries are opened. */
export interface RegistryMode {
  /** Whether only what the lock pins may be read; absent: as the environment says. */
  readonly frozen?: boolean | undefined;
  /** Instead of the lock of the project: what `prs lock` and `prs update` start from. */
  readonly locking?:
    | {
        readonly from: Lock | undefined;
        /** Takes what can run, for whoever asks what a lock would record; it is not judged then. */
        readonly found?: RecordedExecutable[];
      }
    | undefined;
  /** How registries are seen by a run that tries something out. */
  readonly registryOverrides?: RegistryOverrides | undefined;
}

/** Whether a run may read only what the lock pins: when asked to, and by default on a CI system. */
export const isFrozen = (asked: boolean | undefined, environment: WithEnvironment['environment']): boolean =>
  asked ?? environment.CI === 'true';

/** One source before and after: the name of a commit or the number of files, as people read it. */
export interface LockChange {
  readonly source: string;
  readonly before?: string;
  readonly after?: string;
}

/** What became of a lock. */
export interface Locked {
  readonly changes: readonly LockChange[];
  /** The file was written: anew, joined after a merge, or in its usual form, also when it pins what it pinned. */
  readonly rewritten: boolean;
  /** What can run and the lock did not record, each once. */
  readonly newlyExecutable: readonly RecordedExecutable[];
  /** It does now. */
  readonly accepted: boolean;
  /** The lock as it is now, or would be. */
  readonly text: string;
  /** The same once somebody has looked at what is newly executable. */
  readonly acceptedText: string;
}

/** How a lock is made: which of its sources are moved. */
export interface LockRequest {
  /** Absolute path of the project. */
  readonly root: string;
  /**
   * Sources to move: names as the lock has them, with or without version, or `all`. Absent: what is pinned stays,
   * what is missing is added, what nobody refers to any more is dropped.
   */
  readonly update?: readonly string[] | 'all';
  /**
   * Loads everything that the project compiles, all its builds, with registries that are given this lock and
   * `locking: true`; gives what they used. `undefined`: there were errors, which have been reported.
   */
  readonly load: (lock: Lock | undefined) => Promise<readonly LockEntry[] | undefined>;
  /** After `load`: what the sources bring along and can run. */
  readonly executables?: () => readonly RecordedExecutable[];
  /** Somebody asks for the lock who can have looked at what is newly executable; only then it is recorded. */
  readonly isPerson?: boolean;
  /** Nothing is written: `text` of the result says what would be. */
  readonly preview?: boolean;
}

/**
 * Writes the lock of a project, for `prs lock` and `prs update`. `undefined`: something is wrong, which has been
 * reported, and the lock is as it was.
 */
export async function lockProject(
  request: LockRequest,
  context: WithDisk & WithClock & WithReport,
): Promise<Locked | undefined> {
  const { root, update, load } = request;
  const { disk, report } = context;
  const written = readTextAt(disk, join(root, LOCK_FILE)) ?? '';
  const conflict = update === undefined && conflictMark(written, true) !== undefined;
  // A lock that cannot be read is written anew: everything in it can be found again. Its complaint would only confuse.
  const silent = update === undefined && !conflict;
  const present = conflict
    ? await mergedLock(written, report)
    : await openLock(root, { disk, report: silent ? () => {} : report });
  if (present === 'broken' && !silent) return undefined;
  const before = typeof present === 'string' ? undefined : present.lock;
  const kept = update === undefined ? before : withoutSources(before, update, report);
  if (update !== undefined && !kept) return undefined;
  const used = await load(kept);
  if (!used) return undefined;
  const found = request.executables?.() ?? [];

  const fresh = found.filter(one => !isRecorded(one, before));
  const accepted = request.isPerson === true;
  const entries = joinEntries(used);
  const executables = joinExecutables(accepted ? found : found.filter(one => !fresh.includes(one)));
  const lock: Lock = { entries, executables };

  const text = printLock(lock);
  const acceptedText = printLock({ entries, executables: joinExecutables(found) });
  const wanted = present !== 'none' || lock.entries.length > 0 || executables.size > 0;
  const rewritten = wanted && (typeof present === 'string' || present.text !== text);
  if (rewritten && !request.preview) {
    if (!(await writeSources(root, [{ path: LOCK_FILE, text }], context))) return undefined;
  }
  const newlyExecutable = [...new Map(fresh.map(one => [`${one.name} ${one.sha256}`, one])).values()];
  return { changes: changesBetween(before, lock), rewritten, newlyExecutable, accepted, text, acceptedText };
}

/** The pins of both sides of a lock with the marks of a merge conflict: a merge must not move what nobody moved. */
async function mergedLock(text: string, report: WithReport['report']): Promise<PresentLock> {
  const sides = conflictSides(text)?.map(side => readLock(side, () => {}, LOCK_FILE));
  if (!sides?.every(side => side !== undefined)) {
    readLock(text, report, LOCK_FILE);
    return 'broken';
  }
  const entries = joinSides(sides[0]!.entries, sides[1]!.entries, (ours, theirs) => {
    const holes = { source: ours.source, kept: inWords(ours), other: inWords(theirs) };
    report(lockSidesDiffer(holes, { file: LOCK_FILE }));
  });
  const executables = joinRecords(sides.map(side => side!.executables ?? new Map()));
  return { kind: 'lock', lock: { entries, executables }, text };
}

/** What either side of a merge recorded: somebody has looked at each. */
function joinRecords(sides: readonly Executables[]): Executables {
  const joined = new Map<string, ReadonlyMap<string, string>>();
  for (const [name, hashes] of sides.flatMap(side => [...side]))
    joined.set(name, new Map([...(joined.get(name) ?? []), ...hashes]));
  return joined;
}

/** The lock without the sources that are to move; `undefined` when a name fits none of them. */
export function withoutSources(
  lock: Lock | undefined,
  names: readonly string[] | 'all',
  report: WithReport['report'],
): Lock | undefined {
  if (names === 'all') return { entries: [] };
  const entries = lock?.entries ?? [];
  const unknown = names.filter(name => !entries.some(({ source }) => fits(source, name)));
  const sources = entries.map(({ source }) => source).sort();
  for (const source of unknown) {
    const known =
      sources.length > 0 ? `It has: ${sources.join(', ')}.` : 'It has no sources; run `prs lock` first.';
    report(lockSourceUnknown({ source, known }, { file: LOCK_FILE }));
  }
  if (unknown.length > 0) return undefined;
  return { ...lock, entries: entries.filter(({ source }) => !names.some(name => fits(source, name))) };
}

/** A source is named as the lock names it, without its version, or by a reference to something in it. */
function fits(source: string, name: string): boolean {
  if (source === name) return true;
  const [base, version] = splitSource(source);
  const [path, wanted] = splitSource(name);
  return (wanted === undefined || wanted === version) && (path === base || path.startsWith(`${base}/`));
}

/** Entries of several builds as one: a source that two of them read has the files of both. */
export function joinEntries(used: readonly LockEntry[]): LockEntry[] {
  const joined = new Map<string, LockEntry>();
  for (const entry of used) {
    const known = joined.get(entry.source);
    joined.set(entry.source, known ? { ...entry, files: new Map([...known.files, ...entry.files]) } : entry);
  }
  return [...joined.values()];
}

const inWords = ({ ref, commit, files }: LockEntry): string =>
  commit === undefined
    ? `${files.size} ${files.size === 1 ? 'file' : 'files'}`
    : [ref, commit.slice(0, 12)].filter(Boolean).join(' ');

function sameEntry(a: LockEntry, b: LockEntry): boolean {
  const files = (entry: LockEntry): string =>
    JSON.stringify([...entry.files].sort(([x], [y]) => (x < y ? -1 : 1)));
  return (
    a.url === b.url && a.commit === b.commit && a.ref === b.ref && a.root === b.root && files(a) === files(b)
  );
}

function changesBetween(before: Lock | undefined, after: Lock): LockChange[] {
  const old = new Map(before?.entries.map(entry => [entry.source, entry]));
  const fresh = new Map(after.entries.map(entry => [entry.source, entry]));
  const changes: LockChange[] = [];
  for (const source of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(source), fresh.get(source)];
    if (was && is && sameEntry(was, is)) continue;
    changes.push({ source, ...(was && { before: inWords(was) }), ...(is && { after: inWords(is) }) });
  }
  return changes;
}
