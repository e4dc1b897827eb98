import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { compareCode } from '../../text/order.ts';
import { documentsOf, type MainFile } from './documents.ts';
import type { FoundFile, FoundFiles } from './find-files.ts';
import { type ItemFile, itemSources } from './items.ts';
import type { Keeping, KeptDocument, Reading, Refused } from './keeping.ts';
import type { EntriesRole, ItemRole } from './roles.ts';
import { type ServersFile, serverSource } from './servers.ts';
import { type SkillFile, type SkillFolder, skillSources } from './skills.ts';

export interface KeepingInput {
  readonly root: string;
  readonly disk: Disk;
  readonly found: FoundFiles;
  /** The tools that are written for. */
  readonly specs: readonly TargetSpec[];
  readonly universalDir: string | undefined;
}

/** What becomes a source, what stays. `refused` are originals that were found to come out otherwise than they stood. */
export async function planKeeping(input: KeepingInput, refused: Refused): Promise<Keeping> {
  const { root, disk, found, specs } = input;
  const left: Reading[] = [];
  const mains: MainFile[] = [];
  const items: ItemFile[] = [];
  const servers: ServersFile[] = [];
  for (const file of found.files) {
    const { path } = file;
    const roles = file.roles.filter(({ spec }) => specs.includes(spec));
    const leave = (reason: string) => left.push({ path, specs: roles.map(({ spec }) => spec), reason });
    const bytes = disk.readBytes(join(root, path));
    const text = bytes && textOf(bytes);
    const reason = refused.get(path);
    const itemRoles = usual(roles.filter((role): role is ItemRole => role.kind === 'item'));
    const entries = roles.filter((role): role is EntriesRole => role.kind === 'entries');
    const places = entries.filter(({ file }) => file.of === 'mcpServers');
    if (!bytes) continue;
    if (text === undefined) leave('it is no text in UTF-8');
    else if (itemRoles.length > 0) items.push({ path, roles: itemRoles, text });
    else if (file.roles.some(({ kind }) => kind === 'main')) {
      if (text.trim() === '') leave('it is empty');
      else if (reason === undefined) mains.push({ path, bytes });
      else leave(reason);
    } else if (places.length > 0) servers.push({ path, roles: places, text });
    else if (roles.length > 0) leave('what it says stays there');
  }
  const { documents, unread } = documentsOf(mains, specs);
  const own = itemSources(items, specs, refused);
  const skills = skillSources(skillFolders(input), specs, refused);
  const mcp = await serverSource(servers, specs, refused);
  return {
    targets: skills.targets,
    documents,
    sources: [
      ...documents.map(({ source, bytes }) => ({ path: source, text: bytes })),
      ...own.sources,
      ...skills.sources,
      ...mcp.sources,
    ],
    kept: [...documents.flatMap(keptAt), ...own.kept, ...skills.kept, ...mcp.kept],
    left: [...left, ...unread, ...own.left, ...skills.left, ...mcp.left].sort((a, b) =>
      compareCode(a.path, b.path),
    ),
  };
}

const keptAt = ({ places, source }: KeptDocument) => places.map(path => ({ path, source }));

/** Places of the usual versions of tools, where there are some. */
function usual(roles: readonly ItemRole[]): ItemRole[] {
  const own = roles.filter(role => role.own);
  const [first] = own.length > 0 ? own : roles;
  return (own.length > 0 ? own : roles).filter(({ file }) => file.of === first!.file.of);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function skillFolders({ root, disk, found, specs, universalDir }: KeepingInput): SkillFolder[] {
  return found.skills.flatMap((file): SkillFolder[] => {
    const roles = file.roles.filter(
      (role): role is ItemRole => role.kind === 'item' && role.file.of === 'skills',
    );
    const folder = file.path.replace(/\/SKILL\.md$/, '');
    const isFound =
      universalDir !== undefined &&
      folder.startsWith(`${universalDir}/skills/`) &&
      disk.lstat(join(root, folder))?.kind === 'directory';
    if (roles.length === 0 && !isFound) return [];
    const readers = specs.filter(spec => roles.some(role => role.spec === spec && role.own));
    if (readers.length === 0 && !isFound) return [];
    const name = roles[0]?.name ?? folder.slice(folder.lastIndexOf('/') + 1);
    return [
      {
        path: file.path,
        name,
        real: file.real ?? file.path,
        readers,
        found: isFound,
        files: isFound ? [] : filesBelow(join(root, folder), disk),
      },
    ];
  });
}

/** Every file of a folder; links are no part of it. */
function filesBelow(folder: string, disk: Disk, prefix = ''): SkillFile[] {
  const entries = [...(disk.list(join(folder, prefix)) ?? [])];
  return entries.flatMap(({ name, kind }): SkillFile[] => {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    if (kind === 'directory') return unusual.has(name) ? [] : filesBelow(folder, disk, path);
    const bytes = kind === 'file' ? disk.readBytes(join(folder, path)) : undefined;
    if (!bytes) return [];
    return [{ path, bytes, executable: disk.stat(join(folder, path))?.executable === true }];
  });
}

const unusual = new Set(['.git', 'node_modules', '__pycache__']);

export type { FoundFile };
