import { Command } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import type { OriginRange, View } from '../../project/view/view.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { flag, listOption, type Outcome, option, PrsCommand, refuse, userOption } from '../command.ts';
import { patchText } from '../report/files.ts';
import { plural, table } from '../report/table.ts';

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
      ['The files that a compile reads and writes, as JSON', 'prs view --json'],
    ],
  });

  as = option('--as', 'The tool, by id, label or name.');
  at = option('--at', 'The folder in which the session begins.');
  diff = option('--diff', 'Compare with this commit, branch or tag.');
  inputs = flag('--inputs', 'List the configurations, the lock, specs and sources that a compile reads.');
  outputs = flag('--outputs', 'List the generated files and the manifest.');
  override user = userOption();
  file = listOption(
    '--file',
    'Add what the tool loads with this file, such as scoped rules; may be repeated.',
  );

  async run(context: CompileContext): Promise<Outcome> {
    if (this.as === undefined) return this.listFiles(context);
    const { compareViews, originsOfParts, viewCommit, viewProject } = await import('../rest.ts');
    const request = { as: this.as, at: this.at ?? '.', files: this.file ?? [] };
    const view = await viewProject(request, context);
    if (typeof view === 'string') return view;
    const shown = { root: view.root, content: true, paged: true };
    if (this.diff !== undefined) {
      const before = await viewCommit(this.diff, request, context);
      if (typeof before === 'string') return before;
      const diff = await compareViews(before, view, this.diff);
      return { ...shown, data: { view: { ...viewData(view), diff } }, text: () => diffText(diff) };
    }
    const origins = this.json ? await originsOfParts(view.parts, context) : undefined;
    return { ...shown, data: { view: viewData(view, origins) }, text: width => viewText(view, width) };
  }

  /** Lists the files that a compile reads or writes; both without an option. */
  private async listFiles(context: CompileContext): Promise<Outcome> {
    const { compileProject, viewWithoutTool } = await import('../rest.ts');
    if ((this.at ?? this.diff ?? this.file) !== undefined) return refuse(context, viewWithoutTool({}));
    const compiled = await compileProject({ mode: 'plan', force: true }, context);
    if (typeof compiled === 'string') return compiled;
    const written = compiled.entries.filter(
      ({ state, private: isPrivate }) => state !== 'removed' && state !== 'source' && !isPrivate,
    );
    const both = this.inputs === this.outputs;
    const data = {
      ...((both || this.inputs) && { inputs: compiled.inputs }),
      ...((both || this.outputs) && {
        outputs: [...written.map(({ path }) => path), '.instr/manifest.json'].sort(),
      }),
    };
    const text = () =>
      Object.values(data)
        .flat()
        .map(path => `${path}\n`)
        .join('');
    return { root: compiled.root, data, content: true, text };
  }
}

/** The JSON member `view`. */
const viewData = (
  { spec, version, parts, onDemand, limit, cut }: View,
  origins?: ReadonlyMap<string, readonly OriginRange[]>,
): Record<string, unknown> => ({
  target: spec.id,
  version,
  parts: parts.map(part => ({
    ...part,
    ...(origins?.has(part.path) && { origins: origins.get(part.path) }),
  })),
  onDemand,
  ...(limit && { limit: { [limit.unit]: limit.max } }),
  ...(cut && { cut }),
});

/** The text that the tool loads, with file boundaries, content loaded on demand, sizes, and the cut. */
function viewText({ spec, parts, onDemand, limit, cut }: View, width: number): string {
  const lines: string[] = [];
  for (const { path, text, startLine, endLine, tokens, importedBy, onReadOf } of parts) {
    const notes = [
      startLine === 1 ? plural(endLine, 'line') : `lines ${startLine} to ${endLine}`,
      `~${plural(tokens, 'token')}`,
      ...(importedBy === undefined ? [] : [`imported by ${importedBy}`]),
      ...(onReadOf === undefined ? [] : [`after a file of ${onReadOf}/ was read`]),
    ];
    const title = `── ${path} (${notes.join(', ')}) `;
    lines.push(styled.strong(title.padEnd(Math.max(title.length, Math.min(width, 80)), '─')));
    lines.push(text.endsWith('\n') ? text.slice(0, -1) : text);
    if (cut?.path !== path || startLine > 1) continue;
    const next = parts.find(part => part.path === path && part.startLine > 1);
    const lost = next === undefined ? 'the rest' : `what follows up to line ${next.startLine}`;
    lines.push(styled.warning(`── cut here, at line ${cut.line}: ${lost} is not given to ${spec.title}`));
  }
  if (parts.length === 0) lines.push(`${spec.title} is given no text here.`);
  if (onDemand.length > 0) {
    lines.push('', styled.strong('On demand'));
    const rows = onDemand.map(({ kind, name, path }) => [`  ${kind}`, name, path]);
    lines.push(table(rows, width).trimEnd());
  }
  const sum = (key: 'bytes' | 'tokens') => parts.reduce((total, part) => total + part[key], 0);
  const size = `${plural(sum('bytes'), 'byte')}${limit ? ` of at most ${limit.max} ${limit.unit}` : ''}`;
  lines.push(
    '',
    `${spec.title}: ${plural(parts.length, 'file')}, ${size}, ~${plural(sum('tokens'), 'token')}`,
  );
  return `${lines.join('\n')}\n`;
}

/** The changes of the text that the tool loads. */
function diffText(patch: string): string {
  const lines = patch.split('\n').slice(1);
  if (!lines.some(line => line.startsWith('@@'))) return 'The tool is given the same text.\n';
  return `${patchText(lines.join('\n'))}\n`;
}
