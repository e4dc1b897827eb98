import type { EntriesFile, HookFacts, ItemFiles } from '../generated/types/target.ts';
import { isDataObject } from '../model/data.ts';
import type { Data, DataObject } from '../model/model.ts';
import { type ReadBack, readShape, type ShapeMatch } from './backward.ts';
import { blockOf, hookFields, hookName, type ImportedItem, serverFields } from './items.ts';

/** Entries of a structured file, read by the shapes that would write them. */
export interface EntriesRead {
  readonly items: readonly ImportedItem[];
  /** Whether the file has the place of the entries at all. */
  readonly found: boolean;
}

/** Reads the entries of a file that a spec writes as one structured file. */
export function readEntries(data: Data, file: EntriesFile): EntriesRead {
  let place: Data | undefined = data;
  for (const key of file.at ?? [])
    place = isDataObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  if (place === undefined || place === null) return { items: [], found: false };
  const items: ImportedItem[] = [];
  const taken = new Set<string>();
  const add = (name: string, read: ReadBack) => {
    taken.add(name);
    items.push({ block: blockOf(file.of), key: name, ...read });
  };
  const hook = (entry: Data, event: string, facts: HookFacts) => {
    for (const match of readShape(file.entry, entry)) {
      const read = hookFields(match, event, facts);
      const id = match.fields.get('id') ?? match.fields.get('name');
      add(typeof id === 'string' && !taken.has(id) ? id : hookName(read.fields, taken), read);
    }
  };
  const named = (name: string, entry: Data) => {
    const { match, variant } = bestMatch(file, entry);
    if (file.of === 'mcpServers') add(name, serverFields(match, variant));
    else add(name, { fields: match.fields, unknown: match.unknown });
  };

  const root = new Set(Object.keys(file.root ?? {}));
  const entries = Object.entries(isDataObject(place) ? place : {}).filter(
    ([key]) => (file.at ?? []).length > 0 || !root.has(key),
  );
  switch (file.collect) {
    case 'map':
      for (const [name, entry] of entries) named(name, entry);
      break;
    case 'list':
      for (const entry of Array.isArray(place) ? place : []) {
        if (file.hooks) hook(entry, eventIn(file, entry), file.hooks);
        else named(nameIn(file, entry) ?? `entry-${items.length + 1}`, entry);
      }
      break;
    case 'events':
      if (file.hooks)
        for (const [event, list] of entries) for (const entry of listOf(list)) hook(entry, event, file.hooks);
      break;
    case 'groups':
      if (file.hooks) {
        for (const [, group] of entries) {
          for (const [event, list] of Object.entries(isDataObject(group) ? group : {}))
            for (const entry of listOf(list)) hook(entry, event, file.hooks);
        }
      }
  }
  return { items, found: true };
}

/** A structured file that is one hook or one server. */
export function readItemEntry(data: Data, file: ItemFiles, name: string): ImportedItem[] {
  const taken = new Set<string>();
  return readShape(file.entry ?? {}, data).map(match => {
    if (!file.hooks) {
      const read = file.of === 'mcpServers' ? serverFields(match, undefined) : match;
      return { block: blockOf(file.of), key: name, fields: read.fields, unknown: read.unknown };
    }
    const event = String(match.fields.get('nativeEvent') ?? '');
    const read = hookFields(match, event, file.hooks);
    const id = String(match.fields.get('id') ?? name);
    const key = taken.has(id) ? hookName(read.fields, taken) : id;
    taken.add(key);
    return { block: 'hooks', key, ...read };
  });
}

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

const nameIn = (file: EntriesFile, entry: Data): string | undefined => {
  const name = bestMatch(file, entry).match.fields.get('name');
  return typeof name === 'string' ? name : undefined;
};

const eventIn = (file: EntriesFile, entry: Data): string =>
  String((readShape(file.entry, entry)[0]?.fields.get('nativeEvent') ?? (entry as DataObject).event) || '');
