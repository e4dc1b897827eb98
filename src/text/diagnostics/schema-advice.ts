import type { ErrorObject } from 'ajv';
import type { Span } from '../source.ts';
import type { DataPath, YamlFile } from '../yaml.ts';
import { type Fix, replacementFix } from './fixes.ts';

/** The types of JSON Schema as messages name them. */
export const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: '`true` or `false`',
  number: 'a number',
  integer: 'a whole number',
  array: 'a list',
  object: 'an object with fields',
};

/** The type of a value in words that its author understands. */
export function typeInWords(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text ${shortJson(value)}`;
  return `the ${typeof value} ${shortJson(value)}`;
}

/** What to write instead of a value of a wrong type. */
export function typeAdvice(error: ErrorObject, path: DataPath, file: YamlFile): string | undefined {
  const wanted = [error.schema].flat();
  const value = error.data;
  if (typeof value === 'string' && wanted.length === 1 && wanted[0] === 'boolean')
    return 'Write `true` or `false` without quotes.';
  if (value === null) return 'Give it a value, or remove the key.';
  if (wanted.includes('string')) {
    const span = file.spanOf(path);
    const raw = span ? span.source.text.slice(span.start, span.end) : '';
    if (typeof value === 'number' || typeof value === 'boolean') return `Put it in quotes: "${raw}".`;
    if (raw.startsWith('{{')) return 'Put a value that begins with `{{` in quotes.';
  }
  if (wanted.includes('array') && typeof value === 'string')
    return `Write it as a list: \`[${isPlainList(value) ? value.trim() : JSON.stringify(value)}]\`.`;
  if (wanted.includes('array') && typeof value === 'object') return 'Begin each item with `- `.';
  if (wanted.includes('object') && Array.isArray(value)) return 'Write `key: value` lines without `- `.';
  if (
    (wanted.includes('number') || wanted.includes('integer')) &&
    typeof value === 'string' &&
    value.trim() !== '' &&
    Number.isFinite(Number(value))
  ) {
    return `Write it without quotes: ${Number(value)}.`;
  }
  return exampleAdvice(error);
}

/** Words separated by commas, which people write where a list is required. */
const isPlainList = (value: string): boolean => /^\s*[\w.-]+(?:\s*,\s*[\w.-]+)+\s*$/.test(value);

/** The same advice as fixes, for values on one line. */
export function typeFixes(error: ErrorObject, span: Span): readonly Fix[] {
  const wanted = [error.schema].flat();
  const value = error.data;
  const raw = span.source.text.slice(span.start, span.end);
  if (raw === '' || raw.includes('\n')) return [];
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return [replacementFix('Put it in quotes', span, `"${raw}"`)];
  if (typeof value !== 'string') return [];
  if (wanted.includes('array')) return [replacementFix('Write it as a list', span, `[${raw}]`)];
  if (!/^(["']).*\1$/.test(raw)) return [];
  const plain =
    (wanted.includes('boolean') && /^(?:true|false)$/.test(value)) ||
    ((wanted.includes('number') || wanted.includes('integer')) && /^-?\d+(?:\.\d+)?$/.test(value));
  return plain ? [replacementFix('Write it without quotes', span, value)] : [];
}

/** What is wrong with a value, for schema errors that have no message of their own. */
export function problemOf(error: ErrorObject): string {
  const limit = String(error.params.limit);
  switch (error.keyword) {
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
    case 'minProperties':
      return `must have at least ${limit} ${limit === '1' ? 'entry' : 'entries'}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'pattern':
      return `has a form that is not understood: ${shortJson(error.data)}`;
    default:
      return error.message ?? 'is not valid';
  }
}

/** An example of a missing field. */
export function exampleAdvice(error: ErrorObject): string | undefined {
  const examples = error.parentSchema?.examples as unknown[] | undefined;
  return examples?.length ? `For example: \`${JSON.stringify(examples[0])}\`.` : undefined;
}

/** An example of a value that matches a schema, as YAML. */
export function exampleOf(schema: object | undefined, name: string): string {
  const property = (schema as { properties?: Record<string, { examples?: unknown[] }> } | undefined)
    ?.properties?.[name];
  return property?.examples?.length ? JSON.stringify(property.examples[0]) : '…';
}

/** A value that a schema allows, as messages show it. */
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value as JSON, shortened for messages. */
export const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``;
};

/** Values as a comma-separated list of code. */
export const codeList = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ');
