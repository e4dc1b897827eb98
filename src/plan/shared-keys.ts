import type { Json, KeyEdit } from '../kinds/output.ts';
import { compareCode } from '../text/order.ts';
import { canonical, equalJson } from './canonical.ts';
import type { OwnedFile, OwnedKey } from './manifest.ts';
import type { KeyChange } from './plan.ts';
import type { SharedFormat } from './shared-format.ts';
import { changeValue, isFields, nest, type Step, valueAt } from './shared-values.ts';

/** A key that cannot be written without losing a value of the user. */
export interface KeyTrouble {
  readonly state: 'conflict' | 'drifted';
  /** The end of a sentence that starts with the file. */
  readonly reason: string;
}

/** A shared file after the edits of a run, with the keys that are ours in it. */
export interface SharedEdit {
  /** The text after the run. */
  readonly text: string;
  /** The value it must parse to. */
  readonly value: Json;
  readonly troubles: readonly KeyTrouble[];
  readonly changes: readonly KeyChange[];
  readonly keys: readonly OwnedKey[];
  readonly created: readonly (readonly string[])[];
  /** Keys of ours that are no longer planned, but were edited: they stay. */
  readonly left: readonly string[];
  /** Nothing is left of a file that exists because of us. */
  readonly gone: boolean;
}

type Hash = (value: Json) => string;

const keyName = (path: readonly Step[]): string => (path.length === 0 ? 'its lines' : path.join('.'));

const isItemAlone = (now: Json | undefined, item: Json): boolean =>
  now !== undefined && now !== null && typeof now !== 'object' && equalJson(now, item);

/**
 * Works out what happens to a shared file: each planned key is set, each owned key that is no longer planned is
 * removed, objects that we made and that are empty now go. The troubles say what is in the way; the text and value
 * are those of a run that takes them over.
 */
export function editShared(
  format: SharedFormat,
  text: string | undefined,
  start: Json,
  given: readonly KeyEdit[],
  owned: Pick<OwnedFile, 'keys' | 'created'>,
  hashOf: Hash,
): SharedEdit {
  const hash: Hash = value => hashOf(withoutBlanks(value));
  const state = new Editing(format, text ?? '', start);
  const recorded = new Map((owned.keys ?? []).map(key => [idOf(key.kind, key.path, key.sha256), key]));
  const created = new Map((owned.created ?? []).map(path => [JSON.stringify(path), path]));
  if (text === undefined) created.set('[]', []);
  const note = (path: readonly string[]) => created.set(JSON.stringify(path), path);
  const troubles: KeyTrouble[] = [];
  const keys: OwnedKey[] = [];
  const left: string[] = [];

  /** Whether a missing element of ours was edited: the list has as many as we wrote. With fewer it was removed. */
  const mayBeEdited = (now: Json | undefined, path: readonly string[]) =>
    Array.isArray(now) &&
    now.length >=
      [...recorded.values()].filter(key => key.kind === 'element' && equalJson(key.path, path)).length;

  const isTheirs = isFields(start) && Object.keys(start).length > 0;
  const edits = given
    .filter(
      ({ initial, path }) =>
        !(initial && isTheirs) || valueAt(start, path) !== undefined || recorded.has(idOf('set', path, '')),
    )
    .map(edit => asThere(edit, start, hash));

  const wanted = new Set<string>();
  for (const { kind, path, value } of edits) {
    const sha256 = kind === 'element' ? hash(value) : hashOf(value);
    keys.push({ kind, path, sha256 });
    wanted.add(idOf(kind, path, sha256));
  }

  // New elements take the places of removed ones, so that an edited hook stays where it was.
  const free = new Map<string, number[]>();
  for (const [id, { kind, path, sha256 }] of recorded) {
    if (wanted.has(id)) continue;
    const now = valueAt(state.value, path);
    if (kind === 'element') {
      const at = indexOf(now, sha256, hash);
      const key = JSON.stringify(path);
      if (at !== -1) free.set(key, [...(free.get(key) ?? []), at]);
      else if (mayBeEdited(now, path)) left.push(keyName(path));
    } else if (now !== undefined) {
      if (hashOf(now) === sha256) state.change('set', path, path, undefined);
      else left.push(keyName(path));
    }
  }

  for (const { kind, path, value } of edits) {
    // A list of one may be written as its item alone.
    if (kind === 'element' && isItemAlone(valueAt(state.value, path), value)) continue;
    const blocker = blockerOf(state.value, path, kind);
    if (blocker) {
      troubles.push({ state: 'conflict', reason: `has its own value for ${keyName(blocker)}` });
      const inner = nest(path.slice(blocker.length), kind === 'element' ? [value] : value);
      state.change('set', blocker, blocker, inner);
      continue;
    }
    const now = valueAt(state.value, path);
    for (let length = 1; length < path.length + (kind === 'element' ? 1 : 0); length++) {
      const folder = path.slice(0, length);
      if (valueAt(state.value, folder) === undefined) note(folder);
    }
    if (kind === 'set') {
      const before = recorded.get(idOf('set', path, ''));
      if (now !== undefined && equalJson(now, value)) continue;
      if (now !== undefined && !before) {
        troubles.push({ state: 'conflict', reason: `has its own value for ${keyName(path)}` });
      } else if (now !== undefined && hashOf(now) !== before!.sha256) {
        troubles.push({ state: 'drifted', reason: `the value of ${keyName(path)} is another one now` });
      }
      state.change('set', path, path, value);
      continue;
    }
    const items = (now ?? []) as readonly Json[];
    const sha256 = hash(value);
    if (indexOf(items, sha256, hash) !== -1) continue;
    if (recorded.has(idOf('element', path, sha256)) && mayBeEdited(items, path)) {
      const reason = `an entry of ${keyName(path)} was edited`;
      troubles.push({ state: 'drifted', reason });
    }
    const place = free.get(JSON.stringify(path))?.shift() ?? items.length;
    state.change('element', path, [...path, place], value);
  }

  for (const [key, places] of free) {
    const path = JSON.parse(key) as string[];
    for (const place of places.sort((a, b) => b - a))
      state.change('element', path, [...path, place], undefined);
  }

  for (const place of misplaced(state.value, edits, hash)) {
    for (const { path, at } of [...place.now].reverse()) state.change(place.kind, path, at, undefined);
    for (const { path, value } of place.wanted) {
      const items = valueAt(state.value, path);
      const at = place.kind === 'set' ? path : [...path, Array.isArray(items) ? items.length : 0];
      state.change(place.kind, path, at, value);
    }
  }

  // What held nothing but what we take over now is ours with it.
  if (text !== undefined) for (const path of takenOver(start, edits, recorded.values(), hash)) note(path);

  const kept: (readonly string[])[] = [];
  for (const path of [...created.values()].sort((a, b) => b.length - a.length)) {
    const now = valueAt(state.value, path);
    const used = keys.some(key => path.every((step, at) => key.path[at] === step));
    if (used || path.length === 0) kept.push(path);
    else if (now !== undefined && isEmpty(now) && format.isBare(state.text, path)) state.drop(path);
  }
  const gone =
    created.has('[]') && keys.length === 0 && isEmpty(state.value) && format.isBare(state.text, []);
  return {
    text: state.text,
    value: state.value,
    troubles,
    changes: state.changes,
    keys,
    created: keys.length > 0 ? kept.sort(outerFirst) : [],
    left,
    gone,
  };
}

