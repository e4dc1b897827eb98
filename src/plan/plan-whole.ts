import { executableLost, outputBlocked, removedKept, removedUnread } from '../generated/diagnostics.ts';
import type { Changing } from '../text/changing.ts';
import { pathKey } from '../text/portable-path.ts';
import { firstDifferentLine, type WholeInBytes } from './collect.ts';
import { isSameText, textHash } from './line-ends.ts';
import type { OwnedFile } from './manifest.ts';
import type { PlanEntry, Present } from './plan.ts';
import { lostWords, obstacleReason, type PlanContext, type Planned, refuse } from './plan-context.ts';

/** Decides about a file that is wholly ours, with the key of its path. Of most it can be said without waiting for anything. */
export function planWhole(file: WholeInBytes, key: string, context: PlanContext): Planned | Promise<Planned> {
  const { content } = file;
  const before = context.present(file.path);
  if (!before) return planNew(file, context);
  const recorded = context.owned.get(key);
  const ours = recorded?.sha256 === undefined ? undefined : recorded;
  const sha256 = context.hash(content);
  const { path, targets } = file;
  const owned: Changing<OwnedFile> = { targets, sha256: textHash(content, context.hash) };
  const base: Changing<Known['base']> = {
    path,
    targets,
    mode: modeAfter(file.executable, before, ours),
    bytes: content.length,
    sha256,
    content,
    before,
  };
  mark(file, base, owned);
  if (file.executable || hasLostBit(before, ours)) owned.executable = true;
  const isPlain = !owned.executable && before.mode === base.mode && !context.leaving.has(key);
  const isSame = () => before.holds(content) || isSameText(before.read(), content);
  if (ours && before.kind === 'file' && isPlain && isSame()) {
    if (ours.adopted) owned.adopted = true;
    return { entry: { ...base, state: 'unchanged', action: 'keep', takeover: false }, owned };
  }
  return planPresent(file, { base, owned, before, ours }, context);
}

/** Decides about a file where nothing is. */
function planNew(file: WholeInBytes, { hash }: PlanContext): Planned {
  const entry: Changing<PlanEntry> = new NewEntry(file, hash);
  const owned: Changing<OwnedFile> = new NewlyOwned(file, hash);
  mark(file, entry, owned);
  if (file.executable) owned.executable = true;
  return { entry, owned };
}

/** Notes what a file is, in its entry and in the record. */
function mark(
  file: WholeInBytes,
  entry: Changing<Pick<PlanEntry, 'build' | 'private'>>,
  owned: Changing<OwnedFile>,
): void {
  if (file.build !== undefined) owned.build = entry.build = file.build;
  if (file.private) owned.private = entry.private = true;
}

/*
 * Their hashes are made when they are asked for: a run that writes nothing needs none of what is new. A copy of their
 * members would be without; nothing lies where they go, so that no link leads there either, whose record is such a copy.
 */

class NewEntry implements PlanEntry {
  readonly path: string;
  readonly targets: readonly string[];
  readonly state = 'new';
  readonly action = 'write';
  readonly takeover = false;
  readonly mode: number;
  readonly bytes: number;
  readonly content: Uint8Array;
  readonly #hash: PlanContext['hash'];

  constructor({ path, targets, content, executable }: WholeInBytes, hash: PlanContext['hash']) {
    this.path = path;
    this.targets = targets;
    this.mode = modeOfNew(executable);
    this.bytes = content.length;
    this.content = content;
    this.#hash = hash;
  }

  get sha256(): string {
    return this.#hash(this.content);
  }
}

class NewlyOwned implements OwnedFile {
  readonly targets: readonly string[];
  readonly #content: Uint8Array;
  readonly #hash: PlanContext['hash'];
  #sha256: string | undefined;

  constructor({ targets, content }: WholeInBytes, hash: PlanContext['hash']) {
    this.targets = targets;
    this.#content = content;
    this.#hash = hash;
  }

  get sha256(): string {
    this.#sha256 ??= textHash(this.#content, this.#hash);
    return this.#sha256;
  }
}

/** What `planWhole` found out. */
interface Known {
  readonly base: Omit<PlanEntry, 'state' | 'action' | 'takeover'>;
  readonly owned: OwnedFile;
  readonly before: Present;
  readonly ours: OwnedFile | undefined;
}

