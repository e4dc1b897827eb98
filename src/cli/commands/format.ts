import { Command, Option } from 'clipanion';
import type { FormatOutcome } from '../../project/format-sources.ts';
import type { UpgradeOutcome } from '../../project/move-in/upgrade.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';
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

  check = Option.Boolean('--check', false, {
    description: 'Write nothing; exit with 1 when a file would change.',
  });
  stdinFilePath = Option.String('--stdin-file-path', {
    description: 'Format standard input and print the result; findings use this path.',
  });
  files = Option.Rest();

  async run(context: CompileContext): Promise<Outcome> {
    const { formatProject, layOut } = await import('../rest.ts');
    if (this.stdinFilePath !== undefined) {
      const { readStandardInput } = await import('../rest.ts');
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
      summary: () => formatText(outcome, this.check),
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

  dryRun = Option.Boolean('--dry-run', false, { description: 'Show what would change; write nothing.' });

  async run(context: CompileContext): Promise<Outcome> {
    const { projectRoot, upgradeProject } = await import('../rest.ts');
    const outcome = await upgradeProject(this.dryRun, context);
    if (!outcome) return projectRoot(context).config === undefined ? 'no-configuration' : undefined;
    return {
      root: outcome.root,
      data: changedSourcesData(outcome),
      summary: () => upgradeText(outcome, this.dryRun),
    };
  }
}

/** The JSON members of `format` and `upgrade`. */
const changedSourcesData = ({ files }: FormatOutcome | UpgradeOutcome): Record<string, unknown> => ({
  files: files.map(file => createdData({ ...file, state: 'changed' })),
});

/** The files whose layout changed or would change. */
function formatText({ files, checked }: FormatOutcome, check: boolean): string {
  const lines = files.map(({ path }) => `  ${check ? 'would change' : 'changed'} ${path}\n`);
  return lines.join('') + countLine(checked, files.length, check);
}

/** The changes in each file. */
function upgradeText({ files, checked }: UpgradeOutcome, dryRun: boolean): string {
  const lines = files.flatMap(({ path, from, to, changes }) => [
    `  ${dryRun ? 'would change' : 'changed'} ${path}${from === undefined ? '' : ` (${from} -> ${to})`}\n`,
    ...changes.map(change => `    ${change}\n`),
  ]);
  return lines.join('') + countLine(checked, files.length, dryRun);
}

const countLine = (checked: number, changed: number, isDry: boolean): string =>
  `${plural(checked, 'source file')} checked, ${changed} ${isDry ? 'to change' : 'changed'}.\n`;
