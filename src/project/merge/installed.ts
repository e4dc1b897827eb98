import { dirname, join } from 'node:path';
import type { Disk } from '../../host/host.ts';

/** The line of `info/attributes` with which ours begin. */
export const start = '# prs: files that are compiled';

/** With these Git looks for a repository elsewhere than in the folders above. */
const leading = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'];

/**
 * Whether a repository around `root` may list files that are merged by compiling. Most do not, and a look at the disk
 * tells so at a hundredth of what it costs to start Git, which is asked where a look does not decide.
 */
export function mayBeInstalled(
  root: string,
  disk: Disk,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (leading.some(name => environment[name])) return true;
  for (let folder = disk.realpath(root) ?? root; ; folder = dirname(folder)) {
    const kind = disk.lstat(join(folder, '.git'))?.kind;
    // A file or a link names the repository: a second working tree, a submodule.
    if (kind && kind !== 'directory') return true;
    const attributes = kind && disk.readBytes(join(folder, '.git/info/attributes'));
    if (attributes && new TextDecoder().decode(attributes).includes(start)) return true;
    if (dirname(folder) === folder) return false;
  }
}