/** Decides about a file that is wholly ours where something is already. */
async function planPresent(
  file: WholeInBytes,
  { base, owned, before, ours }: Known,
  context: PlanContext,
): Promise<Planned> {
  const { content } = file;
  const done = (
    state: PlanEntry['state'],
    action: PlanEntry['action'],
    about: Pick<PlanEntry, 'reason' | 'difference'> = {},
  ): Planned => ({
    entry: {
      ...base,
      ...about,
      state,
      action,
      takeover:
        state === 'conflict' ||
        state === 'drifted' ||
        (action === 'write' && state === 'changed' && isOfUser(before, ours, file.path, context)),
      ...(action === 'write' && isSameText(before.read(), content) && { modeOnly: true }),
    },
    owned: isKept(state, action) ? { ...owned, adopted: true } : owned,
  });
  /** Whether the file has a layout that is not known to be ours. */
  const isKept = (state: PlanEntry['state'], action: PlanEntry['action']): boolean =>
    action === 'keep' && (ours ? ours.adopted === true : state === 'adopted' && !isWrittenHere(before));
  const isWrittenHere = (found: Present | undefined): boolean =>
    found !== undefined && isRecorded(file.path, found.read(), undefined, context);
  /** The entry of a file that has the planned meaning: its bytes are kept, and recorded. */
  const asItStands = (found: Present): Planned => {
    const bytes = found.read();
    const known = textHash(bytes, context.hash);
    const planned = owned.sha256!;
    const state = ours?.adopted && known === ours.sha256 ? 'unchanged' : 'adopted';
    const kept = {
      ...base,
      mode: found.mode,
      bytes: bytes.length,
      sha256: context.hash(bytes),
      content: bytes,
    };
    return {
      entry: { ...kept, state, action: 'keep', takeover: false },
      owned: { ...owned, sha256: known, adopted: true, ...(known !== planned && { planned }) },
    };
  };
  const orRefuse = async (
    state: 'conflict' | 'drifted',
    found: Present,
    why: string,
    note = why,
  ): Promise<Planned> => {
    const { findDifference } = await import('./difference.ts');
    const difference = await findDifference(found.read(), content, file);
    const lost = lostWords(difference);
    const reason = why + lost;
    return context.force
      ? done(state, 'write', { reason, difference })
      : { entry: refuse(state, reason, { ...base, difference }, context, note + lost), owned };
  };

  if (before.obstacle) {
    const reason = obstacleReason(before.obstacle, context);
    if (reason !== undefined) return { entry: refuse('blocked', reason, base, context), owned };
  }
  if (before.obstacle) return done('new', 'write');

  if (before.kind === 'link') {
    if (isSameText(before.read(), content)) return done(ours ? 'unchanged' : 'adopted', 'keep');
    if (await saysSame(before.read(), content, file)) return asItStands(before);
    return orRefuse('conflict', before, `is a symbolic link to ${before.real}`);
  }

  const now = before.read();
  if (isSameText(now, content)) {
    // Where letter case does not count, the file under its old spelling is this one, and it goes before this is written.
    const respelled = context.leaving.has(pathKey(file.path));
    const action = before.mode === base.mode && !respelled ? 'keep' : 'write';
    if ((file.executable || ours?.executable) && before.kind === 'file' && !before.executable)
      context.report(executableLost({ path: file.path }, { file: file.path }));
    if (!ours) return done('adopted', action);
    return done(action === 'keep' ? 'unchanged' : 'changed', action);
  }
  const isWritten = isRecorded(file.path, now, ours, context);
  // A file that we wrote ourselves is laid out anew; one that the user wrote or laid out is not.
  if ((!isWritten || ours?.adopted) && (await saysSame(now, content, file))) return asItStands(before);
  if (isWritten) return done('changed', 'write');
  const from = `from line ${firstDifferentLine(now, content)} on`;
  if (!ours) return orRefuse('conflict', before, `differs from what would be written, ${from}`, from);
  return orRefuse('drifted', before, `it differs from what would be written ${from}`, from);
}

