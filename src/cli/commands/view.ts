import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class ViewCommand extends PrsCommand {
  static override paths = [['view']];
  static override usage = Command.Usage({
    description: 'Show the very text that a tool is given.',
    details:
      'Files in the order of the tool, with imports and nested files, what waits on demand, and where a limit cuts. Planned files are shown as compile would write them. Nothing is written.',
    examples: [
      ['What a tool is given at the root', 'prs view --as <target>'],
      ['In a folder', 'prs view --as <target> --at packages/api'],
      ['After it has read a file', 'prs view --as <target> --file packages/api/main.ts'],
    ],
  });

  as = Option.String('--as', { description: 'The tool, by id, label or name.' });
  at = Option.String('--at', { description: 'The folder in which the session begins.' });
  file = Option.Array('--file', { description: 'A file that the tool has read; may be repeated.' });

  async run({ context, terminal }: Invocation): Promise<Outcome> {
    const { viewProject } = await import('../../project/view/view.ts');
    const { viewData, viewText } = await import('../report/view.ts');
    if (this.as === undefined) {
      const { viewWithoutTool } = await import('../../generated/diagnostics.ts');
      context.report(viewWithoutTool({}));
      return { exitCode: 2 };
    }
    const request = { as: this.as, at: this.at ?? '.', files: this.file ?? [] };
    const view = await viewProject(request, context);
    if (typeof view === 'string') return { exitCode: 2 };
    const { colors } = terminal.stdout;
    return {
      root: view.root,
      data: { view: viewData(view) },
      text: width => viewText(view, width, colors),
      paged: true,
    };
  }
}
