import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { isDataObject, valueAt } from '../../model/data.ts';
import { hookFields } from '../../model/make-item.ts';
import type { Data, DataObject, Item } from '../../model/model.ts';
import { isKnownValue, isPortable } from '../../resolve/catalogue.ts';
import { freeName } from '../../text/free-name.ts';
import { fillShape } from '../native/shape.ts';
import { portableHooks, readHook } from '../read/hooks.ts';
import { ItemFields } from '../write/fields.ts';
import { factsOf, nativeFormsOf } from '../write/hooks.ts';
import { listPlace, mainPlace, withKeys } from '../write/tool-keys.ts';
import { formsOf, inForm, knowsEvent } from './forms.ts';
import { shapeOf } from './plan.ts';
import { bestShape, type NativeEntry, nativeEntriesIn } from './read.ts';

/** A hook of a tool's file that comes out of a compile as it stands there. */
export interface CarriedHook {
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
  /** What single tools have otherwise than a compile of the fields would write it, by their ids. */
  readonly tools: DataObject;
  /** The tools that it comes out for. */
  readonly readers: readonly TargetSpec[];
}

/** Hooks of a settings file as hooks of ours, and what stays in the file. */
export interface CarriedHooks {
  readonly hooks: readonly CarriedHook[];
  /** Why entries stay where they are, one reason for each. */
  readonly left: readonly string[];
}

/** A place of hooks, and the tool that has it. */
interface HookPlace {
  readonly file: EntriesFile;
  readonly spec: TargetSpec;
}

/**
 * The hooks of a structured file that come out of a compile exactly as they stand there, entry by entry: of an entry
 * with several commands all or none. The first place says how the file is read; the others are tools that have it, too.
 */
export function carryHooks(data: Data, places: readonly [HookPlace, ...HookPlace[]]): CarriedHooks {
  const taken = new Set<string>();
  const hooks: CarriedHook[] = [];
  const left: string[] = [];
  for (const native of nativeEntriesIn(data, places[0].file)) {
    const found = partsOf(native, places[0].file).map(part => carryOne(part, native, places));
    const problem = found.find(one => typeof one === 'string');
    if (found.length === 0 || problem !== undefined) {
      left.push(problem ?? 'it runs nothing');
      continue;
    }
    const own = (found as CarriedHook[]).map(hook => {
      const key = freeName(hook.key, name => taken.has(name));
      taken.add(key);
      return { ...hook, key };
    });
    const group = own.length > 1 ? own[0]!.key : undefined;
    for (const hook of own)
      hooks.push(
        group === undefined ? hook : { ...hook, fields: new Map([...hook.fields, ['group', group]]) },
      );
  }
  return { hooks, left };
}

/** An entry with several commands as entries of one each. */
function partsOf({ entry }: NativeEntry, file: EntriesFile): Data[] {
  const list = listPlace(file.entry);
  if (list === undefined || !isDataObject(entry) || !Array.isArray(entry[list])) return [entry];
  return entry[list].map(one => ({ ...entry, [list]: [one] }));
}

/** A hook, or why it has to stay where it is: the first form of the place in which it comes out counts. */
function carryOne(entry: Data, native: NativeEntry, places: readonly HookPlace[]): CarriedHook | string {
  let reason: { readonly text: string; readonly knows: boolean } | undefined;
  const forms = formsOf(places[0]!.file).map(({ name, file }) => ({
    name,
    knows: knowsEvent(file, native.event),
    places: places.flatMap(place => {
      const form = inForm(place.file, name);
      return form ? [{ ...place, file: form }] : [];
    }),
  }));
  for (const { name, knows, places } of forms) {
    const carried = carryIn(entry, native, places, name);
    if (typeof carried !== 'string') return carried;
    // What the form says that has the event.
    if (!reason || (knows && !reason.knows)) reason = { text: carried, knows };
  }
  for (const { name, places } of forms) {
    const carried = carryRaw(entry, native, places, name);
    if (carried) return carried;
  }
  return forms.some(({ knows }) => knows) ? reason!.text : `the event \`${native.event}\` is the tool's own`;
}

/** A hook of one form of its place, or why it is none. */
function carryIn(
  entry: Data,
  native: NativeEntry,
  places: readonly HookPlace[],
  form: string | undefined,
): CarriedHook | string {
  const { event, name } = native;
  const { file } = places[0]!;
  const facts = file.hooks!;
  const [match] = bestShape(file, entry).matches;
  const read = match ? readHook(match, event, facts, true) : { unreadable: 'it has a form of its own' };
  if ('unreadable' in read) return read.unreadable;
  const [hook] = portableHooks([{ ...(name !== undefined && { id: name }), ...read }], facts);
  const { key } = hook!;
  const fields = new Map(hook!.fields);
  if (!isKnownValue('hooks', 'event', String(fields.get('event'))))
    return `the event \`${event}\` is the tool's own`;
  if (fields.has('prompt') && !facts.prompts?.includes(String(fields.get('event'))))
    return `a prompt at \`${event}\` is the tool's own`;
  // An event that takes no matcher: what stands there is said for the tools that have it alone.
  const isPlain = facts.events[String(fields.get('event'))]?.some(one => one.name === event && one.plain);
  const matcher = isPlain ? fields.get('matcher') : undefined;
  if (isPlain) fields.delete('matcher');
  const tools: Record<string, Data> = {};
  const readers: TargetSpec[] = [];
  for (const place of places) {
    const changes = changesOf({ key, fields, matcher }, entry, native, place);
    if (changes === undefined) continue;
    readers.push(place.spec);
    const all = form === undefined ? changes : { form, ...changes };
    if (Object.keys(all).length > 0) tools[place.spec.id] = all;
  }
  if (!readers.includes(places[0]!.spec)) return `what it says at \`${event}\` would be written otherwise`;
  return { key, fields, tools, readers };
}

