import { join } from 'node:path';
import { belowFrontMatter } from '../../plan/same-meaning.ts';
import type { Compiling, WithDisk } from '../../session/world.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCode } from '../../text/order.ts';
import { closedFolders } from '../../text/places.ts';
import { ignoredPaths } from '../move-in/ignored.ts';
import { pathBelow } from '../open/root.ts';
import type { FindRoles, Role } from './roles.ts';

/** A file that a tool reads, at the place where the tool finds it. */
export interface FoundFile {
  readonly path: string;
  readonly roles: readonly Role[];
  /** Where its bytes are, when a link leads there. */
  readonly real?: string;
}

/** The files of a project that tools read, by what they are. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Folders with a `SKILL.md`, with what reads that. */
  readonly skills: readonly FoundFile[];
  /** What tools have in a folder of the project for that folder alone: path and folder. */
  readonly inner: ReadonlyMap<string, string>;
  /** Files that no tool reads because of their names, with the name that one would read. */
  readonly near: ReadonlyMap<string, string>;
  /** Main files without any text: they say nothing of the tool that has them. */
  readonly empty: readonly string[];
  /** Folders that were not taken because of their names, with how many instruction files they hold. */
  readonly passedOver: ReadonlyMap<string, number>;
}

/** Folders whose files are about other projects, or none: tests, samples, texts for people, other people's code. */
export const apartFolder =
  /^(?:_*tests?_*|e2e|specs?|test[-_]?data|_*fixtures?_*|_*snapshots?_*|_*mocks?_*|examples?|samples?|demos?|templates?|docs?|documentation|vendor(?:ed)?|third[-_]?party|dist|build|out|target|coverage|\.next|\.instr)$/i;

/** Whether a folder with these entries is a repository; a submodule and a further working tree have a file there. */
export const isRepository = (entries: readonly { readonly name: string }[]): boolean =>
  entries.some(({ name }) => name === '.git');

const most = 100_000;

/**
 * Every file of the project that a tool reads, in the letters that the tool wants. What version control ignores is
 * left out; so are repositories inside of this one and folders that are named as tests, samples and the like, unless one
 * of the globs in `only` names them. All below a folder with a `SKILL.md` belongs to that skill.
 */
export function findFiles(
  root: string,
  findRoles: FindRoles,
  endings: readonly string[],
  only: readonly string[],
  context: Compiling,
): FoundFiles {
  const { disk } = context;
  const ignored = ignoredPaths(root, disk);
  const wanted = only.length > 0 ? compileGlobs(only) : () => true;
  const named = new Set(only.flatMap(glob => glob.split('/')));
  const found: FoundFile[] = [];
  const skills: FoundFile[] = [];
  const links: string[] = [];
  const passedOver = new Map<string, number>();
  const inner = new Map<string, string>();
  const near = new Map<string, string>();
  /** Folders below the root that are repositories of their own: submodules, clones. */
  const repositories = new Set<string>();
  let left = most;

  /** The first folder on the way that is passed over; inside a tool's own place at the root no name counts. */
  const apartAt = (path: string, roles: readonly Role[]): string | undefined => {
    const place = roles.some(role => role.kind !== 'main' || role.folder === '');
    if (place) return undefined;
    const skill = /^(?:.*\/)?\.[^/]+\/skills(?=\/)/.exec(path)?.[0];
    if (skill !== undefined && !only.some(glob => glob.startsWith(skill))) return skill;
    const folders = path.split('/').slice(0, -1);
    const at = folders.findIndex(
      (name, index) =>
        (apartFolder.test(name) || repositories.has(folders.slice(0, index + 1).join('/'))) &&
        !named.has(name),
    );
    return at === -1 ? undefined : folders.slice(0, at + 1).join('/');
  };
  const offer = (file: FoundFile, list: FoundFile[]) => {
    if (!wanted(file.path)) return;
    if (file.roles.length === 0) {
      const own = folderOf(file.path, findRoles);
      const other = own === undefined ? nearestName(file.path, findRoles, endings) : undefined;
      if (own !== undefined && !own.split('/').some(name => apartFolder.test(name)))
        inner.set(file.path, own);
      if (other !== undefined) near.set(file.path, other);
      return;
    }
    const folder = apartAt(file.path, file.roles);
    if (folder === undefined) list.push(file);
    else passedOver.set(folder, (passedOver.get(folder) ?? 0) + 1);
  };

  for (let level = ['']; level.length > 0; ) {
    const folders: string[] = [];
    for (const folder of level) {
      const entries = disk.list(join(root, folder)) ?? [];
      if (folder !== '' && isRepository(entries)) repositories.add(folder);
      if (folder !== '' && entries.some(({ name, kind }) => name === 'SKILL.md' && kind !== 'directory')) {
        const path = `${folder}/SKILL.md`;
        offer({ path, roles: findRoles(path) }, skills);
        continue;
      }
      for (const { name, kind } of entries) {
        if (left-- <= 0) break;
        const path = folder === '' ? name : `${folder}/${name}`;
        if (kind === 'directory') {
          if (!closedFolders.has(name) && path !== '.instr') folders.push(path);
        } else if (kind === 'link') links.push(path);
        else if (kind === 'file') offer({ path, roles: findRoles(path) }, found);
      }
    }
    const out = ignored(folders.map(path => `${path}/`));
    level = folders.filter(path => !out.has(`${path}/`));
  }
  const linked = followLinks(links, root, findRoles, context);
  for (const file of linked.files) offer(file, found);
  for (const file of linked.skills) offer(file, skills);
  const out = ignored([...found, ...skills].map(({ path }) => path));
  const kept = (files: readonly FoundFile[]) =>
    files.filter(({ path }) => !out.has(path)).sort((a, b) => compareCode(a.path, b.path));
  const files = kept(found);
  const unignored = (names: ReadonlyMap<string, string>) => {
    const gone = ignored([...names.keys()]);
    const left = [...names].filter(([path]) => !gone.has(path));
    return new Map(left.sort(([a], [b]) => compareCode(a, b)));
  };
  const isEmpty = ({ path, roles }: FoundFile) =>
    roles.every(({ kind }) => kind === 'main') && isBlank(disk.readBytes(join(root, path)));
  const empty = files.filter(isEmpty).map(({ path }) => path);
  return {
    files: files.filter(({ path }) => !empty.includes(path)),
    skills: kept(skills),
    inner: unignored(inner),
    near: unignored(near),
    empty,
    passedOver,
  };
}

