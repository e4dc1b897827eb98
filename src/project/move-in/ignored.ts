import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ignoredByGit } from '../../host/git.ts';
import type { Disk } from '../../host/host.ts';

/**
 * Which of some paths below `root` (with `/` at the end of folders) version control ignores. Git knows best; where it
 * is not at hand, or knows no repository here, `.gitignore` files are read.
 */
export function ignoredPaths(root: string, disk: Disk): (paths: readonly string[]) => ReadonlySet<string> {
  if (ignoredByGit(root, ['.']) !== undefined) return paths => ignoredByGit(root, paths) ?? new Set();
  const rules = readRules(root, disk);
  return paths => new Set(paths.filter(path => isIgnored(path, rules)));
}

/** The rules of a folder of the project; each file is read once. */
function readRules(root: string, disk: Disk): (folder: string) => Ignore {
  const known = new Map<string, Ignore>();
  return folder => {
    const found = known.get(folder);
    if (found) return found;
    const bytes = disk.readBytes(join(root, folder, '.gitignore'));
    const rules = ignore({ ignorecase: false }).add(bytes ? new TextDecoder().decode(bytes) : '');
    known.set(folder, rules);
    return rules;
  };
}

/** The deepest file with something to say has the last word, but nothing below an ignored folder comes back. */
function isIgnored(path: string, rulesOf: (folder: string) => Ignore): boolean {
  const parts = path.replace(/\/$/, '').split('/');
  for (let length = 1; length <= parts.length; length++) {
    const end = length < parts.length || path.endsWith('/') ? '/' : '';
    for (let depth = length - 1; depth >= 0; depth--) {
      const below = parts.slice(depth, length).join('/') + end;
      const { ignored, unignored } = rulesOf(parts.slice(0, depth).join('/')).test(below);
      if (ignored) return true;
      if (unignored) break;
    }
  }
  return false;
}
