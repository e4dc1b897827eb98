import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import type { OutputFile } from '../../kinds/output.ts';
import type { Manifest } from '../../plan/manifest.ts';
import { serversPath, sharedDir } from '../../text/places.ts';
import { roleFinder } from '../adopt/roles.ts';
import { serverSource } from '../adopt/servers.ts';
import type { Project } from '../open/open.ts';
import { linesOfBytes } from './edited-file.ts';
import { isFields } from './fields.ts';
import { type AbsorbedHunk, absorbedOrRefused } from './run.ts';
import type { Candidate, Workspace } from './workspace.ts';

/** An MCP server that somebody added to a settings file of a tool, with the line of its name. */
interface AddedServer {
  readonly path: string;
  readonly name: string;
  readonly entry: unknown;
  readonly line: string;
  readonly at: number;
}

/**
 * Makes servers that somebody added to settings files of tools entries of `.instr/mcp.json`, for all tools. One that
 * would change the settings file is refused.
 */
export async function adoptServers(
  project: Project,
  manifest: Manifest,
  workspace: Workspace,
): Promise<AbsorbedHunk[]> {
  const hunks: AbsorbedHunk[] = [];
  for (const { path, name, entry, line, at } of await findServers(project, manifest, workspace)) {
    const before = workspace.textOf(serversPath) ?? '{\n  "mcpServers": {}\n}\n';
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const text = applyEdits(before, modify(before, ['mcpServers', name], entry, { formattingOptions }));
    const candidate: Candidate = new Map([[serversPath, text]]);
    const kept = await workspace.keepFirst([candidate], now => now.entries.get(path)?.action === 'keep');
    const hunk = { at, removed: [], added: [line] };
    const reason = `the server ${JSON.stringify(name)} would be changed in this file`;
    hunks.push(absorbedOrRefused(hunk, path, kept, reason));
  }
  return hunks;
}

async function findServers(
  { loaded }: Project,
  manifest: Manifest,
  workspace: Workspace,
): Promise<AddedServer[]> {
  const specs = workspace.trial.compiled.requests.map(({ spec }) => spec);
  const rolesOf = roleFinder(specs, sharedDir(loaded.config.universalDir));
  const paths = specs
    .flatMap(({ files }) => Object.values(files))
    .flatMap(file => (file.kind === 'entries' && file.of === 'mcpServers' ? [file.path] : []));
  const found: AddedServer[] = [];
  for (const path of [...new Set(paths)].sort()) {
    const lines = linesOfBytes(workspace.disk.readBytes(join(workspace.root, path)) ?? new Uint8Array());
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
    for (const [name, { into: _into, ...entry }] of Object.entries<Record<string, unknown>>({ ...servers })) {
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
    kind !== 'set' && isFields(value) ? Object.values(value).filter(one => typeof one === 'string') : [],
  );
}
