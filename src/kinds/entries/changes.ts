import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { isDataObject, valueAt } from '../../model/data.ts';
import { serverFields } from '../../model/make-item.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { sameUnordered } from '../../text/equal.ts';
import { asksFor } from '../places.ts';
import { entryValue } from './plan.ts';

/** What the tool's file says of an entry otherwise than we would write it; `null` for a key that it does not have. */
export function changesFor(
  file: EntriesFile,
  spec: TargetSpec,
  name: string,
  fields: ReadonlyMap<string, Data>,
  data: Data,
): DataObject {
  const place = entryIn(data, file, name);
  if (!isDataObject(place)) return {};
  const all = new Map<string, Data>([['name', name], ...fields]);
  const item = {
    name,
    path: `${file.of}.${name}`,
    fields: file.of === 'mcpServers' ? serverFields(all) : all.set('id', name),
    computed: new Set<string>(),
    resources: [],
    // A folder in a field that the tool is not known to have stays one, and does not become a way to it.
    own: new Map(asksFor(file, ['cwd']) ? [] : Object.entries(place).filter(([key]) => key === 'cwd')),
  };
  const filled = (entryValue(file, item, spec) ?? {}) as DataObject;
  const keys = [...new Set([...Object.keys(place), ...Object.keys(filled)])];
  return Object.fromEntries(
    keys.flatMap(key => (sameUnordered(place[key], filled[key]) ? [] : [[key, place[key] ?? null]])),
  );
}

/** The entry of a name as it stands in the file: under that key, or the one of a list that says the name. */
function entryIn(data: Data, { at = [], collect, entry }: EntriesFile, name: string): Data | undefined {
  const place = valueAt(data, at);
  if (collect !== 'list') return isDataObject(place) ? place[name] : undefined;
  const key = keyFilledFrom(entry, 'id');
  return (Array.isArray(place) ? place : []).find(
    one => isDataObject(one) && key !== undefined && one[key] === name,
  );
}

/** The key of an entry that a field fills. */
export const keyFilledFrom = (entry: unknown, field: string): string | undefined =>
  Object.entries((entry ?? {}) as Readonly<Record<string, { readonly from?: unknown } | null>>).find(
    ([, slot]) => slot?.from === field,
  )?.[0];
