import { resolve } from 'node:path';
import { type CompletionItem, CompletionItemKind, type Hover } from 'vscode-languageserver';
import type { Disk } from '../host/host.ts';
import type { Source } from '../text/source.ts';
import type { DataPath } from '../text/yaml.ts';
import { toRange } from './places.ts';

/** The part of a JSON Schema that is looked at. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** Where in a YAML file somebody is, read from its lines, so that it is known in half-typed text too. */
interface CaretPlace {
  /** Keys and positions from the root to what holds the word. */
  readonly path: DataPath;
  /** The word is a key, or may become one. */
  readonly isKey: boolean;
  readonly start: number;
  readonly end: number;
}

/** What can be written at a place of a configuration. */
export function configurationCompletions(source: Source, offset: number, schema: Schema): CompletionItem[] {
  const place = placeAt(source.text, offset);
  const schemas = schemasAt(schema, place.path);
  const range = toRange({ source, start: place.start, end: offset });
  const found: CompletionItem[] = [];
  for (const one of schemas) {
    if (place.isKey)
      for (const [name, property] of Object.entries(one.properties ?? {}))
        found.push({
          label: name,
          kind: CompletionItemKind.Property,
          ...(property.description !== undefined && { documentation: describe(schema, property) }),
          textEdit: { range, newText: `${name}: ` },
        });
    for (const value of valuesOf(one))
      found.push({ label: value, kind: CompletionItemKind.EnumMember, textEdit: { range, newText: value } });
  }
  const seen = new Set<string>();
  return found.filter(({ label }) => !seen.has(label) && seen.add(label));
}

/** What the schema says about the word at a place. */
export function configurationHover(source: Source, offset: number, schema: Schema): Hover | undefined {
  const { path, isKey, start } = placeAt(source.text, offset);
  const word = /^[\w-]+/.exec(source.text.slice(start))?.[0];
  if (word === undefined) return undefined;
  const keyed = isKey ? schemasAt(schema, [...path, word]) : [];
  const value = (keyed.length > 0 ? keyed : schemasAt(schema, path))
    .map(one => describe(schema, one))
    .find(Boolean);
  return value === undefined || value === ''
    ? undefined
    : {
        contents: { kind: 'markdown', value: `**${word}**\n\n${value}` },
        range: toRange({ source, start, end: start + word.length }),
      };
}

