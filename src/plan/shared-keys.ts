import type { Json, KeyEdit } from '../kinds/output.ts';
import { groupBy } from '../text/group.ts';
import { compareCodeUnits } from '../text/order.ts';
import { canonical, equalJson } from './canonical.ts';
import type { OwnedFile, OwnedKey } from './manifest.ts';
import type { KeyChange } from './plan.ts';
import {
  isFields,
  nestValue,
  type PathSegment,
  type SharedFormat,
  SharedText,
  startsWith,
  valueAt,
} from './shared-format.ts';

type Path = readonly string[];

/** A key that cannot be written without losing a value of the user. */
interface KeyTrouble {
  readonly state: 'conflict' | 'drifted';
  /** The end of a sentence that starts with the file. */
  readonly reason: string;
}

/** A shared file after the edits of a run, with the owned keys in it. */
export interface SharedEdit {
  readonly text: string;
  /** Whether the text parses to the intended value. */
  readonly isExact: boolean;
  readonly troubles: readonly KeyTrouble[];
  readonly changes: readonly KeyChange[];
  readonly keys: readonly OwnedKey[];
  readonly created: readonly Path[];
  /** Owned keys that are no longer planned but were edited; they stay. */
  readonly editedKeys: readonly string[];
  /** Whether nothing is left of a file that the compiler created. */
  readonly isEmptied: boolean;
}

type Hash = (value: Json) => string;

/**
 * Computes the edits of a shared file: planned keys are set, owned keys that are no longer planned are
 * removed, and objects that the compiler created are removed when empty. `troubles` lists conflicts; the text
 * is that of a run that overwrites them. `text` is `undefined` for a file that does not exist.
 */
export function editShared(
  format: SharedFormat,
  text: string | undefined,
  start: Json,
  planned: readonly KeyEdit[],
  owned: Pick<OwnedFile, 'keys' | 'created'>,
  hashOf: Hash,
): SharedEdit {
  const editor = new Editor(format, text ?? '', start, owned.keys ?? [], hashOf);
  const created = pathMap(owned.created ?? []);
  const note = (path: Path) => created.set(JSON.stringify(path), path);
  if (text === undefined) note([]);
  const isTheirs = isFields(start) && Object.keys(start).length > 0;
  const edits = planned
    .filter(
      edit => !(edit.initial && isTheirs) || valueAt(start, edit.path) !== undefined || editor.owns(edit),
    )
    .map(edit => asExisting(edit, start, editor.elementHash));
  const keys = edits.map(({ kind, path, value }) => ({ kind, path, sha256: editor.hash(kind, value) }));

  editor.removeUnplanned(keys);
  for (const edit of edits) editor.add(edit, note);
  editor.removeReplaced();
  editor.order(edits);

  // A container with only adopted keys becomes owned with them.
  if (text !== undefined) adoptedContainers(start, edits, owned.keys ?? [], editor.elementHash).forEach(note);
  const kept: Path[] = [];
  for (const path of [...created.values()].sort((a, b) => b.length - a.length)) {
    if (path.length === 0 || keys.some(key => startsWith(key.path, path))) kept.push(path);
    else if (editor.isEmptied(path)) editor.put(path, undefined);
  }
  return {
    text: editor.text,
    isExact: editor.isExact(),
    troubles: editor.troubles,
    changes: editor.changes,
    keys,
    created: keys.length > 0 ? kept.sort(outerFirst) : [],
    editedKeys: editor.left,
    isEmptied: created.has('[]') && keys.length === 0 && editor.isEmptied(),
  };
}

/** A shared file with a record of the changes. */
class Editor extends SharedText {
  readonly changes: KeyChange[] = [];
  readonly troubles: KeyTrouble[] = [];
  readonly left: string[] = [];
  /** Indexes of removed elements. New elements reuse them, so that an edited hook keeps its position. */
  readonly #free = new Map<string, { readonly path: Path; readonly places: number[] }>();
  readonly #recorded: ReadonlyMap<string, OwnedKey>;
  readonly #hashOf: Hash;

  constructor(format: SharedFormat, text: string, value: Json, recorded: readonly OwnedKey[], hashOf: Hash) {
    super(format, text, value);
    this.#hashOf = hashOf;
    this.#recorded = new Map(recorded.map(key => [idOf(key), key]));
  }

