import type { EntriesFile } from '../../generated/types/target.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data, Item } from '../../model/model.ts';
import { serverFields } from '../../model/servers.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { isNameOf } from '../../spec/names.ts';
import type { TargetRequest } from '../request.ts';

/** Whether an item names files of this tool (`into`), and this is none of them. */
export function standsElsewhere({ stands }: Item, file: EntriesFile, { spec }: TargetRequest): boolean {
  if (!stands || stands.includes(file.path)) return false;
  return Object.values(spec.files).some(
    other => other.kind === 'entries' && other.of === file.of && stands.includes(other.path),
  );
}

/** An item with what it says for one tool alone (`tools`): fields, and keys that only the tool knows. */
export function forTool(
  item: Item,
  { spec }: TargetRequest,
): { readonly item: Item; readonly keys: Readonly<Record<string, Data>> } {
  const said = item.fields.get('tools');
  const block = item.path.split('.')[0]!;
  if (!isDataObject(said) || block !== 'mcpServers') return { item, keys: {} };
  const own = Object.entries(said).flatMap(([name, changes]) =>
    isNameOf(name, spec) && isDataObject(changes) ? Object.entries(changes) : [],
  );
  const ofUs = own.filter(([name]) => isPortable(block, name));
  const keys = Object.fromEntries(own.filter(([name]) => !isPortable(block, name)));
  if (ofUs.length === 0) return { item, keys };
  const fields = new Map(
    [...item.fields].filter(([name]) => !item.computed.has(name) || isPortable(block, name)),
  );
  for (const [key, value] of ofUs) {
    if (value === null) fields.delete(key);
    else fields.set(key, value);
  }
  return { item: { ...item, fields: serverFields(fields) }, keys };
}

/** A value with further keys; `null` takes one away. */
export function withKeys(value: unknown, keys: Readonly<Record<string, Data>>): unknown {
  if (Object.keys(keys).length === 0 || !isDataObject(value as Data)) return value;
  const all = Object.entries({ ...(value as object), ...keys });
  return Object.fromEntries(all.filter(([, one]) => one !== null));
}
