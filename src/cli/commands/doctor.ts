import { Command } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class DoctorCommand extends PrsCommand {
  static override paths = [['doctor']];
  static override usage = Command.Usage({
    category: 'Look into',
    description: 'Show which tools are on this machine, and what they would read here.',
    details:
      'For each enabled tool: where it was found, the main files that it would load, what prevents it from loading others, and the date of the last proof with a client. Then other tools that were found. Starts and writes nothing. Exits with 1 if a tool does not load the files written for it, or if a spec in the project is older than the built-in one.',
    examples: [
      ['Check this project and this machine', 'prs doctor'],
      ['Check another project', 'prs doctor --cwd .'],
      ['All tools, for a script', 'prs doctor --json'],
    ],
  });

  async run(context: CompileContext): Promise<Outcome> {
    const { checkHealth, healthData, healthText } = await import('../rest.ts');
    const health = await checkHealth(context);
    if (typeof health === 'string') return health;
    const { root, tools } = health;
    const ailing = tools.some(({ shadowed }) => shadowed);
    return {
      ...(root !== undefined && { root }),
      ...(ailing && { exitCode: 1 }),
      data: { doctor: healthData(health) },
      text: width => healthText(health, width),
    };
  }
}
