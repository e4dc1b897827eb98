import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { blockOf, isShown } from '../../model/collections.ts';
import { isDataObject, valueAt } from '../../model/data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { ignorePatterns } from '../../text/permissions/ignored.ts';
import { parseSubject } from '../../text/permissions/subject.ts';
import { slugOf } from '../../text/title.ts';
import type { Reader } from '../kind.ts';
import { portableServer } from '../native/servers.ts';
import { readShape, type ShapeMatch } from '../native/shape.ts';
import { readReferences } from '../native/variables.ts';
import { entriesOf } from '../places.ts';
import { type NativeHook, portableHooks, readHook } from '../read/hooks.ts';
import { asMap, entryFields, type ImportedItem, itemFields, serverFields } from '../read/items.ts';
import { type ItemsRead, type ListRead, readStructured } from '../read/parts.ts';
import { readPermissions } from '../read/permissions.ts';
import { changesFor, keyFilledFrom } from './changes.ts';
import { formsOf, knowsEvent } from './forms.ts';
import { joinPlugins } from './plugins.ts';
import { withServerTools } from './server-tools.ts';

/** The entries that a tool has in a structured file. */
export const reader: Reader<EntriesFile> = {
  read: (source, file, { spec, specs, report }) =>
    readStructured(source, file.format, report, data => readPlaces(data, file, spec, specs)),
};

/** A structured file can have several places for entries: all that its tool has in it are read. */
function readPlaces(
  data: Data,
  file: EntriesFile,
  spec: TargetSpec | undefined,
  specs: readonly TargetSpec[],
): ItemsRead {
  const all = spec ? entriesOf(spec).filter(({ path }) => path === file.path) : [];
  const reads = withServerTools(
    data,
    (all.length > 0 ? all : [file]).map(place => ({
      place,
      ...withChanges(readPlace(data, place, all), data, place, spec, specs),
    })),
  );
  return {
    items: joinPlugins(reads),
    unreadable: reads.flatMap(({ unreadable = [] }) => unreadable),
    lists: joinLists(reads.flatMap(({ lists = [] }) => lists)),
    unread: reads.flatMap(({ unread = [] }) => unread),
  };
}

/** Lists that several places of a file have parts of, as one each. */
function joinLists(lists: readonly ListRead[]): ListRead[] {
  const joined: ListRead[] = [];
  for (const list of lists) {
    const at = joined.findIndex(({ block, key }) => block === list.block && key === list.key);
    if (at === -1) joined.push(list);
    else joined[at] = { ...list, texts: [...new Set([...joined[at]!.texts, ...list.texts])] };
  }
  return joined;
}

/** What stands at a place. Files that are kept from being read are permissions where the file has a place for these, too. */
function readPlace(data: Data, file: EntriesFile, all: readonly EntriesFile[]): ItemsRead {
  const { of, permissions } = file;
  if (of !== 'ignore' || !permissions || all.some(other => other.of === 'permissions'))
    return readEntries(data, file);
  const { lists, unread } = readPermissions(data, file, permissions);
  const globs = lists.flatMap(({ texts }) => texts).flatMap(text => parseSubject(text)?.pattern ?? []);
  const { patterns, others } = ignorePatterns(globs);
  return {
    items: [],
    lists: patterns.length > 0 ? [{ block: blockOf(of), texts: patterns }] : [],
    unread: [...unread, ...others],
  };
}

/**
 * Servers and agents with the keys that a compile would not write, as what the source says for each tool that has the
 * file; names that the language has are fields for all tools, too.
 */
