import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { inScope, userOption } from '../user-scope.ts';

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
      ['What has changed for it since a release', 'prs view --as <target> --diff v1.2.0'],
    ],
  });

  as = Option.String('--as', { description: 'The tool, by id, label or name.' });
  at = Option.String('--at', { description: 'The folder in which the session begins.' });
  diff = Option.String('--diff', { description: 'Compare with this commit, branch or tag.' });
  user = userOption();
  file = Option.Array('--file', { description: 'A file that the tool has read; may be repeated.' });

  async run({ context: given }: Invocation): Promise<Outcome> {
    const context = await inScope(this, given);
    if (!context) return { exitCode: 2 };
    const { viewProject } = await import('../../project/view/view.ts');
    const { diffText, viewData, viewText } = await import('../report/view.ts');
    if (this.as === undefined) {
      const { viewWithoutTool } = await import('../../generated/diagnostics.ts');
      context.report(viewWithoutTool({}));
      return { exitCode: 2 };
    }
    const request = { as: this.as, at: this.at ?? '.', files: this.file ?? [] };
    const view = await viewProject(request, context);
    if (typeof view === 'string') return { exitCode: 2 };
    if (this.diff !== undefined) {
      const { compareViews, viewCommit } = await import('../../project/view/compare.ts');
      const before = await viewCommit(this.diff, request, context);
      if (typeof before === 'string') return { exitCode: 2 };
      const patch = await compareViews(before, view, this.diff);
      return {
        root: view.root,
        data: { view: { ...viewData(view), diff: patch } },
        text: () => diffText(patch),
        content: true,
        paged: true,
      };
    }
    const { originsOfParts } = await import('../../project/view/origins.ts');
    const origins = this.json ? await originsOfParts(view, context) : undefined;
    return {
      root: view.root,
      data: { view: viewData(view, origins) },
      text: width => viewText(view, width),
      content: true,
      paged: true,
    };
  }
}
