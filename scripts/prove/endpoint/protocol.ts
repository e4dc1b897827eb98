/** What a model is asked and what it answers, whatever protocol carries it. */

/** A tool that the client offers to the model. */
export interface OfferedTool {
  readonly name: string;
}

/** One request to a model. */
export interface Asked {
  /** Every text of the request in its order: system prompt, messages, results of tools, descriptions of tools. */
  readonly texts: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** How many calls of tools stand in the conversation so far. */
  readonly calls: number;
  readonly stream: boolean;
  readonly model: string;
}

/** A text that ends the turn, or the call of a tool. */
export type Answer =
  | { readonly text: string }
  | { readonly call: { readonly id: string; readonly name: string; readonly input: unknown } };

/** What goes back over the wire. */
export interface Reply {
  readonly type: string;
  readonly body: string;
}

/** How one vendor's interface words requests and answers. */
export interface Protocol {
  readonly name: string;
  /** Whether a request with this path, without its query, is for a model. */
  readonly path: RegExp;
  read(body: Json, path: string): Asked;
  write(answer: Answer, asked: Asked): Reply;
}

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Every text of a value, keys left aside, in its order; of encoded data only what is not too long to be a text. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** The same events as a stream that a browser would read. */
export const eventStream = (events: readonly { readonly name?: string; readonly data: unknown }[]): string =>
  events
    .map(({ name, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
    })
    .join('');

export const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });
export const stream = (events: Parameters<typeof eventStream>[0]): Reply => ({
  type: 'text/event-stream',
  body: eventStream(events),
});

/** Values as lines of JSON, one each. */
export const lines = (values: readonly unknown[]): Reply => ({
  type: 'application/x-ndjson',
  body: values.map(value => `${JSON.stringify(value)}\n`).join(''),
});
