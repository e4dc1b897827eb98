import { join } from 'node:path';
import { foreignSources } from '../../generated/foreign.ts';
import { placeInProject } from '../../host/relative-path.ts';
import { readEntries } from '../../kinds/entries/read.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { isOwnPath } from '../../migrate/foreign/convert.ts';
import { belowFrontMatter } from '../../plan/same-meaning.ts';
import { itemEndings } from '../../spec/item-places.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { excludedFolders, sharedDir } from '../../text/places.ts';
import type { Known } from '../open/known-specs.ts';
import type { ProjectFile } from '../project-files.ts';
import type { CompileContext, WithDisk } from '../session/world.ts';
import { type FindRoles, type Role, roleFinder } from './roles.ts';
import { pluginParts, toolFolders } from './tool-folders.ts';

/** A file that a tool reads, at the place where the tool finds it. */
export interface FoundFile {
  readonly path: string;
  readonly roles: readonly Role[];
  readonly real?: string;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** `SKILL.md` of each folder that has one. */
  readonly skills: readonly FoundFile[];
  /** Files that are never adopted, whatever tools are chosen, with the reason as a clause. */
  readonly unused: ReadonlyMap<string, string>;
  /** Folders that were not taken because of their names, with how many instruction files they hold. */
  readonly skippedFolders: ReadonlyMap<string, number>;
}

interface Listed {
  readonly path: string;
  readonly real?: string;
  /** Why a link is not followed, as a clause. */
  readonly problem?: string;
}

/** Names of folders whose files are not about this project: tests, samples, texts for people, third-party code. */
const otherFolder =
  /^(?:_*tests?_*|e2e|specs?|test[-_]?data|_*fixtures?_*|_*snapshots?_*|_*mocks?_*|examples?|samples?|demos?|templates?|docs?|documentation|vendor(?:ed)?|third[-_]?party|dist|build|out|target|coverage|\.next|\.instr)$/i;

/**
 * The first folder on the path of a file that belongs to another project: a nested repository, tests, samples. A
 * folder that a glob in `only` names is part of the project.
 */
export function otherProjects(
  root: string,
  only: readonly string[],
  { disk }: WithDisk,
): (path: string) => string | undefined {
  const named = new Set(only.flatMap(glob => glob.split('/')));
  const known = new Map<string, boolean>();
  const isOther = (folder: string, name: string): boolean => {
    if (named.has(name)) return false;
    const found =
      known.get(folder) ?? (otherFolder.test(name) || disk.lstat(join(root, folder, '.git')) !== undefined);
    known.set(folder, found);
    return found;
  };
  return path => {
    const folders = path.split('/').slice(0, -1);
    const at = folders.findIndex((name, index) => isOther(folders.slice(0, index + 1).join('/'), name));
    return at === -1 ? undefined : folders.slice(0, at + 1).join('/');
  };
}

/**
 * Every file of the project that a tool reads, in the spelling that the tool requires. Files that Git ignores are
 * left out; so are other projects inside this one, unless a glob in `only` names them. Everything below a folder with
 * a `SKILL.md` is part of that skill. `projectFiles` are all files of the project.
 */
