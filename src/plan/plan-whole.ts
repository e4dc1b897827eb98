import { executableLost, outputBlocked, removedKept, removedUnread } from '../generated/diagnostics.ts';
import type { WholeFile } from '../kinds/output.ts';
import { pathKey } from '../text/portable-path.ts';
import { isSameText, textHash } from './canonical.ts';
import { firstDifferentLine } from './collect.ts';
import type { OwnedFile } from './manifest.ts';
import {
  lostWords,
  obstacleReason,
  ownerOf,
  type PlanContext,
  type PlanEntry,
  type Planned,
  type Present,
  refuse,
  removedBase,
} from './plan.ts';
import { findDifference, hasSameMeaning, withOwnHead } from './same-meaning.ts';

/** The input of the decision about a file that is owned as a whole. */
interface WholePlan {
  readonly file: WholeFile;
  readonly content: Uint8Array;
  readonly base: Omit<PlanEntry, 'state' | 'action' | 'needsBackup'>;
  /** The manifest entry of the planned file. */
  readonly owned: OwnedFile;
  /** The current manifest entry; absent when the file is not owned as a whole. */
  readonly ours: OwnedFile | undefined;
  readonly context: PlanContext;
}

/**
 * Plans a file that is owned as a whole, by what is at its path:
 *
 * - nothing: `new`
 * - something that cannot be replaced: `conflict`
 * - the planned text: `unchanged` if owned, else `adopted`
 * - the planned meaning in a layout of the user: the same, and the layout is kept
 * - another text that the compiler wrote: `changed`
 * - another text: `drifted` if owned, else `conflict`
 */
export async function planWholeFile(file: WholeFile, context: PlanContext): Promise<Planned> {
  const { path, executable } = file;
  const content = context.contentOf(file);
  const before = context.present(path);
  const recorded = context.owned.get(pathKey(path));
  const ours = recorded?.sha256 === undefined ? undefined : recorded;
  const sha256 = context.hash(content);
  const owner = ownerOf(file);
  const mode = modeAfter(executable, before, ours);
  const base = { path, ...owner, mode, bytes: content.length, sha256, content, ...(before && { before }) };
  const owned: OwnedFile = {
    ...owner,
    sha256: content.includes(13) ? textHash(content, context.hash) : sha256,
    ...((executable || hasLostBit(before, ours)) && { executable: true }),
  };
  const plan: WholePlan = { file, content, base, owned, ours, context };
  const reason = before?.obstacle && obstacleReason(before.obstacle, context);
  if (reason !== undefined) return { entry: refuse('blocked', reason, base, context), owned };
  if (!before || before.obstacle)
    return { entry: { ...base, state: 'new', action: 'write', needsBackup: false }, owned };
  const now = before.read();
  if (isSameText(now, content)) return planSameText(plan, before);
  const isWritten = before.kind === 'file' && isRecorded(path, now, ours, context);
  // A file that the compiler wrote gets the planned layout; one that the user wrote or formatted keeps its
  // own. When the source of an adopted file was reformatted, the new layout is intended.
  const anyLayout = !isWritten || (ours?.planned ?? ours?.sha256) === owned.sha256;
  if ((!isWritten || ours?.adopted) && (await hasSameMeaning(now, content, file, anyLayout)))
    return keepLayout(plan, before);
  if (isWritten) {
    const needsBackup = isOfUser(before, ours, path, context);
    const entry = { ...base, state: 'changed', action: 'write', needsBackup } as const;
    const kept = ours?.adopted && file.format === 'markdown' ? withOwnHead(now, content, file) : undefined;
    if (!kept) return { entry, owned };
    const change = { bytes: kept.length, sha256: context.hash(kept), content: kept };
    const record = { ...owned, sha256: textHash(kept, context.hash), adopted: true, planned: owned.sha256! };
    return { entry: { ...entry, ...change }, owned: record };
  }
  if (before.kind === 'link')
    return planDifferent('conflict', plan, before, `is a symbolic link to ${before.real}`);
  const from = `from line ${firstDifferentLine(now, content)} on`;
  return ours
    ? planDifferent('drifted', plan, before, `it differs from what would be written ${from}`, from)
    : planDifferent('conflict', plan, before, `differs from what would be written, ${from}`, from);
}

/** The file has the planned text; its mode may differ. */
function planSameText({ file, base, owned, ours, context }: WholePlan, before: Present): Planned {
  const { path, executable } = file;
  const isFile = before.kind === 'file';
  // On a case-insensitive file system the file at the old spelling is the same file, and is deleted before
  // this one is written.
  const isRenamed = context.deletedPaths.has(pathKey(path));
  const action = isFile && (before.mode !== base.mode || isRenamed) ? 'write' : 'keep';
  if ((executable || ours?.executable) && isFile && !before.executable)
    context.report(executableLost({ path }, { file: path }));
  const state = !ours ? 'adopted' : action === 'keep' ? 'unchanged' : 'changed';
  const needsBackup = action === 'write' && state === 'changed' && isOfUser(before, ours, path, context);
  const entry = {
    ...base,
    state,
    action,
    needsBackup,
    ...(action === 'write' && { modeOnly: true }),
  } as const;
  const isLayoutOfUser =
    action === 'keep' && (ours ? ours.adopted : !isRecorded(path, before.read(), undefined, context));
  return { entry, owned: isLayoutOfUser ? { ...owned, adopted: true } : owned };
}

