import { removedKept, removedKeyKept, sharedUnreadable } from '../generated/diagnostics.ts';
import type { Json, SharedFile } from '../kinds/output.ts';
import { decodeText } from '../text/bytes.ts';
import { pathKey } from '../text/portable-path.ts';
import { positionAt, type Source } from '../text/source.ts';
import { equalJson } from './canonical.ts';
import { textHash } from './line-ends.ts';
import { loadFormat } from './load-format.ts';
import type { OwnedFile } from './manifest.ts';
import type { PlanEntry, Present } from './plan.ts';
import { lostWords, obstacleReason, type PlanContext, type Planned, refuse } from './plan-context.ts';
import type { SharedFormat } from './shared-format.ts';
import { editShared, hashJson, type SharedEdit } from './shared-keys.ts';

const bom = '\ufeff';

/** Decides about a file of the user in which some keys are ours. */
export async function planShared(file: SharedFile, context: PlanContext): Promise<Planned> {
  const recorded = context.owned.get(pathKey(file.path));
  return planEdits(file, recorded, context);
}

/** Takes our keys out of a file for which nothing is planned any more; `undefined`: it is gone already. */
export async function planRemovedShared(
  path: string,
  owned: OwnedFile,
  context: PlanContext,
): Promise<Planned | undefined> {
  const before = context.present(path);
  if (!before || before.obstacle || context.isElsewhere(path)) return undefined;
  const { targets, build } = owned;
  const file: SharedFile = {
    kind: 'shared',
    path,
    targets,
    ...(build !== undefined && { build }),
    ...(owned.private && { private: true }),
    format: owned.format!,
    edits: [],
  };
  const planned = await planEdits(file, owned, context);
  return { entry: { ...planned.entry, state: 'removed', takeover: false }, owned: undefined };
}

async function planEdits(
  file: SharedFile,
  recorded: OwnedFile | undefined,
  context: PlanContext,
): Promise<Planned> {
  const { path } = file;
  const before = context.present(path);
  const base = {
    path,
    targets: file.targets,
    ...(file.build !== undefined && { build: file.build }),
    ...(file.private && { private: true }),
    mode: before?.kind === 'file' ? before.mode : 0o644,
    ...(before && { before }),
  };
  const leaving = file.edits.length === 0;
  const untouched = (reason: string, state: 'blocked' | 'conflict' = 'blocked'): Planned => {
    const now = before?.read() ?? new Uint8Array();
    const entry = { ...base, bytes: now.length, sha256: context.hash(now), content: now };
    if (leaving) {
      context.report(removedKept({ path }, { file: path }));
      return {
        entry: { ...entry, state: 'removed', action: 'keep', takeover: false, reason },
        owned: undefined,
      };
    }
    return { entry: refuse(state, reason, entry, context), owned: undefined };
  };

  if (before?.obstacle) {
    const reason = obstacleReason(before.obstacle, context);
    if (reason !== undefined) return untouched(reason);
  }
  const read = readText(before, recorded, context);
  if (read.problem) return untouched(read.problem);
  const format = await loadFormat(file.format);
  const start = format.parse(read.text ?? '');
  if ('problem' in start) {
    const source: Source = { name: path, text: read.text! };
    const span = { source, start: start.offset, end: Math.min(start.offset + 1, source.text.length) };
    const report = sharedUnreadable(
      { path, format: file.format.toUpperCase(), problem: start.problem },
      { span },
    );
    context.report(leaving ? { ...report, severity: 'warning' } : report);
    const now = before!.read();
    const entry = { ...base, bytes: now.length, sha256: context.hash(now), content: now };
    const { line } = positionAt(source, start.offset);
    const reason = `cannot be read as ${file.format.toUpperCase()}: ${start.problem} at line ${line}`;
    return {
      entry: { ...entry, state: leaving ? 'removed' : 'conflict', action: 'keep', takeover: false, reason },
      owned: leaving ? undefined : recorded,
    };
  }

  const edit = editShared(format, read.text, start.value, file.edits, recorded ?? {}, hashJson(context.hash));
  const same = read.text === edit.text;
  const after = same ? start : format.parse(edit.text);
  if (!('value' in after && isSameValue(format, after.value, edit.value)))
    return untouched('its layout does not allow to change these keys and nothing else');
  for (const key of edit.left) context.report(removedKeyKept({ path, key }, { file: path }));

  const content = new TextEncoder().encode(read.mark + edit.text);
  if (before?.kind === 'link' && !same) {
    return untouched(`it is a symbolic link to ${before.real}, and only plain files are written`);
  }
  const entry = { ...base, bytes: content.length, sha256: context.hash(content), content };
  const owned: OwnedFile = {
    targets: file.targets,
    ...(file.build !== undefined && { build: file.build }),
    ...(file.private && { private: true }),
    format: file.format,
    keys: edit.keys,
    created: edit.created,
  };
  const shared = { format: file.format, changes: edit.changes, created: recorded?.created ?? [] };
  if (leaving) {
    if (!edit.gone) {
      return {
        entry: { ...entry, state: 'removed', action: same ? 'keep' : 'write', takeover: false, shared },
        owned,
      };
    }
    const { content: _, ...rest } = entry;
    return { entry: { ...rest, state: 'removed', action: 'delete', takeover: false, shared }, owned };
  }
  const state = stateOf(edit, before, recorded, same);
  if (edit.troubles.length === 0) {
    return { entry: { ...entry, state, action: same ? 'keep' : 'write', takeover: false, shared }, owned };
  }
  const { lostKeys } = await import('./difference.ts');
  const difference = { kind: 'content' as const, lost: lostKeys(edit.changes) };
  const reason = edit.troubles.map(trouble => trouble.reason).join('; ') + lostWords(difference);
  const trouble = edit.troubles.some(({ state }) => state === 'conflict') ? 'conflict' : 'drifted';
  if (!context.force) return { entry: refuse(trouble, reason, { ...entry, difference }, context), owned };
  return {
    entry: { ...entry, state: trouble, action: 'write', takeover: true, reason, difference, shared },
    owned,
  };
}

function stateOf(
  edit: SharedEdit,
  before: Present | undefined,
  recorded: OwnedFile | undefined,
  same: boolean,
): PlanEntry['state'] {
  if (!before || before.obstacle) return 'new';
  if (!same) return 'changed';
  return edit.keys.some(({ path }) => recorded?.keys?.some(key => key.path.join('\0') === path.join('\0')))
    ? 'unchanged'
    : 'adopted';
}

interface SharedText {
  /** `undefined`: start from nothing. */
  readonly text: string | undefined;
  /** The byte order mark, when there is one; it stays. */
  readonly mark: string;
  readonly problem?: string;
}

/**
 * The text to edit. A file that we wrote whole and that was not edited counts as empty, because all of it is ours.
 */
function readText(
  before: Present | undefined,
  recorded: OwnedFile | undefined,
  context: PlanContext,
): SharedText {
  if (!before || before.obstacle) return { text: undefined, mark: '' };
  const bytes = before.read();
  if (recorded?.sha256 !== undefined && textHash(bytes, context.hash) === recorded.sha256)
    return { text: undefined, mark: '' };
  const text = decodeText(bytes);
  if (text === undefined) return { text: '', mark: '', problem: 'it is not UTF-8 text' };
  return text.startsWith(bom) ? { text: text.slice(1), mark: bom } : { text, mark: '' };
}

/** A last check before a user's file is written: the edited text must parse to exactly the intended value. */
const isSameValue = (format: SharedFormat, written: Json, wanted: Json): boolean =>
  written === wanted || equalJson(format.comparable(written), format.comparable(wanted));
