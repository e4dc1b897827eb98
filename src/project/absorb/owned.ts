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

/**
 * The same for a file of lines: some of ours went from the sources, and others stand in their place that are not there.
 * Lines of the user that are known to have stood beside them are none.
 */
export function areLinesLeftBehind(
  before: OutputFile | undefined,
  after: OutputFile | undefined,
  disk: readonly string[],
  known: ReadonlySet<string> = new Set(),
): boolean {
  const has = new Set(ownLines(after));
  return gapsIn(before, disk, has, new Set([...has, ...known])).some(({ there }) => there.length > 0);
}

/**
 * What stands on the disk for lines of ours that were edited there, where as many came as went. `before` are lines that
 * stood there already: one of the user beside ours that was deleted is none that it became.
 */
export function linesInstead(
  output: OutputFile | undefined,
  disk: readonly string[],
  before: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const there = new Set(disk.map(line => line.trim()));
  const gaps = gapsIn(output, disk, there, before).filter(gap => gap.gone.length === gap.there.length);
  return new Map(gaps.flatMap(({ gone, there: instead }) => gone.map((line, at) => [line, instead[at]!])));
}

const ownLines = (output: OutputFile | undefined): string[] =>
  output?.kind === 'shared' ? output.edits.map(({ value }) => String(value).trim()) : [];

/** Lines of ours in a row that are not among others, with those between the lines around them that nobody writes. */
function gapsIn(
  output: OutputFile | undefined,
  disk: readonly string[],
  has: ReadonlySet<string>,
  written: ReadonlySet<string>,
) {
  const had = ownLines(output);
  const there = disk.map(line => line.trim());
  const gaps: { readonly gone: string[]; readonly there: readonly string[] }[] = [];
  for (const [at, line] of had.entries()) {
    if (has.has(line)) continue;
    const above = had.slice(0, at).findLast(one => there.includes(one));
    const below = had.slice(at + 1).find(one => there.includes(one));
    const start = above === undefined ? 0 : there.indexOf(above) + 1;
    const end = below === undefined ? there.length : there.indexOf(below);
    const isUsers = (one: string) => one !== '' && !written.has(one) && !had.includes(one);
    const last = at > 0 && !has.has(had[at - 1]!) ? gaps.at(-1) : undefined;
    if (last) last.gone.push(line);
    else gaps.push({ gone: [line], there: there.slice(start, end).filter(isUsers) });
  }
  return gaps;
}

/**
 * The lists of the user in which an element of ours was edited: what is planned has ours behind the edited one then, so
 * that lines of a difference say nothing.
 */
export function editedLists(output: OutputFile | undefined, disk: unknown): (readonly string[])[] {
  const edits = output?.kind === 'shared' ? output.edits : [];
  const edited = edits.filter(edit => {
    const list = edit.kind === 'set' ? undefined : valueAt(disk, edit.path);
    const isThere =
      Array.isArray(list) && list.some(one => JSON.stringify(one) === JSON.stringify(edit.value));
    return Array.isArray(list) && !isThere && twinOf(edit, edits, disk) !== undefined;
  });
  return edited.map(({ path }) => path);
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
