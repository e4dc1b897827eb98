import { join } from 'node:path';
import type { Disk } from '../../host/host.ts';
import type { KeepingInput } from './keeping.ts';
import type { ItemRole } from './roles.ts';
import type { SkillFile, SkillFolder } from './skills.ts';

/** Folders of skills that a tool in use has, or that are found where they lie, with all their files. */
export function skillFolders({ root, disk, found, specs, universalDir }: KeepingInput): SkillFolder[] {
  return found.skills.flatMap((file): SkillFolder[] => {
    const roles = file.roles.filter(
      (role): role is ItemRole => role.kind === 'item' && role.file?.of === 'skills',
    );
    const folder = file.path.replace(/\/SKILL\.md$/, '');
    const isFound =
      universalDir !== undefined &&
      folder.startsWith(`${universalDir}/skills/`) &&
      disk.lstat(join(root, folder))?.kind === 'directory';
    if (roles.length === 0 && !isFound) return [];
    const readers = specs.filter(spec => roles.some(role => role.spec === spec && role.own));
    if (readers.length === 0 && !isFound) return [];
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    return [
      {
        path: file.path,
        name,
        real: file.real ?? file.path,
        readers,
        roles: roles.filter(role => role.own && readers.includes(role.spec)),
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
