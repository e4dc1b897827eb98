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

/** A form of the entries, with the places that have it. */
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
  const keys = new Set<string>();
  const hooks: ConvertedHook[] = [];
  const left: string[] = [];
  const [{ file }] = places;
  const forms = formsOf(file).map(({ name }) => {
    const inForm = places.map(place => ({ ...place, file: placeInForm(place.file, name) }));
    return { name, places: inForm.filter((place): place is HookPlace => place.file !== undefined) };
  });
  for (const native of nativeEntriesIn(data, file)) {
    const singles = singleEntries(native, file).map(single => convertHook(single, forms));
    const problem = singles.length === 0 ? 'it runs nothing' : singles.find(one => typeof one === 'string');
    if (problem !== undefined) {
      left.push(problem);
      continue;
    }
    const named = (singles as ConvertedHook[]).map(hook => {
      const key = unusedName(hook.key, name => keys.has(name));
      keys.add(key);
      return { ...hook, key };
    });
    const group: [string, Data][] = named.length > 1 ? [['group', named[0]!.key]] : [];
    hooks.push(...named.map(hook => ({ ...hook, fields: new Map([...hook.fields, ...group]) })));
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
  const carried =
    tries.find(one => typeof one !== 'string') ??
    forms.map(form => convertRaw(native, form)).find(one => one !== undefined);
  if (carried) return carried;
  const knowing = forms.findIndex(({ places }) => knowsEvent(places[0]!.file, native.event));
  return tries[knowing] ?? `the event \`${native.event}\` is the tool's own`;
}

/** Converts a hook to portable fields with overlays for single tools, or returns why that is impossible. */
function convertPortable(native: NativeEntry, form: PlacesForm): ConvertedHook | string {
  const { event, entry, name: id } = native;
  const { file } = form.places[0]!;
  const facts = file.hooks!;
  const [match] = bestShape(file, entry).matches;
  if (!match) return 'it has a form of its own';
  const read = readHook({ native: event, id, read: match }, facts, true);
  if ('unreadable' in read) return read.unreadable;
  const [hook] = portableHooks([read], facts);
  const fields = new Map(hook!.fields);
  const portable = String(fields.get('event'));
  if (!isKnownValue('hooks', 'event', portable)) return `the event \`${event}\` is the tool's own`;
  if (fields.has('prompt') && !facts.prompts?.includes(portable))
    return `a prompt at \`${event}\` is the tool's own`;
  // An event without matchers: a matcher there becomes an overlay.
  const isPlain = facts.events[portable]?.some(one => one.name === event && one.plain);
  const matcher = isPlain ? fields.get('matcher') : undefined;
  if (isPlain) fields.delete('matcher');
  const portableHook = { key: hook!.key, fields };
  const overlay = matcher === undefined ? {} : { matcher };
  const converted = withOverlays(portableHook, form, place =>
    changesOf(portableHook, overlay, native, place),
  );
  return converted ?? `what it says at \`${event}\` would be written otherwise`;
}

/** Converts a hook that only its tools support to overlays with the native entry, if reproduced. */
function convertRaw(native: NativeEntry, form: PlacesForm): ConvertedHook | undefined {
  const { event, entry, name } = native;
  const { file } = form.places[0]!;
  const place = mainPlace(file.entry) ?? [];
  const raw = valueAt(entry, place);
  if (!isObject(raw)) return undefined;
  const matcher = place.length > 0 ? valueAt(entry, ['matcher']) : undefined;
  const id = { ...(name !== undefined && { id: name }), ...(typeof matcher === 'string' && { matcher }) };
  const bare = { ...id, native: event, fields: new Map(), unknown: new Map() };
  const [hook] = portableHooks([bare], file.hooks!);
  if (!isKnownValue('hooks', 'event', String(hook!.fields.get('event')))) return undefined;
  return withOverlays(hook!, form, one => {
    const compiled = compile(hook!, { raw }, event, one.file);
    return compiled && isSame(compiled.value, entry) ? { raw } : undefined;
  });
}

type Portable = Pick<ConvertedHook, 'key' | 'fields'>;

/** A hook with its overlay for each place that has one; `undefined` when the first place has none. */
function withOverlays(
  { key, fields }: Portable,
  { name: form, places }: PlacesForm,
  overlayAt: (place: HookPlace) => DataObject | undefined,
): ConvertedHook | undefined {
  const tools: Record<string, Data> = {};
  const readers: TargetSpec[] = [];
  for (const place of places) {
    const overlay = overlayAt(place);
    if (!overlay) continue;
    readers.push(place.spec);
    const named = form === '' ? overlay : { form, ...overlay };
    if (Object.keys(named).length > 0) tools[place.spec.id] = named;
  }
  return readers[0] === places[0]!.spec ? { key, fields, tools, readers } : undefined;
}

/** The overlay, including the given one, that makes a compile reproduce the entry; `undefined` when there is none. */
function changesOf(
  hook: Portable,
  overlay: DataObject,
  { entry, event }: NativeEntry,
  { file }: HookPlace,
): DataObject | undefined {
  const plain = compile(hook, overlay, event, file);
  if (!plain) return undefined;
  const place = mainPlace(plain.shape) ?? [];
  const [there, ours] = [valueAt(entry, place), valueAt(plain.value, place)];
  if (!isObject(there) || !isObject(ours)) return undefined;
  const shape = valueAt(plain.shape as Data, place) as DataObject;
  const slotOf = (key: string) => (isObject(shape[key]) ? shape[key].from : undefined);
  const changes: Record<string, Data> = { ...overlay };
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
  { key, fields }: Portable,
  { line, cwd, raw, matcher }: DataObject,
  event: string,
  file: EntriesFile,
): { readonly value: Data; readonly shape: unknown } | undefined {
  const own = Object.entries({ line, cwd, raw, matcher }).filter(([, value]) => value !== undefined);
  const item = {
    ...noItem,
    name: key,
    path: `hooks.${key}`,
    own: new Map(matcher === undefined ? [] : [['matcher', matcher]]),
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
