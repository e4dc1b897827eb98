import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class UpdateCommand extends PrsCommand {
  static override paths = [['update']];
  static override usage = Command.Usage({
    description: 'Move pinned sources to their newest version and write instr.lock.',
    details: 'Names are those of the lock, with or without version. Without a name, all sources move.',
    examples: [
      ['Move all sources', 'prs update'],
      ['Move one source', 'prs update @company'],
      ['See what an update would do', 'prs update --dry-run'],
      ['See what changes in the generated files', 'prs diff --all'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Show what would move, change and run; write nothing.',
  });
  markdown = Option.Boolean('--markdown', false, {
    description: 'With --dry-run: the text for a pull request.',
  });
  sources = Option.Rest({ name: 'source' });

  async run({ context }: Invocation): Promise<Outcome> {
    if (this.dryRun) return this.preview(context);
    const { pinSources } = await import('../../project/pin.ts');
    const pinned = await pinSources(this.sources.length > 0 ? this.sources : 'all', context);
    if (typeof pinned === 'string') return { exitCode: 2 };
    const { lockText } = await import('../report/lock.ts');
    return { root: pinned.root, ...(pinned.locked && { summary: () => lockText(pinned.locked!) }) };
  }

  private async preview(context: Invocation['context']): Promise<Outcome> {
    const { previewUpdate } = await import('../../project/preview-update.ts');
    const names = this.sources.length > 0 ? this.sources : 'all';
    const found = await previewUpdate(names, context);
    if (typeof found === 'string') return { exitCode: 2 };
    const { root } = found;
    if (!('locked' in found)) return { root };
    const { previewMarkdown, previewText, updateData } = await import('../report/update.ts');
    const text = (width: number) => (this.markdown ? previewMarkdown(found) : previewText(found, width));
    return { root, data: updateData(found), content: this.markdown, text };
  }
}
