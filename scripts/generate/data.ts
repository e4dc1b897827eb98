/**
 * src/generated/{conventions,shared-parts,templates,template-trees,specs,spec-texts,import,foreign,language-skill}.ts: the
 * data of `conventions/` and `targets/`. It is expanded, checked against its schemas and compiled here, not when the program
 * runs.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';
import type { ImportWords } from '../../src/generated/types/import-words.ts';
import type { SectionCatalogue } from '../../src/generated/types/sections.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { inlineTemplates } from '../../src/kinds/places.ts';
import { namesOf, normalizeName } from '../../src/spec/names.ts';
import { compileOptions, readTemplate } from '../../src/spec/template-compile.ts';
import { titleOf } from '../../src/text/title.ts';
import { namesIn } from '../files.ts';
import type { Generated } from '../generate.ts';
import { readSharedParts, readSpecText } from '../specs.ts';
import { readBlocks } from './blocks.ts';
import { readPage } from './diagnostics.ts';
import { expandedSchema } from './expanded-schema.ts';
import { printAscii, printData } from './print-data.ts';
import { validator } from './validator.ts';

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
    namesIn(join(root, folder), ending).map(name => name + ending);

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
  const words: ImportWords = yaml('conventions/import.yaml');
  check('import-words.schema.json', words, 'conventions/import.yaml');
  for (const expression of [...words.forbids, ...words.personas]) new RegExp(expression, 'u');
  const sources = list('conventions/sources', '.yaml').map(name => {
    const source = yaml(`conventions/sources/${name}`);
    check('foreign.schema.json', source, `conventions/sources/${name}`);
    return source;
  });
  return [
    constantFile('conventions', 'Conventions', '../spec/spec.ts', {
      conventions: data.conventions,
      catalogue,
      omits: yaml('conventions/omits.yaml'),
    }),
    // Only a project's own specs are expanded when the program runs.
    constantFile('shared-parts', 'SharedParts', '../spec/shared-parts.ts', shared),
    constantFile('import', 'ImportWords', './types/import-words.ts', words),
    constantFile('foreign', 'ForeignSource', './types/foreign.ts', sources),
    languageSkillFile(root),
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

/** A file with one constant, or a list of them, named like the file. */
const constantFile = (name: string, type: string, from: string, value: unknown): Generated => {
  const whole = Array.isArray(value) ? `readonly ${type}[]` : type;
  const constant = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    path: `src/generated/${name}.ts`,
    text: `import type { ${type} } from '${from}';\nexport const ${constantNames[name] ?? constant} = ${printData(value)} as ${whole};\n`,
  };
};

/** Names of constants that are not those of their files. */
const constantNames: Readonly<Record<string, string>> = { import: 'words', foreign: 'foreignSources' };

/** The skill that teaches the source language: `SKILL.md`, and its parts. */
function languageSkillFile(root: string): Generated {
  const path = join(root, 'conventions/language-skill.md');
  const { head, body } = readPage(path);
  const { name, description } = head;
  const skill = { text: readFileSync(path, 'utf8'), name, description, content: body };
  return {
    path: 'src/generated/language-skill.ts',
    text: `/** \`SKILL.md\` of the bundled skill, and its parts. */\nexport const languageSkill = ${JSON.stringify(skill)} as const;\n`,
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