/**
 * Objects and arrays of the user, the file itself among them, of which all that they held when the first key of ours in
 * them was recorded is planned: with the last of it they go, like a file that was adopted as a whole.
 */
function takenOver(
  start: Json,
  edits: readonly KeyEdit[],
  recorded: Iterable<OwnedKey>,
  hash: Hash,
): (readonly string[])[] {
  const known = [...recorded].map(({ path }) => path);
  const isBelow = (path: readonly string[]) => (other: readonly string[]) =>
    path.every((step, at) => other[at] === step);
  const isOurs = (value: Json, path: readonly string[]): boolean => {
    const there = edits.filter(edit => edit.path.length === path.length && isBelow(path)(edit.path));
    if (there.some(({ kind }) => kind === 'set')) return true;
    if (Array.isArray(value)) {
      const hashes = new Set(there.map(edit => hash(edit.value)));
      return value.length > 0 && (value as readonly Json[]).every(item => hashes.has(hash(item)));
    }
    const fields = isFields(value) ? Object.entries(value) : [];
    return fields.length > 0 && fields.every(([key, inner]) => isOurs(inner, [...path, key]));
  };
  const places = edits.flatMap(({ kind, path }) =>
    Array.from({ length: path.length + (kind === 'element' ? 1 : 0) }, (_, length) => path.slice(0, length)),
  );
  return [...new Map(places.map(path => [JSON.stringify(path), path])).values()].filter(path => {
    const value = valueAt(start, path);
    return value !== undefined && !known.some(isBelow(path)) && isOurs(value, path);
  });
}

interface Misplaced {
  readonly kind: KeyEdit['kind'];
  /** Ours as they stand. */
  readonly now: readonly { readonly path: readonly string[]; readonly at: readonly Step[] }[];
  readonly wanted: readonly KeyEdit[];
}

