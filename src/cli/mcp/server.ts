import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CompileContext } from '../../project/session/world.ts';
import { version } from '../version.ts';
import { addTools } from './tools.ts';

/**
 * Serves assistants over the Model Context Protocol on standard input and output, until the client closes the
 * input.
 */
export async function serveTools(context: CompileContext): Promise<number> {
  // Calls are serialized, so that a call that writes does not overlap one that reads.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  };
  const closed = once(process.stdin, 'close');
  serveStdio(() => {
    const server = new McpServer(
      { name: 'instr', version },
      {
        instructions:
          'The instructions of this project are compiled from sources: `instr.yaml` and the files in `.instr/`. Change the sources, never the generated files. `add_rule` adds a rule. Other things are files that you write: a skill `.instr/skills/<name>/SKILL.md`, MCP servers `.instr/mcp.json`, a hook the block `@hooks` of a .prs source. Call `explain` with a block (`@hooks`) for its form before you write it, and `validate` afterwards; then run `prs compile`.',
      },
    );
    addTools(server, context, inTurn);
    return server;
  });
  await closed;
  await last;
  return 0;
}
