import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, type Outcome, PrsCommand } from '../command.ts';

export default class LockCommand extends PrsCommand {
  static override paths = [['lock']];
  static override rest = 'source';
  static override usage = Command.Usage({
    category: 'Share',
    description: 'Pin new remote sources in instr.lock; pinned ones stay.',
    details:
      'Sources without a reference are removed from the lock file. Named sources are updated, as with `prs update`. Commit the lock file, so that compile always reads the same bytes.',
    examples: [
      ['Write the lock after a new @use or @inherit', 'prs lock'],
      ['Show what would be pinned', 'prs lock --dry-run'],
      ['Fail in continuous integration when the lock is incomplete', 'prs compile --frozen'],
    ],
  });

  dryRun = flag('--dry-run', 'Show new versions, changes and executable content; write nothing.');
  markdown = flag('--markdown', 'With --dry-run: the text for a pull request.');
  sources = Option.Rest();

  /** The sources to update when none is named. */
  get unnamed(): 'all' | undefined {
    return undefined;
  }

  async run(context: CompileContext): Promise<Outcome> {
    const moving = this.sources.length > 0 ? this.sources : this.unnamed;
    if (this.dryRun) return this.preview(moving, context);
    const { lockText, pinSources } = await import('../rest.ts');
    const pinned = await pinSources(moving, context);
    if (typeof pinned === 'string') return pinned;
    return { root: pinned.root, ...(pinned.locked && { summary: () => lockText(pinned.locked!) }) };
  }

  private async preview(
    moving: readonly string[] | 'all' | undefined,
    context: CompileContext,
  ): Promise<Outcome> {
    const { previewMarkdown, previewUpdate, previewUpdateText, updateData } = await import('../rest.ts');
    const preview = await previewUpdate(moving, context);
    if (typeof preview === 'string' || !('locked' in preview)) return preview;
    const { root } = preview;
    const text = (width: number) =>
      this.markdown ? previewMarkdown(preview) : previewUpdateText(preview, width);
    return { root, data: updateData(preview), content: this.markdown, text };
  }
}

/** `prs lock` that updates all or the named sources. */
export class UpdateCommand extends LockCommand {
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
