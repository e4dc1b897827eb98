import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { checkOutputPath } from '../../plan/safe-path.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import type { SourceFile } from '../write/write-sources.ts';
import { type Adopted, type AdoptedPart, type Constraints, type NotTaken, noPart } from './adoption.ts';
import type { AdoptionInput } from './attempt.ts';
import { intoLine, targetLines, withLines } from './items.ts';
import type { ItemRole } from './roles.ts';
import { unitedText } from './unite.ts';

/** A folder with a `SKILL.md`, where a tool finds it. */
export interface SkillFolder {
  /** Path of its `SKILL.md`. */
  readonly path: string;
  readonly name: string;
  /** Where it really lies; links lead there. */
  readonly real: string;
  readonly readers: readonly TargetSpec[];
  /** What it is to them. */
  readonly roles: readonly ItemRole[];
  /** It is found where it lies, without being named. */
  readonly found: boolean;
  /** Every file of it, `SKILL.md` first. */
  readonly files: readonly SkillFile[];
}

/** A file of the folder of a skill. */
export interface SkillFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** What became of the folders of skills. */
export interface AdoptedSkills extends AdoptedPart {
  /** Skills that a tool has already; a tool that is not in it may have all. */
  readonly has: ReadonlyMap<TargetSpec, readonly string[]>;
}

/** Folders that become one source. */
interface SkillClass {
  readonly same: readonly SkillFolder[];
  /** Their `SKILL.md`, where they say other fields of one text. */
  readonly text?: string;
}

