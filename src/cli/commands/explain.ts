import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class ExplainCommand extends PrsCommand {
  static override paths = [['explain']];
  static override usage = Command.Usage({
    description: 'Explain a diagnostic, a rule, or where a value came from.',
    examples: [
      ['Explain a diagnostic', 'prs explain PRS1001'],
      ['List the rules', 'prs explain --rules'],
      ['Show every declaration that shaped a value', "prs explain 'standards.code[0]'"],
    ],
  });

  rules = Option.Boolean('--rules', false, { description: 'List the built-in rules with their defaults.' });
  subject = Option.String({ name: 'code-or-path', required: false });

  async run(invocation: Invocation): Promise<Outcome> {
    const { explainCommand } = await import('../run-explain.ts');
    return explainCommand(this, invocation);
  }
}
