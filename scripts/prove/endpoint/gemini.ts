/** The Gemini API: reads requests and writes answers. */
import { isObject } from '../../../src/text/data.ts';
import { json, listOf, type Protocol, stream, textsOf } from './protocol.ts';

/** The `generateContent` API. The path determines whether the answer is a stream. */
export const gemini: Protocol = {
  path: /:(stream)?[gG]enerateContent$/,
  read(body, path) {
    const request = isObject(body.request) ? body.request : body;
    return {
      texts: textsOf([request.systemInstruction ?? [], request.contents, request.tools ?? []]),
      tools: listOf(request.tools)
        .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
        .map(({ name }) => String(name)),
      calls: listOf(request.contents)
        .flatMap(({ parts }) => listOf(parts))
        .filter(({ functionCall }) => functionCall !== undefined).length,
      stream: path.includes(':stream'),
      model: /models\/([^:]+)/.exec(path)?.[1] ?? String(body.model ?? 'gemini'),
    };
  },
  write(answer, asked) {
    const part =
      'text' in answer
        ? { text: answer.text }
        : {
            functionCall: { id: answer.call.id, name: answer.call.name, args: answer.call.input },
            thoughtSignature: 'cHJvb2Y=',
          };
    const response = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: asked.model,
    };
    return asked.stream ? stream([{ data: response }]) : json(response);
  },
};
