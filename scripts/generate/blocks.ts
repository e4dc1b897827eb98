/** src/generated/{blocks,block-docs,collections}.ts: the block catalogue as typed data, checked for validity and consistency. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Block, BlockCatalogue, Field } from '../../src/generated/types/blocks.ts';
import { describedIn } from '../../src/resolve/described.ts';
import { rowsOf, type SharedRows } from '../../src/spec/shared-parts.ts';
import type { Generated } from '../generate.ts';
import { readSharedParts } from '../specs.ts';
import { printData } from './print-data.ts';
import { validator } from './validator.ts';

export async function generate(root: string): Promise<Generated[]> {
  const catalogue = readBlocks(root);
  const { collections: written, ...language } = withValues(withCommon(catalogue));
  const collections = withRows(written, readSharedParts(root));
  return [
    {
      path: 'src/generated/collections.ts',
      text: [
        "import type { Collection as Description } from './types/blocks.ts';",
        '',
        '/** The collections a spec may name in `of:`, in the order in which their places are filled. */',
        `export type Collection = ${collections.map(({ name }) => JSON.stringify(name)).join(' | ')};`,
        '',
        '/** The entry of each collection in the catalogue. */',
        `export const records: readonly (Description & { readonly name: Collection })[] = ${printData(collections)};`,
        '',
      ].join('\n'),
    },
    {
      path: 'src/generated/blocks.ts',
      text: [
        "import type * as described from './types/blocks.ts';",
        '',
        '/*',
        ' * The documentation of blocks and fields is in block-docs.ts, because a compile does not need it.',
        ' */',
        '',
        "export interface Field extends Omit<described.Field, 'doc' | 'options' | 'fields'> {",
        '  readonly fields?: readonly Field[];',
        '}',
        '',
        "export interface Block extends Omit<described.Block, 'doc' | 'example' | 'subjects' | 'fields' | 'items' | 'entry'> {",
        '  /** Subjects of its list items: an item begins with one of these words and a colon. */',
        '  readonly subjects?: readonly { readonly name: string }[];',
        '  readonly fields?: readonly Field[];',
        '  readonly items?: readonly Field[];',
        '  readonly entry?: Entry;',
        '}',
        '',
        "interface Entry extends Omit<described.Entry, 'doc' | 'fields'> {",
        '  readonly fields: readonly Field[];',
        '}',
        '',
        "interface Catalogue extends Pick<described.BlockCatalogue, 'features' | 'shell'> {",
        "  readonly versions: readonly Pick<described.SyntaxVersion, 'version'>[];",
        '  readonly blocks: readonly Block[];',
        '}',
        '',
        '/** The blocks of the source language and its versions. */',
        `export const catalogue: Catalogue = ${printData(withoutDocs(language))};`,
        '',
        '/** Names of the fields that the entries of a block may have; none for a block without known fields. */',
        'export function blockFields(name: string): readonly string[] {',
        '  return catalogue.blocks.find(block => block.name === name)?.entry?.fields.map(field => field.name) ?? [];',
        '}',
        '',
      ].join('\n'),
    },
    {
      path: 'src/generated/block-docs.ts',
      text: [
        '/** Documentation of blocks and their fields, in the order of `describedIn`. */',
        `export const docs: readonly string[] = ${printData([...describedIn<Field, Block>(language.blocks)].map(({ doc }) => doc))};`,
        '',
        '/** An example of each block, by its name. */',
        `export const examples: Readonly<Record<string, string>> = ${printData(Object.fromEntries(language.blocks.map(({ name, example }) => [name, example])))};`,
        '',
      ].join('\n'),
    },
  ];
}

/** Reads and checks the catalogue. @throws if it is not valid. */
export function readBlocks(root: string): BlockCatalogue {
  const catalogue = parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as BlockCatalogue;
  validator(root)('blocks.schema.json', catalogue, 'schema/blocks.yaml');
  const problems = contradictions(catalogue);
  if (problems.length > 0)
    throw new Error(`schema/blocks.yaml is not valid:\n${problems.map(line => `  ${line}`).join('\n')}`);
  return catalogue;
}