/** The file has the planned meaning: its bytes are kept and recorded. */
function keepLayout({ base, owned, ours, context: { hash } }: WholePlan, before: Present): Planned {
  const bytes = before.read();
  const sha256 = textHash(bytes, hash);
  const planned = owned.sha256!;
  const state = ours?.adopted && sha256 === ours.sha256 ? 'unchanged' : 'adopted';
  const kept = { mode: before.mode, bytes: bytes.length, sha256: hash(bytes), content: bytes };
  return {
    entry: { ...base, ...kept, state, action: 'keep', needsBackup: false },
    owned: { ...owned, sha256, adopted: true, ...(sha256 !== planned && { planned }) },
  };
}

/**
 * The content differs: with `force` it is replaced, else kept. `note` is the reason in a list of several
 * files.
 */
async function planDifferent(
  state: 'conflict' | 'drifted',
  { file, content, base, owned, context }: WholePlan,
  before: Present,
  why: string,
  note = why,
): Promise<Planned> {
  const difference = await findDifference(before.read(), content, file);
  const lost = lostWords(difference);
  const reason = why + lost;
  if (!context.force)
    return { entry: refuse(state, reason, { ...base, difference }, context, note + lost), owned };
  return { entry: { ...base, state, action: 'write', needsBackup: true, reason, difference }, owned };
}

/** Plans a file that was owned as a whole and is no longer planned; `undefined` when it no longer exists. */
export function planRemovedWhole(path: string, owned: OwnedFile, context: PlanContext): Planned | undefined {
  const before = context.present(path);
  if (!before) return undefined;
  if (before.obstacle) {
    if (before.obstacle.kind !== 'outside') return undefined;
    const reason = obstacleReason(before.obstacle, context)!;
    context.report(outputBlocked({ path, reason }, { file: path, severity: 'warning' }));
    const found = { ...removedBase(path, owned, before, context), sha256: owned.sha256! };
    return { entry: { ...found, action: 'keep', reason }, owned };
  }
  if (context.isBehindLink(path)) return undefined;
  const found = removedBase(path, owned, before, context);
  if (before.kind === 'file' && isRecorded(path, before.read(), owned, context)) {
    const needsBackup = isOfUser(before, owned, path, context);
    return { entry: { ...found, needsBackup, action: 'delete' }, owned: undefined };
  }
  const entry = { ...found, action: 'keep', reason: 'it was edited since it was generated' } as const;
  // If it were forgotten, the next compile would read the file as a source, and write it for every tool.
  if (context.isSearched?.(path)) {
    context.report(removedUnread({ path }, { file: path }));
    return { entry, owned };
  }
  context.report(removedKept({ path }, { file: path }));
  return { entry, owned: undefined };
}

/** Plans the removal of a symlink to a deleted output, because it would dangle. */
export function planRemovedLink(
  path: string,
  place: string,
  owned: OwnedFile,
  context: PlanContext,
): Planned | undefined {
  const before = context.present(path);
  if (before?.kind !== 'link' || before.real !== place) return undefined;
  const found = removedBase(path, owned, before, context);
  const nothing = { bytes: 0, sha256: context.hash(new Uint8Array()) };
  const reason = `it is a symbolic link to ${place}, which goes`;
  return { entry: { ...found, ...nothing, action: 'delete', reason }, owned: undefined };
}

/** Whether the content of an owned file is the user's: it was adopted, and never written on this machine. */
const isOfUser = (
  before: Present,
  ours: OwnedFile | undefined,
  path: string,
  context: PlanContext,
): boolean =>
  ours?.adopted === true && before.kind === 'file' && !isRecorded(path, before.read(), undefined, context);

/**
 * New files get mode 0644, programs 0755. Existing files keep their mode; the executable bit follows the
 * source.
 */
function modeAfter(executable: boolean, before: Present | undefined, ours: OwnedFile | undefined): number {
  if (before?.kind !== 'file') return executable ? 0o755 : 0o644;
  const recorded = ours?.executable === true;
  if (executable && !before.executable && !recorded) return before.mode | ((before.mode & 0o444) >> 2);
  if (!executable && before.executable && recorded) return before.mode & ~0o111;
  return before.mode;
}

/** Whether a checkout dropped the executable bit: it is missing in both the source and the output. */
const hasLostBit = (before: Present | undefined, ours: OwnedFile | undefined): boolean =>
  ours?.executable === true && before?.kind === 'file' && !before.executable;

/** Whether the compiler wrote a content: it is in the manifest, or was written on this machine before. */
function isRecorded(
  path: string,
  now: Uint8Array,
  owned: OwnedFile | undefined,
  { hash, written }: PlanContext,
): boolean {
  const sha256 = textHash(now, hash);
  return sha256 === owned?.sha256 || written?.get(path)?.sha256.includes(sha256) === true;
}