  readonly elementHash: Hash = value => this.#hashOf(withoutBlanks(value));

  hash(kind: KeyEdit['kind'], value: Json): string {
    return kind === 'element' ? this.elementHash(value) : this.#hashOf(value);
  }

  owns({ path }: KeyEdit): boolean {
    return this.#recorded.has(idOf({ kind: 'set', path, sha256: '' }));
  }

  /** Removes owned keys that are no longer planned; edited ones stay. */
  removeUnplanned(keys: readonly OwnedKey[]): void {
    const wanted = new Set(keys.map(idOf));
    for (const [id, { kind, path, sha256 }] of this.#recorded) {
      if (wanted.has(id)) continue;
      const now = valueAt(this.value, path);
      if (kind === 'element') {
        const at = indexOf(now, sha256, this.elementHash);
        const free = this.#free.get(JSON.stringify(path)) ?? { path, places: [] };
        if (at !== -1) this.#free.set(JSON.stringify(path), { path, places: [...free.places, at] });
        else if (this.#mayBeEdited(now, path)) this.left.push(keyName(path));
      } else if (now !== undefined) {
        if (this.#hashOf(now) === sha256) this.#change('set', path, path, undefined);
        else this.left.push(keyName(path));
      }
    }
  }

  /** Writes a planned key; `note` gets the path of each object that is created for it. */
  add(edit: KeyEdit, note: (path: Path) => void): void {
    const { kind, path, value } = edit;
    // A list of one element may be written as the element alone.
    if (kind === 'element' && isItemAlone(valueAt(this.value, path), value)) return;
    const blocker = blockerOf(this.value, path, kind);
    if (blocker) {
      this.#trouble('conflict', `has its own value for ${keyName(blocker)}`);
      const inner = nestValue(path.slice(blocker.length), kind === 'element' ? [value] : value);
      this.#change('set', blocker, blocker, inner);
      return;
    }
    const end = kind === 'element' ? path.length : path.length - 1;
    for (let length = 1; length <= end; length++) {
      const folder = path.slice(0, length);
      if (valueAt(this.value, folder) === undefined) note(folder);
    }
    if (kind === 'set') this.#set(path, value);
    else this.#addElement(path, value);
  }

  #set(path: Path, value: Json): void {
    const now = valueAt(this.value, path);
    if (now !== undefined && equalJson(now, value)) return;
    const recorded = this.#recorded.get(idOf({ kind: 'set', path, sha256: '' }));
    if (now !== undefined && !recorded) this.#trouble('conflict', `has its own value for ${keyName(path)}`);
    else if (now !== undefined && this.#hashOf(now) !== recorded!.sha256)
      this.#trouble('drifted', `the value of ${keyName(path)} is another one now`);
    this.#change('set', path, path, value);
  }

  #addElement(path: Path, value: Json): void {
    const items = (valueAt(this.value, path) ?? []) as readonly Json[];
    const sha256 = this.elementHash(value);
    if (indexOf(items, sha256, this.elementHash) !== -1) return;
    if (this.#recorded.has(idOf({ kind: 'element', path, sha256 })) && this.#mayBeEdited(items, path))
      this.#trouble('drifted', `an entry of ${keyName(path)} was edited`);
    const place = this.#free.get(JSON.stringify(path))?.places.shift() ?? items.length;
    this.#change('element', path, [...path, place], value);
  }

  removeReplaced(): void {
    for (const { path, places } of this.#free.values())
      for (const place of places.sort((a, b) => b - a))
        this.#change('element', path, [...path, place], undefined);
  }

  /** Rewrites keys whose order matters and differs from the planned one. */
  order(edits: readonly KeyEdit[]): void {
    for (const { kind, current, planned } of misplaced(this.value, edits, this.elementHash)) {
      for (const { path, at } of [...current].reverse()) this.#change(kind, path, at, undefined);
      for (const { path, value } of planned) {
        const items = valueAt(this.value, path);
        const at = kind === 'set' ? path : [...path, Array.isArray(items) ? items.length : 0];
        this.#change(kind, path, at, value);
      }
    }
  }

  #change(kind: KeyEdit['kind'], path: Path, place: readonly PathSegment[], next: Json | undefined): void {
    const before = valueAt(this.value, place);
    this.put(place, next);
    this.changes.push({ kind, path, before, after: next });
  }

  #trouble(state: KeyTrouble['state'], reason: string): void {
    this.troubles.push({ state, reason });
  }

  /**
   * Whether a missing owned element was edited rather than removed: the list still has as many elements as
   * were written.
   */
  #mayBeEdited(now: Json | undefined, path: Path): boolean {
    const isHere = (key: OwnedKey) => key.kind === 'element' && equalJson(key.path, path);
    return Array.isArray(now) && now.length >= [...this.#recorded.values()].filter(isHere).length;
  }
}

/**
 * Containers of the user, including the file itself, whose entire content at the time of the first owned key
 * is planned. They are removed together with the last owned key, like a file that was adopted as a whole.
 */
function adoptedContainers(
  start: Json,
  edits: readonly KeyEdit[],
  recorded: readonly OwnedKey[],
  hash: Hash,
): readonly Path[] {
  const isOurs = (value: Json, path: Path): boolean => {
    const atPath = edits.filter(edit => edit.path.length === path.length && startsWith(edit.path, path));
    if (atPath.some(({ kind }) => kind === 'set')) return true;
    if (Array.isArray(value)) {
      const hashes = new Set(atPath.map(edit => hash(edit.value)));
      return value.length > 0 && (value as readonly Json[]).every(item => hashes.has(hash(item)));
    }
    const fields = isFields(value) ? Object.entries(value) : [];
    return fields.length > 0 && fields.every(([key, inner]) => isOurs(inner, [...path, key]));
  };
  const places = edits.flatMap(({ kind, path }) =>
    Array.from({ length: path.length + (kind === 'element' ? 1 : 0) }, (_, length) => path.slice(0, length)),
  );
  return [...pathMap(places).values()].filter(path => {
    const value = valueAt(start, path);
    return value !== undefined && !recorded.some(key => startsWith(key.path, path)) && isOurs(value, path);
  });
}

/**
 * Containers whose order matters and whose owned values are not in the planned order, with the places of
 * these values in their current order.
 */
function misplaced(value: Json, edits: readonly KeyEdit[], hash: Hash) {
  const ordered = edits.filter(edit => edit.ordered);
  const parentOf = ({ kind, path }: KeyEdit) => (kind === 'set' ? path.slice(0, -1) : path);
  const groups = groupBy(ordered, edit => JSON.stringify([edit.kind, parentOf(edit)]));
  return [...groups.values()].flatMap(planned => {
    const { kind } = planned[0]!;
    const parent = parentOf(planned[0]!);
    const container = valueAt(value, parent);
    const places = planned.map(edit => {
      const index =
        kind === 'set'
          ? Object.keys(container ?? {}).indexOf(edit.path.at(-1)!)
          : indexOf(container, hash(edit.value), hash);
      return { path: edit.path, at: kind === 'set' ? edit.path : [...parent, index], index };
    });
    const isSorted = places.every(({ index }, at) => at === 0 || places[at - 1]!.index < index);
    if (isSorted) return [];
    return [{ kind, current: [...places].sort((a, b) => a.index - b.index), planned }];
  });
}

const keyName = (path: readonly PathSegment[]): string => (path.length === 0 ? 'its lines' : path.join('.'));

const pathMap = (paths: readonly Path[]) => new Map(paths.map(path => [JSON.stringify(path), path]));

const isItemAlone = (now: Json | undefined, item: Json): boolean =>
  now !== undefined && now !== null && typeof now !== 'object' && equalJson(now, item);

/** The order of keys in the manifest, which must not depend on the order of changes. */
const outerFirst = (a: Path, b: Path) =>
  a.length - b.length || compareCodeUnits(JSON.stringify(a), JSON.stringify(b));

const idOf = ({ kind, path, sha256 }: OwnedKey) =>
  JSON.stringify(kind === 'set' ? [kind, path] : [kind, path, sha256]);

/** A value without keys whose text is empty; elements are compared in this form. */
function withoutBlanks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (!isFields(value)) return value;
  const filled = Object.entries(value).filter(([, one]) => one !== '');
  return Object.fromEntries(filled.map(([key, one]) => [key, withoutBlanks(one)]));
}

