import { Command } from 'clipanion';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class DoctorCommand extends PrsCommand {
  static override paths = [['doctor']];
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'Show which tools are on this machine, and what they would read here.',
    details:
      'The enabled tools first: where each was found, the main files it would load, what keeps it from them, and when a client of it was last seen to receive what is written. Then further tools that were found. Nothing is started and nothing is written. Exits with 1 when a tool does not load what is written for it, or when a spec of the project is older than ours.',
    examples: [
      ['Check this project and this machine', 'prs doctor'],
      ['Check another project', 'prs doctor --cwd .'],
      ['All tools, for a script', 'prs doctor --json'],
    ],
  });

  async run({ context }: Invocation): Promise<CommandResult> {
    const { checkHealth, healthData, healthText } = await import('../rest.ts');
    const health = await checkHealth(context);
    if (typeof health === 'string') return { exitCode: 2 };
    const { root, tools } = health;
    const ailing = tools.some(({ shadowed, override }) => shadowed || override?.stale);
    return {
      ...(root !== undefined && { root }),
      ...(ailing && { exitCode: 1 }),
      data: { doctor: healthData(health) },
      text: width => healthText(health, width),
    };
  }
}
