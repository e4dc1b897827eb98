import type { Data } from '../../model/model.ts';
import { findTooDeepNesting, tooDeepProblem } from '../../text/nesting.ts';
import { readYaml } from '../../text/yaml.ts';

export type DataFormat = 'json' | 'jsonc' | 'toml' | 'yaml' | 'lines';

/** The format that the extension of a path says; `undefined` for other files. */
export function dataFormatOf(path: string): 'json' | 'toml' | 'yaml' | undefined {
  if (/\.jsonc?$/.test(path)) return 'json';
  if (path.endsWith('.toml')) return 'toml';
  return /\.ya?ml$/.test(path) ? 'yaml' : undefined;
}

/** Parses text as leniently as tools do: JSON may have comments. Parsers are loaded on demand. */
export async function parseData(
  given: string,
  format: DataFormat,
): Promise<{ readonly data: Data } | { readonly problem: string; readonly line?: number }> {
  // A byte order mark is not part of the content.
  const text = given.replace(/^\ufeff/, '');
  if (format === 'lines') return { data: linesOf(text) };
  if (text.trim() === '') return { data: {} };
  if (format === 'toml') {
    const { parse, TomlError } = await import('smol-toml');
    try {
      return { data: plain(parse(text)) };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      return { problem: error.message.split('\n')[0]!, line: error.line };
    }
  }
  if (format === 'yaml') {
    const file = readYaml({ name: '', text });
    const [problem] = file.problems;
    if (problem)
      return { problem: problem.title, line: text.slice(0, problem.span.start).split('\n').length };
    return { data: plain(file.data) };
  }
  const deep = findTooDeepNesting(text);
  if (deep !== undefined) return { problem: tooDeepProblem, line: text.slice(0, deep).split('\n').length };
  const { getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: import('jsonc-parser').ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first || !tree) {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length;
    const code = first && printParseErrorCode(first.error);
    return { problem: code === undefined ? 'there is no value' : inNativeForm(code), line };
  }
  // Unlike `parse`, it treats `__proto__` as any other key.
  return { data: getNodeValue(tree) };
}

const linesOf = (text: string): string[] =>
  text.split(/\r\n?|\n/).filter(line => line.trim() !== '' && !line.startsWith('#'));

/** Converts to plain data: objects without a prototype, dates as text. */
function plain(value: unknown): Data {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && value !== null) {
    const object: Record<string, Data> = Object.create(null);
    for (const [key, entry] of Object.entries(value)) object[key] = plain(entry);
    return object;
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

const inNativeForm = (code: string): string => code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
