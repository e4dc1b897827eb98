import type { Json, KeyEdit, OutputFile } from '../../kinds/output.ts';
import type { Sourced } from '../../model/origin.ts';
import { isPortable, portableName, sourceName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { Node } from '../../resolve/program.ts';
import { positionAt } from '../../text/source.ts';
import { type Change, changesOf, isEqual, isFields, type Key, valueAt } from './data.ts';
import type { Entry } from './prs-values.ts';

/** What an entry is to say after an edit of a generated file. */
export interface EntryEdit {
  readonly entry: Entry;
  /** Fields of the entry, for all tools. */
  readonly changes: readonly Change[];
  /** Fields of the generated file, for its tools alone. */
  readonly own?: readonly Change[];
  /** The same for fields that the generated file has at a deeper level. */
  readonly inner?: readonly Change[];
  /** Values of the file before and after the edit. */
  readonly values?: readonly (readonly [unknown, unknown])[];
}

/** A change in a value of a structured file that an entry owns. */
interface OwnedChange {
  readonly edit: KeyEdit;
  readonly change: Change;
  /** The path within the owned value. */
  readonly inside: readonly Key[];
  /** The owned value before and after the change. */
  readonly was: unknown;
  readonly is: unknown;
}

/** The edits of entries for changes of a structured file; `undefined` where one belongs to no entry of the project. */
export function ownedChanges(
  changes: readonly Change[],
  edits: readonly KeyEdit[],
  before: unknown,
  after: unknown,
): EntryEdit[] | undefined {
  const found = new Map<KeyEdit, OwnedChange[]>();
  for (const change of changes) {
    const owned = locateChange(change, edits, before, after);
    if (!owned?.[0] || !entryOfEdit(owned[0].edit)) return undefined;
    for (const one of owned) found.set(one.edit, [...(found.get(one.edit) ?? []), one]);
  }
  return [...found].map(([edit, owned]) => {
    const entry = entryOfEdit(edit)!;
    const inSource = owned.map(one => commandLine(one) ?? renamedChange(one, entry));
    const byField = (all: readonly Change[]) =>
      all.filter((one, at) => all.findIndex(({ path }) => path[0] === one.path[0]) === at);
    return {
      entry,
      changes: inSource.every(one => one !== undefined) ? inSource : [],
      own: byField(
        owned.flatMap(({ inside, is }) =>
          isFields(is) && inside.length > 0 ? wholeFields([{ path: inside, value: undefined }], is) : [],
        ),
      ),
      inner: byField(owned.flatMap(({ change, inside, was, is }) => innerChanges(change, inside, was, is))),
      values: owned.map(({ was, inside, change }) => [valueAt(was, inside), change.value] as const),
    };
  });
}

/** The whole fields of a file that changes lie in, as they are now. */
export function wholeFields(changes: readonly Change[], after: Readonly<Record<string, unknown>>): Change[] {
  const keys = [...new Set(changes.map(({ path }) => String(path[0])))];
  return keys.map(key => ({ path: [key], value: Object.hasOwn(after, key) ? after[key] : null }));
}

/** The fields of the innermost objects that a change lies in, where these are within a value. */
export function innerChanges(change: Change, inside: readonly Key[], was: unknown, is: unknown): Change[] {
  const before = valueAt(was, inside);
  // A member of a list changes as a whole.
  const isMember = inside.length > 0 && isFields(before) && isFields(change.value);
  const root = isMember ? change.value : is;
  const leaves = isMember ? changesOf(before, change.value) : [{ ...change, path: inside }];
  return leaves.flatMap(leaf => {
    let depth = leaf.path.length - 1;
    while (depth > 0 && !isFields(valueAt(root, leaf.path.slice(0, depth)))) depth--;
    const fields = valueAt(root, leaf.path.slice(0, depth));
    return (depth > 0 || isMember) && isFields(fields)
      ? wholeFields([{ ...leaf, path: leaf.path.slice(depth) }], fields)
      : [];
  });
}

/** The owned value that a change is in; an edited element of a list has become the user's, next to ours. */
function locateChange(
  change: Change,
  edits: readonly KeyEdit[],
  before: unknown,
  after: unknown,
): OwnedChange[] | undefined {
  const { path, value } = change;
  for (const edit of edits) {
    const { length } = edit.path;
    if (!edit.path.every((part, at) => String(path[at]) === part)) continue;
    const depth = edit.kind === 'set' ? length : length + 1;
    if (path.length < depth) continue;
    const owned = path.slice(0, depth);
    const was = valueAt(before, owned);
    if (edit.kind !== 'set' && !isEqual(was, edit.value)) continue;
    const inside = path.slice(depth);
    if (edit.kind === 'set' || inside.length > 0)
      return [{ edit, change, inside, was, is: valueAt(after, owned) }];
    const twin = value ?? editedElement(edit, edits, after);
    if (twin === undefined) return undefined;
    return changesOf(edit.value, twin).map(one => ({
      edit,
      change: one,
      inside: one.path,
      was: edit.value,
      is: twin,
    }));
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

const pathInEntry = ({ path }: Sourced): Key[] | undefined => parseNodePath(path)?.slice(2);

/** A list that is made of the words of a command line: the command line with other words. */
function commandLine({ edit: { origins }, inside, was, is }: OwnedChange): Change | undefined {
  const [key] = inside;
  const [had, has] = [valueAt(was, [key!]), valueAt(is, [key!])];
  const isWord = (value: unknown) => typeof value === 'string' && /^[^\s"'\\]+$/.test(value);
  if (!Array.isArray(had) || !Array.isArray(has) || had.length === 0 || ![...had, ...has].every(isWord))
    return undefined;
  for (const slot of origins?.slots.filter(({ path }) => String(path[0]) === String(key)) ?? [])
    for (const origin of slot.origins) {
      const path = pathInEntry(origin);
      if (!path || !('node' in origin) || origin.node.kind !== 'scalar') continue;
      const words = String(origin.node.value).trim().split(/\s+/);
      const at = words.findIndex((_, from) => had.every((word, index) => words[from + index] === word));
      if (words.length > 1 && at !== -1)
        return { path, value: words.toSpliced(at, had.length, ...has).join(' ') };
    }
  return undefined;
}

/** A change by its path in the source; that of a new field by its name in the language. */
function renamedChange({ change, edit, inside, was }: OwnedChange, { block }: Entry): Change | undefined {
  const slots = (edit.origins?.slots ?? []).filter(({ path }) =>
    path.every((part, at) => String(part) === String(inside[at])),
  );
  const [slot] = slots.sort((one, other) => other.path.length - one.path.length);
  if (!slot) {
    const [key, ...rest] = inside;
    const isField = typeof key === 'string' && isPortable(block, portableName(block, key));
    return isField ? { ...change, path: [sourceName(block, key), ...rest] } : undefined;
  }
  const rest = inside.slice(slot.path.length);
  const value = valueAt(was, inside.slice(0, slot.path.length));
  const isMember = typeof rest[0] === 'number' && Array.isArray(value);
  const own = slot.origins[0] && pathInEntry(slot.origins[0]);
  const path = isMember
    ? memberPath(rest as [number, ...Key[]], value, slot.origins, change.isNew === true)
    : own && [...own, ...rest];
  return path && { ...change, path };
}

/** The path of a list member in the sources: a tool may have joined several lists, or left out the first member. */
function memberPath(
  [at, ...rest]: readonly [number, ...Key[]],
  value: readonly unknown[],
  origins: readonly Sourced[],
  isNew: boolean,
): Key[] | undefined {
  const isAfter = isNew && at > 0;
  const neighbour = value[isAfter ? at - 1 : at];
  for (const origin of origins) {
    const path = pathInEntry(origin);
    if (!path || !('node' in origin) || origin.node.kind === 'object') continue;
    const isIt = (one: Node) => one.kind === 'scalar' && one.value === neighbour;
    const isList = origin.node.kind === 'list';
    const own = isList ? origin.node.items.findIndex(isIt) : isIt(origin.node) ? Number(path.at(-1)) : -1;
    if (own >= 0) return [...(isList ? path : path.slice(0, -1)), own + (isAfter ? 1 : 0), ...rest];
  }
  return undefined;
}

const editsOf = (output: OutputFile | undefined): readonly KeyEdit[] =>
  output?.kind === 'shared' ? output.edits : [];

/**
 * Whether a structured file still has a value that the sources do not give any more. An edited value becomes the user's
 * when nothing generates it, so that sources without it would seem to give the edited file.
 */
export function isLeftBehind(
  before: OutputFile | undefined,
  after: OutputFile | undefined,
  disk: unknown,
): boolean {
  const now = editsOf(after);
  const isSame = (one: KeyEdit, other: KeyEdit) =>
    one.kind === other.kind && one.about === other.about && isEqual(one.path, other.path);
  return editsOf(before)
    .filter(edit => !now.some(one => isSame(one, edit)))
    .some(edit =>
      edit.kind === 'set'
        ? valueAt(disk, edit.path) !== undefined
        : editedElement(edit, now, disk) !== undefined,
    );
}

/** The paths of the user's lists in which an element of ours was edited: the plan has ours after the edited one. */
export function editedLists(output: OutputFile | undefined, disk: unknown): (readonly string[])[] {
  const edits = editsOf(output);
  return edits
    .filter(edit => {
      const list = edit.kind === 'set' ? undefined : valueAt(disk, edit.path);
      return (
        Array.isArray(list) &&
        !list.some(one => isEqual(one, edit.value)) &&
        editedElement(edit, edits, disk) !== undefined
      );
    })
    .map(({ path }) => path);
}

/** The element of a list that an element of ours was edited to: one of nobody that shares most of its words. */
function editedElement({ path, value }: KeyEdit, edits: readonly KeyEdit[], data: unknown): Json | undefined {
  const list = valueAt(data, path);
  if (!Array.isArray(list)) return undefined;
  const wordsOf = (one: unknown) => new Set(JSON.stringify(one)?.match(/[\p{L}\p{N}]+/gu) ?? []);
  const words = wordsOf(value);
  return (list as Json[]).find(element => {
    const own = wordsOf(element);
    const shared = [...words].filter(word => own.has(word)).length;
    return 2 * shared > Math.max(words.size, own.size) && !edits.some(one => isEqual(one.value, element));
  });
}
