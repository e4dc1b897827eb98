import type { DataFile, ForeignSource } from '../../generated/types/foreign.ts';
import { strings, valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isPortable, portableName } from '../../resolve/catalogue.ts';
import { isObject } from '../../text/data.ts';
import type { ForeignReader } from './reader.ts';

type DataMap = Readonly<Record<string, Data>>;

/** The paths in some data that match a pattern; `*` is any key. */
export function pathsMatching(
  data: Data,
  [key, ...rest]: readonly string[],
  way: readonly string[] = [],
): string[][] {
  if (key === undefined) return [[...way]];
  if (!isObject(data)) return [];
  const keys = Object.keys(data).filter(one => key === '*' || one === key);
  return keys.flatMap(one => pathsMatching(data[one]!, rest, [...way, one]));
}

/** Names of the targets in the configuration, as written. */
export function targetsOf(settings: Data, { targets }: ForeignSource): readonly string[] {
  const named = targets.at.map(key => valueAt(settings, [key])).find(value => value !== undefined);
  const listed = [named ?? []].flat().flatMap((entry: Data) => {
    if (typeof entry === 'string') return entry.split(',').map(name => name.trim());
    return isObject(entry) ? namesOfEntry(entry) : [];
  });
  const tables = (targets.tables ?? []).flatMap(key => {
    const table = valueAt(settings, [key]);
    return isObject(table) ? Object.entries(table) : [];
  });
  const off = new Set(
    tables.filter(([, one]) => isObject(one) && one.enabled === false).map(([name]) => name),
  );
  const on = tables.filter(([, one]) => isObject(one) && one.enabled === true).map(([name]) => name);
  const all = [...new Set([...listed, ...on])].filter(name => !off.has(name));
  return all.length > 0 && !all.includes(targets.all ?? '*')
    ? all
    : (targets.default ?? []).filter(name => !off.has(name));
}

const namesOfEntry = (entry: DataMap): string[] =>
  typeof entry.name === 'string' ? [entry.name] : Object.keys(entry);

/** The settings in the table of each tool. */
export function tablesOfTools(
  data: Data,
  file: DataFile,
  reader: ForeignReader,
): { readonly id: string; readonly own: Data | undefined; readonly isOff: boolean }[] {
  const tables = valueAt(data, file.below ?? []);
  if (!isObject(tables) || !(file.own ?? file.off)) return [];
  return Object.entries(tables).flatMap(([name, table]) => {
    const [id] = isObject(table) && reader.isTool(name) ? reader.idsOf([name]) : [];
    if (id === undefined) return [];
    const isOff = file.off !== undefined && valueAt(table, file.off) === false;
    return [{ id, own: file.own && valueAt(table, file.own), isOff }];
  });
}

function keepFrom(id: string, fields: DataMap): DataMap {
  const { targets, except, ...rest } = fields;
  if (Array.isArray(targets)) return { ...rest, targets: targets.filter(one => one !== id) };
  return { ...rest, except: [...new Set([...strings(except), id])] };
}

/**
 * The list of servers of all files, as text; `undefined` when there are none. What cannot be converted is
 * reported to the reader.
 */
export async function readServers(reader: ForeignReader): Promise<string | undefined> {
  const servers = new Map<string, DataMap>();
  for (const { file, data } of await reader.all(reader.source.servers)) {
    if (file.off && valueAt(data, file.off) === false) {
      reader.leave(file.path, `servers are switched off by \`${file.off.join('.')}\``);
      continue;
    }
    const found = valueAt(data, file.at ?? []);
    for (const one of Array.isArray(found) ? found : [])
      if (typeof one === 'string')
        reader.leave(`${file.path}: ${one}`, 'a registry of servers defines what it means');
    for (const [name, fields] of serversOf(found, data, file, reader)) {
      if (fields.command === undefined && fields.url === undefined)
        reader.leave(`${file.path}: ${name}`, 'it has neither a command nor an address');
      else if (!servers.has(name)) servers.set(name, fields);
    }
  }
  if (servers.size === 0) return undefined;
  return `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`;
}

/**
 * Servers by name, from a table or a list of entries with names. Servers of one tool replace those for all.
 */
function serversOf(
  found: Data | undefined,
  data: Data,
  file: DataFile,
  reader: ForeignReader,
): Map<string, DataMap> {
  const entries: [string, Data][] = Array.isArray(found)
    ? found.flatMap((entry: Data) =>
        isObject(entry) && typeof entry.name === 'string' ? [[entry.name, entry]] : [],
      )
    : isObject(found)
      ? Object.entries(found)
      : [];
  const servers = new Map(entries.flatMap(([name, entry]) => serverOf(name, entry, file, reader)));
  const shared = [...servers.keys()];
  for (const { id, own, isOff } of tablesOfTools(data, file, reader)) {
    const instead = isObject(own) ? Object.entries(own) : [];
    const gone = isOff ? shared : shared.filter(name => instead.some(([key]) => key === name));
    for (const name of gone) servers.set(name, keepFrom(id, servers.get(name)!));
    for (const [name, entry] of instead.flatMap(([key, one]) => serverOf(key, one, file, reader))) {
      const fields = { ...toolFields(entry, id), targets: [id] };
      if (servers.has(name)) servers.set(`${name}-${id}`, { name, ...fields });
      else servers.set(name, fields);
    }
  }
  // A server without any remaining tool is dropped.
  return new Map([...servers].filter(([, { targets }]) => !Array.isArray(targets) || targets.length > 0));
}

