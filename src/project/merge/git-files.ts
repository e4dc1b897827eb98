import { dirname, join, relative, resolve, sep } from 'node:path';
import { commonGitFolder, hooksPathScope, pathInGit, topOfRepository } from '../../host/git.ts';
import { repositoryVariables } from '../../host/git-variables.ts';
import { type Disk, HostError, readTextAt, type WritableDisk } from '../../host/host.ts';
import { pathBelow } from '../open/root.ts';
import { linkedGitFolders } from '../write/project-disk.ts';

/** A repository whose own lists and hooks may be written. */
export interface GitPlaces {
  readonly top: string;
  /** The list `info/<name>`. Throws `HostError` where it is a link, or lies behind one. */
  list(name: 'attributes' | 'exclude'): string;
  /** The folder of hooks. Throws `HostError` where the repository itself has it outside. */
  hooks(): string;
}

/**
 * The places in the repository around `root`; `undefined`: there is none. A `.git` folder can come from an archive: its
 * links and its settings lead to no place outside of the repository.
 */
export function gitPlaces(root: string, disk: Disk): GitPlaces | undefined {
  const top = topOfRepository(root);
  const found = top === undefined ? undefined : commonGitFolder(root);
  if (top === undefined || found === undefined) return undefined;
  const common = disk.realpath(found) ?? found;
  return {
    top,
    list(name) {
      const path = pathInGit(root, `info/${name}`) ?? join(common, 'info', name);
      requireInside(path, realFolder(dirname(path), disk), [common]);
      if ((disk.lstat(path)?.kind ?? 'file') !== 'file') throw refused(path, 'it is no regular file');
      return path;
    },
    hooks() {
      const path = pathInGit(root, 'hooks') ?? join(common, 'hooks');
      const isOfRepository = /^(?:local|worktree|)$/.test(hooksPathScope(root));
      const realTop = folderWithGit(disk.realpath(root) ?? root, disk);
      if (isOfRepository) requireInside(path, realFolder(path, disk), [common, realTop]);
      return path;
    },
  };
}

const refused = (path: string, reason: string) =>
  new HostError(
    `${path} is refused: ${reason}. Look at what is there, and remove it if it is not yours.`,
    path,
    'EREFUSED',
  );

function requireInside(path: string, real: string, folders: readonly string[]): void {
  if (folders.some(folder => real === folder || pathBelow(folder, real) !== undefined)) return;
  throw refused(path, `it is in ${real}, outside the repository`);
}

/** Where a folder really is, or would be made. */
function realFolder(folder: string, disk: Disk): string {
  let there = folder;
  while (!disk.lstat(there) && dirname(there) !== there) there = dirname(there);
  return resolve(disk.realpath(there) ?? there, folder.slice(there.length).replace(/^[/\\]/, ''));
}

/** The folder with the `.git` that is nearest: settings such as `core.worktree` do not change it. */
function folderWithGit(start: string, disk: Disk): string {
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder))
    if (disk.lstat(join(folder, '.git'))) return folder;
  return start;
}

export interface Marks {
  readonly start: string;
  readonly end: string;
}

/** Writes our lines in a file of Git; without any, the part is removed. Everything else stays. */
export function writeBlock(
  path: string,
  { start, end }: Marks,
  lines: readonly string[],
  disk: WritableDisk,
): void {
  const text = readTextAt(disk, path) ?? '';
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  const before = from === -1 ? text : text.slice(0, from);
  const behind = from === -1 || to === -1 ? '' : text.slice(to + end.length).replace(/^\n/, '');
  const own = lines.length > 0 ? `${[start, ...lines, end].join('\n')}\n` : '';
  const next = `${before}${before && !before.endsWith('\n') ? '\n' : ''}${own}${behind}`;
  if (next === text) return;
  disk.makeDirectory(dirname(path));
  disk.writeBytes(path, new TextEncoder().encode(next));
}

const below = (top: string, path: string): string => relative(top, path).split(sep).join('/');

/**
 * A project, as lists and hooks of its repository name it. They are read line by line, and a shell runs hooks: a name that
 * ends a line throws `HostError`.
 */
export function placeOf(root: string, top: string): string {
  const place = below(top, root) || '.';
  if (/[\u0000-\u001f\u007f]/.test(place))
    throw new HostError(
      `${root} has a name with control characters, which lists and hooks of Git cannot hold. Rename the folder.`,
      root,
      'EREFUSED',
    );
  return place;
}

/** A pattern that matches one file below `root` and nothing else, for a list at the top of a repository. */
export const gitPattern = (root: string, top: string, path: string): string =>
  `/${below(top, join(root, path))}`.replace(/[\\*?[\]]/g, '\\$&');

/** A pattern as a list of attributes has it. */
export const quotedPattern = (pattern: string): string =>
  /[\s"]/.test(pattern) ? JSON.stringify(pattern) : pattern;

/** The name of the merge driver in Git's configuration and attributes. */
export const driverName = 'instr';

/** The line of `info/attributes` with which ours begin. */
export const start = '# prs: files that are compiled';

interface GitList {
  readonly file: string;
  readonly mark: string;
}

export const attributesList: GitList = { file: 'info/attributes', mark: start };

/** The files of one person that this clone ignores. */
export const excludeList: GitList = { file: 'info/exclude', mark: '# prs: files of one person' };

/** Where the repository around a folder keeps its files. */
interface GitFolders {
  /** Of this working tree: its index. */
  readonly own: string;
  /** Of all working trees: its lists. */
  readonly shared: string;
  /** Where to look at them. */
  readonly disk: Disk;
}

/**
 * The folders of the repository around `root`, as Git finds them; `undefined` outside of repositories. A look at the disk
 * tells so at a hundredth of what it costs to start Git.
 *
 * @param above - the disk above `root`, of which a record of what was read below it knows nothing
 * @returns `unknown` where only Git can say: variables lead it elsewhere
 */
export function gitFolders(
  root: string,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
  above = disk,
): GitFolders | 'unknown' | undefined {
  if (repositoryVariables.some(name => environment[name])) return 'unknown';
  const start = disk.realpath(root) ?? root;
  for (let folder = start; ; folder = dirname(folder)) {
    const at = join(folder, '.git');
    const kind = (folder === start ? disk : above).lstat(at)?.kind;
    if (kind === 'directory') return { own: at, shared: at, disk: folder === start ? disk : above };
    // A second working tree, a submodule: a file names the folder.
    if (kind) {
      const named = linkedGitFolders(folder, above);
      return named ? { ...named, disk: above } : 'unknown';
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a repository may have a part of ours in a list. Most have not; where that is unknown, Git is asked. */
export const mayContainMark = ({ file, mark }: GitList, folders: ReturnType<typeof gitFolders>): boolean =>
  folders !== undefined &&
  (folders === 'unknown' || (readTextAt(folders.disk, join(folders.shared, file))?.includes(mark) ?? false));