/** The folder that holds a place of a tool below the root: `packages/web` for `packages/web/.tool/rules/a.md`. */
function folderOf(path: string, findRoles: FindRoles): string | undefined {
  const parts = path.split('/');
  const at = parts.findIndex((part, index) => index > 0 && part.startsWith('.'));
  if (at === -1) return undefined;
  const isPlace = findRoles(parts.slice(at).join('/')).some(
    ({ kind }) => kind === 'item' || kind === 'entries',
  );
  return isPlace ? parts.slice(0, at).join('/') : undefined;
}

/** The path that a tool would read, where only letters or the ending of a Markdown file are in the way. */
function nearestName(path: string, findRoles: FindRoles, endings: readonly string[]): string | undefined {
  const stem = /^(.*\/)?([^/]+?)\.[A-Za-z.]*mdc?$/i.exec(path);
  if (!stem) return undefined;
  const [, folder = '', name] = stem as unknown as [string, string | undefined, string];
  const loud = `${folder}${name.toUpperCase()}.md`;
  const isLoud = loud !== path && (folder === '' || /\/skills\/[^/]+\/$/.test(folder));
  if (isLoud && findRoles(loud).some(({ kind }) => kind !== 'trace')) return loud;
  if (!folder.startsWith('.') || /^readme$/i.test(name)) return undefined;
  const other = endings
    .map(ending => folder + name + ending)
    .find(one => one !== path && findRoles(one).some(({ kind }) => kind === 'item'));
  return other;
}

/** Nothing below the front matter, which no tool reads in a main file. */
const isBlank = (bytes: Uint8Array | undefined): boolean => {
  const text = bytes && new TextDecoder().decode(bytes);
  return text !== undefined && belowFrontMatter(text, readFrontMatter(text)) === '';
};

/** What links lead to inside the project, under the paths of the links. */
function followLinks(
  links: readonly string[],
  root: string,
  findRoles: FindRoles,
  { disk }: WithDisk,
): { files: FoundFile[]; skills: FoundFile[] } {
  const files: FoundFile[] = [];
  const skills: FoundFile[] = [];
  const base = disk.realpath(root) ?? root;
  let left = mostLinked;
  const follow = (path: string, depth: number): void => {
    const full = join(root, path);
    if (left-- <= 0) return;
    const target = disk.realpath(full);
    const real = target === undefined ? undefined : pathBelow(base, target);
    // A link out of the project leads to somebody else's file.
    if (real === undefined || depth > deepestLinks) return;
    if (disk.stat(full)?.kind === 'file') {
      files.push({ path, real, roles: findRoles(path) });
      return;
    }
    const entries = disk.list(full) ?? [];
    if (entries.some(({ name }) => name === 'SKILL.md')) {
      const skill = `${path}/SKILL.md`;
      skills.push({ path: skill, real: `${real}/SKILL.md`, roles: findRoles(skill) });
      return;
    }
    for (const { name } of entries) if (!closedFolders.has(name)) follow(`${path}/${name}`, depth + 1);
  };
  for (const path of links) follow(path, 0);
  return { files, skills };
}

/** Tools' places are that deep; a link to a large part of the project is no place. */
const deepestLinks = 3;
const mostLinked = 5000;
