/**
 * src/generated/{conventions,shared-parts,templates,template-trees,specs,spec-texts}.ts: conventions, section templates and
 * target specs. They are expanded, checked against their schemas and compiled here, not when the program runs.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';
import type { SectionCatalogue } from '../../src/generated/types/sections.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { inlineTemplates } from '../../src/kinds/places.ts';
import { namesOf, normalizeName } from '../../src/spec/names.ts';
import type { SharedParts } from '../../src/spec/shared-parts.ts';
import { compileOptions, readTemplate } from '../../src/spec/template-compile.ts';
import { titleOf } from '../../src/text/title.ts';
import type { Generated } from '../generate.ts';
import { readSharedParts, readSpecText } from '../specs.ts';
import { readBlocks } from './blocks.ts';
import { expandedSchema } from './expanded-schema.ts';
import { printAscii, printData } from './print-data.ts';

const Handlebars = createRequire(import.meta.url)('handlebars') as typeof import('handlebars');

interface Data {
  conventions: Record<string, Record<string, never>>;
  templates: Record<string, string>;
  specs: Record<string, TargetSpec>;
}

export async function generate(root: string): Promise<Generated[]> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const yaml = (path: string) => parse(read(path));
  const check = validator(root);
  const list = (folder: string, ending: string) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .filter(name => name.endsWith(ending))
          .sort()
      : [];

  const data: Data = { conventions: {}, templates: {}, specs: {} };
  const others = new Set(
    ['sections', 'files', 'rows', 'options', 'versions', 'omits', 'programs', 'import', 'most-used'].map(
      name => `${name}.yaml`,
    ),
  );
  for (const file of list('conventions', '.yaml').filter(name => !others.has(name))) {
    const convention = yaml(`conventions/${file}`);
    check('config.schema.json#/definitions/OutputConvention', convention, `conventions/${file}`);
    data.conventions[convention.name] = convention;
    for (const part of ['section', 'subsection'] as const) {
      for (const side of ['start', 'end'] as const) {
        const text = convention[part]?.[side];
        if (text) data.templates[`convention:${convention.name}:${part}:${side}`] = text;
      }
    }
  }
  for (const file of list('conventions/sections', '.hbs')) {
    data.templates[`section:${file.slice(0, -4)}`] = read(`conventions/sections/${file}`);
  }
  for (const file of list('conventions/bodies', '.hbs')) {
    data.templates[`body:${file.slice(0, -4)}`] = read(`conventions/bodies/${file}`);
  }
  const catalogue = withSections(yaml('conventions/sections.yaml'), readBlocks(root).collections);
  check('sections.schema.json', catalogue, 'conventions/sections.yaml');
  const shared = readSharedParts(root);
  const checkExpanded = validator(root, expandedSchema);
  for (const file of list('targets', '.yaml')) {
    const path = `targets/${file}`;
    check('target.schema.json', yaml(path), path);
    const spec = readSpecText(read(path), path, shared);
    checkExpanded('target.schema.json', spec, path);
    data.specs[spec.id] = spec;
    for (const { place, text } of inlineTemplates(spec)) data.templates[`spec:${spec.id}:${place}`] = text;
  }
  return [
    conventionsFile(data, catalogue, yaml('conventions/omits.yaml')),
    sharedPartsFile(shared),
    ...templateFiles(data.templates),
    specsFile(data.specs),
    specTextsFile(data.specs),
  ];
}

/**
 * Adds a section for every collection that `sections.yaml` does not mention: named like its block, at the position of the
 * user's blocks.
 */
function withSections(
  sections: SectionCatalogue,
  collections: BlockCatalogue['collections'],
): SectionCatalogue {
  const titles = { ...sections.sections };
  const order = [...(sections.lists.standard ?? [])];
  for (const { name, block, without } of collections) {
    if (Object.hasOwn(titles, block)) continue;
    const template = without === 'section' ? 'commands' : without === 'files' ? 'index' : undefined;
    titles[block] = { title: titleOf(block), ...(template && { collection: name, items: template }) };
    const at = order.indexOf('*');
    order.splice(at === -1 ? order.length : at, 0, block);
  }
  return {
    ...sections,
    lists: { ...sections.lists, standard: order as [string, ...string[]] },
    sections: titles,
  };
}

function validator(root: string, form: (schema: object) => object = schema => schema) {
  const ajv = new Ajv({ allErrors: true, strict: false, discriminator: true });
  for (const name of readdirSync(join(root, 'schema')).filter(name => name.endsWith('.schema.json'))) {
    ajv.addSchema(form(JSON.parse(readFileSync(join(root, 'schema', name), 'utf8'))), name);
  }
  return (schema: string, value: unknown, file: string) => {
    const validate = ajv.getSchema(schema);
    if (!validate) throw new Error(`${schema} is missing`);
    if (!validate(value)) {
      const lines = (validate.errors ?? []).map(
        error => `  ${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`,
      );
      throw new Error(`${file} does not match ${schema}:\n${lines.join('\n')}`);
    }
  };
}

