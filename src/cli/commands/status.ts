import { basename } from 'node:path';
import { Command } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class StatusCommand extends PrsCommand {
  static override paths = [['status']];
  static override usage = Command.Usage({
    description: 'Show what a project uses, and whether its files are what the sources say.',
    details: 'One line: sources with their versions, targets, drift, waivers. Nothing is written.',
    examples: [
      ['One line', 'prs status'],
      ['For an inventory of many repositories', 'prs status --json'],
    ],
  });

  async run({ context }: Invocation): Promise<Outcome> {
    const { statusOf } = await import('../../project/status.ts');
    const status = await statusOf(context);
    if (typeof status === 'string') return { exitCode: 2 };
    const { waiverData } = await import('../report/waivers.ts');
    const { plural } = await import('../report/files.ts');
    const { root, sources, targets, files, drift, executables, waivers, today } = status;
    const expired = waivers.filter(({ state }) => state === 'expired').length;
    const facts = [
      sources.map(({ source, current }) => `${source} ${current}`).join(', ') || 'no pinned sources',
      targets.join(', '),
      drift.length === 0
        ? `${plural(files, 'file')} up to date`
        : `${plural(drift.length, 'file')} of ${files} out of date`,
      ...(executables.length > 0 ? [`${executables.length} executable`] : []),
      ...(waivers.length > 0
        ? [`${plural(waivers.length, 'waiver')}${expired > 0 ? ` (${expired} expired)` : ''}`]
        : []),
    ];
    return {
      root,
      data: {
        status: { project: basename(root), sources, targets, files, drift, executables },
        ...waiverData(waivers, today),
      },
      text: () => `${basename(root)}: ${facts.join(' · ')}\n`,
    };
  }
}