function withChanges(
  read: ItemsRead,
  data: Data,
  file: EntriesFile,
  spec: TargetSpec | undefined,
  specs: readonly TargetSpec[],
): ItemsRead {
  const isServers = file.of === 'mcpServers' && file.collect === 'map';
  if (!spec || !(isServers || file.of === 'agents')) return read;
  const isShared = (other: TargetSpec) =>
    entriesOf(other).some(({ path, of }) => path === file.path && of === file.of);
  const ids = new Set([spec, ...specs.filter(isShared)].map(({ id }) => id));
  const items = read.items.map(item => {
    const said = isServers ? item.fields : described(item.fields);
    const changes = Object.entries(changesFor(file, spec, item.key, said, data));
    const own = Object.fromEntries(changes.filter(([, value]) => value !== null || !isServers));
    if (Object.keys(own).length === 0) return { ...item, fields: said };
    const portable = [...item.unknown].filter(([key]) => isPortable(item.block, key));
    const { shared, alone } = withoutWords(said, file, own);
    const tools = Object.fromEntries([...ids].map(id => [id, { ...alone, ...own }]));
    const fields = new Map([...shared, ...portable, ['tools', tools] as const]);
    return { ...item, fields, unknown: new Map() };
  });
  return { ...read, items };
}

/** An agent is called by its description; where a tool does without, its summary or the first line of its text is that. */
function described(fields: ReadonlyMap<string, Data>): ReadonlyMap<string, Data> {
  const content = fields.get('content');
  const first = typeof content === 'string' ? content.trim().split('\n', 1)[0] : undefined;
  const all = new Map(fields);
  if (typeof content === 'string') all.set('content', content.trimEnd());
  const text = fields.get('description') ?? fields.get('summary') ?? first;
  return text ? all.set('description', text) : all;
}

/**
 * The list of tools of an agent has the key of what single tools are told, so only one of them can stand there: it goes
 * to those, unless they are told their own words for it.
 */
function withoutWords(
  fields: ReadonlyMap<string, Data>,
  file: EntriesFile,
  own: DataObject,
): { readonly shared: ReadonlyMap<string, Data>; readonly alone: DataObject } {
  const shared = new Map(fields);
  const words = shared.get('tools');
  shared.delete('tools');
  const key = keyFilledFrom(file.entry, 'tools');
  const isSaid = key !== undefined && Object.hasOwn(own, key);
  return { shared, alone: words === undefined || isSaid ? {} : { tools: words } };
}

/** The place of the entries in a structured file, and what stands there by its keys. */
function entriesIn(data: Data, file: EntriesFile): { place: Data; entries: [string, Data][] } | undefined {
  const place = valueAt(data, file.at ?? []);
  if (place === undefined || place === null) return undefined;
  const root = new Set(Object.keys(file.root ?? {}));
  const entries = Object.entries(isDataObject(place) ? place : {}).filter(
    ([key]) => (file.at ?? []).length > 0 || !root.has(key),
  );
  return { place, entries };
}

/** The hooks of a structured file as they stand there. */
export function nativeEntriesIn(data: Data, file: EntriesFile): NativeEntry[] {
  const found = entriesIn(data, file);
  return found ? nativeEntries(found.place, found.entries, file) : [];
}

/** Reads the entries of a file that a spec writes as one structured file. */
export function readEntries(data: Data, file: EntriesFile): ItemsRead {
  if (file.of === 'ignore')
    return { items: [], lists: file.permissions ? [] : listed(entriesIn(data, file)?.place, file) };
  if (file.permissions) return { items: [], ...readPermissions(data, file, file.permissions) };
  const found = entriesIn(data, file);
  if (!found) return { items: [] };
  const { place, entries } = found;
  if (file.hooks) return readHooks(nativeEntries(place, entries, file), file);
  const items: ImportedItem[] = [];
  const add = (name: string, written: Data) => {
    const entry = readReferences(written, file.variables);
    if (isShown(file.of)) {
      // Some tools keep several of them in one entry, each with a name of its own.
      const several = readShape(file.entry, entry);
      for (const [index, match] of several.entries()) {
        const own = match.fields.get('name');
        const key = typeof own === 'string' ? own : several.length === 1 ? name : `${name}-${index + 1}`;
        items.push({ block: blockOf(file.of), key, ...entryFields(file.of, match, key) });
      }
      return;
    }
    const { matches, variant } = bestShape(file, entry);
    const match = matches[0] ?? { fields: new Map(), unknown: new Map(asMap(entry)) };
    const read =
      file.of === 'mcpServers' ? portableServer(serverFields(match, variant), file) : itemFields(match, name);
    items.push({ block: blockOf(file.of), key: name, ...read });
  };
  if (file.collect === 'map') for (const [name, entry] of entries) add(name, entry);
  if (file.collect === 'list') {
    for (const entry of Array.isArray(place) ? place : [])
      add(nameIn(file, entry) ?? `entry-${items.length + 1}`, entry);
  }
  return { items };
}

