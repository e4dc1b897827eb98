/** The Messages API of Anthropic: reads requests and writes answers. */
import { json, listOf, type Protocol, stream, textsOf } from './protocol.ts';

/** The Messages API. */
export const anthropic: Protocol = {
  path: /\/v1\/messages$/,
  read: body => ({
    texts: textsOf([body.system ?? [], body.messages, body.tools ?? []]),
    tools: listOf(body.tools).map(({ name }) => String(name)),
    calls: listOf(body.messages)
      .flatMap(({ content }) => listOf(content))
      .filter(({ type }) => type === 'tool_use').length,
    stream: body.stream === true,
    model: String(body.model),
  }),
  write(answer, asked) {
    const message = {
      id: 'msg_proof',
      type: 'message',
      role: 'assistant',
      model: asked.model,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    const block =
      'text' in answer
        ? { type: 'text', text: answer.text }
        : { type: 'tool_use', id: answer.call.id, name: answer.call.name, input: answer.call.input };
    const stop_reason = 'text' in answer ? 'end_turn' : 'tool_use';
    if (!asked.stream) return json({ ...message, content: [block], stop_reason });
    const [empty, delta] =
      'text' in answer
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: answer.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(answer.call.input) },
          ];
    const event = (name: string, data: object) => ({ name, data: { type: name, ...data } });
    return stream([
      event('message_start', { message: { ...message, content: [], stop_reason: null } }),
      event('content_block_start', { index: 0, content_block: empty }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }),
      event('message_stop', {}),
    ]);
  },
};
