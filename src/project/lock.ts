import { join } from 'node:path';
import { lockSourceUnknown } from '../generated/diagnostics.ts';
import { readTextAt } from '../host/host.ts';
import { recordExternalInput } from '../host/outside.ts';
import type { Lock, LockEntry } from '../registry/lock.ts';
import { printLock, readLock } from '../registry/lock.ts';
import { createRegistries, type TrackedRegistries } from '../registry/registries.ts';
import type { RegistryOptions, RegistryOverrides } from '../registry/source-context.ts';
import { conflictMark } from '../text/conflict.ts';
import { splitSource } from '../text/source-name.ts';
import type { LockState, RecordedExecutable } from './executables.ts';
import { isRecorded, joinExecutables } from './executables.ts';
import type { CompileContext, WithClock, WithDisk, WithEnvironment, WithReport } from './session/world.ts';
import { writeSources } from './write/write-sources.ts';

/** Path of the lock file, relative to the project. */
export const LOCK_FILE = 'instr.lock';

/** The lock file on the disk; `broken` after a report. */
export type PresentLock =
  | { readonly kind: 'lock'; readonly lock: Lock; readonly text: string }
  | 'none'
  | 'broken';

export function openLock(root: string, { disk, report }: WithDisk & WithReport): PresentLock {
  const text = readTextAt(disk, join(root, LOCK_FILE));
  if (text === undefined) return 'none';

  const lock = readLock(text, report);
  return lock ? { kind: 'lock', lock, text } : 'broken';
}

/** How registries are opened. */
export interface RegistryMode {
  /** Whether only pinned sources may be read. By default as the environment says. */
  readonly frozen?: boolean | undefined;
  /** A lock that replaces that of the project, for `prs lock` and `prs update`. */
  readonly locking?:
    | {
        readonly from: Lock | undefined;
        /** Collects executables, which are not checked then. */
        readonly found?: RecordedExecutable[];
      }
    | undefined;
  /** `false`: the lock of the project does not apply, because what is read is not part of the project. */
  readonly pinned?: boolean;
  /** Called when a registry is read for the configuration. */
  readonly untracked?: () => void;
  /** Overrides for a trial run. */
  readonly registryOverrides?: RegistryOverrides | undefined;
}

/** Whether a run may only read pinned sources: as requested, and by default in CI. */
export const isFrozen = (asked: boolean | undefined, environment: WithEnvironment['environment']): boolean =>
  asked ?? environment.CI === 'true';

/** Opened registries, with the lock that applies to them. */
export interface ProjectRegistries extends TrackedRegistries {
  lockState?(): LockState | undefined;
}

/** Opens registries with the lock of the project; `undefined` after a damaged lock was reported. */
export function openRegistries(
  settings: Pick<RegistryOptions, 'config' | 'spanOf' | 'root' | 'isAllowed'>,
  { frozen: asked, locking, pinned = true, registryOverrides }: RegistryMode,
  context: CompileContext,
): ProjectRegistries | undefined {
  recordExternalInput('registry');
  const { disk, environment, clock, progress, report } = context;
  const present = locking || !pinned ? 'none' : openLock(settings.root, { disk, report });
  if (present === 'broken') return undefined;
  const lock = present === 'none' ? locking?.from : present.lock;
  const frozen = pinned && !locking && isFrozen(asked, environment);
  const options = { ...settings, disk, environment, clock, progress, lock, frozen, registryOverrides };
  const registries = createRegistries({ ...options, locking: locking !== undefined }, report);
  return { ...registries, lockState: () => ({ lock, frozen, collected: locking?.found }) };
}

/** The old and new version of a source: a commit, or a number of files. */
export interface LockChange {
  readonly source: string;
  readonly before?: string;
  readonly after?: string;
}

/** The result of locking. */
export interface Locked {
  readonly changes: readonly LockChange[];
  /** Whether the lock file changed. */
  readonly rewritten: boolean;
  /** Executables that the lock did not record. */
  readonly newlyExecutable: readonly RecordedExecutable[];
  /** Whether they are recorded now. */
  readonly accepted: boolean;
  /** The new text of the lock file. */
  readonly text: string;
  /** The text with all executables recorded. */
  readonly acceptedText: string;
}