/** The texts of a list as loose items of its block. */
function listed(place: Data | undefined, { of, entry }: EntriesFile): ListRead[] {
  const texts = (Array.isArray(place) ? place : []).flatMap((one: Data) => {
    const text = readShape(entry, one)[0]?.fields.get('text');
    return typeof text === 'string' ? [text] : [];
  });
  return texts.length > 0 ? [{ block: blockOf(of), texts }] : [];
}

/** An entry of a file with hooks, and the tool's name of its event. */
export interface NativeEntry {
  readonly event: string;
  readonly entry: Data;
  /** Name that stands beside the entry and not in it. */
  readonly name?: string;
}

function nativeEntries(place: Data, entries: readonly [string, Data][], file: EntriesFile): NativeEntry[] {
  switch (file.collect) {
    case 'events':
      return entries.flatMap(([event, list]) => listOf(list).map(entry => ({ event, entry })));
    case 'groups':
      return entries.flatMap(([name, group]) =>
        Object.entries(isDataObject(group) ? group : {}).flatMap(([event, list]) =>
          listOf(list).map(entry => ({ event, entry, name })),
        ),
      );
    case 'list':
      return listOf(place).map(entry => ({ event: eventIn(file, entry), entry }));
    case 'map':
      return entries.map(([name, entry]) => ({ event: eventIn(file, entry), entry, name }));
  }
}

function readHooks(entries: readonly NativeEntry[], file: EntriesFile): ItemsRead {
  const unreadable: string[] = [];
  const taken = new Set<string>();
  const forms = formsOf(file).map(form => form.file);
  const items = forms.flatMap(form => {
    const own = entries.filter(entry => formFor(entry, forms) === form);
    const hooks = own.flatMap(({ event, entry, name }) =>
      bestShape(form, entry).matches.flatMap((match): NativeHook[] => {
        const read = readHook(match, event, form.hooks!);
        if ('unreadable' in read) unreadable.push(read.unreadable);
        return 'unreadable' in read ? [] : [{ ...(name !== undefined && { id: name }), ...read }];
      }),
    );
    return portableHooks(hooks, form.hooks!, taken).map(hook => ({ block: 'hooks', ...hook }));
  });
  return { items, unreadable };
}

/** The form of a hook: one that has its event and explains it best. */
function formFor({ event, entry }: NativeEntry, forms: readonly EntriesFile[]): EntriesFile {
  const scored = forms.map(form => ({
    form,
    knows: Number(knowsEvent(form, event)),
    score: bestShape(form, entry).score,
  }));
  return scored.sort((a, b) => b.knows - a.knows || b.score - a.score)[0]!.form;
}

const listOf = (data: Data): readonly Data[] => (Array.isArray(data) ? data : [data]);

/** The shape that explains an entry best: its name among the variants, and all that it reads. */
export function bestShape(
  file: EntriesFile,
  entry: Data,
): { readonly variant?: string; readonly matches: readonly ShapeMatch[]; readonly score: number } {
  if (!file.variants) return scored(readShape(file.entry, entry));
  return Object.entries(file.variants)
    .map(([variant, shape]) => ({ variant, ...scored(readShape(shape, entry)) }))
    .reduce((best, next) => (next.score > best.score ? next : best), scored([]));
}

const scored = (matches: readonly ShapeMatch[]) => ({
  matches,
  score: Math.max(-Infinity, ...matches.map(({ score }) => score)),
});

const nameIn = (file: EntriesFile, entry: Data): string | undefined => {
  const fields = bestShape(file, entry).matches[0]?.fields;
  const name = fields?.get('id') ?? fields?.get('name');
  if (typeof name === 'string') return name;
  const shown = fields?.get('shown');
  return typeof shown === 'string' && slugOf(shown) !== '' ? slugOf(shown) : undefined;
};

const eventIn = (file: EntriesFile, entry: Data): string =>
  String((readShape(file.entry, entry)[0]?.fields.get('nativeEvent') ?? (entry as DataObject).event) || '');
