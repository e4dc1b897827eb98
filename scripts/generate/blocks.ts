/** src/generated/blocks.ts: the block catalogue as typed data, checked here against its schema and against itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const catalogue = readBlocks(root);
  return [
    {
      path: 'src/generated/blocks.ts',
      text: [
        "import type { BlockCatalogue } from './types/blocks.ts';",
        '',
        '/** The blocks of the source language and its versions. */',
        `export const catalogue: BlockCatalogue = ${JSON.stringify(catalogue, null, 1)};`,
        '',
        '/** Names of the fields that the entries of a block may have; none for a block without known fields. */',
        'export function blockFields(name: string): readonly string[] {',
        '  return catalogue.blocks.find(block => block.name === name)?.entry?.fields.map(field => field.name) ?? [];',
        '}',
        '',
      ].join('\n'),
    },
  ];
}

/** Reads and checks the catalogue; what is wrong with it is an error of the contributor. */
export function readBlocks(root: string): BlockCatalogue {
  const schema = JSON.parse(readFileSync(join(root, 'schema/blocks.schema.json'), 'utf8'));
  const catalogue = parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as BlockCatalogue;
  const validate = new Ajv({ allErrors: true, strict: true }).compile(schema);
  const problems = validate(catalogue)
    ? contradictions(catalogue)
    : (validate.errors ?? []).map(error => `${error.instancePath || '/'} ${error.message}`);
  if (problems.length > 0)
    throw new Error(`schema/blocks.yaml is not valid:\n${problems.map(line => `  ${line}`).join('\n')}`);
  return catalogue;
}

/** What a schema cannot see: names that stand twice, versions and blocks that do not exist. */
function contradictions({ versions, features, blocks }: BlockCatalogue): string[] {
  const problems: string[] = [];
  const known = new Set(versions.map(({ version }) => version));
  for (const { name, since } of [...features, ...blocks]) {
    if (!known.has(since)) problems.push(`${name}: version ${since} is not listed`);
  }
  const names = blocks.flatMap(block => [block.name, ...(block.aliases ?? [])]);
  problems.push(...repeated(names).map(name => `the block ${name} stands twice`));
  for (const block of blocks) {
    for (const fields of [block.fields ?? [], block.entry?.fields ?? []]) {
      const keys = fields.flatMap(field => [field.name, ...(field.keys ?? [])]);
      problems.push(...repeated(keys).map(key => `${block.name}: the field ${key} stands twice`));
      for (const { name, refers } of fields) {
        if (refers && !names.includes(refers)) problems.push(`${block.name}.${name}: no block ${refers}`);
      }
    }
  }
  return problems;
}

const repeated = (words: readonly string[]): string[] =>
  words.filter((word, index) => words.indexOf(word) !== index);
