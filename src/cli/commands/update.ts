import { Command } from 'clipanion';
import LockCommand from './lock.ts';

/** `prs lock` that updates all or the named sources. */
export default class UpdateCommand extends LockCommand {
  static override paths = [['update']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Share',
    description: 'Update pinned sources to their newest version and write instr.lock.',
    details:
      'Names are those in the lock file, with or without version. Without a name, all sources are updated. `prs lock` pins new sources only.',
    examples: [
      ['Update all sources', 'prs update'],
      ['Update one source', 'prs update @company'],
      ['Show what an update would do', 'prs update --dry-run'],
    ],
  });

  override get unnamed(): 'all' {
    return 'all';
  }
}