export async function scanProject(
  root: string,
  { specs, universalDir }: Pick<Known, 'specs' | 'universalDir'>,
  only: readonly string[],
  context: CompileContext,
  projectFiles: readonly ProjectFile[],
): Promise<FoundFiles> {
  const { disk } = context;
  const findRoles = roleFinder(specs, sharedDir(universalDir));
  const wanted = only.length > 0 ? compileGlobs(only) : () => true;
  const otherProject = otherProjects(root, only, context);
  const listed = listFollowed(root, projectFiles, context);
  const skillOf = skillFinder(listed);
  const isOfTool = toolFolders(specs, sharedDir(universalDir));
  const pluginOf = pluginParts(
    specs,
    listed.map(({ path }) => path),
  );
  const endings = itemEndings(specs);
  const files: FoundFile[] = [];
  const skills: FoundFile[] = [];
  const unused = new Map<string, string>();
  const skippedFolders = new Map<string, number>();
  const passOver = (folder: string) => skippedFolders.set(folder, (skippedFolders.get(folder) ?? 0) + 1);

  for (const { path, real, problem } of listed) {
    const skill = skillOf(path);
    if (!wanted(path) || (skill !== undefined && path !== `${skill}/SKILL.md`)) continue;
    const roles = await withEvidence(findRoles(path), join(root, path), context);
    const other = otherProject(path);
    const plugin = pluginOf(path);
    // A catalogue beside the manifest of a plug-in is published with it.
    if (plugin?.isBesideManifest) {
      unused.set(path, plugin.reason);
      continue;
    }
    if (roles.length > 0) {
      // Inside the root folder of a tool, these names do not exclude a file.
      const isPlace = roles.some(role => role.kind !== 'main' || role.folder === '');
      const inner = skillsAbove(path);
      const isNamed = inner !== undefined && only.some(glob => glob.startsWith(inner));
      const folder = isPlace ? undefined : isNamed ? other : (inner ?? other);
      if (folder !== undefined) passOver(folder);
      else if (problem !== undefined) unused.set(path, problem);
      else if (roles.every(({ kind }) => kind === 'main') && isBlank(disk.readBytes(join(root, path))))
        unused.set(path, 'it is empty');
      else (skill === undefined ? files : skills).push({ path, roles, ...(real !== undefined && { real }) });
      continue;
    }
    const owner = folderOf(path, findRoles);
    const name = owner === undefined ? nearestName(path, findRoles, endings) : undefined;
    const compiler = foreignSources.find(source => isOwnPath(source, path));
    if (plugin !== undefined) unused.set(path, plugin.reason);
    else if (owner !== undefined && other !== undefined) passOver(other);
    else if (owner !== undefined)
      unused.set(path, `it is for ${owner}/ alone; only what the root has is taken`);
    else if (name !== undefined)
      unused.set(path, `no tool reads a file of this name; one would read ${name}`);
    else if (compiler) unused.set(path, `it belongs to ${compiler.title}; nothing of it is taken`);
    else if (isOfTool(path))
      unused.set(path, problem ?? 'no tool is known to read instructions there; it stays as it is');
  }
  return { files, skills, unused, skippedFolders };
}

/**
 * Paths of files with instructions, sorted. Settings files are left out: a compile changes only its own keys in them.
 */
export const instructionPaths = ({ files, skills }: FoundFiles): readonly string[] =>
  [...files.filter(({ roles }) => roles.some(instructs)), ...skills]
    .map(({ path }) => path)
    .sort(compareCodeUnits);

const instructs = (role: Role): boolean =>
  role.kind === 'main' ||
  (role.kind === 'item' && role.file?.of !== 'hooks' && role.file?.of !== 'mcpServers');

