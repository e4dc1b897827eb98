import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { valueAt } from '../../model/data.ts';
import { hookFields } from '../../model/make-item.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isKnownValue, isPortable } from '../../resolve/catalogue.ts';
import { isObject } from '../../text/data.ts';
import { unusedName } from '../../text/free-name.ts';
import { fillShape, ItemFields, noItem } from '../native/shapes.ts';
import { portableHooks, readHook } from '../read/hooks.ts';
import { factsOf, nativeFormsOf } from '../write/hooks.ts';
import { listPlace, mainPlace, withKeys } from '../write/tool-keys.ts';
import { formsOf, knowsEvent, placeInForm, shapeOf } from './plan.ts';
import { bestShape, type NativeEntry, nativeEntriesIn } from './read.ts';

interface ConvertedHook {
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
  /** By target id, what differs from the output of the portable fields. */
  readonly tools: DataObject;
  /** The tools for which it is reproduced. */
  readonly readers: readonly TargetSpec[];
}

interface HookPlace {
  readonly file: EntriesFile;
  readonly spec: TargetSpec;
}

interface PlacesForm {
  readonly name: string;
  readonly places: readonly HookPlace[];
}

/**
 * Converts the hooks of a structured file that a compile reproduces exactly, and says why the others stay in
 * the file. Of an entry with several commands all are converted or none. The first place determines how the
 * file is parsed; the others are tools that use the file as well.
 */
export function convertHooks(
  data: Data,
  places: readonly [HookPlace, ...HookPlace[]],
): { readonly hooks: readonly ConvertedHook[]; readonly left: readonly string[] } {
  const taken = new Set<string>();
  const hooks: ConvertedHook[] = [];
  const left: string[] = [];
  const [{ file }] = places;
  const forms = formsOf(file).map(({ name }) => ({
    name,
    places: places.flatMap(place => {
      const form = placeInForm(place.file, name);
      return form ? [{ ...place, file: form }] : [];
    }),
  }));
  for (const native of nativeEntriesIn(data, file)) {
    const found = singleEntries(native, file).map(one => convertHook(one, forms));
    const problem = found.find(one => typeof one === 'string');
    if (found.length === 0 || problem !== undefined) {
      left.push(problem ?? 'it runs nothing');
      continue;
    }
    const own = (found as ConvertedHook[]).map(hook => {
      const key = unusedName(hook.key, name => taken.has(name));
      taken.add(key);
      return { ...hook, key };
    });
    const group: [string, Data][] = own.length > 1 ? [['group', own[0]!.key]] : [];
    hooks.push(...own.map(hook => ({ ...hook, fields: new Map([...hook.fields, ...group]) })));
  }
  return { hooks, left };
}

/** Splits an entry with several commands into entries with one each. */
function singleEntries(native: NativeEntry, file: EntriesFile): NativeEntry[] {
  const { entry } = native;
  const list = listPlace(file.entry);
  if (list === undefined || !isObject(entry) || !Array.isArray(entry[list])) return [native];
  return entry[list].map(one => ({ ...native, entry: { ...entry, [list]: [one] } }));
}

/** Converts a hook by the first form that reproduces it, or returns why it must stay in the file. */
function convertHook(native: NativeEntry, forms: readonly PlacesForm[]): ConvertedHook | string {
  const tries = forms.map(form => convertPortable(native, form));
  const carried = tries.find(one => typeof one !== 'string');
  if (carried) return carried;
  for (const form of forms) {
    const raw = convertRaw(native, form);
    if (raw) return raw;
  }
  const knowing = forms.findIndex(({ places }) => knowsEvent(places[0]!.file, native.event));
  return tries[knowing] ?? `the event \`${native.event}\` is the tool's own`;
}

/** Converts a hook to portable fields with overlays for single tools, or returns why that is impossible. */
function convertPortable(native: NativeEntry, { name: form, places }: PlacesForm): ConvertedHook | string {
  const { event, entry, name } = native;
  const { file, spec } = places[0]!;
  const facts = file.hooks!;
  const [match] = bestShape(file, entry).matches;
  const read = match ? readHook(match, event, facts, true) : { unreadable: 'it has a form of its own' };
  if ('unreadable' in read) return read.unreadable;
  const [hook] = portableHooks([{ ...(name !== undefined && { id: name }), ...read }], facts);
  const fields = new Map(hook!.fields);
  const portable = String(fields.get('event'));
  if (!isKnownValue('hooks', 'event', portable)) return `the event \`${event}\` is the tool's own`;
  if (fields.has('prompt') && !facts.prompts?.includes(portable))
    return `a prompt at \`${event}\` is the tool's own`;
  // An event without matchers: a matcher there becomes an overlay.
  const isPlain = facts.events[portable]?.some(one => one.name === event && one.plain);
  const matcher = isPlain ? fields.get('matcher') : undefined;
  if (isPlain) fields.delete('matcher');
  const tools: Record<string, Data> = {};
  const readers: TargetSpec[] = [];
  for (const place of places) {
    const changes = changesOf({ key: hook!.key, fields, matcher }, native, place);
    if (changes === undefined) continue;
    readers.push(place.spec);
    const all = form === '' ? changes : { form, ...changes };
    if (Object.keys(all).length > 0) tools[place.spec.id] = all;
  }
  if (!readers.includes(spec)) return `what it says at \`${event}\` would be written otherwise`;
  return { key: hook!.key, fields, tools, readers };
}

