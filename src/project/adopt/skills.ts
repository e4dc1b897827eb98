import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { checkOutputPath } from '../../plan/manifest.ts';
import { unusedName } from '../../text/free-name.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { groupBy } from '../../text/group.ts';
import { joinPath, nameOf, parentOf } from '../../text/paths.ts';
import type { AdoptedParts, AdoptionInput, Constraints } from './adoption.ts';
import { placeLines, unitedText, withLines } from './items.ts';
import type { ItemRole } from './roles.ts';

/** A folder with a `SKILL.md`, where a tool finds it. */
export interface SkillFolder {
  readonly path: string;
  readonly name: string;
  /** The real path; the other paths are links to it. */
  readonly real: string;
  readonly readers: readonly TargetSpec[];
  readonly roles: readonly ItemRole[];
  /** Discovery finds the skill at its path, so it is a source in place. */
  readonly isInPlace: boolean;
  /** All its files, unless it is a source in place. */
  readonly files: readonly SkillFile[];
}

interface SkillFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

interface SkillClass {
  readonly same: SkillFolder[];
  /** Their `SKILL.md` files, when these have the same text and different fields. */
  text?: string;
}

/** Folders of skills that a tool in use has, or that discovery finds in place, with all their files. */
export function skillFolders({
  root,
  disk,
  found,
  tools: specs,
  universalDir,
}: AdoptionInput): SkillFolder[] {
  return found.skills.flatMap(({ path, real = path, roles: all }): SkillFolder[] => {
    const folder = parentOf(path);
    const isInPlace =
      universalDir !== undefined &&
      folder.startsWith(`${universalDir}/skills/`) &&
      disk.lstat(join(root, folder))?.kind === 'directory';
    const roles = all.filter(
      (role): role is ItemRole =>
        role.kind === 'item' && role.file?.of === 'skills' && role.isOwn && specs.includes(role.spec),
    );
    if (roles.length === 0 && !isInPlace) return [];
    const readers = specs.filter(spec => roles.some(role => role.spec === spec));
    const name = nameOf(folder);
    const files = isInPlace ? [] : filesBelow(join(root, folder), disk);
    return [{ path, name, real, readers, roles, isInPlace, files }];
  });
}

const notOfSkill = new Set(['.git', 'node_modules', '__pycache__']);

function filesBelow(folder: string, disk: Disk, prefix = ''): SkillFile[] {
  return (disk.list(join(folder, prefix)) ?? []).flatMap(({ name, kind }): SkillFile[] => {
    const path = joinPath(prefix, name);
    if (kind === 'directory') return notOfSkill.has(name) ? [] : filesBelow(folder, disk, path);
    const bytes = kind === 'file' ? disk.readBytes(join(folder, path)) : undefined;
    if (!bytes) return [];
    return [{ path, bytes, executable: disk.stat(join(folder, path))?.executable === true }];
  });
}

/**
 * Skills as whole folders. A skill that discovery finds stays in place. A tool gets only the skills that it has
 * already. Different skills with the same name are separate sources with `into`; so are those in `pinned`. If only
 * fields of `SKILL.md` differ, they are one source, unless they are in `separate`. Returns the skills of each tool;
 * tools that are not in the result may get all skills.
 */
