import type { TargetSpec } from '../../generated/types/target.ts';
import { nativeDifferences, readEntries } from '../../kinds/entries/read.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { writeVariables } from '../../resolve/servers.ts';
import { pathsOf } from '../../spec/item-places.ts';
import { equalUnordered, isObject } from '../../text/data.ts';
import { unusedName } from '../../text/free-name.ts';
import { serversPath } from '../../text/places.ts';
import { splitCommand } from '../../text/shell.ts';
import { type AdoptedParts, audienceOf, newParts } from './adoption.ts';
import { type EntriesFile, staysVerb } from './entries.ts';

interface Server {
  readonly name: string;
  readonly fields: Readonly<Record<string, Data>>;
  readonly targets: Set<TargetSpec>;
  readonly paths: string[];
  /** Values that differ for single tools, by their ids. */
  readonly tools: Record<string, DataObject>;
}

/**
 * The servers of all tools in one file. A server names its tools, unless all tools have it, and keeps keys of a tool
 * that are not portable fields. Servers with the same name but different content are separate entries.
 */
export async function serverSource(
  files: readonly EntriesFile[],
  specs: readonly TargetSpec[],
  excluded: ReadonlyMap<string, string>,
  parts: AdoptedParts = newParts(),
): Promise<AdoptedParts> {
  const servers = new Map<string, Server>();
  for (const { path, roles, text } of files) {
    const [{ file, spec }] = roles as [EntriesFile['roles'][number]];
    const leave = (reason: string) =>
      void parts.left.push({ path, specs: roles.map(role => role.spec), reason });
    const reason = excluded.get(path);
    const parsed = reason === undefined ? await parseData(text, file.format) : { problem: '' };
    if ('problem' in parsed) {
      leave(reason ?? `it cannot be read: ${parsed.problem}`);
      continue;
    }
    const all = readEntries(parsed.data, file).items;
    const items = all.filter(({ fields }) => !isLine(fields.get('command')));
    const odd = all.find(item => !items.includes(item));
    if (odd) leave(oddReason(odd.key!, all.length - items.length, all.length));
    if (items.length === 0) continue;
    parts.adopted.push({ path, source: serversPath });
    for (const item of items) {
      const [name, fields] = [item.key!, Object.fromEntries(item.fields)];
      const key = keyFor(name, fields, spec, servers);
      const server = servers.get(key) ?? { name, fields, targets: new Set(), paths: [], tools: {} };
      servers.set(key, server);
      server.paths.push(path);
      for (const role of roles) {
        server.targets.add(role.spec);
        const own = nativeDifferences(role.file, role.spec, name, item.fields, parsed.data);
        if (Object.keys(own).length > 0) server.tools[role.spec.id] = own;
      }
    }
  }
  if (servers.size === 0) return parts;
  const entries = [...servers].map(([key, server]) => [key, entryOf(key, server, specs)]);
  const text = `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)}\n`;
  parts.sources.push({ path: serversPath, text });
  return parts;
}

/** A command line in one string would be written as program and arguments. */
const isLine = (command: Data | undefined): boolean =>
  typeof command === 'string' && splitCommand(command) !== undefined;

const oddReason = (name: string, count: number, of: number): string =>
  `${count} of ${of} servers ${staysVerb(count)} there: the command of \`${name}\` is a whole line in one text`;

function entryOf(key: string, { name, fields, targets, paths, tools }: Server, specs: readonly TargetSpec[]) {
  const readers = audienceOf(specs, targets);
  return {
    ...(key !== name && { name }),
    ...written(fields),
    ...(Object.keys(tools).length > 0 && { tools: written(tools) }),
    ...(readers && { targets: readers }),
    ...([...targets].some(spec => hasOtherPlace(spec, paths)) && { into: paths }),
  };
}

/** Whether a tool has a file with servers that does not contain this one. */
const hasOtherPlace = (spec: TargetSpec, paths: readonly string[]): boolean =>
  Object.values(spec.files).some(
    file =>
      file.kind === 'entries' &&
      file.of === 'mcpServers' &&
      (file.versions?.includes(spec.defaultVersion) ?? true) &&
      !pathsOf(file, spec, '').some(path => paths.includes(path)),
  );

/** Servers with the same name but different content are separate entries; their names get the tool as a suffix. */
const keyFor = (
  name: string,
  fields: Server['fields'],
  { id }: TargetSpec,
  servers: ReadonlyMap<string, Server>,
): string =>
  unusedName(
    name,
    key => {
      const known = servers.get(key);
      return known !== undefined && !(known.name === name && equalUnordered(known.fields, fields));
    },
    number => `${name}-${id}${number > 2 ? `-${number - 1}` : ''}`,
  );

/** The fields as a server list has them: references to variables in the portable form. */
function written(data: Data): DataObject {
  const write = (value: Data): Data => {
    if (typeof value === 'string') return writeVariables(value);
    if (Array.isArray(value)) return value.map(write);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, write(inner)]))
      : value;
  };
  return write(data) as DataObject;
}
