/** The server of the canary project, over standard input and output; its answers are what `/mcp` of the endpoint says too. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The answer to one message, for a server with one tool; nothing for a notification. */
export function answerMessage({ id, method, params }, tool) {
  if (id === undefined) return undefined;
  const result = () => {
    if (method === 'initialize')
      return {
        protocolVersion: params?.protocolVersion ?? '2025-03-26',
        capabilities: { tools: {} },
        serverInfo: { name: 'canary', version: '1.0.0' },
      };
    if (method === 'tools/list')
      return { tools: [{ name: tool, description: 'Says hello.', inputSchema: { type: 'object', properties: {} } }] };
    if (method === 'tools/call') return { content: [{ type: 'text', text: 'hello' }] };
    if (method === 'ping') return {};
    return { resources: [], resourceTemplates: [], prompts: [] };
  };
  return { jsonrpc: '2.0', id, result: result() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const log = new URL('../../servers.log', import.meta.url);
  const note = words => appendFileSync(log, `${words}\n`);
  note(`start ${process.env.ZQ_SERVER ?? 'without environment'}`);
  createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line);
    if (message.method === 'tools/call') note('call');
    const answer = answerMessage(message, 'zqstdiotool');
    if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
}
