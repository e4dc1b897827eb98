import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { blockOf, hasDisplayName } from '../../model/collections.ts';
import { valueAt } from '../../model/data.ts';
import { serverFields } from '../../model/make-item.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { groupBy } from '../../text/group.ts';
import { ignorePatterns } from '../../text/permissions/patterns.ts';
import { parseSubject } from '../../text/permissions/subject.ts';
import { slugOf } from '../../text/title.ts';
import type { Reader } from '../kind.ts';
import { portableServer } from '../native/servers.ts';
import { noItem, readShape, type ShapeMatch, shapesOf } from '../native/shapes.ts';
import { readReferences } from '../native/variables.ts';
import { filesOfKind, usesField } from '../places.ts';
import { readHooks } from '../read/hooks.ts';
import { asMap, entryFields, type ImportedItem, itemFields } from '../read/items.ts';
import { type ItemsRead, type ListRead, readStructured } from '../read/parts.ts';
import { type PlaceRead, readPermissions, withServerTools } from '../read/permissions.ts';
import { hasPermissions } from '../write/permissions.ts';
import { entryValue, formsOf, knowsEvent } from './plan.ts';

export const readEntriesFile: Reader<EntriesFile> = (source, file, { spec, specs, report }) =>
  readStructured(source, file.format, report, data => readPlaces(data, file, spec, specs));

/** A structured file can have several places with entries: all of its tool are read. */
function readPlaces(
  data: Data,
  file: EntriesFile,
  spec: TargetSpec | undefined,
  specs: readonly TargetSpec[],
): ItemsRead {
  const known = spec ? filesOfKind(spec, 'entries').filter(({ path }) => path === file.path) : [];
  const places = known.length > 0 ? known : [file];
  const reads = withServerTools(
    data,
    places.map(place => ({
      place,
      ...withOverlays(readPlace(data, place, known), data, place, spec, specs),
    })),
  );
  return {
    items: joinPlugins(reads),
    unreadable: reads.flatMap(({ unreadable = [] }) => unreadable),
    lists: joinLists(reads.flatMap(({ lists = [] }) => lists)),
    unread: reads.flatMap(({ unread = [] }) => unread),
  };
}

/** Joins lists of which several places of a file have parts. */
const joinLists = (lists: readonly ListRead[]): ListRead[] =>
  [...groupBy(lists, ({ block, key }) => JSON.stringify([block, key])).values()].map(group => ({
    ...group[0],
    texts: [...new Set(group.flatMap(({ texts }) => texts))],
  }));

/**
 * Joins external bundles that several places of a file describe: `formatter@acme-tools` in one, `acme-tools`
 * in another. A marketplace without a bundle stays in the file, and so does a bundle without a marketplace.
 */
function joinPlugins(reads: readonly PlaceRead[]): ImportedItem[] {
  const isCatalogue = ({ of, key }: EntriesFile) => of === 'plugins' && key === 'marketplace';
  const catalogues = reads.flatMap(({ place, items }) => (isCatalogue(place) ? items : []));
  const known = new Map(catalogues.map(({ key, fields }) => [key, fields]));
  return reads.flatMap(({ place, items }) => {
    if (place.of !== 'plugins' || place.key === undefined) return items;
    return items.flatMap(item => {
      const at = item.key.lastIndexOf('@');
      if (isCatalogue(place) || at <= 0) return [];
      const marketplace = item.key.slice(at + 1);
      const origin: [string, Data][] = [['marketplace', marketplace], ...(known.get(marketplace) ?? [])];
      return [{ ...item, key: item.key.slice(0, at), fields: new Map([...origin, ...item.fields]) }];
    });
  });
}

/** Reads one place. Ignored files are read as permissions when the file has a place for permissions, too. */
function readPlace(data: Data, file: EntriesFile, all: readonly EntriesFile[]): ItemsRead {
  const { of } = file;
  if (of !== 'ignore' || !hasPermissions(file) || all.some(other => other.of === 'permissions'))
    return readEntries(data, file);
  const { lists, unread } = readPermissions(data, file);
  const globs = lists.flatMap(({ texts }) => texts).flatMap(text => parseSubject(text)?.pattern ?? []);
  const { patterns, others } = ignorePatterns(globs);
  return { items: [], lists: listOf(of, patterns), unread: [...unread, ...others] };
}

const listOf = (of: EntriesFile['of'], texts: readonly string[]): ListRead[] =>
  texts.length > 0 ? [{ block: blockOf(of), texts }] : [];

