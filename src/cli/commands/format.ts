import { Command, Option } from 'clipanion';
import type { FormatOutcome } from '../../project/format-sources.ts';
import type { UpgradedFile, UpgradeOutcome } from '../../project/move-in/upgrade.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, type Outcome, option, PrsCommand } from '../command.ts';
import { createdData } from '../report/made.ts';
import { plural } from '../report/table.ts';

export default class FormatCommand extends PrsCommand {
  static override paths = [['format']];
  static override rest = 'file';
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Format .prs files.',
    details:
      'Comments are kept, and the project compiles to the same files. Without arguments, every .prs file of the project is formatted. A file with a syntax error is reported and not changed.',
    examples: [
      ['Format all sources', 'prs format'],
      ['Exit with 1 if a file is not formatted', 'prs format --check'],
      ['For an editor', 'prs format --stdin-file-path .instr/project.prs < .instr/project.prs'],
    ],
  });

  check = flag('--check', 'Write nothing; exit with 1 when a file would change.');
  stdinFilePath = option(
    '--stdin-file-path',
    'Format standard input and print the result; findings use this path.',
  );
  files = Option.Rest();

  async run(context: CompileContext): Promise<Outcome> {
    const { formatProject, layOut, readStandardInput } = await import('../rest.ts');
    if (this.stdinFilePath !== undefined) {
      const given = readStandardInput();
      const text = layOut(this.stdinFilePath, given, context.report);
      if (text === undefined) return undefined;
      const same = text === new TextDecoder('utf-8', { ignoreBOM: true }).decode(given);
      return {
        ...(this.check && !same && { exitCode: 1 }),
        data: { source: text },
        ...(!this.check && { content: true, text: () => text }),
      };
    }
    const outcome = await formatProject({ files: this.files, check: this.check }, context);
    if (!outcome) return undefined;
    return {
      root: outcome.root,
      ...(this.check && outcome.files.length > 0 && { exitCode: 1 }),
      data: changedSourcesData(outcome),
      summary: () => changedText(outcome, this.check),
    };
  }
}

export class UpgradeCommand extends PrsCommand {
  static override paths = [['upgrade']];
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Convert source files to the newest syntax version.',
    details: 'Comments and layout are kept, and the project compiles to the same files as before.',
    examples: [
      ['Show what would change', 'prs upgrade --dry-run'],
      ['Upgrade all source files', 'prs upgrade'],
      ['Upgrade another project', 'prs upgrade --cwd .'],
    ],
  });

  dryRun = flag('--dry-run', 'Show what would change; write nothing.');

  async run(context: CompileContext): Promise<Outcome> {
    const { projectRoot, upgradeProject } = await import('../rest.ts');
    const outcome = await upgradeProject(this.dryRun, context);
    if (!outcome) return projectRoot(context).config === undefined ? 'no-configuration' : undefined;
    return {
      root: outcome.root,
      data: changedSourcesData(outcome),
      summary: () => changedText(outcome, this.dryRun),
    };
  }
}

/** The JSON members of `format` and `upgrade`. */
const changedSourcesData = ({ files }: FormatOutcome | UpgradeOutcome): Record<string, unknown> => ({
  files: files.map(file => createdData({ ...file, state: 'changed' })),
});

/** The changed files, with the changes that are not only of layout. */
function changedText({ files, checked }: FormatOutcome | UpgradeOutcome, isDry: boolean): string {
  const lines = files.flatMap((file: Partial<UpgradedFile>) => {
    const { path, from, to, changes = [] } = file;
    const versions = from === undefined ? '' : ` (${from} -> ${to})`;
    return [
      `  ${isDry ? 'would change' : 'changed'} ${path}${versions}`,
      ...changes.map(one => `    ${one}`),
    ];
  });
  const count = `${plural(checked, 'source file')} checked, ${files.length} ${isDry ? 'to change' : 'changed'}.`;
  return [...lines, count].map(line => `${line}\n`).join('');
}