/** Converts a hook that only its tools support to overlays with the native entry, if reproduced. */
function convertRaw(native: NativeEntry, { name: form, places }: PlacesForm): ConvertedHook | undefined {
  const { event, entry, name } = native;
  const { file, spec } = places[0]!;
  const place = mainPlace(file.entry) ?? [];
  const raw = valueAt(entry, place);
  if (!isObject(raw)) return undefined;
  const matcher = place.length > 0 ? valueAt(entry, ['matcher']) : undefined;
  const id = { ...(name !== undefined && { id: name }), ...(typeof matcher === 'string' && { matcher }) };
  const [hook] = portableHooks(
    [{ ...id, native: event, fields: new Map(), unknown: new Map() }],
    file.hooks!,
  );
  const { key, fields } = hook!;
  if (!isKnownValue('hooks', 'event', String(fields.get('event')))) return undefined;
  const readers = places.flatMap(one => {
    const compiled = compile({ key, fields, matcher: undefined }, { raw }, event, one.file);
    return compiled && isSame(compiled.value, entry) ? [one.spec] : [];
  });
  if (!readers.includes(spec)) return undefined;
  const own = form === '' ? { raw } : { form, raw };
  return { key, fields, tools: Object.fromEntries(readers.map(({ id }) => [id, own])), readers };
}

/** A portable hook; `matcher` is a matcher at an event that does not support one. */
interface Portable {
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
  readonly matcher: Data | undefined;
}

/** The overlay that makes a compile reproduce the entry; `undefined` when there is none. */
function changesOf(
  hook: Portable,
  { entry, event }: NativeEntry,
  { file }: HookPlace,
): DataObject | undefined {
  const plain = compile(hook, {}, event, file);
  if (!plain) return undefined;
  const place = mainPlace(plain.shape) ?? [];
  const [there, ours] = [valueAt(entry, place), valueAt(plain.value, place)];
  if (!isObject(there) || !isObject(ours)) return undefined;
  const shape = valueAt(plain.shape as Data, place) as DataObject;
  const slotOf = (key: string) => (isObject(shape[key]) ? shape[key].from : undefined);
  const changes: Record<string, Data> = hook.matcher === undefined ? {} : { matcher: hook.matcher };
  for (const key of new Set([...Object.keys(there), ...Object.keys(ours)])) {
    if (isSame(there[key] ?? '', ours[key] ?? '')) continue;
    if (slotOf(key) === 'shell' && typeof there[key] === 'string') changes.line = there[key];
    else if (slotOf(key) === 'lineDirectory' && typeof there[key] === 'string') changes.cwd = there[key];
    else if (isPortable('hooks', key)) return undefined;
    else changes[key] = there[key] ?? null;
  }
  // The working directory has a key of its own only beside a native command line.
  const lineKey = Object.keys(shape).find(key => slotOf(key) === 'shell');
  if (changes.cwd !== undefined && lineKey !== undefined) changes.line ??= there[lineKey]!;
  const again = compile(hook, changes, event, file)!;
  const keys = new Map(Object.entries(changes).filter(([key]) => !isPortable('hooks', key)));
  return isSame(withKeys(again.value, keys, again.shape) as Data, entry) ? changes : undefined;
}

/** The entry that a compile writes for a hook with an overlay, if it is a single one at the same event. */
function compile(
  { key, fields, matcher }: Portable,
  { line, cwd, raw }: DataObject,
  event: string,
  file: EntriesFile,
): { readonly value: Data; readonly shape: unknown } | undefined {
  const own = Object.entries({ line, cwd, raw, matcher }).filter(([, value]) => value !== undefined);
  const item = {
    ...noItem,
    name: key,
    path: `hooks.${key}`,
    ...(matcher !== undefined && { own: new Map([['matcher', matcher]]) }),
    fields: hookFields(key, new Map([...fields, ...(own as [string, Data][])])),
  };
  const [form, ...more] = nativeFormsOf(item, factsOf(file));
  if (!form || more.length > 0 || form.event !== event) return undefined;
  const source = new ItemFields(form.item, new Map());
  const shape = shapeOf(file, source);
  const value = fillShape(shape, source);
  return value === undefined ? undefined : { value, shape };
}

/** Whether two values are equal, ignoring keys with an empty text. */
function isSame(a: Data, b: Data): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => isSame(one, b[at]!));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.every(key => isSame(a[key] ?? '', b[key] ?? ''));
}
