/** Builds the website: static files that work without a server and make no network requests. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { confidenceOf } from '../../src/spec/confidence.ts';
import { namesOf } from '../../src/spec/names.ts';
import { parseOmissions } from '../golden/omissions.ts';
import { readContent, readListing } from '../golden/store.ts';
import { markdownPages } from './pages.ts';
import { buildPlayground, exampleData } from './playground.ts';
import { type Part, partsOfPage, searchData } from './search-data.ts';
import { byUse, capabilities, collectionOf, type FileSpec, has, isIn, mainFile, pathOf } from './tools.ts';

const Handlebars = createRequire(import.meta.url)('handlebars') as typeof import('handlebars');
const folder = join(dirname(fileURLToPath(import.meta.url)), 'site');

type Template = (view: object) => string;
const template = (name: string): Template =>
  Handlebars.compile(readFileSync(join(folder, `${name}.hbs`), 'utf8'), { strict: false }) as Template;

/** Writes the site into a folder, replacing its contents. Returns the number of tools. */
export async function buildSite(target: string, specs: readonly TargetSpec[]): Promise<number> {
  const [layout, index, tool] = [template('layout'), template('index'), template('tool')];
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'tools'), { recursive: true });
  for (const name of ['style.css', 'page.js'])
    writeFileSync(join(target, name), readFileSync(join(folder, name)));
  const summary = `The files that ${specs.length} coding assistants read, and what is written for each.`;
  const page = (view: { title: string; up: string; kind: string; content: string }) =>
    layout({ summary, ...view });
  const parts: Part[] = [];
  const home = { title: 'Supported tools', up: '', kind: 'index', content: index(indexView(specs)) };
  writeFileSync(join(target, 'index.html'), page(home));
  for (const spec of specs) {
    const view = {
      title: `${spec.title}: what is written`,
      up: '../',
      kind: 'tool',
      content: tool(toolView(spec)),
    };
    writeFileSync(join(target, 'tools', `${spec.id}.html`), page(view));
    parts.push({ url: `tools/${spec.id}.html`, title: spec.title, page: spec.title, text: searchText(spec) });
  }
  for (const { name, title, html } of markdownPages()) {
    writeFileSync(join(target, `${name}.html`), page({ title, up: '', kind: 'document', content: html }));
    parts.push(...partsOfPage({ url: `${name}.html`, title, html }));
  }
  const search = { title: 'Search', up: '', kind: 'document', content: template('search')({}) };
  writeFileSync(join(target, 'search.html'), page(search));
  writeFileSync(join(target, 'search-data.js'), searchData(parts));
  const playground = template('playground')({ examples: exampleData() });
  const title = 'Playground';
  writeFileSync(
    join(target, 'playground.html'),
    page({ title, up: '', kind: 'playground-page', content: playground }),
  );
  await buildPlayground(target);
  return specs.length;
}

function indexView(specs: readonly TargetSpec[]): object {
  // Capabilities that no tool has are not shown.
  const columns = capabilities.filter(({ of }) => specs.some(spec => has(spec, of)));
  return {
    count: specs.length,
    capabilities: columns.map(one => ({
      ...one,
      count: specs.filter(spec => has(spec, one.of)).length,
    })),
    tools: byUse(specs).map(spec => ({
      id: spec.id,
      title: spec.title,
      vendor: spec.vendor,
      main: mainFile(spec),
      status: spec.status?.state,
      search: searchText(spec),
      cells: columns.map(({ of, title }) => ({ of, title, has: has(spec, of) })),
    })),
  };
}

/** The text that the search uses: names and all paths. */
function searchText(spec: TargetSpec): string {
  const paths = Object.values(spec.files).map(file => pathOf(file, spec));
  const words = [...namesOf(spec), spec.title, spec.vendor, spec.status?.state, ...paths];
  return [...new Set(words.filter(word => word !== undefined))].join(' ').toLowerCase();
}

const then: Readonly<Record<string, string>> = {
  cut: 'is cut off',
  ignored: 'is ignored',
  dropped: 'is dropped',
  unknown: 'is not said',
  advice: 'is advised against',
};

