import { Command } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand } from '../command.ts';

export default class McpCommand extends PrsCommand {
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