/** The files of a project with those that links lead to, under the paths of the links. */
function listFollowed(root: string, files: readonly ProjectFile[], { disk }: WithDisk): readonly Listed[] {
  const found: Listed[] = [];
  const base = disk.realpath(root) ?? root;
  let left = mostLinked;
  const follow = (path: string, depth: number): void => {
    const full = join(root, path);
    if (left-- <= 0 || depth > deepestLinks) return;
    const target = disk.realpath(full);
    const real = target === undefined ? undefined : placeInProject(base, target);
    const stat = disk.stat(full);
    if (!real || !stat) {
      const to = target === undefined ? 'to nothing' : 'out of the project, or into Git';
      if (depth === 0) found.push({ path, problem: `it is a link ${to}` });
    } else if (stat.kind === 'file') found.push({ path, real });
    else {
      const entries = disk.list(full) ?? [];
      if (entries.some(({ name }) => name === 'SKILL.md'))
        found.push({ path: `${path}/SKILL.md`, real: `${real}/SKILL.md` });
      else
        for (const { name } of entries) if (!excludedFolders.has(name)) follow(`${path}/${name}`, depth + 1);
    }
  };
  for (const { path, kind } of files) {
    if (path.startsWith('.instr/')) continue;
    // A folder with a link as its `SKILL.md` is a skill without a text of its own.
    if (kind === 'file' || path.endsWith('/SKILL.md')) found.push({ path });
    else follow(path, 0);
  }
  return found.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Places of tools have at most this depth; a link to a large part of the project is no place. */
const deepestLinks = 3;
const mostLinked = 5000;

/** The outermost folder with a `SKILL.md` that a path lies in. */
export function skillFinder(listed: readonly Pick<Listed, 'path'>[]): (path: string) => string | undefined {
  const ending = '/SKILL.md';
  const folders = new Set(
    listed.flatMap(({ path }) => (path.endsWith(ending) ? [path.slice(0, -ending.length)] : [])),
  );
  return path => {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
      if (folders.has(path.slice(0, end))) return path.slice(0, end);
    return undefined;
  };
}

/** The skills folder of a tool that contains a path, including its parent folders. */
const skillsAbove = (path: string): string | undefined => /^(?:.*\/)?\.[^/]+\/skills(?=\/)/.exec(path)?.[0];

/**
 * A settings file is a trace of a tool only when it contains something of that tool: an editor uses the same file for
 * many other settings.
 */
async function withEvidence(
  roles: readonly Role[],
  path: string,
  { disk }: WithDisk,
): Promise<readonly Role[]> {
  if (!roles.some(role => role.kind === 'entries' && !role.isOwn)) return roles;
  const text = new TextDecoder().decode(disk.readBytes(path));
  return Promise.all(
    roles.map(async role => {
      if (role.kind !== 'entries' || role.isOwn) return role;
      const { file } = role;
      const parsed = await parseData(text, file.format);
      if ('problem' in parsed || file.format === 'lines') return { ...role, isOwn: true };
      const { items, unreadable = [], lists = [], unread = [] } = readEntries(parsed.data, file);
      return { ...role, isOwn: items.length + unreadable.length + lists.length + unread.length > 0 };
    }),
  );
}

/**
 * The folder below the root that contains the place of a tool: `packages/web` for `packages/web/.tool/rules/a.md`.
 */
function folderOf(path: string, findRoles: FindRoles): string | undefined {
  const parts = path.split('/');
  const at = parts.findIndex((part, index) => index > 0 && part.startsWith('.'));
  if (at === -1) return undefined;
  const isPlace = findRoles(parts.slice(at).join('/')).some(
    ({ kind }) => kind === 'item' || kind === 'entries',
  );
  return isPlace ? parts.slice(0, at).join('/') : undefined;
}

/** The path that a tool would read, when only the case or the extension of a Markdown file differs. */
function nearestName(path: string, findRoles: FindRoles, endings: readonly string[]): string | undefined {
  const stem = /^(.*\/)?([^/]+?)\.[A-Za-z.]*mdc?$/i.exec(path);
  if (!stem) return undefined;
  const [, folder = '', name] = stem as unknown as [string, string | undefined, string];
  const loud = `${folder}${name.toUpperCase()}.md`;
  const isLoud = loud !== path && (folder === '' || /\/skills\/[^/]+\/$/.test(folder));
  if (isLoud && findRoles(loud).some(({ kind }) => kind !== 'trace')) return loud;
  if (!folder.startsWith('.') || /^readme$/i.test(name)) return undefined;
  const others = endings.map(ending => folder + name + ending).filter(other => other !== path);
  return others.find(other => findRoles(other).some(({ kind }) => kind === 'item'));
}

/** The text below the front matter is empty, and tools do not read front matter in main files. */
const isBlank = (bytes: Uint8Array | undefined): boolean => {
  const text = bytes && new TextDecoder().decode(bytes);
  return text !== undefined && belowFrontMatter(text, readFrontMatter(text)) === '';
};
