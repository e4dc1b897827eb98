/** Requests to a model and its answers, independent of the protocol. */
import { isObject } from '../../../src/text/data.ts';

/** One request to a model. */
export interface Asked {
  /** All texts of the request in order: system prompt, messages, tool results, tool descriptions. */
  readonly texts: readonly string[];
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** Number of tool calls in the conversation so far. */
  readonly calls: number;
  readonly stream: boolean;
  readonly model: string;
}

/** A text that ends the turn, or a tool call. */
export type Answer =
  | { readonly text: string }
  | { readonly call: { readonly id: string; readonly name: string; readonly input: unknown } };

/** An HTTP response. */
export interface Reply {
  readonly type: string;
  readonly body: string;
}

/** The request and answer format of one vendor's API. */
export interface Protocol {
  /** Whether a request with this path, without its query, is for a model. */
  readonly path: RegExp;
  read(body: Json, path: string): Asked;
  write(answer: Answer, asked: Asked): Reply;
}

export type Json = Readonly<Record<string, unknown>>;

export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** All strings of a value, without keys, in order. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** A response of server-sent events. */
export const stream = (events: readonly { readonly name?: string; readonly data: unknown }[]): Reply => ({
  type: 'text/event-stream',
  body: events
    .map(({ name, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
    })
    .join(''),
});

export const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });
/** A response with one line of JSON per value. */
export const lines = (values: readonly unknown[]): Reply => ({
  type: 'application/x-ndjson',
  body: values.map(value => `${JSON.stringify(value)}\n`).join(''),
});
