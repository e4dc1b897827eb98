import { Command, Option } from 'clipanion';
import { hooksNowhere } from '../../generated/diagnostics.ts';
import type { Installed } from '../../project/merge/install.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class HookCommand extends PrsCommand {
  static override paths = [['hook']];
  static override usage = Command.Usage({
    category: 'Integrate',
    description: 'Let Git merge and update generated files by compiling.',
    details:
      '`install` registers `prs merge-driver` for the generated files and .instr/manifest.json, in .git/config and .git/info/attributes, and hooks that compile after a checkout, a merge or a rebase, in every working tree of the clone. `remove` removes both. Nothing is committed, so everybody runs the command once in each clone.',
    examples: [
      ['Install the hooks and the merge driver', 'prs hook install'],
      ['Remove them', 'prs hook remove'],
      ['Show what was installed as JSON', 'prs hook install --json'],
    ],
  });

  action = Option.String({ name: 'action' });
  override choices = { action: ['install', 'remove'] };

  async run(context: CompileContext): Promise<Outcome> {
    const { installHooks, projectRoot } = await import('../rest.ts');
    const { root } = projectRoot(context);
    // In a single executable, the program and its script are the same file.
    const program = [...new Set([process.execPath, process.argv[1]!])];
    const installed = installHooks(root, program, context.disk, this.action === 'remove');
    if (!installed) {
      context.report(hooksNowhere({ path: root }));
      return { root };
    }
    return { root, summary: () => hookText(installed, this.action === 'remove') };
  }
}

export class MergeDriverCommand extends PrsCommand {
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

/** What was installed or removed. */
function hookText({ attributes, hooks, foreign }: Installed, removed: boolean): string {
  const lines = [
    removed
      ? 'Git merges generated files as any others again.'
      : 'Git merges generated files in this clone by compiling the merged sources.',
    `  changed ${attributes}`,
    ...hooks.map(path => `  wrote   ${path}`),
    ...(removed ? [] : foreign).map(
      path => `  kept    ${path}, which is yours: add \`prs compile --quiet\` to it`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
