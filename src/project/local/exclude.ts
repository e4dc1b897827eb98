import type { WritableDisk } from '../../host/host.ts';
import { gitPattern, gitPlaces, placeOf, writeBlock } from '../merge/git-files.ts';
import { excludeList } from '../merge/installed.ts';

/** Lists files of one person in Git's own list of what this clone ignores; without any, the list goes. */
export function excludeFromGit(root: string, paths: Iterable<string>, disk: WritableDisk): void {
  const places = gitPlaces(root, disk);
  if (!places) return;
  const { top } = places;
  const list = places.list('exclude');
  // Projects of one repository share the list.
  const place = placeOf(root, top);
  const marks = { start: `${excludeList.mark} (${place})`, end: `# prs: end (${place})` };
  writeBlock(
    list,
    marks,
    [...paths].sort().map(path => gitPattern(root, top, path)),
    disk,
  );
}
