import { parseDocument as parseYaml } from 'yaml';
import { readFrontMatter } from '../../text/front-matter.ts';
import { findFrontMatter } from '../../text/front-matter-lines.ts';
import type { Change, Key } from './source-values.ts';

/** The fields of a file: its front matter, or all of it. */
export interface Fields {
  readonly data: unknown;
  /** Indexes of the lines that hold them, `end` the one behind. */
  readonly from: number;
  readonly end: number;
}

/** `text`: it may begin with front matter. */
type Form = 'json' | 'toml' | 'yaml' | 'text';

function formOf(path: string, text: string): Form {
  if (/\.jsonc?$/.test(path)) return 'json';
  if (path.endsWith('.toml')) return 'toml';
  return /\.ya?ml$/.test(path) && !findFrontMatter(text) ? 'yaml' : 'text';
}

/** The fields of a file; `undefined` when there are none, `'unreadable'` when they are not valid. */
export async function readFields(
  path: string,
  lines: readonly string[],
): Promise<Fields | 'unreadable' | undefined> {
  const text = lines.join('\n');
  const form = formOf(path, text);
  const front = form === 'text' ? findFrontMatter(text) : undefined;
  if (form === 'text' && !front) return undefined;
  const data = await parse(front ? 'yaml' : form, front ? text.slice(front.start, front.end) : text);
  if (data === 'unreadable' || !isFields(data)) return 'unreadable';
  const end = front ? text.slice(0, front.end).split('\n').length - 1 : lines.length;
  return { data, from: front ? 1 : 0, end };
}

async function parse(form: Form, text: string): Promise<unknown> {
  if (form === 'json') {
    const { parse: parseJsonc } = await import('jsonc-parser');
    const errors: import('jsonc-parser').ParseError[] = [];
    const data: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    return errors.length > 0 ? 'unreadable' : data;
  }
  if (form === 'toml') {
    const { parse: parseToml } = await import('smol-toml');
    try {
      return parseToml(text);
    } catch {
      return 'unreadable';
    }
  }
  return yamlProblem(text) === undefined ? (parseYaml(text).toJS() ?? {}) : 'unreadable';
}

/** What is wrong with a text as YAML, and where; an alias without its anchor is found when it is read only. */
function yamlProblem(text: string): string | undefined {
  try {
    const document = parseYaml(text);
    document.toJS();
    return document.errors[0]?.message.split('\n')[0];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Why the fields of a file cannot be read, with the place below its first line of them. */
export function whyUnreadable(path: string, lines: readonly string[]): string | undefined {
  const text = lines.join('\n');
  const front = formOf(path, text) === 'text' ? findFrontMatter(text) : undefined;
  const isYaml = front !== undefined || formOf(path, text) === 'yaml';
  const problem = isYaml ? yamlProblem(front ? text.slice(front.start, front.end) : text) : undefined;
  return problem
    ?.replace(/ at line (\d+)/, (_all, line) => ` at line ${Number(line) + (front ? 1 : 0)}`)
    .replace(/:$/, '');
}

/** Front matter of which some lines are no valid YAML, as tools read it all the same. */
export function readLoosely(lines: readonly string[]): Fields | undefined {
  const { fields, lines: count } = readFrontMatter(lines.join('\n'));
  return count === 0 ? undefined : { data: Object.fromEntries(fields), from: 1, end: count - 1 };
}

export const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What turns one value into the other, part by part; of a list the last parts come first. */
export async function changesOf(
  before: unknown,
  after: unknown,
  path: readonly Key[] = [],
): Promise<Change[]> {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isFields(before) && isFields(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const all = await Promise.all(keys.map(key => changesOf(before[key], after[key], [...path, key])));
    return all.flat();
  }
  if (Array.isArray(before) && Array.isArray(after)) return changesOfList(before, after, path);
  return [{ path, value: after }];
}

async function changesOfList(before: unknown[], after: unknown[], path: readonly Key[]): Promise<Change[]> {
  const { diffArrays } = await import('diff');
  const found: Change[] = [];
  const write = (value: unknown) => JSON.stringify(value) ?? 'null';
  let at = 0;
  let gone: number[] = [];
  for (const { added, removed, value } of diffArrays(before.map(write), after.map(write))) {
    if (removed) {
      gone = value.map((_, index) => at + index);
      for (const index of gone) found.push({ path: [...path, index], value: undefined });
      at += value.length;
    } else if (added) {
      const parts = value.map(part => JSON.parse(part) as unknown);
      for (const [index, part] of parts.entries()) {
        const own = gone[index];
        const known = own === undefined ? -1 : found.findIndex(one => one.path.at(-1) === own);
        if (known === -1) found.push({ path: [...path, at], value: part, isNew: true });
        else found[known] = { path: [...path, own!], value: part };
      }
      gone = [];
    } else {
      at += value.length;
      gone = [];
    }
  }
  // Those that come at one place are put there one before the other.
  return found.reverse();
}
