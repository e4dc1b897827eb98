import type { Json, KeyEdit, OutputFile } from '../../kinds/output.ts';
import type { Key } from './changes.ts';

/**
 * Whether a file of the user still has what the sources do not say any more: a value that was edited is the user's own
 * as soon as nobody writes it, so that sources without it would seem to say the same.
 */
export function isLeftBehind(
  before: OutputFile | undefined,
  after: OutputFile | undefined,
  disk: unknown,
): boolean {
  if (before?.kind !== 'shared') return false;
  const now = after?.kind === 'shared' ? after.edits : [];
  const isIn = (edits: readonly KeyEdit[], { kind, path, about }: KeyEdit) =>
    edits.some(one => one.kind === kind && one.about === about && one.path.join('\n') === path.join('\n'));
  return before.edits.some(edit => {
    if (isIn(now, edit)) return false;
    return edit.kind === 'set'
      ? valueAt(disk, edit.path) !== undefined
      : twinOf(edit, now, disk) !== undefined;
  });
}

/** The same for a file of lines: some of ours went from the sources, and others stand in their place that are not there. */
export function areLinesLeftBehind(
  before: OutputFile | undefined,
  after: OutputFile | undefined,
  disk: readonly string[],
): boolean {
  const linesOf = (output: OutputFile | undefined) =>
    output?.kind === 'shared' ? output.edits.map(({ value }) => String(value).trim()) : [];
  const [had, has] = [linesOf(before), new Set(linesOf(after))];
  const there = disk.map(line => line.trim());
  return had.some((line, at) => {
    if (has.has(line)) return false;
    const above = had.slice(0, at).findLast(one => there.includes(one));
    const below = had.slice(at + 1).find(one => there.includes(one));
    const start = above === undefined ? 0 : there.indexOf(above) + 1;
    const end = below === undefined ? there.length : there.indexOf(below);
    return there.slice(start, end).some(one => one !== '' && !has.has(one) && !had.includes(one));
  });
}

/**
 * Whether an element of ours in a list of the user was edited: what is planned has ours behind the edited one then, so
 * that lines of a difference say nothing.
 */
export function hasEditedElement(output: OutputFile | undefined, disk: unknown): boolean {
  const edits = output?.kind === 'shared' ? output.edits : [];
  return edits.some(edit => {
    const list = edit.kind === 'set' ? undefined : valueAt(disk, edit.path);
    const isThere =
      Array.isArray(list) && list.some(one => JSON.stringify(one) === JSON.stringify(edit.value));
    return Array.isArray(list) && !isThere && twinOf(edit, edits, disk) !== undefined;
  });
}

/** The value at a path of keys and indices; `undefined` where there is none. */
export const valueAt = (data: unknown, path: readonly Key[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<Key, unknown>>)[key]
        : undefined,
    data,
  );

/**
 * The element of a list of the user that was ours until it was edited: one that nobody writes and that says most of what
 * ours says.
 */
export function twinOf({ path, value }: KeyEdit, edits: readonly KeyEdit[], data: unknown): Json | undefined {
  const list = valueAt(data, path);
  if (!Array.isArray(list)) return undefined;
  const ours = new Set(edits.map(one => JSON.stringify(one.value)));
  const words = wordsOf(value);
  return (list as Json[]).find(element => {
    if (ours.has(JSON.stringify(element))) return false;
    const own = wordsOf(element);
    const shared = [...words].filter(word => own.has(word)).length;
    return 2 * shared > Math.max(words.size, own.size);
  });
}

const wordsOf = (value: unknown): Set<string> =>
  new Set(JSON.stringify(value)?.match(/[\p{L}\p{N}]+/gu) ?? []);
