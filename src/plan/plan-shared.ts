import { removedKept, removedKeyKept, sharedUnreadable } from '../generated/diagnostics.ts';
import type { SharedFile } from '../kinds/output.ts';
import { decodeText, encodeText } from '../text/bytes.ts';
import { pathKey } from '../text/portable-path.ts';
import { positionAt, type Source } from '../text/source.ts';
import { textHash } from './canonical.ts';
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
import { lostKeys } from './same-meaning.ts';
import { editShared, hashJson, type SharedEdit } from './shared-keys.ts';

const bom = '\ufeff';

/** The input of the decision about a shared file. Without edits it is no longer planned. */
interface SharedPlan {
  readonly file: SharedFile;
  readonly before: Present | undefined;
  readonly recorded: OwnedFile | undefined;
  readonly context: PlanContext;
}

/** Plans a file of the user in which some keys are owned. */
export function planShared(file: SharedFile, context: PlanContext): Promise<Planned> {
  const recorded = context.owned.get(pathKey(file.path));
  return planEdits({ file, before: context.present(file.path), recorded, context });
}

/**
 * Removes owned keys from a shared file for which nothing is planned; `undefined` when the file no longer
 * exists.
 */
export async function planRemovedShared(
  path: string,
  recorded: OwnedFile,
  context: PlanContext,
): Promise<Planned | undefined> {
  const before = context.present(path);
  if (!before || before.obstacle || context.isBehindLink(path)) return undefined;
  const owner = ownerOf(recorded);
  const file: SharedFile = { kind: 'shared', path, ...owner, format: recorded.format!, edits: [] };
  const planned = await planEdits({ file, before, recorded, context });
  return { entry: { ...planned.entry, state: 'removed', needsBackup: false }, owned: undefined };
}

async function planEdits(plan: SharedPlan): Promise<Planned> {
  const { file, before, recorded, context } = plan;
  const obstacle = before?.obstacle && obstacleReason(before.obstacle, context);
  if (obstacle !== undefined) return planUntouched(plan, obstacle);
  const read = readText(plan);
  if (read === undefined) return planUntouched(plan, 'it is not UTF-8 text');
  const format = await loadFormat(file.format);
  const start = format.parse(read.text ?? '');
  if ('problem' in start) return planUnreadable(plan, read.text!, start);

  const edit = editShared(format, read.text, start.value, file.edits, recorded ?? {}, hashJson(context.hash));
  const same = read.text === edit.text;
  // A last check before a file of the user is written: the text must parse to exactly the intended value.
  if (!edit.isExact)
    return planUntouched(plan, 'its layout does not allow to change these keys and nothing else');
  const { path } = file;
  for (const key of edit.editedKeys) context.report(removedKeyKept({ path, key }, { file: path }));
  if (before?.kind === 'link' && !same)
    return planUntouched(plan, `it is a symbolic link to ${before.real}, and only plain files are written`);
  return planEdited(plan, edit, encodeText(read.mark + edit.text), same);
}

/**
 * The text to edit, `undefined` to start with nothing, and its byte order mark, which is kept. A file that
 * was written as a whole and not edited counts as empty, because all of it is owned.
 */
function readText({ before, recorded, context }: SharedPlan) {
  if (!before || before.obstacle) return { text: undefined, mark: '' };
  const bytes = before.read();
  if (recorded?.sha256 !== undefined && textHash(bytes, context.hash) === recorded.sha256)
    return { text: undefined, mark: '' };
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  return text.startsWith(bom) ? { text: text.slice(1), mark: bom } : { text, mark: '' };
}

/** The common part of an entry for all decisions; `content` is the content afterwards. */
const baseOf = ({ file, before, context }: SharedPlan, content: Uint8Array) => ({
  path: file.path,
  ...ownerOf(file),
  mode: before?.kind === 'file' ? before.mode : 0o644,
  bytes: content.length,
  sha256: context.hash(content),
  content,
  needsBackup: false,
  ...(before && { before }),
});

/** The entry of a file that cannot be edited: an error, or a note when nothing is planned for it. */
function planUntouched(plan: SharedPlan, reason: string): Planned {
  const { file, before, context } = plan;
  const { path, edits } = file;
  const base = baseOf(plan, before?.read() ?? new Uint8Array());
  if (edits.length > 0) return { entry: refuse('blocked', reason, base, context), owned: undefined };
  context.report(removedKept({ path }, { file: path }));
  return { entry: { ...base, state: 'removed', action: 'keep', reason }, owned: undefined };
}

/** The entry of a file that cannot be parsed. */
function planUnreadable(
  plan: SharedPlan,
  text: string,
  { problem, offset }: { readonly problem: string; readonly offset: number },
): Planned {
  const { file, before, recorded, context } = plan;
  const { path, edits } = file;
  const format = file.format.toUpperCase();
  const source: Source = { name: path, text };
  const span = { source, start: offset, end: Math.min(offset + 1, text.length) };
  const isRemoved = edits.length === 0;
  const found = sharedUnreadable({ path, format, problem }, { span });
  context.report(isRemoved ? { ...found, severity: 'warning' } : found);
  const reason = `cannot be read as ${format}: ${problem} at line ${positionAt(source, offset).line}`;
  const state = isRemoved ? 'removed' : 'conflict';
  const entry = { ...baseOf(plan, before!.read()), state, action: 'keep', reason } as const;
  return { entry, owned: isRemoved ? undefined : recorded };
}

/** The entry of an edited file; `same` when the text does not change. */
function planEdited(plan: SharedPlan, edit: SharedEdit, content: Uint8Array, same: boolean): Planned {
  const { file, recorded, context } = plan;
  const { format } = file;
  const shared = { format, changes: edit.changes, created: recorded?.created ?? [] };
  const base = { ...baseOf(plan, content), shared };
  const created = edit.created.length > 0 && { created: edit.created };
  const owned: OwnedFile = { ...ownerOf(file), format, keys: edit.keys, ...created };
  const action = same ? 'keep' : 'write';
  if (file.edits.length === 0) {
    if (!edit.isEmptied) return { entry: { ...base, state: 'removed', action }, owned };
    const { content: _, ...rest } = base;
    return { entry: { ...rest, state: 'removed', action: 'delete' }, owned };
  }
  if (edit.troubles.length === 0)
    return { entry: { ...base, state: stateOf(plan, edit, same), action }, owned };
  const difference = { kind: 'content' as const, lostFields: lostKeys(edit.changes) };
  const reason = edit.troubles.map(trouble => trouble.reason).join('; ') + lostWords(difference);
  const state = edit.troubles.some(trouble => trouble.state === 'conflict') ? 'conflict' : 'drifted';
  if (!context.force) {
    const { shared: _, ...rest } = base;
    return { entry: refuse(state, reason, { ...rest, difference }, context), owned };
  }
  return { entry: { ...base, state, action: 'write', needsBackup: true, reason, difference }, owned };
}

function stateOf({ before, recorded }: SharedPlan, edit: SharedEdit, same: boolean): PlanEntry['state'] {
  if (!before || before.obstacle) return 'new';
  if (!same) return 'changed';
  const known = new Set(recorded?.keys?.map(({ path }) => path.join('\0')));
  return edit.keys.some(({ path }) => known.has(path.join('\0'))) ? 'unchanged' : 'adopted';
}