function toolView(spec: TargetSpec): object {
  return {
    ...spec,
    main: mainFile(spec),
    capabilities: capabilities.map(({ of, title, help }) => ({ title, help, has: has(spec, of) })),
    versions: Object.entries(spec.versions).map(([name, help]) => ({
      name,
      help,
      default: name === spec.defaultVersion,
      files: Object.values(spec.files).flatMap(file => (isIn(file, name) ? [fileView(file, spec)] : [])),
      ...goldenView(spec.id, name),
    })),
    omits: Object.entries(spec.omits ?? {}).map(([what, advice]) => ({ what, advice })),
    options: Object.entries(spec.options ?? {}).map(([name, { type, values, help }]) => {
      return { name, help, values: values?.join(', ') ?? type };
    }),
    limits: (spec.limits ?? []).map(limit => ({
      of: limit.field === undefined ? limit.file : `${limit.file}: ${limit.field}`,
      max: limit.max.toLocaleString('en'),
      unit: limit.scope === 'total' ? `${limit.unit} in total` : limit.unit,
      // biome-ignore lint/suspicious/noThenProperty: a column of the page
      then: then[limit.then],
    })),
    reads: spec.reads && {
      how:
        spec.reads.mode === 'first'
          ? 'The first of these that exists, and no other:'
          : 'All of these that exist:',
      files: spec.reads.files,
    },
    proof: spec.proof && {
      ...spec.proof,
      features: Object.entries(spec.proof.features).map(([name, result]) => ({ name, result })),
    },
    confidences: confidenceOf(spec).map(one => ({
      ...one,
      title: titles.get(one.of) ?? one.of,
      link: one.source?.startsWith('https://'),
    })),
    evidence: spec.evidence.map(one => ({ ...one, link: one.url.startsWith('https://') })),
  };
}

const titles = new Map<string, string>([
  ['instructions', 'Main document'],
  ['topics', 'Rules by topic'],
  ...capabilities.map(({ of, title }) => [of, title] as const),
]);

function fileView(file: FileSpec, spec: TargetSpec): object {
  const of = collectionOf(file);
  const conditional = file.when ? `With the option ${file.when.option}.` : '';
  return {
    of: of === undefined ? 'Settings' : (titles.get(of) ?? of),
    path: pathOf(file, spec),
    form: formOf(file),
    note: [conditional, file.note ?? ''].join(' ').trim(),
  };
}

function formOf(file: FileSpec): string {
  switch (file.kind) {
    case 'document':
      return file.frontmatter ? 'Markdown with front matter' : 'Markdown';
    case 'items':
      return file.format && file.format !== 'markdown' ? file.format.toUpperCase() : 'one Markdown file each';
    case 'scripts':
      return 'one executable for each event';
    default:
      return `${file.format.toUpperCase()}${file.at?.length ? `, at ${file.at.join('.')}` : ''}; your own keys stay`;
  }
}

/** The output tree of the sample project with its texts, and the omissions. */
function goldenView(id: string, version: string): { tree: object[]; omissions: object[] } {
  const { 'omissions.txt': omitted, ...files } = readListing(id)[version] ?? {};
  const byAdvice = new Map<string, string[]>();
  for (const { source, advice } of omitted === undefined ? [] : parseOmissions(readContent(omitted)))
    byAdvice.set(advice, [...(byAdvice.get(advice) ?? []), source]);
  const paths = Object.keys(files).map(path => path.split('/'));
  return {
    tree: treeOf(paths, 0, path => readContent(files[path]!)),
    omissions: [...byAdvice].map(([advice, sources]) => ({ advice, sources })),
  };
}

/** Folders and files of paths that have the first `depth` parts in common. */
function treeOf(
  paths: readonly (readonly string[])[],
  depth: number,
  read: (path: string) => string,
): object[] {
  const names = [...new Set(paths.map(path => path[depth]!))].sort();
  return names.flatMap(name => {
    const below = paths.filter(path => path[depth] === name);
    const [file] = below.filter(path => path.length === depth + 1);
    if (file) return [{ depth, label: name, text: read(file.join('/')) }];
    return [{ depth, folder: true, label: `${name}/` }, ...treeOf(below, depth + 1, read)];
  });
}