/** Folders of skills that a tool in use has, or that are found where they lie, with all their files. */
export function skillFolders({
  root,
  disk,
  found,
  tools: specs,
  universalDir,
}: AdoptionInput): SkillFolder[] {
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

/**
 * Skills as whole folders. One that discovery finds where it lies stays there. A tool gets only the skills that it
 * has already. Different skills of one name are different sources, which say where they stand; so do those in `pinned`.
 * Those of which only fields of `SKILL.md` differ are one source, unless they are in `separate`.
 */
export async function skillSources(
  folders: readonly SkillFolder[],
  specs: readonly TargetSpec[],
  constraints: Constraints,
): Promise<AdoptedSkills> {
  const { excluded, pinned } = constraints;
  const united = new Map<string, ReadonlySet<string>>();
  const sources: SourceFile[] = [];
  const adopted: Adopted[] = [];
  const left: NotTaken[] = [];
  const unpinned: string[] = [];
  const has = new Map(specs.map(spec => [spec, new Set<string>()]));
  const inPlace = new Set<string>();
  const taken = new Set(folders.map(({ name }) => name));
  for (const [name, group] of byName(folders)) {
    const usable = group.filter(folder => {
      const { path, readers, found } = folder;
      const reason = found ? undefined : (oddIn(folder) ?? excluded.get(path));
      if (reason !== undefined) left.push({ path, specs: readers, reason });
      return reason === undefined;
    });
    for (const [index, { same, text: common }] of (
      await unitedClasses(usable, specs, constraints)
    ).entries()) {
      const first = same[0]!;
      const readers = new Set(same.flatMap(other => other.readers));
      if (first.found) {
        const entry = entryName(first, name);
        for (const spec of readers) has.get(spec)?.add(entry);
        inPlace.add(entry);
        adopted.push(...same.map(({ path }) => ({ path, source: first.path })));
        continue;
      }
      const isPinned = index > 0 || same.some(({ path }) => pinned.has(path));
      const folder = `.instr/skills/${index === 0 ? name : nameBeside(name, first, taken)}`;
      if (isPinned) taken.add(folder.slice('.instr/skills/'.length));
      else {
        unpinned.push(...same.map(({ path }) => path));
        for (const spec of readers) has.get(spec)?.add(entryName(first, name));
      }
      const lines = [
        ...targetLines(specs, readers),
        ...(isPinned ? [intoLine(same.map(({ path }) => path))] : []),
      ];
      if (common !== undefined)
        for (const { path, readers: own } of same) united.set(path, new Set(own.map(({ id }) => id)));
      for (const { path, bytes, executable } of first.files) {
        const isOther = path === 'SKILL.md' && (lines.length > 0 || common !== undefined);
        const text = isOther ? withLines(common ?? textOf(bytes), lines) : bytes;
        sources.push({ path: `${folder}/${path}`, text, executable });
      }
      adopted.push(...same.map(({ path }) => ({ path, source: `${folder}/SKILL.md` })));
    }
  }
  // What is found in place is for every tool; those that do not have it are to be adopted from it by their settings.
  const limited = specs.flatMap(spec => {
    const own = has.get(spec)!;
    return [...inPlace].every(name => own.has(name)) ? [] : [[spec, [...own].sort()] as const];
  });
  return { ...noPart, sources, adopted, left, unpinned, united, has: new Map(limited) };
}

/** Why a folder can be no source, as far as its files tell. */
function oddIn({ path, files }: SkillFolder): string | undefined {
  if (files.every(file => file.path !== 'SKILL.md'))
    return 'its `SKILL.md` is a link, and a source holds its text itself';
  const folder = path.slice(0, -'SKILL.md'.length);
  for (const file of files) {
    const problem = checkOutputPath(folder + file.path);
    if (problem !== undefined)
      return `the path ${folder + file.path} ${problem}, which not every system takes`;
  }
  return undefined;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Folders that hold the same, those that are found where they lie first. */
function classesOf(folders: readonly SkillFolder[]): SkillFolder[][] {
  const classes: SkillFolder[][] = [];
  for (const folder of [...folders].sort((a, b) => Number(b.found) - Number(a.found))) {
    const same = classes.find(([first]) => first!.real === folder.real || sameFiles(first!, folder));
    if (same) same.push(folder);
    else classes.push([folder]);
  }
  return classes;
}

/** Classes of which only fields of their `SKILL.md` differ are one. */
async function unitedClasses(
  folders: readonly SkillFolder[],
  specs: readonly TargetSpec[],
  { pinned, separate }: Constraints,
): Promise<readonly SkillClass[]> {
  const united: SkillClass[] = [];
  const mayUnite = ({ path, found }: SkillFolder) => !found && !pinned.has(path) && !separate.has(path);
  for (const same of classesOf(folders)) {
    const at = united.findIndex(
      ({ same: others }) => [...others, ...same].every(mayUnite) && sameFiles(others[0]!, same[0]!, true),
    );
    const all = at === -1 ? same : [...united[at]!.same, ...same];
    const text = at === -1 ? undefined : await unitedText(all.map(asItem), specs);
    if (text === undefined) united.push({ same });
    else united[at] = { same: all, text: withLines(text, [`name: ${entryName(same[0]!, same[0]!.name)}`]) };
  }
  return united;
}

const asItem = ({ path, roles, files }: SkillFolder) => ({
  path,
  roles,
  text: textOf(files.find(file => file.path === 'SKILL.md')!.bytes),
});

function nameBeside(name: string, { readers }: SkillFolder, taken: ReadonlySet<string>): string {
  const plain = `${name}-${readers[0]?.id ?? 'other'}`;
  let found = plain;
  for (let count = 2; taken.has(found); count++) found = `${plain}-${count}`;
  return found;
}

/** Skills are known by the name that they say, where it can be one, else by their folder. */
function entryName({ files }: SkillFolder, folder: string): string {
  const text = files.find(({ path }) => path === 'SKILL.md');
  const name = text && readFrontMatter(textOf(text.bytes)).fields.get('name');
  return typeof name === 'string' && /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : folder;
}

function byName(folders: readonly SkillFolder[]): Map<string, SkillFolder[]> {
  const groups = new Map<string, SkillFolder[]>();
  for (const folder of folders) groups.set(folder.name, [...(groups.get(folder.name) ?? []), folder]);
  return groups;
}

const sameFiles = (a: SkillFolder, b: SkillFolder, but = false): boolean =>
  a.files.length === b.files.length &&
  a.files.every(({ path, bytes }, index) => {
    const other = b.files[index]!;
    const isEqual = (but && path === 'SKILL.md') || Buffer.compare(other.bytes, bytes) === 0;
    return other.path === path && isEqual;
  });
