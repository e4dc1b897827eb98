import { createInterface } from 'node:readline';
import type { Invocation } from '../invocation.ts';
import { callTool, listTools } from './tools.ts';

/** Versions of the protocol that this server speaks, the newest first. */
const versions = ['2025-06-18', '2025-03-26', '2024-11-05'];

interface Message {
  readonly id?: string | number | null;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** An answer that is an error of the protocol, by its code. */
class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Serves assistants over the Model Context Protocol: a JSON-RPC message on each line of standard input and output, one
 * after the other, until the client closes the input.
 */
export async function serveTools(context: Invocation['context'], version: string): Promise<number> {
  const send = (message: object) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      send({ id: null, error: { code: -32700, message: 'This line is no JSON.' } });
      continue;
    }
    const { id, method } = message ?? {};
    // What has no id is a notification, and gets no answer.
    if (id === undefined) continue;
    if (typeof method !== 'string') {
      send({ id, error: { code: -32600, message: 'A request needs a method.' } });
      continue;
    }
    try {
      send({ id, result: await answer(method, message.params ?? {}, context, version) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send({ id, error: { code: error.code, message: error.message } });
    }
  }
  return 0;
}

async function answer(
  method: string,
  params: Readonly<Record<string, unknown>>,
  context: Invocation['context'],
  version: string,
): Promise<object> {
  switch (method) {
    case 'initialize': {
      const wanted = String(params.protocolVersion);
      return {
        protocolVersion: versions.includes(wanted) ? wanted : versions[0],
        capabilities: { tools: {} },
        serverInfo: { name: 'instr', version },
        instructions:
          'The instructions of this project are compiled from sources. Change the sources, never the generated files.',
      };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: listTools() };
    case 'tools/call': {
      const result = await callTool(String(params.name), params.arguments ?? {}, context);
      if (typeof result === 'string') throw new Refusal(-32602, result);
      const { text, failed } = result;
      return { content: [{ type: 'text', text }], isError: failed };
    }
    default:
      throw new Refusal(-32601, `There is no method \`${method}\`.`);
  }
}
