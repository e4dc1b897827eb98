/** Characters that HFS+ leaves out of names. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some system takes a name for `.git`, as Git itself guards it: in any case, with what NTFS and HFS+ drop. */
export function isGitName(name: string): boolean {
  const plain = name
    .replace(ignorable, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || /^git~\d+$/.test(plain);
}

/** Whether a `/`-separated path leads into a directory of Git, or is one. */
export const isInGit = (path: string): boolean => path.split('/').some(isGitName);
