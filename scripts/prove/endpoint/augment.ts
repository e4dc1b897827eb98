/**
 * The chat API of Augment: the client sends the parts of a prompt, which the vendor assembles, and reads answers as lines
 * of JSON.
 */
import { isObject } from '../../../src/text/data.ts';
import { lines, listOf, type Protocol, textsOf } from './protocol.ts';

/** Numbers of the API for node types and stop reasons. */
const kinds = { text: 0, call: 5 };
const stops = { end: 1, call: 3 };

/** The chat API. */
export const augment: Protocol = {
  path: /\/chat-stream$/,
  read: body => ({
    texts: textsOf([
      ...[body.system_prompt, body.system_prompt_append, body.user_guidelines, body.workspace_guidelines],
      ...[body.rules, body.skills, body.chat_history, body.message, body.nodes, body.tool_definitions],
    ]),
    tools: listOf(body.tool_definitions).map(({ name }) => String(name)),
    calls: listOf(body.chat_history)
      .flatMap(({ response_nodes }) => listOf(response_nodes))
      .filter(({ tool_use }) => isObject(tool_use)).length,
    stream: true,
    model: String(body.model),
  }),
  write(answer) {
    if ('text' in answer)
      return lines([
        { text: answer.text, nodes: [{ id: 0, type: kinds.text, content: answer.text }] },
        { text: '', nodes: [], stop_reason: stops.end },
      ]);
    const { id, name, input } = answer.call;
    const tool_use = { tool_use_id: id, tool_name: name, input_json: JSON.stringify(input) };
    return lines([
      { text: '', nodes: [{ id: 1, type: kinds.call, content: '', tool_use }] },
      { text: '', nodes: [], stop_reason: stops.call },
    ]);
  },
};
