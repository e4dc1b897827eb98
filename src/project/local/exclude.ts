import { relative, sep } from 'node:path';
import { pathInGit, topOfRepository } from '../../host/git.ts';
import type { WritableDisk } from '../../host/host.ts';
import { gitPattern, writeBlock } from '../merge/block.ts';
import { excludeList } from '../merge/installed.ts';

/** Lists files of one person in Git's own list of what this clone ignores; without any, the list goes. */
export function excludeFromGit(root: string, paths: Iterable<string>, disk: WritableDisk): void {
  const top = topOfRepository(root);
  const list = top && pathInGit(root, 'info/exclude');
  if (!top || !list) return;
  // Projects of one repository share the list.
  const place = relative(top, root).split(sep).join('/') || '.';
  const marks = { start: `${excludeList.mark} (${place})`, end: `# prs: end (${place})` };
  writeBlock(
    list,
    marks,
    [...paths].sort().map(path => gitPattern(root, top, path)),
    disk,
  );
}
