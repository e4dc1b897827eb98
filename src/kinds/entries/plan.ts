import type { EntriesFile, SettingsFile, TargetSpec } from '../../generated/types/target.ts';
import { blockOf } from '../../model/collections.ts';
import { strings, valueAt } from '../../model/data.ts';
import type { Data, Fields, Item } from '../../model/model.ts';
import { originsOf } from '../../model/origin.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import { isOtherPlace } from '../../spec/item-places.ts';
import { isObject } from '../../text/data.ts';
import { ignoredGlobs } from '../../text/permissions/patterns.ts';
import type { EntriesDraft } from '../draft.ts';
import type { PlaceContext } from '../kind.ts';
import { nativeServer, withNames } from '../native/servers.ts';
import { type FilledSlot, fillShape, ItemFields, leavesOf, noItem, withFields } from '../native/shapes.ts';
import { referenceWriter } from '../native/variables.ts';
import { type Omissions, unwrittenFields } from '../omissions.ts';
import type { Json, KeyEdit } from '../output.ts';
import { filesOfKind, type Place } from '../places.ts';
import { specPlace } from '../write/convention.ts';
import { factsOf, type NativeHook, nativeHooks } from '../write/hooks.ts';
import { hasPermissions, type NativePermission, nativePermissions } from '../write/permissions.ts';
import { takeOwnFields } from '../write/rows.ts';
import { joinGroups, withKeys, withRawEntry } from '../write/tool-keys.ts';
import { editsDraft } from '../write/unite.ts';

/** The default form of a place, without a name, and the further forms in its spec. */
export const formsOf = (
  file: EntriesFile,
): readonly { readonly name: string; readonly file: EntriesFile }[] =>
  ['', ...Object.keys(file.forms ?? {})].map(name => ({ name, file: placeInForm(file, name)! }));

/** A place in one of its forms; `undefined` when it does not have the form. */
export function placeInForm(file: EntriesFile, name: string): EntriesFile | undefined {
  if (name === '') return file;
  const form = file.forms && Object.hasOwn(file.forms, name) ? file.forms[name] : undefined;
  if (!form || !file.hooks) return undefined;
  const { events = file.hooks.events, entry } = form;
  return { ...file, hooks: { ...file.hooks, events }, entry };
}

/** Whether a place supports a hook event, by the native name of the event. */
export const knowsEvent = ({ hooks }: EntriesFile, event: string): boolean =>
  Object.values(hooks?.events ?? {}).some(natives => natives.some(({ name }) => name === event));

/** The items by file: the files that they name (`into`) at places of the tool, else the file of the place. */
function itemsByPath(
  file: EntriesFile,
  { items, request }: PlaceContext,
): ReadonlyMap<string, readonly Item[]> {
  const { path: usual, others } = file;
  const isAt = (place: EntriesFile, path: string) => path === place.path || isOtherPlace(place, path);
  const isOurs = (path: string) => path === usual || (others !== undefined && isOtherPlace(file, path));
  const places = filesOfKind(request.spec, 'entries').filter(({ of }) => of === file.of);
  const byPath = new Map<string, Item[]>([[usual, []]]);
  for (const item of items) {
    const named = (item.keptAt ?? []).filter(path => places.some(place => isAt(place, path)));
    for (const path of named.length === 0 ? [usual] : named.filter(isOurs))
      byPath.set(path, [...(byPath.get(path) ?? []), item]);
  }
  return byPath;
}

/** Plans an entry for each item in the structured file, or in the file and the form that it names. */
export function planEntries(place: Place<EntriesFile>, planning: PlaceContext): EntriesDraft[] {
  const { omissions } = planning;
  const forms = formsOf(place.file);
  const formOf = ({ fields }: Item) => (place.file.forms ? String(fields.get('form') ?? '') : '');
  return [...itemsByPath(place.file, planning)].flatMap(([path, items]) => {
    for (const item of items.filter(item => !forms.some(({ name }) => name === formOf(item)))) {
      const known = Object.keys(place.file.forms!).join(', ');
      const advice = `${omissions.title} has no form \`${formOf(item)}\` for hooks; it has ${known}.`;
      omissions.item(item, 'hooks', advice);
    }
    return forms.flatMap(({ name, file }) => {
      const itemsInForm = items.filter(item => formOf(item) === name);
      const named = path === file.path ? file : { ...file, path };
      return planFile({ ...place, file: named }, { ...planning, items: itemsInForm });
    });
  });
}

