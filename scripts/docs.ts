/**
 * Generates documentation from data: parts of README files between markers, and the website in docs-site/. `--check` writes
 * nothing and fails if a part is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describeCommands } from '../src/cli/help.ts';
import type { BlockCatalogue } from '../src/generated/types/blocks.ts';
import type { Conventions } from '../src/spec/spec.ts';
import { commandList } from './docs/commands.ts';
import {
  conventionTable,
  listTable,
  optionList,
  rowTable,
  sectionTable,
  stanzaTable,
  versionTable,
} from './docs/conventions.ts';
import { languageReference } from './docs/language.ts';
import { fillMarkers } from './docs/markers.ts';
import { hookEvents, serverFields } from './docs/reach.ts';
import { type Schema, schemaReference } from './docs/schema-reference.ts';
import { itemFields, optionTable, supportMatrix, toolNames } from './docs/tools.ts';
import { root } from './generate.ts';
import { readSharedParts, readSpecs } from './specs.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const yaml = (path: string) => parse(read(path));
const schema = (name: string) => JSON.parse(read(`schema/${name}.schema.json`)) as Schema;

/** The generated parts of each file. */
async function generatedParts(): Promise<Record<string, Record<string, string>>> {
  const specs = readSpecs(root);
  const shared = readSharedParts(root);
  const conventions = {
    conventions: Object.fromEntries(
      ['markdown', 'xml'].map(name => [name, yaml(`conventions/${name}.yaml`)]),
    ),
    catalogue: yaml('conventions/sections.yaml'),
  } as Pick<Conventions, 'conventions' | 'catalogue'>;
  return {
    'README.md': { commands: commandList(await describeCommands()), tools: toolNames(specs) },
    'targets/README.md': {
      matrix: supportMatrix(specs),
      'server-fields': await serverFields(specs),
      'hook-events': await hookEvents(specs),
      options: optionTable(specs),
      fields: schemaReference(schema('target'), 'TargetSpec', 3),
      items: itemFields(),
    },
    'schema/README.md': {
      configuration: schemaReference(schema('config'), 'instr.yaml', 3),
      local: schemaReference(schema('local'), 'instr.local.yaml', 4),
      language: languageReference(yaml('schema/blocks.yaml') as BlockCatalogue, 3),
    },
    'conventions/README.md': {
      conventions: conventionTable(conventions),
      sections: sectionTable(conventions),
      stanzas: stanzaTable(shared),
      rows: rowTable(shared),
      lists: listTable(shared),
      options: optionList(shared),
      versions: versionTable(shared),
    },
  };
}

/** Updates all generated parts, if `write` is set. Returns the files with stale parts. */
export async function updateParts(write: boolean): Promise<string[]> {
  return Object.entries(await generatedParts()).flatMap(([file, parts]) => {
    const before = read(file);
    const after = fillMarkers(file, before, parts);
    if (after === before) return [];
    if (write) writeFileSync(join(root, file), after);
    return [file];
  });
}

async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  const stale = await updateParts(!check);
  if (check) {
    for (const file of stale) console.error(`${file} is stale: run \`npm run docs\``);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  for (const file of stale) console.log(`Updated ${file}`);
  const { buildSite } = await import('./docs/site.ts');
  const pages = await buildSite(join(root, 'docs-site'), readSpecs(root));
  console.log(`Wrote docs-site/index.html and ${pages} pages`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
