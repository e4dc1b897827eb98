import type { OutputFile } from '../../kinds/output.ts';
import type { Data, DataObject } from '../../model/model.ts';
import type { Manifest } from '../../plan/manifest.ts';
import { isObject } from '../../text/data.ts';
import { serversPath } from '../../text/places.ts';
import { serverSource } from '../adopt/servers.ts';
import { changeServers } from './field-candidates.ts';
import { type AbsorbedHunk, resultOf } from './hunks.ts';
import type { Candidate, Workspace } from './workspace.ts';

/** An MCP server that somebody added to a settings file of a tool, with the line of its name. */
interface AddedServer {
  readonly path: string;
  readonly name: string;
  readonly entry: Data;
  readonly line: string;
  readonly at: number;
}

/**
 * Makes servers that somebody added to settings files of tools entries of `.instr/mcp.json`, for all tools. One that
 * would change the settings file is refused.
 */
export async function adoptServers(manifest: Manifest, workspace: Workspace): Promise<AbsorbedHunk[]> {
  const hunks: AbsorbedHunk[] = [];
  for (const { path, name, entry, line, at } of await findServers(manifest, workspace)) {
    const before = workspace.textOf(serversPath) ?? '{\n  "mcpServers": {}\n}\n';
    const candidate: Candidate = new Map([
      [serversPath, changeServers(before, { path: [name], value: entry })],
    ]);
    const kept = await workspace.keepFirst([candidate], now => now.entries.get(path)?.action === 'keep');
    const hunk = { at, removed: [], added: [line] };
    const reason = `the server ${JSON.stringify(name)} would be changed in this file`;
    hunks.push(resultOf(hunk, path, kept ? { to: kept } : { reason }));
  }
  return hunks;
}

async function findServers(manifest: Manifest, workspace: Workspace): Promise<AddedServer[]> {
  const rolesOf = await workspace.roleFinder();
  const paths = workspace.specs
    .flatMap(({ files }) => Object.values(files))
    .flatMap(file => (file.kind === 'entries' && file.of === 'mcpServers' ? [file.path] : []));
  const found: AddedServer[] = [];
  for (const path of [...new Set(paths)].sort()) {
    const lines = workspace.linesOf(path);
    const role = rolesOf(path).find(one => one.kind === 'entries');
    if (!lines || role?.kind !== 'entries') continue;
    const file = { path, roles: [role], text: lines.join('\n') };
    const { sources } = await serverSource([file], [role.spec], new Map());
    const servers: object = sources[0] ? JSON.parse(String(sources[0].text)).mcpServers : {};
    const generated = [
      ...(manifest.files.get(path)?.keys?.map(key => key.path.at(-1)) ?? []),
      ...namesInLists(await workspace.outputOf(path)),
      ...found.map(({ name }) => name),
    ];
    for (const [name, { into: _into, ...entry }] of Object.entries<DataObject>({ ...servers })) {
      if (generated.includes(name)) continue;
      const at = lines.findIndex(line => line.includes(name));
      found.push({ path, name, entry, line: lines[at] ?? name, at: Math.max(0, at) });
    }
  }
  return found;
}

/** Words of generated elements of lists, among them the names of servers where a tool keeps these in a list. */
function namesInLists(output: OutputFile | undefined): string[] {
  const edits = output?.kind === 'shared' ? output.edits : [];
  return edits.flatMap(({ kind, value }) =>
    kind !== 'set' && isObject(value) ? Object.values(value).filter(one => typeof one === 'string') : [],
  );
}
