/** Characters that HFS+ ignores in names. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether some file system treats a name as `.git`, by the rules of Git itself: in any case, and with the
 * characters that NTFS and HFS+ ignore.
 */
export function isGitName(name: string): boolean {
  const plain = name
    .replace(ignorable, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || /^git~\d+$/.test(plain);
}

/** Whether a `/`-separated path is a `.git` directory or lies in one. */
export const isInGit = (path: string): boolean => path.split('/').some(isGitName);
