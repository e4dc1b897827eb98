import { Command, Option } from 'clipanion';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class AbsorbCommand extends PrsCommand {
  static override paths = [['absorb']];
  static override listed = true;
  static override rest = 'file';
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Move edits of generated files into the sources.',
    details:
      'An edit is moved when a compile of the changed sources gives the edited file again, line for line. Other edits are refused with a reason and stay in the generated file. On a terminal you are asked where an edit goes that fits in several places. Run `prs compile` afterwards to update the files of other tools. `prs undo` reverts the change. If you name a generated file that you deleted, its item is removed from the sources.',
    examples: [
      ['Show what would change in the sources', 'prs absorb --dry-run'],
      ['Take the edits of one file into the sources', 'prs absorb AGENTS.md'],
      ['Make new files of tools sources for all tools', 'prs absorb --new'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Show the change of the sources; write nothing.',
  });
  added = Option.Boolean('--new', false, {
    description:
      'Also rules, agents, commands and skills that were added where tools read them, and MCP servers in their settings.',
  });
  split = Option.Boolean('--split', false, {
    description:
      'Make the file of a rule, agent, command or skill a source of its own for its tools where the sources cannot say what was edited.',
  });
  build = Option.Array('--build', { description: 'Files of this build profile; may be repeated.' });
  files = Option.Rest();

  async run({ context, terminal, silent }: Invocation): Promise<CommandResult> {
    const { absorbData, absorbProject, absorbText, askPlace, previewText } = await import('../rest.ts');
    const asks = terminal.interactive && !silent && !this.dryRun;
    const decide = asks ? askPlace : ('likeliest' as const);
    const request = {
      files: this.files,
      added: this.added,
      split: this.split,
      dryRun: this.dryRun,
      builds: this.build,
      decide,
    };
    const absorbed = await absorbProject(request, context);
    if (typeof absorbed === 'string') return { exitCode: 2 };
    return {
      root: absorbed.root,
      data: await absorbData(absorbed),
      ...(this.dryRun && { text: () => previewText(absorbed) }),
      summary: () => absorbText(absorbed, this.dryRun),
    };
  }
}
