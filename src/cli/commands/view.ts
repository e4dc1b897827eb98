import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand, refuse, userOption } from '../command.ts';

export default class ViewCommand extends PrsCommand {
  static override paths = [['view']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'Show the text that a tool loads, or the files that a compile reads and writes.',
    details:
      'With --as: the files in the order in which the tool loads them, with imports and nested files, content loaded on demand, and the cut at a limit, as a compile would write them. Without: paths relative to the project, for build tools with a cache. Nothing is written.',
    examples: [
      ['The text that a tool loads in a folder', 'prs view --as <target> --at packages/api'],
      ['What has changed for a tool since a release', 'prs view --as <target> --diff v1.2.0'],
    ],
  });

  as = Option.String('--as', { description: 'The tool, by id, label or name.' });
  at = Option.String('--at', { description: 'The folder in which the session begins.' });
  diff = Option.String('--diff', { description: 'Compare with this commit, branch or tag.' });
  inputs = Option.Boolean('--inputs', false, {
    description: 'List the configurations, the lock, specs and sources that a compile reads.',
  });
  outputs = Option.Boolean('--outputs', false, {
    description: 'List the generated files and the manifest.',
  });
  override user = userOption();
  file = Option.Array('--file', {
    description: 'Add what the tool loads with this file, such as scoped rules; may be repeated.',
  });

  async run(context: CompileContext): Promise<Outcome> {
    if (this.as === undefined) return this.listFiles(context);
    const { diffText, originsOfParts, viewData, viewProject, viewText } = await import('../rest.ts');
    const request = { as: this.as, at: this.at ?? '.', files: this.file ?? [] };
    const view = await viewProject(request, context);
    if (typeof view === 'string') return view;
    if (this.diff !== undefined) {
      const { compareViews, viewCommit } = await import('../rest.ts');
      const before = await viewCommit(this.diff, request, context);
      if (typeof before === 'string') return before;
      const patch = await compareViews(before, view, this.diff);
      return {
        root: view.root,
        data: { view: { ...viewData(view), diff: patch } },
        text: () => diffText(patch),
        content: true,
        paged: true,
      };
    }
    const origins = this.json ? await originsOfParts(view.parts, context) : undefined;
    return {
      root: view.root,
      data: { view: viewData(view, origins) },
      text: width => viewText(view, width),
      content: true,
      paged: true,
    };
  }

  /** Lists the files that a compile reads or writes; both without an option. */
  private async listFiles(context: CompileContext): Promise<Outcome> {
    const needsTool = (['at', 'diff', 'file'] as const).some(name => this[name] !== undefined);
    if (needsTool) {
      const { openProject, targetEntries, viewWithoutTool } = await import('../rest.ts');
      const project = await openProject({ ...context, report: () => {} });
      const names = project ? targetEntries(project.loaded.config).map(({ name }) => name) : [];
      const hint =
        names.length === 0
          ? undefined
          : `Name one: \`prs view --as <id>\`. Enabled here: ${names.join(', ')}.`;
      return refuse(context, viewWithoutTool({}, { hint }));
    }
    const { compileProject } = await import('../rest.ts');
    const compiled = await compileProject({ mode: 'plan', force: true }, context);
    if (typeof compiled === 'string') return compiled;
    const both = this.inputs === this.outputs;
    const written = compiled.entries.filter(
      ({ state, private: isPrivate }) => state !== 'removed' && state !== 'source' && !isPrivate,
    );
    const inputs = both || this.inputs ? compiled.inputs : undefined;
    const outputs =
      both || this.outputs ? [...written.map(({ path }) => path), '.instr/manifest.json'].sort() : undefined;
    return {
      root: compiled.root,
      data: { ...(inputs && { inputs }), ...(outputs && { outputs }) },
      content: true,
      text: () => [...(inputs ?? []), ...(outputs ?? [])].map(path => `${path}\n`).join(''),
    };
  }
}
