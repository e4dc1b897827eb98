import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, listOption, type Outcome, PrsCommand } from '../command.ts';
import type { Terminal } from '../terminal.ts';

export default class AbsorbCommand extends PrsCommand {
  static override paths = [['absorb']];
  static override listed = true;
  static override rest = 'file';
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Move edits of generated files into the sources.',
    details:
      'An edit is moved if compiling the changed sources reproduces the edited file exactly; lines that were added below a generated list go to the end of the text above it. Other edits are refused with a reason and stay in the generated file. If an edit fits in several places, you are asked on a terminal. Run `prs compile` afterwards to update the files of other tools. `prs undo` reverts the change. If you name a generated file that you deleted, its item is removed from the sources.',
    examples: [
      ['Show what would change in the sources', 'prs absorb --dry-run'],
      ['Move the edits of one file into the sources', 'prs absorb AGENTS.md'],
      ['Turn new files of tools into sources for all tools', 'prs absorb --new'],
    ],
  });

  dryRun = flag('--dry-run', 'Show the change of the sources; write nothing.');
  added = flag(
    '--new',
    'Also move new rules, agents, commands and skills from folders of tools, and new MCP servers from their settings, into the sources.',
  );
  build = listOption('--build', 'Files of this build profile; may be repeated.');
  files = Option.Rest();

  async run(context: CompileContext, terminal: Terminal): Promise<Outcome> {
    const { absorbData, absorbProject, absorbText, askPlace, previewText } = await import('../rest.ts');
    const { files, added, dryRun, build: builds } = this;
    const asks = terminal.interactive && !this.silent && !dryRun;
    const decide = asks ? askPlace : ('likeliest' as const);
    const absorbed = await absorbProject({ files, added, dryRun, builds, decide }, context);
    if (typeof absorbed === 'string') return absorbed;
    return {
      root: absorbed.root,
      data: await absorbData(absorbed),
      ...(dryRun && { text: () => previewText(absorbed) }),
      summary: () => absorbText(absorbed, dryRun),
    };
  }
}
