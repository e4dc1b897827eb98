import { dirname, join } from 'node:path';
import type { Disk } from '../../host/host.ts';

/** The line of `info/attributes` with which ours begin. */
export const start = '# prs: files that are compiled';

/** With these Git looks for a repository elsewhere than in the folders above. */
const leading = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'];

/** A list of Git's in which a part may be ours. */
interface GitList {
  readonly file: string;
  readonly mark: string;
}

/** The files of this clone that are merged by compiling. */
export const attributesList: GitList = { file: 'info/attributes', mark: start };

/** The files of one person that this clone ignores. */
export const excludeList: GitList = { file: 'info/exclude', mark: '# prs: files of one person' };

/**
 * Whether a repository around `root` may have a part of ours in a list. Most have not, and a look at the disk
 * tells so at a hundredth of what it costs to start Git, which is asked where a look does not decide.
 */
export function mayHold(
  { file, mark }: GitList,
  root: string,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (leading.some(name => environment[name])) return true;
  for (let folder = disk.realpath(root) ?? root; ; folder = dirname(folder)) {
    const kind = disk.lstat(join(folder, '.git'))?.kind;
    // A file or a link names the repository: a second working tree, a submodule.
    if (kind && kind !== 'directory') return true;
    const list = kind && disk.readBytes(join(folder, '.git', file));
    if (list && new TextDecoder().decode(list).includes(mark)) return true;
    if (dirname(folder) === folder) return false;
  }
}
