import { basename } from 'node:path';
import { Command } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { recursiveOption, whichPackages } from '../which-packages.ts';

export default class StatusCommand extends PrsCommand {
  static override paths = [['status']];
  static override usage = Command.Usage({
    description: 'Show what a project uses, and whether its files are what the sources say.',
    details:
      'One line for a project: sources with their versions, targets, drift, waivers. Nothing is written.',
    examples: [
      ['One line', 'prs status'],
      ['For an inventory of many repositories', 'prs status --json'],
    ],
  });

  recursive = recursiveOption();

  async run({ context }: Invocation): Promise<Outcome> {
    const packages = await whichPackages(context, this.recursive);
    if (packages) {
      const { statusPackages } = await import('../packages.ts');
      return statusPackages(packages, context);
    }
    const { statusOf } = await import('../../project/status.ts');
    const status = await statusOf(context);
    if (typeof status === 'string') return { exitCode: 2 };
    const { statusData, statusLine } = await import('../report/status.ts');
    const { root } = status;
    const name = basename(root);
    return { root, data: statusData(name, status, context), text: () => statusLine(name, status) };
  }
}
