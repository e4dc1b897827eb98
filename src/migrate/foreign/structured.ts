import type { DataFile, ForeignSource } from '../../generated/types/foreign.ts';
import { isDataObject, strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { ToolNames } from './tool-names.ts';

type DataMap = Readonly<Record<string, Data>>;

/** What stands at the end of a way of keys. */
export const valueAt = (data: Data | undefined, keys: readonly string[]): Data | undefined =>
  keys.reduce<Data | undefined>((value, key) => (isDataObject(value) ? value[key] : undefined), data);

/** Names of the tools that the configuration writes for, as written. */
export function targetsOf(settings: Data, { targets }: ForeignSource): readonly string[] {
  const named = targets.at.map(key => valueAt(settings, [key])).find(value => value !== undefined);
  const listed =
    typeof named === 'string'
      ? named.split(',').map(name => name.trim())
      : Array.isArray(named)
        ? named.flatMap(entry =>
            typeof entry === 'string' ? entry : isDataObject(entry) ? namesOfEntry(entry) : [],
          )
        : isDataObject(named)
          ? Object.keys(named)
          : [];
  const tables = (targets.tables ?? []).flatMap(key => {
    const table = valueAt(settings, [key]);
    return isDataObject(table) ? Object.entries(table) : [];
  });
  const off = new Set(
    tables.filter(([, one]) => isDataObject(one) && one.enabled === false).map(([name]) => name),
  );
  const on = tables.filter(([, one]) => isDataObject(one) && one.enabled === true).map(([name]) => name);
  const all = [...new Set([...listed, ...on])].filter(name => !off.has(name));
  return all.length > 0 && !all.includes(targets.all ?? '*')
    ? all
    : (targets.default ?? []).filter(name => !off.has(name));
}

/** An entry of a list: one with a name, or a table of its own. */
const namesOfEntry = (entry: DataMap): string[] =>
  typeof entry.name === 'string' ? [entry.name] : Object.keys(entry);

/** Servers by name; from a table or a list of entries with names. */
export function serversOf(data: Data, file: DataFile, names: ToolNames): [string, DataMap][] {
  const found = valueAt(data, file.at ?? []);
  const entries: [string, Data][] = Array.isArray(found)
    ? found.flatMap(entry =>
        isDataObject(entry) && typeof entry.name === 'string' ? [[entry.name, entry]] : [],
      )
    : isDataObject(found)
      ? Object.entries(found)
      : [];
  return entries.flatMap(([name, entry]): [string, DataMap][] => {
    if (!isDataObject(entry)) return [];
    const fields: Record<string, Data> = {};
    for (const [key, value] of Object.entries(entry)) {
      if (key === 'targets') {
        const list = strings(value);
        if (list.length > 0 && !list.some(names.isAll)) fields.targets = [...names.idsOf(list)];
      } else if (key === 'disabled' && value === true) fields.enabled = false;
      else if (key !== 'name' && key !== 'disabled' && !file.drop?.includes(key))
        fields[file.rename?.[key] ?? key] = value;
    }
    // A table of environment variables says nothing where it is empty.
    if (isDataObject(fields.env) && Object.keys(fields.env).length === 0) delete fields.env;
    return [[name, fields]];
  });
}

/** A hook in the words of the language, and hooks that have none. */
export interface PortableHooks {
  readonly hooks: readonly (readonly [name: string, fields: DataMap])[];
  readonly left: readonly string[];
}

/** Lists of hooks by event. What a shell runs stays one text for the shell. */
export function hooksOf(data: Data, file: DataFile): PortableHooks {
  const found = valueAt(data, file.at ?? []);
  const hooks: (readonly [string, DataMap])[] = [];
  const left: string[] = [];
  for (const [event, list] of isDataObject(found) ? Object.entries(found) : []) {
    const portable = file.events?.[event];
    for (const [index, hook] of (Array.isArray(list) ? list : []).entries()) {
      const command = isDataObject(hook) ? hook.command : undefined;
      if (portable === undefined || !isDataObject(hook) || typeof command !== 'string') {
        left.push(event);
        continue;
      }
      const argv = /[\s'"$|&;<>()`*?~\\]/.test(command) ? ['sh', '-c', command] : [command];
      hooks.push([
        `${portable}-${index + 1}`,
        {
          event: portable,
          command: argv,
          ...(typeof hook.matcher === 'string' && hook.matcher !== '' && { matcher: hook.matcher }),
          ...(typeof hook.timeout === 'number' && { timeoutMs: hook.timeout * 1000 }),
        },
      ]);
    }
  }
  return { hooks, left };
}