/** Decides about a file that was wholly ours and is no longer planned; `undefined`: it is gone already. */
export function planRemovedWhole(path: string, owned: OwnedFile, context: PlanContext): Planned | undefined {
  const before = context.present(path);
  if (!before) return undefined;
  const { targets, build } = owned;
  const base = {
    path,
    targets,
    ...(build !== undefined && { build }),
    state: 'removed' as const,
    takeover: false,
  };
  if (before.obstacle) {
    if (before.obstacle.kind !== 'outside') return undefined;
    const reason = obstacleReason(before.obstacle, context)!;
    context.report(outputBlocked({ path, reason }, { file: path, severity: 'warning' }));
    return {
      entry: { ...base, action: 'keep', mode: before.mode, bytes: 0, sha256: owned.sha256!, before, reason },
      owned,
    };
  }
  if (context.isElsewhere(path)) return undefined;
  const now = before.read();
  const found = { ...base, mode: before.mode, bytes: now.length, sha256: context.hash(now), before };
  if (before.kind === 'file' && isRecorded(path, now, owned, context)) {
    const takeover = isOfUser(before, owned, path, context);
    return { entry: { ...found, takeover, action: 'delete' }, owned: undefined };
  }
  const reason = 'it was edited since it was generated';
  const entry = { ...found, action: 'keep', reason } as const;
  // Without the record the next compile would read the file as a source, and write it for every tool.
  if (context.isSearched?.(path)) {
    context.report(removedUnread({ path }, { file: path }));
    return { entry, owned };
  }
  context.report(removedKept({ path }, { file: path }));
  return { entry, owned: undefined };
}

/** A link by which a file of ours was another output, when that file goes: it would lead nowhere. */
export function planRemovedLink(
  path: string,
  place: string,
  { targets, build }: OwnedFile,
  context: PlanContext,
): Planned | undefined {
  const before = context.present(path);
  if (before?.kind !== 'link' || before.real !== place) return undefined;
  const entry: PlanEntry = {
    path,
    targets,
    ...(build !== undefined && { build }),
    state: 'removed',
    action: 'delete',
    mode: before.mode,
    bytes: 0,
    sha256: context.hash(new Uint8Array()),
    takeover: false,
    before,
    reason: `it is a symbolic link to ${place}, which goes`,
  };
  return { entry, owned: undefined };
}

/** Whether the bytes of a file of ours are those of the user: it was adopted, and never written here. */
const isOfUser = (
  before: Present | undefined,
  ours: OwnedFile | undefined,
  path: string,
  context: PlanContext,
): boolean =>
  ours?.adopted === true && before?.kind === 'file' && !isRecorded(path, before.read(), undefined, context);

const modeOfNew = (executable: boolean): number => (executable ? 0o755 : 0o644);

/**
 * New files are 0644, programs 0755. An existing file keeps its bits; the executable bits change only when the
 * source's do, so that a mode that the user chose stays.
 */
function modeAfter(executable: boolean, before: Present, ours: OwnedFile | undefined): number {
  if (before.kind !== 'file') return modeOfNew(executable);
  const recorded = ours?.executable === true;
  if (executable && !before.executable && !recorded) return before.mode | ((before.mode & 0o444) >> 2);
  if (!executable && before.executable && recorded) return before.mode & ~0o111;
  return before.mode;
}

/**
 * Whether the executable bit is gone from both the source and the output: then a checkout dropped it, and not the
 * user.
 */
const hasLostBit = (before: Present, ours: OwnedFile | undefined): boolean =>
  ours?.executable === true && before.kind === 'file' && !before.executable;

/** Whether a content is one that was written by us: as the record says, or at any time on this machine. */
function isRecorded(
  path: string,
  now: Uint8Array,
  owned: OwnedFile | undefined,
  { hash, written }: PlanContext,
): boolean {
  const sha256 = textHash(now, hash);
  return sha256 === owned?.sha256 || written?.get(path)?.sha256.includes(sha256) === true;
}

/** Loaded on demand: most files have the planned bytes. */
async function saysSame(
  present: Uint8Array,
  planned: Uint8Array,
  { path, format, implied = [] }: WholeInBytes,
): Promise<boolean> {
  if (format === 'script' || format === 'other') return false;
  const meaning = await import('./same-meaning.ts');
  return meaning.saysSame(present, planned, { path, format, implied });
}