/** The file that a word of the configuration leads to: a source, another configuration, the spec of a tool. */
export function configurationDefinition(
  { text }: Source,
  offset: number,
  root: string,
  disk: Disk,
): string | undefined {
  const before = /[^\s"'[\]{},:]*$/.exec(text.slice(0, offset))![0];
  const behind = /^[^\s"'[\]{},:]*/.exec(text.slice(offset))![0];
  const word = before + behind;
  if (word === '') return undefined;
  const { path } = placeAt(text, offset);
  const named = path[0] === 'targets' ? `.instr/targets/${word}` : word;
  return ['', '.yaml', '.yml', '.prs']
    .map(ending => resolve(root, named + ending))
    .find(one => disk.stat(one)?.kind === 'file');
}

function describe(root: Schema, schema: Schema): string {
  const { description, default: value } = resolved(root, schema);
  const values = valuesOf(resolved(root, schema));
  return [
    description ?? schema.description ?? '',
    ...(values.length > 0 && values.length < 12 ? [values.map(one => `\`${one}\``).join(', ')] : []),
    ...(value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\``]),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function valuesOf({ enum: values = [], type }: Schema): string[] {
  if (type === 'boolean' || (Array.isArray(type) && type.includes('boolean'))) return ['true', 'false'];
  return values.map(value => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/** Follows a reference within the schema. */
function resolved(root: Schema, schema: Schema): Schema {
  let found = schema;
  for (let depth = 0; found.$ref !== undefined && depth < 10; depth++) {
    const name = decodeURIComponent(found.$ref.replace('#/', ''));
    let at: unknown = root;
    for (const part of name.split('/')) at = (at as Record<string, unknown> | undefined)?.[part];
    if (typeof at !== 'object' || at === null) return found;
    const { $ref: _, ...rest } = found;
    found = { ...(at as Schema), ...rest };
  }
  return found;
}

/** Every form that a value at a path may have. */
function schemasAt(root: Schema, path: DataPath): Schema[] {
  let found = formsOf(root, root);
  for (const part of path) {
    found = found.flatMap(schema => {
      if (typeof part === 'number') return schema.items ? formsOf(root, schema.items) : [];
      const own = schema.properties?.[part];
      if (own) return formsOf(root, own);
      const { additionalProperties: further } = schema;
      return typeof further === 'object' ? formsOf(root, further) : [];
    });
  }
  return found;
}

function formsOf(root: Schema, schema: Schema): Schema[] {
  const own = resolved(root, schema);
  const further = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])];
  return [own, ...further.flatMap(one => formsOf(root, one))];
}

interface Level {
  readonly indent: number;
  readonly part: string | number;
}

/** Keys by their indentation; lists and maps on one line by their brackets. */
function placeAt(text: string, offset: number): CaretPlace {
  const levels: Level[] = [];
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  for (const line of text.slice(0, lineStart).split('\n')) enter(line);
  const before = text.slice(lineStart, offset);
  const behind = /^[\w./-]*/.exec(text.slice(offset))![0];
  // A line without words belongs to what its indentation says.
  const opened = /^(\s*)((?:- +|-$)*)/.exec(before)!;
  leave(opened[1]!.length, opened[2] !== '');
  let column = opened[1]!.length;
  for (const _ of opened[2]!.matchAll(/-\s*/g)) {
    levels.push({ indent: column, part: 0 });
    column += 2;
  }
  let rest = before.slice(opened[0].length);
  const path: (string | number)[] = levels.map(({ part }) => part);
  const key = /^(?:"([^"]*)"|'([^']*)'|([^\s:#[\]{},"']+))\s*:(?:\s+|$)/.exec(rest);
  let isKey = true;
  if (key) {
    path.push(key[1] ?? key[2] ?? key[3]!);
    rest = rest.slice(key[0].length);
    isKey = false;
  }
  const flow: string[] = [];
  for (const token of rest.matchAll(/[[\]{},]|("[^"]*"|'[^']*'|[^\s:[\]{},"']+)\s*:(?=\s)|[^\s[\]{},]+/g)) {
    const [word, name] = token;
    if (word === '[') {
      flow.push('[');
      path.push(0);
      isKey = true;
    } else if (word === '{') {
      flow.push('{');
      isKey = true;
    } else if (word === ']' || word === '}') {
      if (flow.pop() === '[' || !isKey) path.pop();
    } else if (word === ',') {
      if (flow.at(-1) === '{' && !isKey) path.pop();
      isKey = true;
    } else if (name !== undefined && flow.at(-1) === '{') {
      path.push(name.replace(/["']/g, ''));
      isKey = false;
    }
  }
  const typed = /[\w./-]*$/.exec(before)![0];
  return { path, isKey, start: offset - typed.length, end: offset + behind.length };

  function enter(line: string): void {
    const content = line.replace(/(^|\s)#.*$/, '');
    if (content.trim() === '') return;
    const [, blanks, dashes, after] = /^(\s*)((?:- +|-$)*)(.*)$/.exec(content.replace(/\r$/, ''))!;
    leave(blanks!.length, dashes !== '');
    let indent = blanks!.length;
    for (const _ of dashes!.matchAll(/-\s*/g)) {
      levels.push({ indent, part: 0 });
      indent += 2;
    }
    const named = /^(?:"([^"]*)"|'([^']*)'|([^\s:#[\]{},"']+))\s*:(?:\s|$)/.exec(after!);
    if (named) levels.push({ indent, part: named[1] ?? named[2] ?? named[3]! });
  }

  function leave(indent: number, isItem: boolean): void {
    // A list may stand as deep as the key that holds it.
    while (levels.length > 0) {
      const last = levels.at(-1)!;
      if (last.indent < indent || (isItem && last.indent === indent && typeof last.part === 'string')) break;
      levels.pop();
    }
  }
}
