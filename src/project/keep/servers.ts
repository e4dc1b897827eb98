import type { TargetSpec } from '../../generated/types/target.ts';
import { readEntries } from '../../kinds/entries/read.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import type { Data } from '../../model/model.ts';
import { sameData } from '../../text/equal.ts';
import { serversPath } from '../../text/places.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { Kept, Reading, Refused } from './keeping.ts';
import type { EntriesRole } from './roles.ts';

/** A structured file at the root in which tools look for servers. */
export interface ServersFile {
  readonly path: string;
  readonly roles: readonly EntriesRole[];
  readonly text: string;
}

interface Server {
  readonly name: string;
  readonly fields: Readonly<Record<string, Data>>;
  readonly targets: Set<TargetSpec>;
}

/** The servers of all tools in one file; each names the tools that have it, unless all do. */
export async function serverSource(
  files: readonly ServersFile[],
  specs: readonly TargetSpec[],
  refused: Refused,
): Promise<{
  readonly sources: readonly SourceFile[];
  readonly kept: readonly Kept[];
  readonly left: readonly Reading[];
}> {
  const left: Reading[] = [];
  const kept: Kept[] = [];
  const servers = new Map<string, Server>();
  for (const { path, roles, text } of files) {
    const readers = roles.map(({ spec }) => spec);
    const leave = (reason: string) => void left.push({ path, specs: readers, reason });
    const reason = refused.get(path);
    if (reason !== undefined) {
      leave(reason);
      continue;
    }
    const { file } = roles[0]!;
    const parsed = await parseData(text, file.format);
    if ('problem' in parsed) {
      leave(`it cannot be read: ${parsed.problem}`);
      continue;
    }
    const { items } = readEntries(parsed.data, file);
    const found = items.map(({ key, fields }) => ({ name: key!, fields: Object.fromEntries(fields) }));
    const other = found.find(({ name, fields }) => {
      const known = servers.get(name);
      return known !== undefined && !sameData(known.fields, fields);
    });
    if (other) {
      leave(`its server \`${other.name}\` differs from the one of another tool`);
      continue;
    }
    if (found.length === 0) continue;
    kept.push({ path, source: serversPath });
    for (const { name, fields } of found) {
      const server = servers.get(name) ?? { name, fields, targets: new Set<TargetSpec>() };
      servers.set(name, server);
      for (const spec of readers) server.targets.add(spec);
    }
  }
  if (servers.size === 0) return { sources: [], kept, left };
  const mcpServers = Object.fromEntries(
    [...servers.values()].map(({ name, fields, targets }) => {
      const ids = specs.filter(spec => targets.has(spec)).map(({ id }) => id);
      return [name, { ...fields, ...(ids.length < specs.length && { targets: ids }) }];
    }),
  );
  return {
    sources: [{ path: serversPath, text: `${JSON.stringify({ mcpServers }, null, 2)}\n` }],
    kept,
    left,
  };
}