export async function skillSources(
  folders: readonly SkillFolder[],
  specs: readonly TargetSpec[],
  constraints: Constraints,
  parts: AdoptedParts,
): Promise<ReadonlyMap<TargetSpec, readonly string[]>> {
  const { excluded, pinned } = constraints;
  const skillsOf = new Map(specs.map(spec => [spec, new Set<string>()]));
  const inPlace = new Set<string>();
  const taken = new Set(folders.map(({ name }) => name));
  for (const [name, group] of groupBy(folders, one => one.name)) {
    const usable = group.filter(folder => {
      const { path, readers, isInPlace } = folder;
      const reason = isInPlace ? undefined : (problemOf(folder) ?? excluded.get(path));
      if (reason !== undefined) parts.left.push({ path, specs: readers, reason });
      return reason === undefined;
    });
    const classes = await classesOf(usable, specs, constraints);
    for (const [index, one] of classes.entries()) {
      const { same } = one;
      const first = same[0]!;
      const entry = entryName(first);
      const isPinned = index > 0 || same.some(({ path }) => pinned.has(path));
      if (first.isInPlace) inPlace.add(entry);
      if (first.isInPlace || !isPinned)
        for (const spec of same.flatMap(({ readers }) => readers)) skillsOf.get(spec)?.add(entry);
      if (first.isInPlace) {
        parts.adopted.push(...same.map(({ path }) => ({ path, source: first.path })));
        continue;
      }
      const other = `${name}-${first.readers[0]?.id ?? 'other'}`;
      const called = index === 0 ? name : unusedName(other, free => taken.has(free));
      taken.add(called);
      addSkill(`.instr/skills/${called}`, one, isPinned, specs, parts);
    }
  }
  // Skills in place are for every tool; for tools without them, the settings must exclude them.
  const limited = [...skillsOf].filter(([, own]) => ![...inPlace].every(name => own.has(name)));
  return new Map(limited.map(([spec, own]) => [spec, [...own].sort()]));
}

function addSkill(
  folder: string,
  { same, text: common }: SkillClass,
  isPinned: boolean,
  specs: readonly TargetSpec[],
  parts: AdoptedParts,
): void {
  const paths = same.map(({ path }) => path);
  const readers = same.flatMap(one => one.readers);
  const lines = placeLines(specs, readers, isPinned ? paths : []);
  for (const { path, bytes, executable } of same[0]!.files) {
    const isOther = path === 'SKILL.md' && (lines.length > 0 || common !== undefined);
    const text = isOther ? withLines(common ?? textOf(bytes), lines) : bytes;
    parts.sources.push({ path: `${folder}/${path}`, text, executable });
  }
  for (const { path, readers: own } of same) {
    const unitedFor = common === undefined ? undefined : new Set(own.map(({ id }) => id));
    parts.adopted.push({ path, source: `${folder}/SKILL.md`, mayPin: !isPinned, unitedFor });
  }
}

function problemOf({ path, files }: SkillFolder): string | undefined {
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

/** Folders with the same content, those in place first; and those of which only fields of `SKILL.md` differ. */
async function classesOf(
  folders: readonly SkillFolder[],
  specs: readonly TargetSpec[],
  { pinned, separate }: Constraints,
): Promise<readonly SkillClass[]> {
  const classes: SkillClass[] = [];
  for (const folder of [...folders].sort((a, b) => Number(b.isInPlace) - Number(a.isInPlace))) {
    const equal = classes.find(
      ({ same: [first] }) => first!.real === folder.real || haveSame(first!, folder),
    );
    if (equal) equal.same.push(folder);
    else classes.push({ same: [folder] });
  }
  const mayUnite = ({ path, isInPlace }: SkillFolder) =>
    !isInPlace && !pinned.has(path) && !separate.has(path);
  const united: SkillClass[] = [];
  for (const { same } of classes) {
    const like = united.find(
      ({ same: others }) =>
        [...others, ...same].every(mayUnite) && haveSame(others[0]!, same[0]!, 'SKILL.md'),
    );
    const text = like && (await unitedText([...like.same, ...same].map(asItem), specs));
    if (!like || text === undefined) united.push({ same });
    else {
      like.text = withLines(text, [`name: ${entryName(same[0]!)}`]);
      like.same.push(...same);
    }
  }
  return united;
}

const asItem = ({ path, roles, files }: SkillFolder) => ({
  path,
  roles,
  text: textOf(files.find(file => file.path === 'SKILL.md')!.bytes),
});

/** A skill is identified by the name in its front matter, if that is valid, otherwise by its folder. */
function entryName({ files, name: folder }: SkillFolder): string {
  const text = files.find(({ path }) => path === 'SKILL.md');
  const name = text && readFrontMatter(textOf(text.bytes)).fields.get('name');
  return typeof name === 'string' && /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : folder;
}

const haveSame = (a: SkillFolder, b: SkillFolder, but?: string): boolean =>
  a.files.length === b.files.length &&
  a.files.every(({ path, bytes }, index) => {
    const other = b.files[index]!;
    return other.path === path && (path === but || Buffer.compare(other.bytes, bytes) === 0);
  });
