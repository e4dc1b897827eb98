import { join } from 'node:path';
import type { OutputFile } from '../../kinds/output.ts';
import type { Manifest } from '../../plan/manifest.ts';
import { serversPath, sharedDir } from '../../text/places.ts';
import type { Project } from '../open/open.ts';
import { isFields } from './data.ts';
import { linesOfBytes } from './edited.ts';
import type { Trial, Workshop } from './trial.ts';
import type { WholeFiles } from './whole-files.ts';
import type { AbsorbedHunk } from './work.ts';

/** A server that somebody entered in a settings file of a tool. */
interface Found {
  readonly path: string;
  readonly name: string;
  readonly entry: unknown;
  readonly line: string;
  readonly at: number;
}

/**
 * Makes servers that somebody entered in settings files of tools entries of `.instr/mcp.json`, for all tools. One that
 * would change a settings file which has it stays there, with a reason.
 */
export async function adoptServers(
  project: Project,
  manifest: Manifest,
  shop: Workshop,
  start: Trial,
): Promise<WholeFiles> {
  const hunks: AbsorbedHunk[] = [];
  let trial = start;
  const { applyEdits, modify } = await import('jsonc-parser');
  for (const { path, name, entry, line, at } of await findServers(project, manifest, shop, start)) {
    const hunk = { file: path, line: at + 1, at, removed: [], added: [line] };
    const before = shop.linesOf(serversPath)?.join('\n') ?? '{\n  "mcpServers": {}\n}\n';
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const text = applyEdits(before, modify(before, ['mcpServers', name], entry, { formattingOptions }));
    const candidate = { edits: [], moves: [{ file: serversPath, text }] };
    const kept = await shop.keepIf(candidate, ({ entries }) => entries.get(path)?.action === 'keep');
    if (kept) {
      trial = kept.trial;
      hunks.push({ ...hunk, state: 'absorbed', to: [{ file: serversPath, line: 1 }] });
      continue;
    }
    const reason = `the server ${JSON.stringify(name)} would not stand in this file as it does now`;
    hunks.push({ ...hunk, state: 'refused', to: [], reason });
  }
  return { hunks, trial };
}

async function findServers(
  { loaded }: Project,
  manifest: Manifest,
  shop: Workshop,
  { compiled }: Trial,
): Promise<Found[]> {
  const { roleFinder } = await import('../keep/roles.ts');
  const { serverSource } = await import('../keep/servers.ts');
  const { universalDir } = loaded.config;
  const specs = compiled.requests.map(({ spec }) => spec);
  const rolesOf = roleFinder(specs, sharedDir(universalDir));
  const found: Found[] = [];
  const paths = specs.flatMap(({ files }) =>
    Object.values(files).flatMap(file =>
      file.kind === 'entries' && file.of === 'mcpServers' ? [file.path] : [],
    ),
  );
  for (const path of [...new Set(paths)].sort()) {
    const lines = linesOfBytes(shop.disk.readBytes(join(shop.root, path)) ?? new Uint8Array());
    const role = rolesOf(path).find(one => one.kind === 'entries');
    if (!lines || role?.kind !== 'entries') continue;
    const file = { path, roles: [role], text: lines.join('\n') };
    const { sources } = await serverSource([file], [role.spec], new Map());
    const servers = sources[0] && JSON.parse(String(sources[0].text)).mcpServers;
    const owned = new Set(manifest.files.get(path)?.keys?.map(key => key.path.at(-1)));
    for (const name of namesInLists(await shop.outputOf(path))) owned.add(name);
    for (const [name, { into: _into, ...entry }] of Object.entries<Record<string, unknown>>(servers ?? {})) {
      if (owned.has(name) || found.some(one => one.name === name)) continue;
      const at = Math.max(
        0,
        lines.findIndex(line => line.includes(name)),
      );
      found.push({ path, name, entry, line: lines[at]!, at });
    }
  }
  return found;
}

/** Words of our elements in lists of a file, among them the names of servers that a tool keeps in a list. */
function namesInLists(output: OutputFile | undefined): string[] {
  const edits = output?.kind === 'shared' ? output.edits : [];
  return edits.flatMap(({ kind, value }) =>
    kind !== 'set' && isFields(value) ? Object.values(value).filter(one => typeof one === 'string') : [],
  );
}
