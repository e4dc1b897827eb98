import { resolve } from 'node:path';
import { type CompletionItem, CompletionItemKind, type Hover } from 'vscode-languageserver';
import { isPair, isSeq, parseDocument, type Scalar, visit } from 'yaml';
import type { Disk } from '../host/host.ts';
import type { Source } from '../text/source.ts';
import type { DataPath } from '../text/yaml.ts';
import { toHover, toRange } from './protocol.ts';

/** The part of JSON Schema that `config.schema.json` uses for completion and documentation. */
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

/** The context of the caret in a YAML file. */
interface CaretPlace {
  /** Keys and indexes from the root to the container of the word. */
  readonly path: DataPath;
  /** Whether the word is a key, or may become one. */
  readonly isKey: boolean;
  readonly start: number;
  readonly end: number;
}

/** The completions at an offset of a configuration file. */
export function configurationCompletions(source: Source, offset: number, schema: Schema): CompletionItem[] {
  const place = placeAt(source.text, offset);
  if (!place) return [];
  const range = toRange({ source, start: place.start, end: offset });
  const items = schemasAt(schema, place.path).flatMap((one): CompletionItem[] => {
    const properties = place.isKey ? Object.entries(one.properties ?? {}) : [];
    return [
      ...properties.map(([label, property]) => ({
        label,
        kind: CompletionItemKind.Property,
        documentation: describe(schema, property),
        textEdit: { range, newText: `${label}: ` },
      })),
      ...valuesOf(one).map(label => ({
        label,
        kind: CompletionItemKind.EnumMember,
        textEdit: { range, newText: label },
      })),
    ];
  });
  return [...new Map(items.map(item => [item.label, item])).values()];
}

/** The documentation in the schema of the word at an offset. */
export function configurationHover(source: Source, offset: number, schema: Schema): Hover | null {
  const place = placeAt(source.text, offset);
  if (!place) return null;
  const { path, isKey, start } = place;
  const word = /^[\w-]+/.exec(source.text.slice(start))?.[0];
  if (word === undefined) return null;
  const keyed = isKey ? schemasAt(schema, [...path, word]) : [];
  const value = (keyed.length > 0 ? keyed : schemasAt(schema, path))
    .map(one => describe(schema, one))
    .find(Boolean);
  return toHover(value && `**${word}**\n\n${value}`, { source, start, end: start + word.length });
}

/**
 * The file that a word in the configuration refers to: a source, another configuration, the spec of a tool.
 */
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
  const named = placeAt(text, offset)?.path[0] === 'targets' ? `.instr/targets/${word}` : word;
  return ['', '.yaml', '.yml', '.prs']
    .map(ending => resolve(root, named + ending))
    .find(one => disk.stat(one)?.kind === 'file');
}

function describe(root: Schema, schema: Schema): string {
  const { description = '', default: fallback, ...type } = resolved(root, schema);
  const values = valuesOf(type);
  const parts = [
    description,
    values.length < 12 ? values.map(value => `\`${value}\``).join(', ') : '',
    fallback === undefined ? '' : `Default: \`${JSON.stringify(fallback)}\``,
  ];
  return parts.filter(Boolean).join('\n\n');
}

function valuesOf({ enum: values = [], type }: Schema): string[] {
  if (type === 'boolean' || (Array.isArray(type) && type.includes('boolean'))) return ['true', 'false'];
  return values.map(value => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/** A schema with the members of the definition that it refers to. */
const resolved = ({ definitions = {} }: Schema, schema: Schema): Schema => ({
  ...definitions[schema.$ref?.replace('#/definitions/', '') ?? ''],
  ...schema,
});

/** All schemas of the value at a path. */
function schemasAt(root: Schema, path: DataPath): Schema[] {
  let schemas = formsOf(root, root);
  for (const part of path)
    schemas = schemas.flatMap(({ items, properties, additionalProperties }) => {
      const below = typeof part === 'number' ? items : (properties?.[part] ?? additionalProperties);
      return typeof below === 'object' ? formsOf(root, below) : [];
    });
  return schemas;
}

function formsOf(root: Schema, schema: Schema): Schema[] {
  const { anyOf = [], oneOf = [], allOf = [], ...own } = resolved(root, schema);
  return [own, ...[...anyOf, ...oneOf, ...allOf].flatMap(one => formsOf(root, one))];
}

/** The word at an offset and its path in the file; `undefined` in a comment. */
function placeAt(text: string, offset: number): CaretPlace | undefined {
  const start = offset - /[\w./-]*$/.exec(text.slice(0, offset))![0].length;
  const end = offset + /^[\w./-]*/.exec(text.slice(offset))![0].length;
  // The parser creates a node only for a non-empty word.
  const complete = start === end ? `${text.slice(0, offset)}x${text.slice(offset)}` : text;
  let place: CaretPlace | undefined;
  visit(parseDocument(complete, { prettyErrors: false }), {
    Scalar(role, node, ancestors) {
      const [from, to] = node.range!;
      if (offset < from || offset > to) return;
      const nodes = [...ancestors, node];
      const holder = ancestors.at(-1);
      const path = ancestors.flatMap((one, at) => {
        if (isSeq(one)) return one.items.indexOf(nodes[at + 1]);
        return isPair(one) && !(one === holder && role === 'key') ? String(one.key) : [];
      });
      // A word on the line below its key may become a key itself.
      const isValue = isPair(holder) && role === 'value';
      const gap = isValue ? complete.slice((holder.key as Scalar).range![1], from) : '\n';
      place = { path, isKey: gap.includes('\n'), start, end };
    },
  });
  return place;
}