function conventionsFile(data: Data, catalogue: unknown, omits: unknown): Generated {
  const value = { conventions: data.conventions, catalogue, omits };
  return {
    path: 'src/generated/conventions.ts',
    text: `import type { Conventions } from '../spec/spec.ts';\nexport const conventions = ${printData(value)} as Conventions;\n`,
  };
}

/** The shared parts, for a project's own specs. Built-in specs are already expanded here. */
function sharedPartsFile(shared: SharedParts): Generated {
  return {
    path: 'src/generated/shared-parts.ts',
    text: `import type { SharedParts } from '../spec/shared-parts.ts';\nexport const sharedParts = ${printData(shared)} as SharedParts;\n`,
  };
}

/** Templates compiled by Handlebars, and their syntax trees, which the importer uses to parse outputs. */
function templateFiles(templates: Record<string, string>): Generated[] {
  const read = Object.entries(templates).map(
    ([key, text]) => [JSON.stringify(key), readTemplate(text, Handlebars)] as const,
  );
  const compiled = read.map(
    ([key, { uses, parsed }]) =>
      `  ${key}: { uses: ${JSON.stringify(uses)}, code: ${Handlebars.precompile(parsed, compileOptions)} },`,
  );
  const trees = read.map(([key, { tree }]) => `  ${key}: ${JSON.stringify(printAscii(tree))},`);
  return [
    {
      path: 'src/generated/templates.ts',
      text: [
        '// @ts-nocheck',
        "import type { PrecompiledTemplate } from '../spec/template.ts';",
        'export const templates: Readonly<Record<string, PrecompiledTemplate>> = {',
        ...compiled,
        '};',
        '',
      ].join('\n'),
    },
    {
      path: 'src/generated/template-trees.ts',
      text: [
        '/** Syntax trees of templates (`Program`), as JSON. */',
        'export const trees: Readonly<Record<string, string>> = {',
        ...trees,
        '};',
        '',
      ].join('\n'),
    },
  ];
}

/** Specs as JSON texts, so that only the specs of enabled targets are parsed. */
function specTextsFile(specs: Data['specs']): Generated {
  const entries = Object.entries(specs).map(
    ([id, spec]) => `  ${JSON.stringify(id)}: ${JSON.stringify(printAscii(spec))},`,
  );
  return {
    path: 'src/generated/spec-texts.ts',
    text: [
      `const texts: Readonly<Record<string, string>> = {\n${entries.join('\n')}\n};`,
      '/** The spec of a built-in target, by id, as JSON text. */',
      'export const specText = (id: string): string | undefined => Object.hasOwn(texts, id) ? texts[id] : undefined;',
      '',
    ].join('\n'),
  };
}

/**
 * The order in which tools are suggested, and in which they are tried for a file that several use: open
 * formats, then labels.
 */
function compareRank(a: TargetSpec, b: TargetSpec): number {
  const rank = ({ open, label, id }: TargetSpec) => `${open ? '' : (label ?? '~')} ${id}`;
  return rank(a) < rank(b) ? -1 : 1;
}

/** Data that the program needs for all targets, enabled or not. */
function specsFile(specs: Data['specs']): Generated {
  const inOrder = (Object.values(specs) as unknown as TargetSpec[]).sort(compareRank);
  const names = inOrder.flatMap(spec => namesOf(spec).map(name => [name, spec.id] as const));
  const aliases = inOrder.flatMap(spec =>
    namesOf(spec).filter(name => name !== spec.id && name !== spec.label),
  );
  return {
    path: 'src/generated/specs.ts',
    text: [
      '/** Ids in the order in which tools are suggested. */',
      `export const ids: readonly string[] = ${JSON.stringify(inOrder.map(({ id }) => id))};`,
      '/** Tools whose settings can name their main files, with the path of the settings. */',
      `export const named: readonly (readonly [id: string, path: string])[] = ${JSON.stringify(inOrder.flatMap(({ id, reads }) => (reads?.named ? [[id, reads.named.path]] : [])))};`,
      '/** Names other than ids and labels, in their original spelling. */',
      `export const aliases: readonly string[] = ${JSON.stringify(aliases)};`,
      '/** Maps every normalized name to its id. */',
      `export const names: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(names.map(([name, id]) => [normalizeName(name), id])))};`,
      '',
    ].join('\n'),
  };
}