/** Adds the common fields to every block whose entries are items. */
function withCommon({ common = [], ...catalogue }: BlockCatalogue): Omit<BlockCatalogue, 'common'> {
  const blocks = new Set(catalogue.collections.filter(({ of }) => of !== 'fields').map(({ block }) => block));
  return {
    ...catalogue,
    blocks: catalogue.blocks.map((block): Block => {
      if (!block.entry || !blocks.has(block.name)) return block;
      const own = new Set(block.entry.fields.map(({ name }) => name));
      const fields = [...block.entry.fields, ...common.filter(({ name }) => !own.has(name))];
      return { ...block, entry: { ...block.entry, fields: fields as typeof block.entry.fields } };
    }) as BlockCatalogue['blocks'],
  };
}

/** Replaces `options` by their names as `values`. Only the reference documentation uses their descriptions. */
function withValues(catalogue: Omit<BlockCatalogue, 'common'>): Omit<BlockCatalogue, 'common'> {
  const plain = ({ options, ...field }: Field): Field =>
    options ? { ...field, values: options.map(({ name }) => name) as [string, ...string[]] } : field;
  return {
    ...catalogue,
    blocks: catalogue.blocks.map(block =>
      block.entry
        ? {
            ...block,
            entry: { ...block.entry, fields: block.entry.fields.map(plain) as typeof block.entry.fields },
          }
        : block,
    ) as BlockCatalogue['blocks'],
  };
}

/** Removes documentation from a value. */
function withoutDocs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDocs);
  const kept = Object.entries(value).filter(([key]) => !docKeys.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutDocs(inner)]));
}

const docKeys = new Set(['doc', 'example']);

/** Replaces the names of front matter rows in universal files by the rows. */
function withRows(
  collections: BlockCatalogue['collections'],
  shared: SharedRows,
): { readonly name: string }[] {
  return collections.map(one =>
    one.universal?.frontmatter === undefined
      ? one
      : { ...one, universal: { ...one.universal, frontmatter: rowsOf(one.universal.frontmatter, shared) } },
  );
}

/** Problems that a schema cannot find: duplicate names, unknown versions and unknown blocks. */
function contradictions({ versions, features, blocks, collections, common = [] }: BlockCatalogue): string[] {
  const problems: string[] = [];
  const known = new Set(versions.map(({ version }) => version));
  const fields = blocks.flatMap(({ fields = [], entry }) => [...fields, ...(entry?.fields ?? [])]);
  for (const { name, since } of [...features, ...blocks, ...fields, ...common]) {
    if (since !== undefined && !known.has(since)) problems.push(`${name}: version ${since} is not listed`);
  }
  const names = blocks.flatMap(block => [block.name, ...(block.aliases ?? [])]);
  problems.push(...repeated(names).map(name => `duplicate block ${name}`));
  problems.push(...repeated(collections.map(({ name }) => name)).map(name => `duplicate collection ${name}`));
  for (const { name, block, without, universal } of collections) {
    if (!blocks.some(one => one.name === block)) problems.push(`${name}: no block ${block}`);
    if (without === 'files' && !universal) problems.push(`${name}: files need \`universal\``);
  }
  for (const block of blocks) {
    for (const fields of [block.fields ?? [], block.entry?.fields ?? []]) {
      const keys = fields.flatMap(field => [field.name, ...(field.keys ?? [])]);
      problems.push(...repeated(keys).map(key => `${block.name}: duplicate field ${key}`));
      for (const { name, options = [], values } of fields) {
        if (values && options.length > 0) problems.push(`${block.name}.${name}: values and options`);
        const duplicates = repeated(options.map(option => option.name));
        problems.push(...duplicates.map(option => `${block.name}.${name}: duplicate option ${option}`));
      }
      for (const { name, refers } of fields) {
        if (refers && !names.includes(refers)) problems.push(`${block.name}.${name}: no block ${refers}`);
      }
    }
  }
  return problems;
}

const repeated = (words: readonly string[]): string[] =>
  words.filter((word, index) => words.indexOf(word) !== index);
