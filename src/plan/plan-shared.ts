import { removedKept, removedKeyKept, sharedUnreadable } from '../generated/diagnostics.ts';
import type { SharedFile } from '../kinds/output.ts';
import { decodeText, encodeText } from '../text/bytes.ts';
import { pathKey } from '../text/portable-path.ts';
import { positionAt, type Source } from '../text/source.ts';
import { textHash } from './canonical.ts';
import { lostKeys } from './difference.ts';
import { loadFormat } from './load-format.ts';
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
} from './plan.ts';
import { isTextOf } from './shared-format.ts';
import { editShared, hashJson, type SharedEdit } from './shared-keys.ts';

const bom = '\ufeff';

/** Decides about a file of the user in which some keys are ours. */
export function planShared(file: SharedFile, context: PlanContext): Promise<Planned> {
  return planEdits(file, context.owned.get(pathKey(file.path)), context);
}

/** Takes our keys out of a file for which nothing is planned any more; `undefined`: it is gone already. */
export async function planRemovedShared(
  path: string,
  owned: OwnedFile,
  context: PlanContext,
): Promise<Planned | undefined> {
  const before = context.present(path);
  if (!before || before.obstacle || context.isBehindLink(path)) return undefined;
  const file: SharedFile = {
    kind: 'shared',
    path,
    ...ownerOf(owned),
    format: owned.format!,
    edits: [],
  };
  const planned = await planEdits(file, owned, context);
  return { entry: { ...planned.entry, state: 'removed', takeover: false }, owned: undefined };
}

/** A shared file without edits is one that is no longer planned. */
async function planEdits(
  file: SharedFile,
  recorded: OwnedFile | undefined,
  context: PlanContext,
): Promise<Planned> {
  const { path } = file;
  const before = context.present(path);
  const obstacle = before?.obstacle && obstacleReason(before.obstacle, context);
  if (obstacle !== undefined) return planUntouched(file, before, obstacle, context);
  const read = readText(before, recorded, context);
  if (read.problem) return planUntouched(file, before, read.problem, context);
  const format = await loadFormat(file.format);
  const start = format.parse(read.text ?? '');
  if ('problem' in start) return planUnreadable(file, before!, read.text!, start, recorded, context);

  const edit = editShared(format, read.text, start.value, file.edits, recorded ?? {}, hashJson(context.hash));
  const same = read.text === edit.text;
  // A last check before a file of the user is written: the text must parse to exactly the intended value.
  if (!isTextOf(format, edit.text, edit.value))
    return planUntouched(
      file,
      before,
      'its layout does not allow to change these keys and nothing else',
      context,
    );
  for (const key of edit.left) context.report(removedKeyKept({ path, key }, { file: path }));
  if (before?.kind === 'link' && !same) {
    const reason = `it is a symbolic link to ${before.real}, and only plain files are written`;
    return planUntouched(file, before, reason, context);
  }
  return planEdited(file, before, edit, { same, mark: read.mark, recorded }, context);
}

/** The part of an entry that is the same whatever is decided; `content` is what is there afterwards. */
const baseOf = (
  file: SharedFile,
  before: Present | undefined,
  content: Uint8Array,
  { hash }: PlanContext,
) => ({
  path: file.path,
  ...ownerOf(file),
  mode: before?.kind === 'file' ? before.mode : 0o644,
  bytes: content.length,
  sha256: hash(content),
  content,
  takeover: false,
  ...(before && { before }),
});

/** The entry of a file that cannot be edited: an error, or a note when nothing is planned for it any more. */
function planUntouched(
  file: SharedFile,
  before: Present | undefined,
  reason: string,
  context: PlanContext,
): Planned {
  const { path, edits } = file;
  const base = baseOf(file, before, before?.read() ?? new Uint8Array(), context);
  if (edits.length > 0) return { entry: refuse('blocked', reason, base, context), owned: undefined };
  context.report(removedKept({ path }, { file: path }));
  return { entry: { ...base, state: 'removed', action: 'keep', reason }, owned: undefined };
}

/** The entry of a file whose text is not in its format. */
function planUnreadable(
  file: SharedFile,
  before: Present,
  text: string,
  { problem, offset }: { readonly problem: string; readonly offset: number },
  recorded: OwnedFile | undefined,
  context: PlanContext,
): Planned {
  const { path, edits } = file;
  const format = file.format.toUpperCase();
  const source: Source = { name: path, text };
  const span = { source, start: offset, end: Math.min(offset + 1, text.length) };
  const isRemoved = edits.length === 0;
  const found = sharedUnreadable({ path, format, problem }, { span });
  context.report(isRemoved ? { ...found, severity: 'warning' } : found);
  const reason = `cannot be read as ${format}: ${problem} at line ${positionAt(source, offset).line}`;
  const state = isRemoved ? 'removed' : 'conflict';
  const entry = { ...baseOf(file, before, before.read(), context), state, action: 'keep', reason } as const;
  return { entry, owned: isRemoved ? undefined : recorded };
}

/** What is known of an edit besides its result. */
interface Editing {
  /** The text does not change. */
  readonly same: boolean;
  /** The byte order mark of the file. */
  readonly mark: string;
  readonly recorded: OwnedFile | undefined;
}

async function planEdited(
  file: SharedFile,
  before: Present | undefined,
  edit: SharedEdit,
  { same, mark, recorded }: Editing,
  context: PlanContext,
): Promise<Planned> {
  const { format } = file;
  const shared = { format, changes: edit.changes, created: recorded?.created ?? [] };
  const base = { ...baseOf(file, before, encodeText(mark + edit.text), context), shared };
  const owned: OwnedFile = { ...ownerOf(file), format, keys: edit.keys, created: edit.created };
  const action = same ? 'keep' : 'write';
  if (file.edits.length === 0) {
    if (!edit.gone) return { entry: { ...base, state: 'removed', action }, owned };
    const { content: _, ...rest } = base;
    return { entry: { ...rest, state: 'removed', action: 'delete' }, owned };
  }
  if (edit.troubles.length === 0) {
    const state = stateOf(edit, before, recorded, same);
    return { entry: { ...base, state, action }, owned };
  }

  const difference = { kind: 'content' as const, lost: lostKeys(edit.changes) };
  const reason = edit.troubles.map(trouble => trouble.reason).join('; ') + lostWords(difference);
  const state = edit.troubles.some(trouble => trouble.state === 'conflict') ? 'conflict' : 'drifted';
  if (!context.force) {
    const { shared: _, ...rest } = base;
    return { entry: refuse(state, reason, { ...rest, difference }, context), owned };
  }
  return { entry: { ...base, state, action: 'write', takeover: true, reason, difference }, owned };
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
