import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { serverFields } from '../../model/servers.ts';
import { sameUnordered } from '../../text/equal.ts';
import { asksFor } from '../places.ts';
import { entryValue } from './plan.ts';

/** What the tool's file says of a server otherwise than we would write it; `null` for a key that it does not have. */
export function changesFor(
  file: EntriesFile,
  spec: TargetSpec,
  name: string,
  fields: ReadonlyMap<string, Data>,
  data: Data,
): DataObject {
  const place = [...(file.at ?? []), name].reduce<Data | undefined>(
    (value, key) => (isDataObject(value) ? value[key] : undefined),
    data,
  );
  if (!isDataObject(place)) return {};
  const item = {
    name,
    path: `mcpServers.${name}`,
    fields: serverFields(new Map([['name', name], ...fields])),
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
