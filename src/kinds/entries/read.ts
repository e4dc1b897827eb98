import type { EntriesFile, HookFacts, ItemFiles } from '../../generated/types/target.ts';
import { blockOf, keyOfItem } from '../../model/collections.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { type ReadBack, readShape, type ShapeMatch } from '../read/backward.ts';
import { type NativeHook, portableHooks, readHook } from '../read/hooks.ts';
import { type ImportedItem, serverFields } from '../read/items.ts';

/** Entries of a structured file, read by the shapes that would write them. */
export interface EntriesRead {
  readonly items: readonly ImportedItem[];
  /** Commands of hooks that no portable hook can run. */
  /** Why hooks were left out, each as the end of a sentence. */
  readonly unreadable: readonly string[];
}

/** Reads the entries of a file that a spec writes as one structured file. */
export function readEntries(data: Data, file: EntriesFile): EntriesRead {
  let place: Data | undefined = data;
  for (const key of file.at ?? [])
    place = isDataObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  if (place === undefined || place === null) return { items: [], unreadable: [] };
  const root = new Set(Object.keys(file.root ?? {}));
  const entries = Object.entries(isDataObject(place) ? place : {}).filter(
    ([key]) => (file.at ?? []).length > 0 || !root.has(key),
  );
  if (file.hooks) return readHooks(nativeEntries(place, entries, file), file, file.hooks);
  const items: ImportedItem[] = [];
  const add = (name: string, entry: Data) => {
    const { match, variant } = bestMatch(file, entry);
    const read = file.of === 'mcpServers' ? serverFields(match, variant) : itemFields(match, name);
    items.push({ block: blockOf(file.of), key: name, ...read });
  };
  if (file.collect === 'map') for (const [name, entry] of entries) add(name, entry);
  if (file.collect === 'list') {
    for (const entry of Array.isArray(place) ? place : [])
      add(nameIn(file, entry) ?? `entry-${items.length + 1}`, entry);
  }
  return { items, unreadable: [] };
}

/** The name is the key of the entry. */
function itemFields({ fields, unknown }: ReadBack, name: string): ReadBack {
  fields.delete('id');
  if (fields.get('name') === name) fields.delete('name');
  return { fields, unknown };
}

interface NativeEntry {
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

function readHooks(entries: readonly NativeEntry[], file: EntriesFile, facts: HookFacts): EntriesRead {
  const hooks: NativeHook[] = [];
  const unreadable: string[] = [];
  for (const { event, entry, name } of entries) {
    for (const match of bestShape(file, entry)) {
      const read = readHook(match, event, facts);
      if ('unreadable' in read) unreadable.push(read.unreadable);
      else hooks.push({ ...(name !== undefined && { id: name }), ...read });
    }
  }
  const items = portableHooks(hooks, facts).map(hook => ({ block: 'hooks', ...hook }));
  return { items, unreadable };
}

/** A structured file that is one hook, one server or one item. */
export function readItemEntry(data: Data, file: ItemFiles, name: string): EntriesRead {
  const matches = readShape(file.entry ?? {}, data);
  if (!file.hooks) {
    const items = matches.map(match => ({
      block: blockOf(file.of),
      key: keyOfItem(file.of, name),
      ...(file.of === 'mcpServers'
        ? serverFields(match, textIn(match.fields.get('transport')))
        : itemFields(match, name)),
    }));
    return { items, unreadable: [] };
  }
  const hooks: NativeHook[] = [];
  const unreadable: string[] = [];
  for (const match of matches) {
    const read = readHook(match, String(match.fields.get('nativeEvent') ?? ''), file.hooks);
    if ('unreadable' in read) unreadable.push(read.unreadable);
    else hooks.push({ id: name, ...read });
  }
  return { items: portableHooks(hooks, file.hooks).map(hook => ({ block: 'hooks', ...hook })), unreadable };
}

const textIn = (data: Data | undefined): string | undefined => (typeof data === 'string' ? data : undefined);

const listOf = (data: Data): readonly Data[] => (Array.isArray(data) ? data : [data]);

/** The variant whose shape explains the entry best. */
function bestMatch(file: EntriesFile, entry: Data): { match: ShapeMatch; variant?: string } {
  const empty: ShapeMatch = {
    fields: new Map(),
    unknown: new Map(Object.entries(isDataObject(entry) ? entry : {})),
    score: -Infinity,
  };
  if (!file.variants) return { match: readShape(file.entry, entry)[0] ?? empty };
  let best: { match: ShapeMatch; variant?: string } = { match: empty };
  for (const [variant, shape] of Object.entries(file.variants)) {
    const [match] = readShape(shape, entry);
    if (match && match.score > best.match.score) best = { match, variant };
  }
  return best;
}

/** All matches of the shape that explains the entry best. */
function bestShape(file: EntriesFile, entry: Data): ShapeMatch[] {
  const shapes = file.variants ? Object.values(file.variants) : [file.entry];
  const tried = shapes.map(shape => readShape(shape, entry));
  const score = (matches: readonly ShapeMatch[]) => Math.max(-Infinity, ...matches.map(match => match.score));
  return tried.reduce((best, matches) => (score(matches) > score(best) ? matches : best), []);
}

const nameIn = (file: EntriesFile, entry: Data): string | undefined => {
  const { fields } = bestMatch(file, entry).match;
  const name = fields.get('id') ?? fields.get('name');
  return typeof name === 'string' ? name : undefined;
};

const eventIn = (file: EntriesFile, entry: Data): string =>
  String((readShape(file.entry, entry)[0]?.fields.get('nativeEvent') ?? (entry as DataObject).event) || '');
