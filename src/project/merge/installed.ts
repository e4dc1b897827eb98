import { dirname, join, resolve } from 'node:path';
import { repositoryVariables } from '../../host/git-variables.ts';
import { type Disk, readTextAt } from '../../host/host.ts';

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
export interface GitFolders {
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
    if (kind) return namedFolders(at, above) ?? 'unknown';
    if (dirname(folder) === folder) return undefined;
  }
}

/** The folders that a file `.git` names. */
function namedFolders(file: string, disk: Disk): GitFolders | undefined {
  const named = /^gitdir: (.+?)\r?\n*$/.exec(readTextAt(disk, file) ?? '')?.[1];
  if (named === undefined) return undefined;
  const own = resolve(dirname(file), named);
  const shared = readTextAt(disk, join(own, 'commondir'))?.trim();
  return { own, shared: shared === undefined ? own : resolve(own, shared), disk };
}

/** Whether a repository may have a part of ours in a list. Most have not; where that is unknown, Git is asked. */
export const mayContainMark = ({ file, mark }: GitList, folders: ReturnType<typeof gitFolders>): boolean =>
  folders !== undefined &&
  (folders === 'unknown' || (readTextAt(folders.disk, join(folders.shared, file))?.includes(mark) ?? false));