/** Reads the entries of a file that a spec describes as one structured file. */
export function readEntries(data: Data, file: EntriesFile): ItemsRead {
  const { of, hooks } = file;
  const place = valueAt(data, file.at ?? []);
  if (of === 'ignore') {
    const texts = elementsOf(hasPermissions(file) ? [] : place).flatMap(
      one => textAt(file, one, 'text') ?? [],
    );
    return { items: [], lists: listOf(of, texts) };
  }
  if (hasPermissions(file)) return { items: [], ...readPermissions(data, file) };
  if (hooks) return readHookEntries(nativeEntriesIn(data, file), file);
  const named: readonly (readonly [string, Data])[] =
    file.collect === 'list'
      ? elementsOf(place).map((one, index) => [entryName(file, one) ?? `entry-${index + 1}`, one])
      : file.collect === 'map'
        ? namedIn(place, file)
        : [];
  return { items: named.flatMap(([name, entry]) => readEntry(name, entry, file)) };
}

const elementsOf = (place: Data | undefined): readonly Data[] => (Array.isArray(place) ? place : []);

/** The entries of a place by key, without fixed keys of the spec when the place is the root. */
const namedIn = (place: Data | undefined, { at = [], root = {} }: EntriesFile): [string, Data][] =>
  Object.entries(isObject(place) ? place : {}).filter(([key]) => at.length > 0 || !Object.hasOwn(root, key));

function readEntry(name: string, written: Data, file: EntriesFile): ImportedItem[] {
  const block = blockOf(file.of);
  const entry = readReferences(written, file.variables);
  if (hasDisplayName(file.of)) {
    // Some tools combine several items in one entry, each with a name of its own.
    const several = readShape(file.entry, entry);
    return several.map((match, index) => {
      const own = match.fields.get('name');
      const key = typeof own === 'string' ? own : several.length === 1 ? name : `${name}-${index + 1}`;
      return { block, key, ...entryFields(file.of, match, key) };
    });
  }
  const { matches, variant } = bestShape(file, entry);
  const match = matches[0] ?? { fields: new Map(), unknown: new Map(asMap(entry)) };
  const read =
    file.of === 'mcpServers' ? portableServer(match, variant, file.servers) : itemFields(match, name);
  return [{ block, key: name, ...read }];
}

/** An entry of a file with hooks, and the native name of its event. */
export interface NativeEntry {
  readonly event: string;
  readonly entry: Data;
  /** A name outside of the entry. */
  readonly name?: string;
}

export function nativeEntriesIn(data: Data, file: EntriesFile): NativeEntry[] {
  const place = valueAt(data, file.at ?? []);
  if (place === undefined || place === null) return [];
  const byEvent = (events: readonly (readonly [string, Data])[], name?: string) =>
    events.flatMap(([event, list]) =>
      asList(list).map(entry => ({ event, entry, ...(name !== undefined && { name }) })),
    );
  switch (file.collect) {
    case 'events':
      return byEvent(namedIn(place, file));
    case 'groups':
      return namedIn(place, file).flatMap(([name, group]) => byEvent([...asMap(group)], name));
    case 'list':
      return asList(place).map(entry => ({ event: eventIn(file, entry), entry }));
    case 'map':
      return namedIn(place, file).map(([name, entry]) => ({ event: eventIn(file, entry), entry, name }));
  }
}

const asList = (data: Data): readonly Data[] => (Array.isArray(data) ? data : [data]);

function readHookEntries(entries: readonly NativeEntry[], file: EntriesFile): ItemsRead {
  const taken = new Set<string>();
  const forms = formsOf(file).map(form => form.file);
  const byForm = groupBy(entries, entry => formFor(entry, forms));
  const reads = forms.map(form => {
    const found = (byForm.get(form) ?? []).flatMap(({ event, entry, name }) =>
      bestShape(form, entry).matches.map(read => ({ native: event, id: name, read })),
    );
    return readHooks(found, form.hooks!, taken);
  });
  return {
    items: reads.flatMap(({ items }) => items),
    unreadable: reads.flatMap(({ unreadable }) => unreadable),
  };
}

/** The form of a hook: of those that support its event, the one that explains it best. */
function formFor({ event, entry }: NativeEntry, forms: readonly EntriesFile[]): EntriesFile {
  const scored = forms.map(form => ({
    form,
    knows: Number(knowsEvent(form, event)),
    score: bestShape(form, entry).score,
  }));
  return scored.sort((a, b) => b.knows - a.knows || b.score - a.score)[0]!.form;
}

/** The shape that explains an entry best: named among the variants, with everything that it reads. */
export function bestShape(
  file: EntriesFile,
  entry: Data,
): { readonly variant?: string; readonly matches: readonly ShapeMatch[]; readonly score: number } {
  return shapesOf(file)
    .map(({ kind, shape }) => {
      const matches = readShape(shape, entry);
      const score = Math.max(-Infinity, ...matches.map(match => match.score));
      return { ...(kind !== undefined && { variant: kind }), matches, score };
    })
    .reduce((best, next) => (next.score > best.score ? next : best));
}