/** How to lock a project. */
export interface LockRequest {
  readonly root: string;
  /**
   * Sources to update, with or without version, or `all`. Without it, pinned sources stay, missing ones are added and
   * unused ones removed.
   */
  readonly update?: readonly string[] | 'all';
  /**
   * Loads all builds of the project with the given lock and returns the entries they used, and the executables of the
   * sources; `undefined` after an error was reported.
   */
  readonly load: (
    lock: Lock | undefined,
  ) => Promise<
    { readonly used: readonly LockEntry[]; readonly executables: readonly RecordedExecutable[] } | undefined
  >;
  /** Whether a person runs the command, who can review new executables. Only then they are recorded. */
  readonly isPerson?: boolean;
  /** Whether to return the text without writing it. */
  readonly preview?: boolean;
}

/**
 * Locks a project, for `prs lock` and `prs update`. Returns `undefined` after a report; the lock file is unchanged
 * then.
 */
export async function lockProject(
  request: LockRequest,
  context: WithDisk & WithClock & WithReport,
): Promise<Locked | undefined> {
  const { root, update, load } = request;
  const { disk, report } = context;
  const written = readTextAt(disk, join(root, LOCK_FILE)) ?? '';
  // A damaged lock is written again, because its content can be determined again; one in conflict still has its pins.
  const isConflict = conflictMark(written, true) !== undefined;
  const silent = update === undefined && !isConflict;
  const present = openLock(root, { disk, report: silent ? () => {} : report });
  if (present === 'broken' && !silent) return undefined;
  const before = typeof present === 'string' ? undefined : present.lock;
  const kept = update === undefined ? before : withoutSources(before, update, report);
  if (update !== undefined && !kept) return undefined;
  const loaded = await load(kept);
  if (!loaded) return undefined;
  const { executables: found } = loaded;
  const unrecorded = found.filter(one => !isRecorded(one, before));
  const accepted = request.isPerson === true;
  const entries = joinEntries(loaded.used);
  const executables = joinExecutables(accepted ? found : found.filter(one => !unrecorded.includes(one)));
  const text = printLock({ entries, executables });
  const acceptedText = printLock({ entries, executables: joinExecutables(found) });
  const isNeeded = present !== 'none' || entries.length > 0 || executables.size > 0;
  const rewritten = isNeeded && (typeof present === 'string' || present.text !== text);
  if (rewritten && !request.preview) {
    if (!(await writeSources(root, [{ path: LOCK_FILE, text }], context))) return undefined;
  }
  const newlyExecutable = [...new Map(unrecorded.map(one => [`${one.name} ${one.sha256}`, one])).values()];
  return {
    changes: changesBetween(before, { entries }),
    rewritten,
    newlyExecutable,
    accepted,
    text,
    acceptedText,
  };
}

/** The lock without the sources to update; `undefined` after an unknown name was reported. */
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

/** Whether a name identifies a source: its name, its name without version, or a reference to a file in it. */
function fits(source: string, name: string): boolean {
  if (source === name) return true;
  const [base, version] = splitSource(source);
  const [path, wanted] = splitSource(name);
  return (wanted === undefined || wanted === version) && (path === base || path.startsWith(`${base}/`));
}

/** Combines entries of several builds. A source that two builds read has the files of both. */
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

const isSameEntry = (a: LockEntry, b: LockEntry): boolean =>
  printLock({ entries: [a] }) === printLock({ entries: [b] });

function changesBetween(before: Lock | undefined, after: Lock): LockChange[] {
  const old = new Map(before?.entries.map(entry => [entry.source, entry]));
  const fresh = new Map(after.entries.map(entry => [entry.source, entry]));
  const changes: LockChange[] = [];
  for (const source of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(source), fresh.get(source)];
    if (was && is && isSameEntry(was, is)) continue;
    changes.push({ source, ...(was && { before: inWords(was) }), ...(is && { after: inWords(is) }) });
  }
  return changes;
}
