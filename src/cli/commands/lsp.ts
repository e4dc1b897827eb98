import { Command, Option } from 'clipanion';
import { type Outcome, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';

export default class LspCommand extends PrsCommand {
  static override paths = [['lsp']];
  static override usage = Command.Usage({
    description: 'Serve editors over the Language Server Protocol.',
    details:
      'An editor starts it and talks to it over standard input and output. It serves .prs files, Markdown sources, instr.yaml and generated files.',
    examples: [
      ['What an editor runs', 'prs lsp --stdio'],
      ['Show what it can do', 'prs lsp --help'],
    ],
  });

  stdio = Option.Boolean('--stdio', true, {
    description: 'Talk over standard input and output, as always.',
  });

  async run({ context }: Invocation): Promise<Outcome> {
    const { serve } = await import('../../lsp/server.ts');
    return { exitCode: await serve(context, process.env.INSTR_VERSION ?? 'development') };
  }
}
