import { conflictsSettled } from '../../generated/diagnostics.ts';
import type { Compiling } from '../../session/world.ts';
import type { Compiled } from '../compile.ts';
import { refreshAttributes } from './install.ts';
import { settleConflicts } from './settle.ts';

/** What Git is told after a compile, in a clone where merging was set up. */
export function bringGitUpToDate({ root, entries }: Compiled, { disk, report }: Compiling): void {
  const settled = settleConflicts(root, entries, disk);
  const paths = settled.map(path => `\`${path}\``).join(', ');
  if (settled.length > 0) report(conflictsSettled({ paths }, { file: settled[0]! }));
  if (entries.some(({ state }) => state === 'new' || state === 'removed')) refreshAttributes(root, disk);
}