const indexOf = (value: Json | undefined, sha256: string, hash: Hash): number =>
  Array.isArray(value) ? value.findIndex(item => hash(item) === sha256) : -1;

/** An edit in the equivalent notation that already exists. */
function asExisting(edit: KeyEdit, start: Json, hash: Hash): KeyEdit {
  const { kind, equivalents = [], implied, path, value } = edit;
  if (equivalents.length === 0 && !implied) return edit;
  const present = valueAt(start, path);
  if (present === undefined || (kind === 'element' && indexOf(present, hash(value), hash) !== -1))
    return edit;
  const meaning = (one: Json) => canonical(withoutImplied(withoutBlanks(one), implied));
  const wanted = new Set([value, ...equivalents].map(meaning));
  const candidates = kind === 'set' ? [present] : Array.isArray(present) ? (present as readonly Json[]) : [];
  const found = candidates.find(one => wanted.has(meaning(one)));
  return found === undefined ? edit : { ...edit, value: found };
}

/** A value without insignificant members. */
function withoutImplied(value: Json, implied: KeyEdit['implied']): Json {
  if (!implied) return value;
  if (Array.isArray(value)) return value.map(one => withoutImplied(one, implied));
  if (!isFields(value)) return value;
  const isNothing = (key: string, one: Json) => {
    const values = Object.hasOwn(implied, key) ? implied[key]! : undefined;
    return values?.length === 0 || values?.some(nothing => equalJson(nothing, one)) === true;
  };
  const significant = Object.entries(value).filter(([key, one]) => !isNothing(key, one));
  return Object.fromEntries(significant.map(([key, one]) => [key, withoutImplied(one, implied)]));
}

