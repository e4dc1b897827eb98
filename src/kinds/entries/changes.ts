import type { EntriesFile, TargetSpec } from '../../generated/types/target.ts';
import { valueAt } from '../../model/data.ts';
import { serverFields } from '../../model/make-item.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { noItem } from '../native/fields.ts';
import { entriesOf, usesField } from '../places.ts';
import type { ItemsRead } from '../read/parts.ts';
import { entryValue } from './plan.ts';

type Fields = ReadonlyMap<string, Data>;

/**
 * How an entry in the tool's file differs from what a compile would write; `null` for a key that it does not
 * have.
 */
export function nativeDifferences(
  file: EntriesFile,
  spec: TargetSpec,
  name: string,
  fields: Fields,
  data: Data,
): DataObject {
  const there = entryIn(data, file, name);
  if (!isObject(there)) return {};
  const all = new Map<string, Data>([['name', name], ...fields]);
  const item = {
    ...noItem,
    name,
    path: `${file.of}.${name}`,
    fields: file.of === 'mcpServers' ? serverFields(all) : all.set('id', name),
    // A folder in a field that the tool is not known to support is kept, and not resolved as a path.
    own: new Map(usesField(file, ['cwd']) ? [] : Object.entries(there).filter(([key]) => key === 'cwd')),
  };
  const written = (entryValue(file, item, spec) ?? {}) as DataObject;
  const keys = [...new Set([...Object.keys(there), ...Object.keys(written)])];
  const changed = keys.filter(key => !equalUnordered(there[key], written[key]));
  return Object.fromEntries(changed.map(key => [key, there[key] ?? null]));
}

/**
 * The entry with a given name as written in the file: at that key, or the element of a list that contains the
 * name.
 */
function entryIn(data: Data, { at = [], collect, entry }: EntriesFile, name: string): Data | undefined {
  const place = valueAt(data, at);
  if (collect !== 'list') return isObject(place) ? place[name] : undefined;
  const key = keyFilledFrom(entry, 'id');
  if (key === undefined || !Array.isArray(place)) return undefined;
  return place.find(one => isObject(one) && one[key] === name);
}

export const keyFilledFrom = (entry: unknown, field: string): string | undefined =>
  Object.entries((entry ?? {}) as Readonly<Record<string, { readonly from?: unknown } | null>>).find(
    ([, slot]) => slot?.from === field,
  )?.[0];

/**
 * Adds the keys of servers and agents that a compile would not write, as overlays for each tool that uses the
 * file. Keys with the name of a portable field also become fields for all tools.
 */
export function withOverlays(
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
  const ids = [...new Set([spec, ...specs.filter(isShared)].map(({ id }) => id))];
  const toolsKey = keyFilledFrom(file.entry, 'tools');
  const items = read.items.map(item => {
    const said = isServers ? item.fields : described(item.fields);
    const changes = Object.entries(nativeDifferences(file, spec, item.key, said, data));
    const own = Object.fromEntries(changes.filter(([, value]) => value !== null || !isServers));
    if (Object.keys(own).length === 0) return { ...item, fields: said };
    // `tools` of an agent is the key of overlays. Its list of tools moves there, unless there is an overlay
    // for the tool.
    const words = said.get('tools');
    const isSaid = words === undefined || (toolsKey !== undefined && Object.hasOwn(own, toolsKey));
    const all = isSaid ? own : { tools: words, ...own };
    const portable = [...item.unknown].filter(([key]) => isPortable(item.block, key));
    const shared = [...said].filter(([key]) => key !== 'tools');
    const tools = Object.fromEntries(ids.map(id => [id, all]));
    return { ...item, fields: new Map([...shared, ...portable, ['tools', tools]]), unknown: new Map() };
  });
  return { ...read, items };
}

/**
 * Agents are selected by their description. If a tool does without, the summary or the first line of the text
 * is used.
 */
function described(fields: Fields): Fields {
  const content = fields.get('content');
  const all = new Map(fields);
  if (typeof content === 'string') all.set('content', content.trimEnd());
  const first = typeof content === 'string' ? content.trim().split('\n', 1)[0] : undefined;
  const text = fields.get('description') ?? fields.get('summary') ?? first;
  return text ? all.set('description', text) : all;
}