/** A hook of a kind that only its tools know, as the entry that they have; `undefined` where it would come out otherwise. */
function carryRaw(
  entry: Data,
  native: NativeEntry,
  places: readonly HookPlace[],
  form: string | undefined,
): CarriedHook | undefined {
  const { event, name } = native;
  const { file } = places[0]!;
  const place = mainPlace(file.entry) ?? [];
  const raw = valueAt(entry, place);
  if (!isDataObject(raw)) return undefined;
  const matcher = place.length > 0 ? valueAt(entry, ['matcher']) : undefined;
  const about = {
    ...(name !== undefined && { id: name }),
    ...(typeof matcher === 'string' && { matcher }),
  };
  const [hook] = portableHooks(
    [{ ...about, native: event, fields: new Map(), unknown: new Map() }],
    file.hooks!,
  );
  const { key, fields } = hook!;
  if (!isKnownValue('hooks', 'event', String(fields.get('event')))) return undefined;
  const readers = places.filter(one => {
    const item = itemOf({ key, fields, matcher: undefined }, { raw });
    const compiled = compiledValue(item, native, one.file);
    return compiled !== undefined && isSame(compiled.value, entry);
  });
  if (!readers.includes(places[0]!)) return undefined;
  const own = form === undefined ? { raw } : { form, raw };
  const tools = Object.fromEntries(readers.map(({ spec }) => [spec.id, own]));
  return { key, fields, tools, readers: readers.map(({ spec }) => spec) };
}

/** A hook in portable words; `matcher` is what stands at an event that takes none. */
interface Read {
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
  readonly matcher: Data | undefined;
}

/** What a tool has otherwise in its entry than a compile would write; `undefined` where that cannot be said. */
function changesOf(
  hook: Read,
  entry: Data,
  native: NativeEntry,
  { file }: HookPlace,
): DataObject | undefined {
  const compiled = (own: DataObject = {}) => compiledValue(itemOf(hook, own), native, file);
  const plain = compiled();
  if (!plain) return undefined;
  const place = mainPlace(plain.shape) ?? [];
  const [there, ours] = [valueAt(entry, place), valueAt(plain.value, place)];
  if (!isDataObject(there) || !isDataObject(ours)) return undefined;
  const shape = valueAt(plain.shape as Data, place) as DataObject;
  const changes: Record<string, Data> = hook.matcher === undefined ? {} : { matcher: hook.matcher };
  for (const key of new Set([...Object.keys(there), ...Object.keys(ours)])) {
    if (isSame(there[key] ?? '', ours[key] ?? '')) continue;
    const from = slotOf(shape[key]);
    if (from === 'shell' && typeof there[key] === 'string') changes.line = there[key];
    else if (from === 'lineDirectory' && typeof there[key] === 'string') changes.cwd = there[key];
    else if (isPortable('hooks', key)) return undefined;
    else changes[key] = there[key] ?? null;
  }
  // Where it runs stands in a key of its own beside a line of the tool's own alone.
  const lineKey = Object.keys(shape).find(key => slotOf(shape[key]) === 'shell');
  if (changes.cwd !== undefined && lineKey !== undefined) changes.line ??= there[lineKey]!;
  const again = compiled(changes);
  const keys = new Map(Object.entries(changes).filter(([key]) => !isPortable('hooks', key)));
  return isSame(withKeys(again!.value, keys, again!.shape) as Data, entry) ? changes : undefined;
}

/** The field that a value of a shape is filled from. */
const slotOf = (value: Data | undefined): unknown => (isDataObject(value) ? value.from : undefined);

/** The entry that a compile writes for a hook, where it writes just one, at the same event. */
function compiledValue(
  item: Item,
  { event }: NativeEntry,
  file: EntriesFile,
): { readonly value: Data; readonly shape: unknown } | undefined {
  const [form, ...more] = nativeFormsOf(item, factsOf(file));
  if (!form || more.length > 0 || form.event !== event) return undefined;
  const source = new ItemFields(form.item, new Map());
  const shape = shapeOf(file, source);
  const value = shape === undefined ? undefined : fillShape(shape, source);
  return value === undefined ? undefined : { value, shape };
}

function itemOf({ key, fields, matcher }: Read, { line, cwd, raw }: DataObject): Item {
  const all = new Map(fields);
  if (raw !== undefined) all.set('raw', raw);
  if (line !== undefined) all.set('line', line);
  if (cwd !== undefined) all.set('cwd', cwd);
  if (matcher !== undefined) all.set('matcher', matcher);
  return {
    name: key,
    path: `hooks.${key}`,
    ...(matcher !== undefined && { own: new Map([['matcher', matcher]]) }),
    fields: hookFields(key, all),
    computed: new Set<string>(),
    resources: [],
  };
}

/** Whether two values say the same: a key with an empty text says nothing. */
function isSame(a: Data, b: Data): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => isSame(one, b[at]!));
  if (!isDataObject(a) || !isDataObject(b)) return a === b;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(key =>
    isSame(a[key] ?? '', b[key] ?? ''),
  );
}
