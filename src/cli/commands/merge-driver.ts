import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class MergeDriverCommand extends PrsCommand {
  static override paths = [['merge-driver']];
  static override usage = Command.Usage({
    category: 'Integrate',
    description: 'Merge a generated file by compiling the merged sources; Git calls it.',
    details:
      'Registered by `prs hook install`. Git passes files with the versions of the common ancestor, ours and theirs, and the path; the result is written to ours. Exits with 1 if the user has to resolve the conflict.',
    examples: [
      ['Register it', 'prs hook install'],
      ['What Git runs', 'prs merge-driver %O %A %B %P'],
      ['Remove it', 'prs hook remove'],
    ],
  });

  base = Option.String({ name: 'base' });
  ours = Option.String({ name: 'ours' });
  theirs = Option.String({ name: 'theirs' });
  file = Option.String({ name: 'path' });

  async run(context: CompileContext): Promise<Outcome> {
    const { mergeFile } = await import('../rest.ts');
    const { base, ours, theirs, file: path } = this;
    const isMerged = await mergeFile({ base, ours, theirs, path }, context);
    return { exitCode: isMerged ? 0 : 1 };
  }
}
