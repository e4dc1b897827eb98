import type { SharedFile } from '../../kinds/output.ts';
import { type DataFormat, parseData } from '../../kinds/read/parse-data.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { findFrontMatter } from '../../text/front-matter-lines.ts';
import type { Change, Key } from './changes.ts';

/** A file, with the format that its owner gives it where its name says none. */
export interface FormedFile {
  readonly path: string;
  readonly format?: SharedFile['format'];
}

/** The fields of a file: its front matter, or all of it. */
export interface Fields {
  readonly data: unknown;
  /** Indexes of the lines that hold them, `end` the one behind. */
  readonly from: number;
  readonly end: number;
}

/** What is wrong with the fields of a file, and where. */
export interface Unreadable {
  readonly problem: string;
}

/** `text`: it may begin with front matter. */
type Form = 'json' | 'toml' | 'yaml' | 'text';

function formOf({ path, format }: FormedFile, text: string): Form {
  if (format !== undefined && format !== 'lines' && format !== 'block')
    return format === 'jsonc' ? 'json' : format;
  if (/\.jsonc?$/.test(path)) return 'json';
  if (path.endsWith('.toml')) return 'toml';
  return /\.ya?ml$/.test(path) && !findFrontMatter(text) ? 'yaml' : 'text';
}

/** The fields of a file; `undefined` when there are none. */
export async function readFields(
  file: FormedFile,
  lines: readonly string[],
): Promise<Fields | Unreadable | undefined> {
  const text = lines.join('\n');
  const form = formOf(file, text);
  const front = form === 'text' ? findFrontMatter(text) : undefined;
  if (form === 'text' && !front) return undefined;
  const read = front
    ? await parseData(text.slice(front.start, front.end), 'yaml')
    : await parseData(text, form as DataFormat);
  if ('problem' in read) {
    const at = read.line === undefined ? '' : ` at line ${read.line + (front ? 1 : 0)}`;
    return { problem: read.problem + at };
  }
  if (!isFields(read.data)) return { problem: 'they are no fields' };
  const end = front ? text.slice(0, front.end).split('\n').length - 1 : lines.length;
  return { data: read.data, from: front ? 1 : 0, end };
}

/** Whether a file has fields that are valid. */
export const isRead = (fields: Fields | Unreadable | undefined): fields is Fields =>
  fields !== undefined && 'data' in fields;

/** Front matter of which some lines are no valid YAML, as tools read it all the same. */
export function readLoosely(lines: readonly string[]): Fields | undefined {
  const { fields, lines: count } = readFrontMatter(lines.join('\n'));
  return count === 0 ? undefined : { data: Object.fromEntries(fields), from: 1, end: count - 1 };
}

/** Whether a value is an object with names, and no list. */
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
