import { linkSkipped } from '../../generated/diagnostics.ts';
import type { Resource } from '../../resolve/program.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { joinPath, kindsIn } from '../move-in/find.ts';
import { addSkill } from './add-unit.ts';
import { type Gathering, hasRoom, projectHome, projectLayer } from './gathering.ts';
import { readResources } from './skill-files.ts';

/**
 * Skills and commands that lie in their folders without being named anywhere: skills of `.instr/skills` and of the
 * universal directory (the first of a name wins), then commands of the universal directory. Files that this compiler
 * wrote are no sources.
 */
export async function discover(gathering: Gathering): Promise<readonly string[]> {
  const { universalDir } = gathering.options;
  const found = new Map<string, string>();
  await discoverSkills('.instr/skills', found, await sharedFiles(gathering), gathering);
  if (universalDir === undefined) return [...found.values()];
  await discoverSkills(joinPath(universalDir, 'skills'), found, [], gathering);
  return [...found.values(), ...discoverCommands(joinPath(universalDir, 'commands'), gathering)];
}

/** Files below `.instr/shared`: every skill of the project gets them. */
async function sharedFiles(gathering: Gathering): Promise<readonly Resource[]> {
  const { tree, report } = gathering;
  const folder = '.instr/shared';
  const entries = kindsIn(tree.list('.instr') ?? []).has('shared') ? tree.list(folder) : undefined;
  return entries ? readResources({ tree, report }, folder, entries, 'shared') : [];
}

async function discoverSkills(
  folder: string,
  found: Map<string, string>,
  extra: readonly Resource[],
  gathering: Gathering,
): Promise<void> {
  const { tree, report, options } = gathering;
  for (const { name, kind } of tree.list(folder) ?? []) {
    const path = joinPath(folder, name);
    if (kind === 'link') report(linkSkipped({ path }, { file: path }));
    if (kind !== 'directory' || found.has(name)) continue;
    const entries = tree.list(path) ?? [];
    const file = joinPath(path, 'SKILL.md');
    const skill = kindsIn(entries).get('SKILL.md');
    if (skill === 'link') report(linkSkipped({ path: file }, { file }));
    const bytes = skill === 'file' ? tree.read(file) : undefined;
    if (!bytes || options.isGenerated?.(file, bytes)) continue;
    const id = await addSkill(path, entries, bytes, projectHome(gathering), undefined, gathering, extra);
    if (id !== undefined) found.set(name, id);
  }
}

function discoverCommands(folder: string, gathering: Gathering): string[] {
  const { tree, report, options, units } = gathering;
  const ids: string[] = [];
  for (const { name, kind } of tree.list(folder) ?? []) {
    const id = joinPath(folder, name);
    if (!name.endsWith('.md')) continue;
    if (kind === 'link') report(linkSkipped({ path: id }, { file: id }));
    const bytes = kind === 'file' ? tree.read(id) : undefined;
    if (!bytes || options.isGenerated?.(id, bytes)) continue;
    const source = decodeSource(id, bytes, report);
    if (!source || !hasRoom(gathering, undefined)) continue;
    units.set(id, { kind: 'command', id, layer: projectLayer, source, name: name.slice(0, -'.md'.length) });
    ids.push(id);
  }
  return ids;
}
