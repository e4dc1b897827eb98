import { linkSkipped } from '../../generated/diagnostics.ts';
import type { Resource } from '../../resolve/program.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { joinPath, nameOf } from '../../text/paths.ts';
import { commandsPath, isMarkdownPath, serversPath } from '../../text/places.ts';
import { entryKind } from '../open/project-tree.ts';
import { type GatherContext, hasRoom, projectLayer, projectPlace } from './gathering.ts';
import { readResources } from './skill-files.ts';
import { addFile, addSkill, type ItemFolder, itemFolders, sharedCommands } from './units.ts';

/**
 * Sources that are found by their folder, without a reference: skills, rules, agents, commands and MCP servers of
 * `.instr`, then skills and commands of the universal directory. Outputs of this compiler are no sources.
 */
export async function discover(gathering: GatherContext): Promise<readonly string[]> {
  const { universalDir } = gathering.options;
  const found = new Map<string, string>();
  await discoverSkills('.instr/skills', found, await sharedFiles(gathering), gathering);
  const items: string[] = [];
  for (const folder of itemFolders) items.push(...(await discoverItems(folder, gathering)));
  items.push(...discoverServers(gathering));
  if (universalDir !== undefined) {
    await discoverSkills(joinPath(universalDir, 'skills'), found, [], gathering);
    const known = new Set(items.filter(id => id.startsWith(`${commandsPath}/`)).map(nameOf));
    const shared = await discoverItems(sharedCommands(universalDir), gathering);
    items.push(...shared.filter(id => !known.has(nameOf(id))));
  }
  return [...found.values(), ...items];
}

/** Files below `.instr/shared`, which every skill of the project gets. */
async function sharedFiles(gathering: GatherContext): Promise<readonly Resource[]> {
  const { tree, report } = gathering;
  const folder = '.instr/shared';
  const entries = entryKind(tree.list('.instr'), 'shared') ? tree.list(folder) : undefined;
  return entries ? readResources({ tree, report }, folder, entries, 'shared') : [];
}

async function discoverSkills(
  folder: string,
  found: Map<string, string>,
  shared: readonly Resource[],
  gathering: GatherContext,
): Promise<void> {
  const { tree, report, isGenerated } = gathering;
  const place = projectPlace(gathering);
  for (const { name, kind } of tree.list(folder) ?? []) {
    const path = joinPath(folder, name);
    if (found.has(name)) continue;
    if (kind === 'link') report(linkSkipped({ path }, { file: path }));
    if (kind !== 'directory') continue;
    const entries = tree.list(path) ?? [];
    const file = joinPath(path, 'SKILL.md');
    const skill = entries.find(entry => entry.name === 'SKILL.md')?.kind;
    if (skill === 'link') report(linkSkipped({ path: file }, { file }));
    const bytes = skill === 'file' ? tree.read(file) : undefined;
    if (!bytes || isGenerated(file, () => bytes)) continue;
    const id = await addSkill(path, entries, bytes, place, undefined, gathering, shared);
    if (id !== undefined) found.set(name, id);
  }
}

/** Markdown files of a folder, each an entry of a block. */
async function discoverItems(
  { path: folder, deep }: Pick<ItemFolder, 'path' | 'deep'>,
  gathering: GatherContext,
): Promise<string[]> {
  const { tree, report, isGenerated, units } = gathering;
  const ids: string[] = [];
  for (const { name, kind } of tree.list(folder) ?? []) {
    const path = joinPath(folder, name);
    if (deep && kind === 'directory') ids.push(...(await discoverItems({ path, deep }, gathering)));
    if (kind === 'directory' || !isMarkdownPath(name)) continue;
    if (kind === 'link') report(linkSkipped({ path }, { file: path }));
    const bytes = kind === 'file' && !units.has(path) ? tree.read(path) : undefined;
    if (bytes && !isGenerated(path, () => bytes))
      await addFile(path, bytes, projectPlace(gathering), undefined, gathering);
    if (units.has(path)) ids.push(path);
  }
  return ids;
}

/** The MCP servers of the project and of one user, in the format of the tools. */
function discoverServers(gathering: GatherContext): string[] {
  const { tree, report, units } = gathering;
  const kind = entryKind(tree.list('.instr'), nameOf(serversPath));
  if (kind === 'link') report(linkSkipped({ path: serversPath }, { file: serversPath }));
  const bytes = kind === 'file' ? tree.read(serversPath) : undefined;
  const source = bytes && decodeSource(serversPath, bytes, report);
  const lists = [source, gathering.options.servers].filter(list => list !== undefined);
  return lists.flatMap(list => {
    if (!hasRoom(gathering, undefined)) return [];
    const isPart = list === gathering.options.servers;
    units.set(list.name, { kind: 'servers', id: list.name, layer: projectLayer, source: list, isPart });
    return [list.name];
  });
}
