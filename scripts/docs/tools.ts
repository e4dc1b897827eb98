/** Documentation about tools, generated only from the specs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Target } from '../../src/generated/types/report.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { docOf } from '../../src/lsp/catalogue-docs.ts';
import { blockOf } from '../../src/model/collections.ts';
import { findBlock } from '../../src/resolve/catalogue.ts';
import { computedFields } from '../../src/spec/vocabulary.ts';
import { compareCodeUnits } from '../../src/text/order.ts';
import { toolsData } from '../build/tools-data.ts';
import { root } from '../generate.ts';
import { cell, code, table } from './markdown.ts';

export type FileSpec = TargetSpec['files'][string];

/** Capabilities in the order of the matrix: the name in specs, the title and a description. */
export const capabilities = [
  { of: 'guards', title: 'Scoped rules', help: 'Rule files that the tool loads for matching paths only.' },
  { of: 'commands', title: 'Commands', help: 'Prompts that people call by name.' },
  { of: 'skills', title: 'Skills', help: 'Folders with a SKILL.md that the model loads when it needs them.' },
  { of: 'agents', title: 'Sub-agents', help: 'Assistants with instructions and tools of their own.' },
  { of: 'hooks', title: 'Hooks', help: 'Programs that run when something happens.' },
  { of: 'mcpServers', title: 'MCP', help: 'Servers of the Model Context Protocol, declared in the project.' },
  { of: 'permissions', title: 'Permissions', help: 'What it may do, asks about, and may not do.' },
  { of: 'ignore', title: 'Ignored files', help: 'Files that it does not read.' },
  {
    of: 'checks',
    title: 'Review checks',
    help: 'What reviews of changes look for, in files that nothing else reads.',
  },
  { of: 'workflows', title: 'Workflows', help: 'Procedures in files of their own.' },
  { of: 'plugins', title: 'Plugins', help: 'Bundles declared in the project.' },
  {
    of: 'local',
    title: 'Private notes',
    help: 'A file beside the shared one that stays out of version control.',
  },
] as const;

export const collectionOf = (file: FileSpec): string | undefined => ('of' in file ? file.of : undefined);

/** The displayed path: with its folder, and with options replaced by their defaults. */
export function pathOf(file: FileSpec, spec: TargetSpec): string {
  const path = 'dir' in file && file.dir !== undefined ? `${file.dir}/${file.path}` : file.path;
  return path.replaceAll('{universal}', '.agents').replace(/\{(\w+)\}/g, (hole, name: string) => {
    const option = spec.options?.[name];
    return option?.default !== undefined ? String(option.default) : hole;
  });
}

export const isIn = (file: FileSpec, version: string): boolean =>
  (file.versions as readonly string[] | undefined)?.includes(version) ?? true;

/** The main document of a version. */
export function mainFile(spec: TargetSpec, version = spec.defaultVersion): string | undefined {
  const main = Object.values(spec.files).find(
    file => file.kind === 'document' && file.of === 'instructions' && isIn(file, version),
  );
  return main && pathOf(main, spec);
}

export const has = (spec: TargetSpec, of: string): boolean =>
  Object.values(spec.files).some(file => collectionOf(file) === of);

export const byTitle = <T extends { readonly title: string }>(specs: readonly T[]): T[] =>
  [...specs].sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));

/** Ids of the most used tools, sorted by use. */
export const mostUsed: readonly string[] = parse(
  readFileSync(join(root, 'conventions/most-used.yaml'), 'utf8'),
);

/** Sorts the most used tools first, then the others by title. */
export const byUse = (specs: readonly TargetSpec[]): TargetSpec[] => {
  const rank = ({ id }: TargetSpec) => (mostUsed.includes(id) ? mostUsed.indexOf(id) : mostUsed.length);
  return byTitle(specs).sort((a, b) => rank(a) - rank(b));
};

/** A table of tools and capabilities. The last row counts the tools with each capability. */
export function supportMatrix(specs: readonly TargetSpec[]): string {
  const { tools } = toolsData(specs.map(spec => ({ spec, templates: new Map() })));
  const hasOf = ({ capabilities: found }: Target, of: string) => found.includes(of);
  const columns = capabilities.filter(({ of }) => tools.some(tool => hasOf(tool, of)));
  const rows = byTitle(tools).map(tool => [
    `[${cell(tool.title)}](${tool.id}.yaml)`,
    code(tool.id),
    tool.label ?? '',
    tool.main === undefined ? 'none' : code(tool.main),
    ...columns.map(({ of }) => (hasOf(tool, of) ? '●' : '·')),
    tool.userFiles ? '●' : '·',
    tool.proof === undefined ? '' : `${cell(tool.proof.client)} ${tool.proof.version} on ${tool.proof.date}`,
    [tool.status?.state, tool.status?.since].filter(Boolean).join(' '),
  ]);
  const count = (test: (tool: Target) => unknown) => `**${tools.filter(test).length}**`;
  const counts = columns.map(({ of }) => count(tool => hasOf(tool, of)));
  const total = [
    `**${tools.length} tools**`,
    '',
    '',
    '',
    ...counts,
    count(({ userFiles }) => userFiles),
    count(({ proof }) => proof),
    '',
  ];
  return table(
    [
      'Tool',
      'Id',
      'Label',
      'Main file',
      ...columns.map(({ title }) => title),
      'User',
      'Received by',
      'Status',
    ],
    [...rows, total],
  );
}

/** A table of target options with the targets that support them. */
export function optionTable(specs: readonly TargetSpec[]): string {
  const found = new Map<string, { help: string; values: string; ids: string[] }>();
  for (const spec of specs) {
    for (const [name, definition] of Object.entries(spec.options ?? {})) {
      const values = definition.values?.map(code).join(', ') ?? definition.type;
      const key = `${name} ${definition.help}`;
      const known = found.get(key) ?? { help: definition.help, values, ids: [] };
      known.ids.push(spec.id);
      found.set(key, known);
    }
  }
  const rows = [...found].sort(([a], [b]) => compareCodeUnits(a, b));
  return table(
    ['Option', 'Values', 'Meaning', 'Targets'],
    rows.map(([key, { help, values, ids }]) => [
      code(key.split(' ')[0]!),
      values,
      help,
      ids.map(code).join(', '),
    ]),
  );
}

/** Names of all tools in alphabetical order, each with a link to its spec. */
export function toolNames(specs: readonly TargetSpec[]): string {
  const sorted = [...specs].sort((a, b) => compareCodeUnits(a.title.toLowerCase(), b.title.toLowerCase()));
  return `${specs.length}: ${sorted.map(({ id, title }) => `[${title}](targets/${id}.yaml)`).join(', ')}.`;
}

/** A table of the computed fields of each collection, with a link to the fields of its block in the language. */
export function itemFields(): string {
  const rows = Object.entries(computedFields).flatMap(([collection, fields]) => {
    const block = blockOf(collection);
    const own = findBlock(block)?.entry?.fields ?? [];
    const reference =
      own.length > 0
        ? [`and those of [${code(`@${block}`)}](../schema/README.md#${block.toLowerCase()})`]
        : [];
    const renamed = own.flatMap(field => {
      const { name, keys = [], as } = field;
      const words = [name, ...keys].map(code).join(', ');
      return as === undefined ? [] : [[as, `${docOf(field)} In sources: ${words}.`] as const];
    });
    const names = [...Object.entries(fields), ...renamed];
    return [
      ...names.map(([name, doc], index) => [index === 0 ? code(collection) : '', code(name), doc]),
      ...reference.map(words => ['', '', words]),
    ];
  });
  return table(['Collection', 'Field', 'Meaning'], rows);
}
