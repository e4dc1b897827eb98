import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, option, PrsCommand } from '../command.ts';
import { version } from '../command-line.ts';

export class McpCommand extends PrsCommand {
  static override paths = [['mcp']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Integrate',
    description: 'Serve assistants over the Model Context Protocol.',
    details:
      'An assistant starts it to maintain the instructions, and communicates over standard input and output. The server checks sources, explains findings and values, shows where a rule would be written, and adds rules.',
    examples: [
      ['What an assistant runs', 'prs mcp'],
      ['Serve another project', 'prs mcp --cwd .'],
      ['Show the options', 'prs mcp --help'],
    ],
  });

  async run(context: CompileContext): Promise<Outcome> {
    const { serveTools } = await import('../mcp.ts');
    return { exitCode: await serveTools(context) };
  }
}

export class LspCommand extends PrsCommand {
  /** Editors pass an option of the protocol in camel case. */
  static spelled = (word: string): string => word.replace(/^--clientProcessId(?==|$)/, '--client-process-id');

  static override paths = [['lsp']];
  static override usage = Command.Usage({
    category: 'Integrate',
    description: 'Serve editors over the Language Server Protocol.',
    details:
      'An editor starts it and communicates over standard input and output. It serves .prs files, Markdown sources, instr.yaml and generated files.',
    examples: [
      ['What an editor runs', 'prs lsp --stdio'],
      ['Serve another folder', 'prs lsp --cwd .'],
      ['Show the options', 'prs lsp --help'],
    ],
  });

  stdio = Option.Boolean('--stdio', true, {
    description: 'Communicate over standard input and output (always on).',
  });

  clientProcessId = option(
    '--client-process-id',
    'Process id of the editor; the server exits when the editor does.',
  );

  async run(context: CompileContext): Promise<Outcome> {
    const { serve } = await import('../rest.ts');
    return { exitCode: await serve(context, version) };
  }
}