function textAt(file: EntriesFile, entry: Data, field: string): string | undefined {
  const text = bestShape(file, entry).matches[0]?.fields.get(field);
  return typeof text === 'string' ? text : undefined;
}

const entryName = (file: EntriesFile, entry: Data): string | undefined =>
  textAt(file, entry, 'id') ??
  textAt(file, entry, 'name') ??
  (slugOf(textAt(file, entry, 'shown') ?? '') || undefined);

const eventIn = (file: EntriesFile, entry: Data): string =>
  String((readShape(file.entry, entry)[0]?.fields.get('nativeEvent') ?? (entry as DataObject).event) || '');

type Fields = ReadonlyMap<string, Data>;

/** How an entry differs from what a compile would write; `null` for a key that it does not have. */
export function nativeDifferences(
  file: EntriesFile,
  spec: TargetSpec,
  name: string,
  fields: Fields,
  data: Data,
): DataObject {
  const present = entryIn(data, file, name);
  if (!isObject(present)) return {};
  const all = new Map<string, Data>([['name', name], ...fields]);
  const item = {
    ...noItem,
    name,
    path: `${file.of}.${name}`,
    fields: file.of === 'mcpServers' ? serverFields(all) : all.set('id', name),
    // A folder in a field that the tool is not known to support is kept, and not resolved as a path.
    own: new Map(usesField(file, ['cwd']) ? [] : Object.entries(present).filter(([key]) => key === 'cwd')),
  };
  const written = (entryValue(file, item, spec) ?? {}) as DataObject;
  const keys = [...new Set([...Object.keys(present), ...Object.keys(written)])];
  const changed = keys.filter(key => !equalUnordered(present[key], written[key]));
  return Object.fromEntries(changed.map(key => [key, present[key] ?? null]));
}

/** The entry with a name in the file: at that key, or the element of a list that contains the name. */
function entryIn(data: Data, { at = [], collect, entry }: EntriesFile, name: string): Data | undefined {
  const place = valueAt(data, at);
  if (collect !== 'list') return isObject(place) ? place[name] : undefined;
  const key = keyFilledFrom(entry, 'id');
  if (key === undefined || !Array.isArray(place)) return undefined;
  return place.find(one => isObject(one) && one[key] === name);
}

const keyFilledFrom = (entry: unknown, field: string): string | undefined =>
  Object.entries((entry ?? {}) as Readonly<Record<string, { readonly from?: unknown } | null>>).find(
    ([, slot]) => slot?.from === field,
  )?.[0];

/**
 * Adds the keys of servers and agents that a compile would not write, as overlays for each tool that uses the
 * file. Keys with the name of a portable field also become fields for all tools.
 */
function withOverlays(
  read: ItemsRead,
  data: Data,
  file: EntriesFile,
  spec: TargetSpec | undefined,
  specs: readonly TargetSpec[],
): ItemsRead {
  const isServers = file.of === 'mcpServers' && file.collect === 'map';
  if (!spec || !(isServers || file.of === 'agents')) return read;
  const isShared = (other: TargetSpec) =>
    filesOfKind(other, 'entries').some(({ path, of }) => path === file.path && of === file.of);
  const ids = [...new Set([spec, ...specs.filter(isShared)].map(({ id }) => id))];
  const toolsKey = keyFilledFrom(file.entry, 'tools');
  const items = read.items.map(item => {
    const itemFields = isServers ? item.fields : described(item.fields);
    const changes = Object.entries(nativeDifferences(file, spec, item.key, itemFields, data));
    const own = Object.fromEntries(changes.filter(([, value]) => value !== null || !isServers));
    if (Object.keys(own).length === 0) return { ...item, fields: itemFields };
    // `tools` of an agent is the key of overlays. Its list of tools moves there, unless there is an overlay
    // for the tool.
    const words = itemFields.get('tools');
    const isSaid = words === undefined || (toolsKey !== undefined && Object.hasOwn(own, toolsKey));
    const all = isSaid ? own : { tools: words, ...own };
    const portable = [...item.unknown].filter(([key]) => isPortable(item.block, key));
    const shared = [...itemFields].filter(([key]) => key !== 'tools');
    const tools = Object.fromEntries(ids.map(id => [id, all]));
    return { ...item, fields: new Map([...shared, ...portable, ['tools', tools]]), unknown: new Map() };
  });
  return { ...read, items };
}

/** Agents are selected by description; without one, the summary or the first line is used. */
function described(fields: Fields): Fields {
  const content = fields.get('content');
  const all = new Map(fields);
  if (typeof content === 'string') all.set('content', content.trimEnd());
  const first = typeof content === 'string' ? content.trim().split('\n', 1)[0] : undefined;
  const text = fields.get('description') ?? fields.get('summary') ?? first;
  return text ? all.set('description', text) : all;
}
