import { join } from 'node:path';
import { conflictsSettled } from '../../generated/diagnostics.ts';
import { noteOutside } from '../../host/outside.ts';
import type { Compiling } from '../../session/world.ts';
import type { Compiled } from '../compile.ts';
import { refreshAttributes } from './install.ts';
import type { gitFolders } from './installed.ts';
import { settleConflicts } from './settle.ts';

/** Updates Git after a compile, in a clone where merging was set up. */
export function bringGitUpToDate(
  { root, entries }: Compiled,
  folders: ReturnType<typeof gitFolders>,
  { disk, report }: Compiling,
): void {
  // Conflicts stand in the index: while it is the same, there are no others.
  if (typeof folders === 'object') disk.lstat(join(folders.own, 'index'));
  else noteOutside('git');
  const settled = settleConflicts(root, entries, disk);
  const paths = settled.map(path => `\`${path}\``).join(', ');
  if (settled.length > 0) report(conflictsSettled({ paths }, { file: settled[0]! }));
  if (entries.some(({ state }) => state === 'new' || state === 'removed')) refreshAttributes(root, disk);
}