/** Places whose order counts and in which ours do not stand in the one that is planned. */
function misplaced(value: Json, edits: readonly KeyEdit[], hash: Hash): Misplaced[] {
  const parents = new Map<string, KeyEdit[]>();
  for (const edit of edits) {
    if (!edit.ordered) continue;
    const key = JSON.stringify([edit.kind, edit.kind === 'set' ? edit.path.slice(0, -1) : edit.path]);
    parents.set(key, [...(parents.get(key) ?? []), edit]);
  }
  return [...parents].flatMap(([key, wanted]) => {
    const [kind, parent] = JSON.parse(key) as [KeyEdit['kind'], string[]];
    const there = valueAt(value, parent);
    const places = wanted.map(edit => {
      const last = edit.path.at(-1)!;
      const at =
        kind === 'set' ? Object.keys(there ?? {}).indexOf(last) : indexOf(there, hash(edit.value), hash);
      return { path: edit.path, at: kind === 'set' ? edit.path : [...parent, at], index: at };
    });
    const isSorted = places.every(({ index }, at) => at === 0 || places[at - 1]!.index < index);
    if (isSorted) return [];
    return [{ kind, now: [...places].sort((a, b) => a.index - b.index), wanted }];
  });
}

/**
 * The order of keys in the record: it must not depend on the order of changes, or a second run would write another
 * record.
 */
const outerFirst = (a: readonly string[], b: readonly string[]) =>
  a.length - b.length || compareCode(JSON.stringify(a), JSON.stringify(b));

const idOf = (kind: KeyEdit['kind'], path: readonly string[], sha256: string) =>
  JSON.stringify(kind === 'set' ? [kind, path] : [kind, path, sha256]);

const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;

/** A value without keys that have an empty text: elements are compared without these. */
function withoutBlanks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (!isFields(value)) return value;
  const said = Object.entries(value).filter(([, one]) => one !== '');
  return Object.fromEntries(said.map(([key, one]) => [key, withoutBlanks(one)]));
}

function indexOf(value: Json | undefined, sha256: string, hash: Hash): number {
  return Array.isArray(value) ? value.findIndex(item => hash(item) === sha256) : -1;
}

/** An element in the words in which it is there. */
function asThere(edit: KeyEdit, start: Json, hash: Hash): KeyEdit {
  const { alike, path, value } = edit;
  const there = alike && valueAt(start, path);
  if (!alike || indexOf(there, hash(value), hash) !== -1) return edit;
  const found = alike.find(one => indexOf(there, hash(one), hash) !== -1);
  return found === undefined ? edit : { ...edit, value: found };
}

/** The part of a path whose value is no object, or no array where an element is to be added. */
function blockerOf(
  value: Json,
  path: readonly string[],
  kind: KeyEdit['kind'],
): readonly string[] | undefined {
  for (let length = 1; length < path.length; length++) {
    const now = valueAt(value, path.slice(0, length));
    if (now === undefined) return undefined;
    if (!isFields(now)) return path.slice(0, length);
  }
  if (kind === 'set') return undefined;
  const now = valueAt(value, path);
  return now === undefined || Array.isArray(now) ? undefined : path;
}

/** Text and value side by side, with the changes that were made. */
class Editing {
  value: Json;
  readonly changes: KeyChange[] = [];
  private readonly format: SharedFormat;
  private written: string;
  /** The text is what the format creates for the value: what is added is not written one by one. */
  private isCreated: boolean;
  private isAhead = false;

  constructor(format: SharedFormat, text: string, value: Json) {
    this.format = format;
    this.written = text;
    this.value = value;
    this.isCreated = format.createsAlike === true && text.trim() === '';
  }

  get text(): string {
    if (this.isAhead) this.written = this.format.create(this.value);
    this.isAhead = false;
    return this.written;
  }

  /** Sets or removes the value at `place`; `path` is the key that the change is recorded under. */
  change(
    kind: KeyEdit['kind'],
    path: readonly string[],
    place: readonly Step[],
    next: Json | undefined,
  ): void {
    const before = valueAt(this.value, place);
    this.put(place, next);
    this.changes.push({ kind, path, before, after: next });
  }

  /** Removes an empty object or array, without recording it: setting a key makes it again. */
  drop(path: readonly string[]): void {
    this.put(path, undefined);
  }

  private put(place: readonly Step[], next: Json | undefined): void {
    if (this.isCreated && next !== undefined && this.isAdded(place)) this.isAhead = true;
    else {
      this.written = this.textWith(place, next);
      this.isCreated = false;
    }
    this.value = changeValue(this.value, place, next);
  }

  private textWith(place: readonly Step[], next: Json | undefined): string {
    const { text, format } = this;
    if (next === undefined) return format.remove(text, place);
    if (text.trim() === '') return format.create(changeValue(Object.create(null), place, next));
    return format.set(text, place, next);
  }

  /** Whether a place is new and last in what holds it; objects have numbers first, whenever they came. */
  private isAdded(place: readonly Step[]): boolean {
    const isNumber = (step: Step) => typeof step === 'string' && /^\d+$/.test(step);
    return valueAt(this.value, place) === undefined && !place.some(isNumber);
  }
}

/** A hash of JSON values that does not depend on the order of keys, made from a hash of bytes. */
export const hashJson =
  (hash: (bytes: Uint8Array) => string): Hash =>
  value =>
    hash(new TextEncoder().encode(canonical(value)));