function planFile(place: Place<EntriesFile>, planning: PlaceContext): EntriesDraft[] {
  const { file, name } = place;
  const { items, request } = planning;
  const edits = joinGroups(
    nativesOf(file, planning).flatMap(native => {
      const edit = editOf(native, place, planning);
      return edit ? [{ edit, group: native.item.fields.get('group') }] : [];
    }),
    file.entry,
  );
  if (edits.length === 0) return [];
  const by = specPlace(request, `files.${name}.root`);
  const isTraced = items.some(({ origins }) => origins);
  const origins = isTraced && { origins: { by, slots: [] } };
  const root = Object.entries(file.root ?? {}).flatMap(([key, shape]): KeyEdit[] => {
    const value = fillShape(shape, new ItemFields(noItem, request.options)) as Json | undefined;
    return value === undefined ? [] : [{ kind: 'set', path: [key], value, initial: true, ...origins }];
  });
  return [editsDraft(place, request, [...root, ...edits])];
}

/** An item in the words of the tool: a hook at one of its events, or a permission with its text as `key`. */
type Native = Pick<NativeHook, 'item'> & Partial<NativeHook & NativePermission>;

function nativesOf(file: EntriesFile, { items, request, omissions }: PlaceContext): readonly Native[] {
  if (file.hooks) return nativeHooks(items, factsOf(file), request, omissions);
  if (!hasPermissions(file)) return items.map(item => ({ item }));
  const permissions = file.of === 'ignore' ? denialsOf(items, omissions) : items;
  return nativePermissions(permissions, file, request, omissions);
}

/** Converts ignored files to permissions that deny reading them. */
function denialsOf(items: readonly Item[], omissions: Omissions): readonly Item[] {
  return items.flatMap(item => {
    const globs = ignoredGlobs(String(item.fields.get('text') ?? ''));
    const why = `Nothing takes a file out again in ${omissions.title}: name what is to be ignored alone.`;
    if (globs.length === 0) omissions.item(item, 'ignore', why);
    return globs.map(glob => withFields(item, { list: 'deny', text: `read:${glob}` }));
  });
}

/** The entry of an item; `undefined` when it cannot be expressed, which is an omission. */
function editOf(
  { item: written, event = '', at, key, equivalents = [] }: Native,
  { name, file }: Place<EntriesFile>,
  { request, omissions }: PlaceContext,
): KeyEdit | undefined {
  const item = file.hooks ? written : inNativeForm(written, file);
  const writer = referenceWriter(item, file, request.spec, omissions.unwritten);
  const fields = new ItemFields(item, request.options, writer);
  // The field was used to choose the shape.
  if (file.forms) fields.get('form');
  const shape = shapeOf(file, fields);
  const slots: FilledSlot[] | undefined = item.origins && [];
  const filled = fillShape(shape, fields, slots);
  if (filled === undefined) {
    omitWithoutForm(item, file, shape !== undefined, omissions);
    return undefined;
  }
  const value = withKeys(filled, keysFor(item, fields), shape) as Json;
  const isKey = !file.hooks && file.collect === 'map';
  const called = key ?? (isKey ? String(fields.get(file.key ?? 'name') ?? item.name) : item.name);
  // The text of a permission is its key, or part of its entry.
  if (key !== undefined) fields.get('text');
  omissions.fields(fields, file.of, unwrittenFields(fields));
  const added = [...(item.native?.keys() ?? [])];
  const others =
    file.collect === 'list'
      ? equivalents.map(text => withFields(item, { text }))
      : strings(item.fields.get('otherLines')).map(line => withFields(item, { wrapped: line, shell: line }));
  const edit: KeyEdit = {
    ...placed(at ? { ...file, at: [...at] } : file, called, event, value),
    about: item.path,
    ...(isOrdered(file) && { ordered: true as const }),
    ...(added.length > 0 && { added }),
    ...(file.implied && { implied: file.implied as NonNullable<KeyEdit['implied']> }),
    ...(others.length > 0 && {
      equivalents: others.map(one => fillShape(shape, new ItemFields(one, request.options)) as Json),
    }),
  };
  if (!slots || !item.origins) return edit;
  const by = specPlace(request, `files.${name}`);
  // The key of a permission is derived from its text.
  const keyField = file.collect !== 'map' ? undefined : key === undefined ? file.key : 'text';
  const made = keyField === undefined ? [] : originsOf(item, keyField);
  // In a group every value is in a list.
  const inGroup = slots.map(slot => ({ ...slot, path: [0, ...slot.path] }));
  const origins = { by, name: item.origins.name, slots: file.collect === 'groups' ? inGroup : slots };
  return { ...edit, origins: { ...origins, ...(made.length > 0 && { key: made }) } };
}

