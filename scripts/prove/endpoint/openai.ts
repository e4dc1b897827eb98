/** The Responses and Chat Completions APIs of OpenAI: read requests and write answers. */
import { isObject } from '../../../src/text/data.ts';
import { type Json, json, listOf, type Protocol, stream, textsOf } from './protocol.ts';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** The Chat Completions API. */
export const chat: Protocol = {
  path: /\/chat\/completions$/,
  read: body => ({
    texts: textsOf([body.messages, body.tools ?? []]),
    tools: listOf(body.tools).map(tool => String(isObject(tool.function) ? tool.function.name : tool.name)),
    calls: listOf(body.messages).flatMap(({ tool_calls }) => listOf(tool_calls)).length,
    stream: body.stream === true,
    model: String(body.model),
  }),
  write(answer, asked) {
    const base = { id: 'chatcmpl-proof', created: 1_700_000_000, model: asked.model };
    const finish_reason = 'text' in answer ? 'stop' : 'tool_calls';
    const message =
      'text' in answer
        ? { role: 'assistant', content: answer.text }
        : {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                index: 0,
                id: answer.call.id,
                type: 'function',
                function: { name: answer.call.name, arguments: JSON.stringify(answer.call.input) },
              },
            ],
          };
    if (!asked.stream)
      return json({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
    const chunk = (delta: object, reason: string | null) => ({
      data: {
        ...base,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: reason }],
        ...(reason !== null && { usage }),
      },
    });
    return stream([chunk(message, null), chunk({}, finish_reason), { data: '[DONE]' }]);
  },
};

/** The Responses API. */
export const responses: Protocol = {
  path: /\/responses$/,
  read: body => ({
    texts: textsOf([body.instructions ?? [], body.input, body.tools ?? []]),
    tools: listOf(body.tools).flatMap(toolsOf),
    calls: listOf(body.input).filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
      .length,
    stream: body.stream === true,
    model: String(body.model),
  }),
  write(answer, asked) {
    const item =
      'text' in answer
        ? {
            id: 'msg_proof',
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text: answer.text, annotations: [] }],
          }
        : {
            id: `fc_${answer.call.id}`,
            type: 'function_call',
            status: 'completed',
            call_id: answer.call.id,
            ...spaceOf(answer.call.name),
            arguments: JSON.stringify(answer.call.input),
          };
    const response = {
      id: 'resp_proof',
      object: 'response',
      created_at: 1_700_000_000,
      model: asked.model,
      status: 'completed',
      output: [item],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 15,
      },
    };
    if (!asked.stream) return json(response);
    const event = (name: string, data: object) => ({ name, data: { type: name, ...data } });
    const part =
      'text' in answer
        ? event('response.output_text.delta', {
            item_id: item.id,
            output_index: 0,
            content_index: 0,
            delta: answer.text,
          })
        : event('response.function_call_arguments.done', {
            item_id: item.id,
            output_index: 0,
            arguments: JSON.stringify(answer.call.input),
          });
    return stream([
      event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress' } }),
      part,
      event('response.output_item.done', { output_index: 0, item }),
      event('response.completed', { response }),
    ]);
  },
};

/** The name of a tool in a namespace includes the namespace: `namespace/tool`. */
function toolsOf(tool: Json): string[] {
  if (tool.type === 'namespace')
    return listOf(tool.tools).map(({ name }) => `${String(tool.name)}/${String(name)}`);
  return [String(tool.name ?? tool.type)];
}

function spaceOf(name: string): { name: string; namespace?: string } {
  const at = name.indexOf('/');
  return at === -1 ? { name } : { namespace: name.slice(0, at), name: name.slice(at + 1) };
}