/** Keys that only the tool of an entry knows become overlays. */
function toolFields(entry: DataMap, id: string): DataMap {
  const isNative = (key: string) => !isPortable('mcpServers', portableName('mcpServers', key));
  const native = Object.entries(entry).filter(([key]) => isNative(key));
  if (native.length === 0) return entry;
  const others = Object.entries(entry).filter(([key]) => !isNative(key));
  return { ...Object.fromEntries(others), tools: { [id]: Object.fromEntries(native) } };
}

function serverOf(name: string, entry: Data, file: DataFile, reader: ForeignReader): [string, DataMap][] {
  if (!isObject(entry)) return [];
  const fields: Record<string, Data> = {};
  for (const [key, value] of Object.entries(entry)) {
    if (key === 'targets') {
      const targets = reader.toolsNamedIn(value);
      if (targets) fields.targets = [...targets];
    } else if (key === 'disabled' && value === true) fields.enabled = false;
    else if (key !== 'name' && key !== 'disabled' && !file.drop?.includes(key)) {
      const isTime = typeof value === 'number' && file.seconds?.includes(key);
      fields[file.rename?.[key] ?? key] = isTime ? value * 1000 : value;
    }
  }
  // An empty table of environment variables has no meaning.
  if (isObject(fields.env) && Object.keys(fields.env).length === 0) delete fields.env;
  return [[name, fields]];
}

export type PortableHook = readonly [name: string, fields: DataMap];

/**
 * Hooks by event. Shell commands stay a single text for the shell. The hooks of one tool for an event replace
 * those for all. What cannot be converted is reported to the reader.
 */
export async function readHooks(reader: ForeignReader): Promise<readonly PortableHook[]> {
  const hooks: PortableHook[] = [];
  for (const { file, data } of await reader.all(reader.source.hooks)) {
    let shared = hooksIn(valueAt(data, file.at ?? []), file, reader);
    const own: PortableHook[] = [];
    for (const { id, own: table } of tablesOfTools(data, file, reader)) {
      const events = isObject(table) ? Object.keys(table).map(event => file.events?.[event]) : [];
      shared = shared.map(([name, fields]) => [
        name,
        events.includes(String(fields.event)) ? keepFrom(id, fields) : fields,
      ]);
      for (const [name, fields] of hooksIn(table, file, reader))
        own.push([`${name}-${id}`, { ...fields, targets: [id] }]);
    }
    hooks.push(...shared, ...own);
  }
  return hooks;
}

function hooksIn(found: Data | undefined, file: DataFile, reader: ForeignReader): PortableHook[] {
  const hooks: PortableHook[] = [];
  for (const [event, list] of isObject(found) ? Object.entries(found) : []) {
    const portable = file.events?.[event];
    const listed: readonly Data[] = Array.isArray(list) ? list : [];
    for (const [index, hook] of listed.entries()) {
      const action = isObject(hook) ? actionOf(hook) : undefined;
      if (portable === undefined) reader.leave(`${file.path}: ${event}`, 'no event of the portable model');
      else if (!isObject(hook) || !action)
        reader.leave(`${file.path}: ${event}`, 'it runs no command and asks nothing');
      else {
        const isFromRoot = file.fromRoot && strings(action.command)[0]?.startsWith('.');
        const fields = { ...hookOf(portable, action, hook), ...(isFromRoot && { cwd: 'project' }) };
        hooks.push([`${portable}-${index + 1}`, fields]);
      }
    }
  }
  return hooks;
}

/** The action of a hook: a command, or a prompt for a model. */
function actionOf({ type, command, prompt, model }: DataMap): DataMap | undefined {
  if (type === 'prompt' && typeof prompt === 'string')
    return { prompt, ...(typeof model === 'string' && { model }) };
  if ((type !== undefined && type !== 'command') || typeof command !== 'string') return undefined;
  const isPlain = /^[\w./:@+,-]+(?: [\w./:@+,=-]+)*$/.test(command);
  return { command: isPlain ? command.split(' ') : ['sh', '-c', command] };
}

function hookOf(event: string, action: DataMap, hook: DataMap): DataMap {
  return {
    event,
    ...action,
    ...(typeof hook.matcher === 'string' && hook.matcher !== '' && { matcher: hook.matcher }),
    ...(typeof hook.timeout === 'number' && { timeoutMs: hook.timeout * 1000 }),
    ...(typeof hook.description === 'string' && { description: hook.description }),
    ...(typeof hook.statusMessage === 'string' && { statusMessage: hook.statusMessage }),
    ...(hook.async === true && { async: true }),
    ...(hook.enabled === false && { enabled: false }),
  };
}