/** The first part of a path whose value is not an object, or not an array where an element is to be added. */
function blockerOf(value: Json, path: Path, kind: KeyEdit['kind']): Path | undefined {
  for (let length = 1; length < path.length; length++) {
    const now = valueAt(value, path.slice(0, length));
    if (now === undefined) return undefined;
    if (!isFields(now)) return path.slice(0, length);
  }
  const now = kind === 'element' ? valueAt(value, path) : undefined;
  return now === undefined || Array.isArray(now) ? undefined : path;
}

/** A hash of JSON values that ignores the order of keys, based on a hash of bytes. */
export const hashJson =
  (hash: (bytes: Uint8Array) => string): Hash =>
  value =>
    hash(new TextEncoder().encode(canonical(value)));

interface UndoneText {
  readonly text: string;
  /** Keys that have neither the value before the run nor that after it; their earlier value is in `text`. */
  readonly edited: readonly string[];
  readonly bare: boolean;
}

/**
 * Reverts the changes of a run, key by key, in a shared file that may have been edited since. `made` are the
 * objects and arrays that the run created; they are removed when empty. `undefined` when the text cannot be
 * parsed, or not be changed without affecting the rest.
 */
export function undoKeys(
  format: SharedFormat,
  text: string,
  changes: readonly KeyChange[],
  made: readonly (readonly string[])[],
): UndoneText | undefined {
  const parsed = format.parse(text);
  if ('problem' in parsed) return undefined;
  const result = new SharedText(format, text, parsed.value);
  const edited: string[] = [];
  const put = (place: readonly PathSegment[], next: Json | undefined) => {
    if (next !== undefined || valueAt(result.value, place) !== undefined) result.put(place, next);
  };

  for (const { kind, path, before, after } of [...changes].reverse()) {
    const now = valueAt(result.value, path);
    if (kind === 'set') {
      if (isSame(now, before)) continue;
      if (!isSame(now, after)) edited.push(path.join('.'));
      put(path, before);
      continue;
    }
    const items = Array.isArray(now) ? (now as readonly Json[]) : [];
    const at = items.findIndex(item => isSame(item, after));
    const restored = before !== undefined && items.some(item => isSame(item, before));
    if (at !== -1) put([...path, at], restored ? undefined : before);
    else if (!restored && before !== undefined) put([...path, items.length], before);
    else if (after !== undefined && !restored && items.length > 0) edited.push(path.join('.'));
  }
  for (const path of [...made].sort((a, b) => b.length - a.length))
    if (path.length > 0 && result.isEmptied(path)) put(path, undefined);
  return result.isExact() ? { text: result.text, edited, bare: result.isEmptied() } : undefined;
}

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : equalJson(a, b);
