import type { KeyEdit, OutputFile } from '../../kinds/output.ts';
import type { Sourced } from '../../model/origin.ts';
import { isOwnField } from '../../model/own-guard.ts';
import { isPortable, portableName, sourceName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { Node } from '../../resolve/program.ts';
import { positionAt } from '../../text/source.ts';
import type { Surroundings } from './candidates.ts';
import type { Change, Key } from './changes.ts';
import { commandLine, pathOf } from './command-line.ts';
import {
  changesOf,
  type Fields,
  type FormedFile,
  isFields,
  isRead,
  readFields,
  readLoosely,
  type Unreadable,
} from './data.ts';
import { type Hunk, hunksOf, withHunk } from './hunks.ts';
import { twinOf, valueAt } from './owned.ts';
import { type Entry, isShorthand, withoutEntry, withValues } from './source-values.ts';
import type { Candidate } from './trial.ts';

/** What entries are to say: all tools are told, or those of the file alone. */
interface Wish {
  readonly entry: Entry;
  readonly forAll: readonly Change[];
  /** Fields of the file, by their own names. */
  readonly own: readonly Change[];
  /** The same where what the entry says for a tool stands deeper in what the file has of it. */
  readonly inner?: readonly Change[];
  /** Values of the file, as they were and are. */
  readonly values?: readonly { readonly was: unknown; readonly is: unknown }[];
}

/**
 * Ways to say in the sources what somebody wrote into a field of a file: as a field of the entry, which says it to all
 * tools, else as what the entry says for the tools of that file alone. `tools` are their ids.
 */
export async function fieldsFor(
  hunk: Hunk,
  file: FormedFile,
  tools: readonly string[],
  around: Surroundings,
  output: OutputFile | undefined,
): Promise<Candidate[]> {
  const edited = withHunk(around.lines, hunk);
  const [before, after] = await readBoth(file, around.lines, edited);
  if (!before || !after) return [];
  if (!isInside(hunk, before)) return asContent(edited.slice(after.end + 1), tools, around);
  const changes = await changesOf(before.data, after.data);
  if (changes.length === 0) return [];
  const edits = output?.kind === 'shared' ? output.edits : output?.keys;
  const wishes = edits
    ? await wishesOfKeys(changes, edits, before.data, after.data)
    : await wishesOfRows(changes, after.data, around, before);
  if (!wishes) return [];
  const found = await ways(wishes, tools, around);
  const [wish] = wishes;
  if (!wish) return found;
  if (edits) {
    const { reworded } = await import('./reworded.ts');
    const values = wishes.flatMap(one => one.values ?? []);
    const others = reworded(wish.entry, values, around);
    // What all tools are told comes before what one of them is.
    return wish.forAll.length === 0 ? [...others, ...found] : [...found, ...others];
  }
  found.push(...(await asText(wish.entry, changes, before, tools, around)));
  const { activated } = await import('./activated.ts');
  for (const forAll of activated(wish.entry, changes, after.data))
    found.push(...(await waysForAll(wish.entry, forAll, around)));
  return found;
}

/** An entry that is only a text has other fields made of it, too: it says them apart. */
async function asContent(
  body: readonly string[],
  tools: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  const entry = await entryOf(around);
  const text = entry && around.sourceLines(entry.file)?.join('\n');
  if (text === undefined || !isShorthand(text, entry!)) return [];
  const value = body.join('\n').trim();
  const said = [{ path: ['content'], value }];
  return value === '' ? [] : ways([{ entry: entry!, forAll: said, own: said }], tools, around);
}

/** A field of a file that is nothing but fields may be the text of its entry, whatever the tool calls it. */
async function asText(
  entry: Entry,
  changes: readonly Change[],
  { from }: Fields,
  tools: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  const [{ path, value }, ...others] = changes as [Change, ...Change[]];
  if (from > 0 || path.length > 1 || others.length > 0 || typeof value !== 'string') return [];
  const said = [{ path: ['content'], value }];
  return ways([{ entry, forAll: said, own: said }], tools, around);
}

/** The fields of a file before and after an edit; where tools read invalid ones, they are read as tools do. */
async function readBoth(
  file: FormedFile,
  ...texts: readonly (readonly string[])[]
): Promise<(Fields | undefined)[]> {
  const read = await Promise.all(texts.map(lines => readFields(file, lines)));
  if (read[0] && !isRead(read[0])) return texts.map(lines => readLoosely(lines));
  return read.map(fields => (isRead(fields) ? fields : undefined));
}

/**
 * Why an edit must not come home whatever the sources could say: it leaves fields that cannot be read, or an item without
 * any text.
 */
export async function whyBroken(
  hunk: Hunk,
  file: FormedFile,
  lines: readonly string[],
  disk: readonly string[],
): Promise<string | undefined> {
  const [before, after] = [await readFields(file, lines), await readFields(file, disk)];
  if (!isRead(before)) return undefined;
  const isWithin = isInside(hunk, before);
  if (after === undefined) return isWithin ? endsNoMore : undefined;
  const isBeside = hunk.at >= before.end || hunk.at + hunk.removed.length <= before.from;
  return isRead(after) || (isBeside && !isWithin) ? undefined : unreadable(after);
}

const unreadable = ({ problem }: Unreadable): string =>
  `the fields of the file cannot be read with it: ${problem}`;

const endsNoMore = 'it stands in the front matter, which ends there no more';

const wholeText =
  'it is all that the text says: to take the item out of the sources, delete the file and run `prs absorb` with its name';

/** Whether lines lie among the fields of a file. */
const isInside = ({ at, removed }: Hunk, { from, end }: Fields): boolean =>
  at >= from && at + removed.length <= end;

/** Changes of an item that has a file to itself: fields of the file are those of the entry, by their names. */
async function wishesOfRows(
  changes: readonly Change[],
  after: unknown,
  around: Surroundings,
  lines: Fields,
): Promise<Wish[] | undefined> {
  // Texts of other entries may stand below the fields, such as what a rule requires.
  const entry = (await entryOf(around)) ?? (await entryOf(around, lines));
  if (!entry || !isFields(after)) return undefined;
  const { block } = entry;
  const forAll = changes.flatMap(change => {
    const [key, ...rest] = change.path as [string, ...Key[]];
    const isField = isPortable(block, portableName(block, key));
    return isField ? [{ ...change, path: [sourceName(block, key), ...rest] }] : [];
  });
  const inner: Change[] = [];
  for (const change of changes)
    inner.push(...(await innerFields({ change, inside: change.path, was: lines.data, is: after })));
  const isSaid = forAll.length === changes.length;
  return [{ entry, forAll: isSaid ? forAll : [], own: ownFields(changes, after), inner }];
}

/** Whole fields of a file, as they are now. */
function ownFields(changes: readonly Change[], after: Readonly<Record<string, unknown>>): Change[] {
  const keys = [...new Set(changes.map(({ path }) => String(path[0])))];
  return keys.map(key => ({ path: [key], value: Object.hasOwn(after, key) ? after[key] : null }));
}

/** A change within what an entry owns of a file. */
interface OwnChange extends Placed {
  readonly change: Change;
  /** What the entry owns, before and after it. */
  readonly was: unknown;
  readonly is: unknown;
}

/** Changes of entries of a structured file: its parts know what they were made of. */
async function wishesOfKeys(
  changes: readonly Change[],
  edits: readonly KeyEdit[],
  before: unknown,
  after: unknown,
): Promise<Wish[] | undefined> {
  const wishes = new Map<
    KeyEdit,
    {
      entry: Entry;
      forAll: Change[];
      own: Change[];
      inner: Change[];
      values: { was: unknown; is: unknown }[];
      isSaid: boolean;
    }
  >();
  for (const change of changes) {
    const own = await ownChanges(change, edits, before, after);
    const entry = own?.[0] && entryOfEdit(own[0].edit);
    if (!own || !entry) return undefined;
    for (const one of own) {
      const wish = wishes.get(one.edit) ?? {
        entry,
        forAll: [],
        own: [],
        inner: [],
        values: [],
        isSaid: true,
      };
      wishes.set(one.edit, wish);
      wish.values.push({ was: valueAt(one.was, one.inside), is: one.change.value });
      const line = commandLine(one);
      const source = line ? undefined : sourcePath(one, entry);
      if (line) wish.forAll.push(line);
      else if (source) wish.forAll.push({ ...one.change, path: source });
      else wish.isSaid = false;
      const [field] =
        isFields(one.is) && one.inside.length > 0
          ? ownFields([{ ...one.change, path: one.inside }], one.is)
          : [];
      if (field && !wish.own.some(({ path }) => path[0] === field.path[0])) wish.own.push(field);
      for (const deeper of await innerFields(one))
        if (!wish.inner.some(({ path }) => path[0] === deeper.path[0])) wish.inner.push(deeper);
    }
  }
  return [...wishes.values()].map(({ isSaid, forAll, ...wish }) => ({
    ...wish,
    forAll: isSaid ? forAll : [],
  }));
}

/** Fields of the objects in which changes are, where these lie within what an entry owns: what a hook runs lies in a group. */
async function innerFields({ change, inside, was, is }: Omit<OwnChange, 'edit'>): Promise<Change[]> {
  const before = valueAt(was, inside);
  // A member of a list changes as a whole.
  const isMember = inside.length > 0 && isFields(before) && isFields(change.value);
  const root = isMember ? change.value : is;
  const leaves = isMember ? await changesOf(before, change.value) : [{ ...change, path: inside }];
  return leaves.flatMap(leaf => {
    let depth = leaf.path.length - 1;
    while (depth > 0 && !isFields(valueAt(root, leaf.path.slice(0, depth)))) depth--;
    const fields = valueAt(root, leaf.path.slice(0, depth));
    return (depth > 0 || isMember) && isFields(fields)
      ? ownFields([{ ...leaf, path: leaf.path.slice(depth) }], fields)
      : [];
  });
}

/** What an edited element of a list says now stands beside it: the file is the user's. */
async function ownChanges(
  change: Change,
  edits: readonly KeyEdit[],
  before: unknown,
  after: unknown,
): Promise<OwnChange[] | undefined> {
  const place = placeOf(change.path, edits, before);
  if (!place) return undefined;
  const { edit, inside } = place;
  const path = change.path.slice(0, change.path.length - inside.length);
  if (edit.kind === 'set' || inside.length > 0)
    return [{ ...place, change, was: valueAt(before, path), is: valueAt(after, path) }];
  const twin = change.value ?? twinOf(edit, edits, after);
  if (twin === undefined) return undefined;
  const inner = await changesOf(edit.value, twin);
  return inner.map(one => ({ edit, inside: one.path, change: one, was: edit.value, is: twin }));
}

/** A value of a file, in the place of it that an entry owns. */
interface Placed {
  readonly edit: KeyEdit;
  readonly inside: readonly Key[];
}

function placeOf(path: readonly Key[], edits: readonly KeyEdit[], data: unknown): Placed | undefined {
  for (const edit of edits) {
    const { length } = edit.path;
    if (!edit.path.every((part, at) => String(path[at]) === part)) continue;
    if (edit.kind === 'set') return { edit, inside: path.slice(length) };
    const element = valueAt(data, path.slice(0, length + 1));
    if (path.length > length && JSON.stringify(element) === JSON.stringify(edit.value))
      return { edit, inside: path.slice(length + 1) };
  }
  return undefined;
}

function entryOfEdit({ origins }: KeyEdit): Entry | undefined {
  const name = origins?.name;
  if (name?.kind !== 'name' || name.step.layer.registry !== undefined) return undefined;
  const [block, own] = parseNodePath(name.path) ?? [];
  if (typeof block !== 'string' || typeof own !== 'string') return undefined;
  const { source, start } = name.step.span;
  return { block, name: own, file: source.name, line: positionAt(source, start).line - 1 };
}

/** Where the source says what stands at a place of an entry; a new field by its name in the language. */
function sourcePath(
  { change: { isNew }, edit: { origins }, inside, was }: OwnChange,
  { block }: Entry,
): readonly Key[] | undefined {
  const isAbove = (above: readonly Key[]) => above.every((part, at) => String(part) === String(inside[at]));
  const slots = (origins?.slots ?? []).filter(slot => isAbove(slot.path));
  const [slot] = slots.sort((one, other) => other.path.length - one.path.length);
  if (slot) {
    const rest = inside.slice(slot.path.length);
    const value = valueAt(was, inside.slice(0, slot.path.length));
    if (typeof rest[0] === 'number' && Array.isArray(value))
      return inList(rest as [number, ...Key[]], value, slot.origins, isNew === true);
    const [first] = slot.origins;
    const own = first && pathOf(first);
    return own && [...own, ...rest];
  }
  const [key] = inside;
  const isField = typeof key === 'string' && isPortable(block, portableName(block, key));
  return isField ? [sourceName(block, key), ...inside.slice(1)] : undefined;
}

/** The member of a list in the sources: a tool may have put several together, or taken the first one away. */
function inList(
  [at, ...rest]: readonly [number, ...Key[]],
  value: readonly unknown[],
  origins: readonly Sourced[],
  isNew: boolean,
): Key[] | undefined {
  const beside = isNew && at > 0 ? at - 1 : at;
  const behind = isNew && at > 0 ? 1 : 0;
  for (const origin of origins) {
    const path = pathOf(origin);
    if (!path || !('node' in origin) || origin.node.kind === 'object') continue;
    const isIt = (one: Node) => one.kind === 'scalar' && one.value === value[beside];
    const [above, own] =
      origin.node.kind === 'list'
        ? [path, origin.node.items.findIndex(isIt)]
        : [path.slice(0, -1), isIt(origin.node) ? Number(path.at(-1)) : -1];
    if (own >= 0) return [...above, own + behind, ...rest];
  }
  return undefined;
}

/** The sources with what is wished, for all tools, else for some. */
async function ways(
  wishes: readonly Wish[],
  tools: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const forTools = (field: string) => (change: Change) =>
    tools.map(tool => ({ ...change, path: [field, tool, ...change.path] }));
  const forms: ((wish: Wish) => readonly Change[])[] = [
    ({ forAll }) => forAll,
    ({ own }) => own.flatMap(forTools('tools')),
    ({ own }) => own.flatMap(forTools('targets')),
    ({ inner = [] }) => inner.flatMap(forTools('tools')),
    ({ inner = [] }) => inner.flatMap(forTools('targets')),
  ];
  for (const form of forms) {
    const texts = new Map<string, string>();
    for (const wish of wishes) {
      const { file } = wish.entry;
      const text = texts.get(file) ?? around.sourceLines(file)?.join('\n');
      const changes = form(wish);
      const next =
        text === undefined || text.includes('\r') || changes.length === 0
          ? undefined
          : await withValues(text, changes, wish.entry);
      if (next === undefined) break;
      texts.set(file, next);
    }
    if (texts.size === new Set(wishes.map(({ entry }) => entry.file)).size)
      found.push(await changeTo(texts, around));
  }
  return found;
}

/** The sources with changes of an entry that all tools are told. */
export const waysForAll = (
  entry: Entry,
  forAll: readonly Change[],
  around: Surroundings,
): Promise<Candidate[]> => ways([{ entry, forAll, own: [] }], [], around);

/** The lines of sources that make them say something else. */
export async function changeTo(texts: ReadonlyMap<string, string>, around: Surroundings): Promise<Candidate> {
  const edits: Candidate['edits'][number][] = [];
  for (const [file, text] of texts)
    for (const { at, removed, added } of await hunksOf(around.sourceLines(file)!, text.split('\n')))
      edits.push({ file, at, remove: removed.length, insert: added });
  return { edits };
}

/** The one entry that all lines of a file are made of, or all of its fields; `undefined` where they come from several. */
export async function entryOf(
  { lines, originsOf }: Surroundings,
  { from, end }: Pick<Fields, 'from' | 'end'> = { from: 0, end: lines.length },
): Promise<Entry | undefined> {
  let found: Entry | undefined;
  for (let at = from; at < end; at++) {
    for (const { path, file, line, registry, operation } of await originsOf(at)) {
      if (file === undefined || registry !== undefined || operation === 'layout') continue;
      const own = ownEntry(path);
      if (!own) continue;
      if (found && (found.block !== own.block || found.name !== own.name)) return undefined;
      found ??= { ...own, file, ...(line !== undefined && { line: line - 1 }) };
    }
  }
  return found;
}

/** The entry that a part of a program belongs to: a named one, or what stands in its block itself. */
function ownEntry(path: string): Pick<Entry, 'block' | 'name' | 'isOwn'> | undefined {
  const [block, name, ...rest] = parseNodePath(path) ?? [];
  if (typeof block !== 'string' || typeof name !== 'string') return undefined;
  const isOwn = isOwnField(block, name) && typeof rest[0] !== 'string';
  return isOwn ? { block, name: block, isOwn } : { block, name };
}

/** The source without the entry that a file is made of. */
export async function withoutItself(around: Surroundings): Promise<Candidate[]> {
  const entry = await entryOf(around);
  const text = entry && around.sourceLines(entry.file)?.join('\n');
  if (text === undefined || !entry!.file.endsWith('.prs')) return [];
  const next = withoutEntry(text, entry!);
  return next === undefined ? [] : [await changeTo(new Map([[entry!.file, next]]), around)];
}

/** Ways to leave the entry that a file is made of out of some tools. */
export async function leftOutOf(tools: readonly string[], around: Surroundings): Promise<Candidate[]> {
  const entry = await entryOf(around);
  if (!entry) return [];
  return ways([{ entry, forAll: [], own: [{ path: [], value: false }] }], tools, around);
}

/** Why what was edited in the fields or in the text of an item cannot be said in its source, as far as the lines tell. */
export async function whyNotSaid(
  hunk: Hunk,
  file: FormedFile,
  lines: readonly string[],
  disk: readonly string[],
): Promise<string | undefined> {
  const edited = withHunk(lines, hunk);
  const [before, after] = [await readFields(file, lines), await readFields(file, edited)];
  if (!before && edited.every(line => line.trim() === '')) return wholeText;
  if (!isRead(before)) return undefined;
  if (!isInside(hunk, before)) {
    const isEmpty = hunk.at > before.end && edited.slice(before.end + 1).every(line => line.trim() === '');
    return isEmpty ? wholeText : undefined;
  }
  if (after === undefined || (isRead(after) && !isInside({ ...hunk, removed: hunk.added }, after)))
    return endsNoMore;
  // A part of an edit, such as a line without the comma before it, may say nothing where all of it does.
  if (!isRead(after)) return isRead(await readFields(file, disk)) ? undefined : unreadable(after);
  const [had, has] = [before.data, after.data];
  if (!isFields(had) || !isFields(has)) return undefined;
  const gone = Object.keys(had).filter(key => !Object.hasOwn(has, key));
  return gone.length > 0
    ? `the file has ${gone.map(key => `\`${key}\``).join(', ')} whatever the sources say`
    : undefined;
}