/** Overlay keys beyond the slots of the shape; an empty list fills no slot. */
function keysFor({ native = new Map(), own = new Map() }: Item, fields: ItemFields): Fields {
  const empty = [...own].filter(
    ([, value]) => typeof value === 'object' && Object.keys(value ?? {}).length === 0,
  );
  return new Map([...empty, ...takeOwnFields(fields), ...native]);
}

const inNativeForm = (item: Item, file: EntriesFile): Item => nativeServer(withNames(item, file), file);

/** An item as a tool writes it without options; `undefined` when the tool cannot express it. */
export function entryValue(file: EntriesFile, given: Item, spec: TargetSpec): unknown {
  const item = inNativeForm(given, file);
  const fields = new ItemFields(item, new Map(), referenceWriter(item, file, spec, []));
  return fillShape(shapeOf(file, fields), fields);
}

/** The shape of a place for an entry; a native entry is used unchanged. */
export function shapeOf(file: EntriesFile, fields: ItemFields): unknown {
  const { by, variants } = file;
  const shape = by === undefined ? file.entry : valueAt(variants as Data, [String(fields.get(by) ?? '')]);
  return file.hooks && isObject(fields.get('raw')) ? withRawEntry(shape) : shape;
}

function omitWithoutForm(item: Item, file: EntriesFile, isEmpty: boolean, omissions: Omissions): void {
  const { of, by = '', variants = {} } = file;
  const value = String(item.fields.get(by) ?? '');
  const advice =
    isEmpty || value === '' ? undefined : omissions.adviceForForm(of, by, value, Object.keys(variants));
  // An entry that fills no slot, or has an unknown form, is reported by rules.
  const isKnown = by === '' || isKnownValue(blockOf(of), by, value);
  omissions.item(item, of, advice, isEmpty || !isKnown);
}

/** Whether the order of entries in the file decides between several about the same subject. */
const isOrdered = ({ permissions, format }: EntriesFile): boolean =>
  format === 'lines' || permissions?.wins === 'last' || permissions?.wins === 'first';

function placed({ at = [], collect }: EntriesFile, name: string, event: string, value: Json): KeyEdit {
  switch (collect) {
    case 'map':
      return { kind: 'set', path: [...at, name], value };
    case 'list':
      return { kind: 'element', path: at, value };
    case 'events':
      return { kind: 'element', path: [...at, event], value };
    case 'groups':
      return { kind: 'set', path: [...at, name, event], value: [value] };
  }
}

/** Plans the options of the configuration as keys of a settings file; nothing when none is set. */
export function planSettings(
  place: Place<SettingsFile>,
  { request, context }: Pick<PlaceContext, 'request' | 'context'>,
): EntriesDraft[] {
  const { name, file } = place;
  const filled = fillShape(file.entry, new ItemFields(noItem, request.options));
  if (filled === undefined) return [];
  const edits = leavesOf(filled, file.at ?? []).flatMap(({ path, value }): KeyEdit[] =>
    Array.isArray(value)
      ? value.map(element => ({ kind: 'element', path, value: element }))
      : [{ kind: 'set', path, value }],
  );
  const origins = { by: specPlace(request, `files.${name}`), slots: [] };
  const made = context.isTraced ? edits.map(one => ({ ...one, origins })) : edits;
  return [editsDraft(place, request, made)];
}
