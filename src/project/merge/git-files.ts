import { dirname, join, resolve } from 'node:path';
import { repositoryVariables } from '../../host/git-variables.ts';
import { type Disk, HostError, readTextAt, type WritableDisk } from '../../host/host.ts';
import { pathBelow, relativePath } from '../../host/relative-path.ts';
import { commonGitFolder, hooksPathScope, pathInGit, topOfRepository } from '../git/queries.ts';
import { linkedGitFolders } from '../write/project-disk.ts';

/** Files of a repository that the program may write. */
export interface GitPlaces {
  readonly top: string;
  /** The path of `info/<name>`. Throws `HostError` for a link, or a path behind one. */
  list(name: 'attributes' | 'exclude'): string;
  /** The folder of hooks. Throws `HostError` if the repository itself moves it outside. */
  hooks(): string;
}

/**
 * Locates the files of the repository around `root`; `undefined` outside a repository. A `.git` folder may come from an
 * archive, so its links and settings must not lead outside the repository.
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
  if (folders.some(folder => pathBelow(folder, real) !== undefined)) return;
  throw refused(path, `it is in ${real}, outside the repository`);
}

/** The real path of a folder, existing or not. */
function realFolder(folder: string, disk: Disk): string {
  let existing = folder;
  while (!disk.lstat(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return resolve(disk.realpath(existing) ?? existing, folder.slice(existing.length).replace(/^[/\\]/, ''));
}

/** The nearest folder with `.git`, ignoring settings such as `core.worktree`. */
function folderWithGit(start: string, disk: Disk): string {
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder))
    if (disk.lstat(join(folder, '.git'))) return folder;
  return start;
}

/**
 * The path of a project in lists and hooks of its repository. These consist of lines that a shell may execute, so a
 * path with control characters throws `HostError`.
 */
export function placeOf(root: string, top: string): string {
  const place = relativePath(top, root) || '.';
  if (/[\u0000-\u001f\u007f]/.test(place))
    throw new HostError(
      `${root} has a name with control characters, which lists and hooks of Git cannot hold. Rename the folder.`,
      root,
      'EREFUSED',
    );
  return place;
}

/** A pattern that matches exactly one file, for a list at the top of a repository. */
export const gitPattern = (root: string, top: string, path: string): string =>
  `/${relativePath(top, join(root, path))}`.replace(/[\\*?[\]]/g, '\\$&');

/** A pattern in the syntax of `.gitattributes`. */
export const quotedPattern = (pattern: string): string =>
  /[\s"]/.test(pattern) ? JSON.stringify(pattern) : pattern;

/** The name of the merge driver in the Git configuration. */
export const driverName = 'instr';

/** A list of files in a repository, and the start of the block that a project has in it. */
interface GitList {
  readonly name: 'attributes' | 'exclude';
  readonly mark: string;
}

export const attributesList: GitList = { name: 'attributes', mark: '# prs: files that are compiled' };

/** The list of files of one person that this clone ignores. */
export const excludeList: GitList = { name: 'exclude', mark: '# prs: files of one person' };

/** The first line of the block of a project. Projects in one repository share the list. */
export const blockStart = ({ mark }: GitList, root: string, top: string): string =>
  `${mark} (${placeOf(root, top)})`;

/** Writes the lines of a project to a list. Without lines, its block is removed. Other lines are unchanged. */
export function writeList(
  list: GitList,
  root: string,
  places: GitPlaces,
  lines: readonly string[],
  disk: WritableDisk,
): void {
  const path = places.list(list.name);
  const [start, end] = [blockStart(list, root, places.top), `# prs: end (${placeOf(root, places.top)})`];
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

/**
 * Finds the folders of the repository around `root`, that of this worktree and the one that all worktrees share, and the
 * disk to read them from; `undefined` outside a repository. This avoids starting Git.
 *
 * @param above - the disk for folders above `root`, whose reads are not recorded
 * @returns `unknown` if environment variables select another repository
 */
export function gitFolders(
  root: string,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
  above = disk,
) {
  if (repositoryVariables.some(name => environment[name])) return 'unknown' as const;
  const start = disk.realpath(root) ?? root;
  for (let folder = start; ; folder = dirname(folder)) {
    const at = join(folder, '.git');
    const kind = (folder === start ? disk : above).lstat(at)?.kind;
    if (kind === 'directory') return { worktree: at, shared: at, disk: folder === start ? disk : above };
    // The `.git` file of a worktree or submodule.
    if (kind) {
      const named = linkedGitFolders(folder, above);
      return named ? { ...named, disk: above } : ('unknown' as const);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a list of the repository may contain a block of this program. If unknown, Git must be asked. */
export const mayContainMark = ({ name, mark }: GitList, folders: ReturnType<typeof gitFolders>): boolean =>
  folders !== undefined &&
  (folders === 'unknown' ||
    (readTextAt(folders.disk, join(folders.shared, 'info', name))?.includes(mark) ?? false));
