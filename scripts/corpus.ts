/**
 * Measures the importer on real instruction files: how many files lose no block, and how often a labelled part is imported
 * into the expected block. `npm run corpus [folder] [-v]`. In the folder, files have the paths that tools expect.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { mapMarkdown } from '../src/kinds/document/read/map.ts';
import { firstLine, parseMarkdown } from '../src/kinds/document/read/markdown.ts';
import { printParts } from '../src/migrate/import/document.ts';
import { type Imported, importFile } from '../src/migrate/import/import.ts';
import { recognise } from '../src/migrate/import/recognise.ts';
import { builtinIds, builtinSpec } from '../src/spec/load.ts';
import { bodyOf, changedBlocks, lostBlocks } from './corpus/compare.ts';
import { compileSource } from './corpus/compile.ts';
import { lostFields } from './corpus/fields.ts';
import { moveProjects } from './corpus/projects.ts';
import { filesBelow } from './files.ts';

const root = join(fileURLToPath(import.meta.url), '../..');
const verbose = process.argv.includes('-v');
const folder = resolve(
  process.argv.slice(2).find(word => !word.startsWith('-')) ?? join(root, '../shared/corpus'),
);
const specs = builtinIds().map(id => builtinSpec(id)!.spec);

interface Labelled {
  readonly file: string;
  readonly sha256: string;
  readonly as: 'main' | 'file';
  readonly block?: string;
  readonly groups?: readonly { readonly lines: readonly [number, number]; readonly block: string }[];
}

/** Imports a file of a nested package as if it were at the root. Otherwise, it would become a single rule. */
const importAt = (path: string, bytes: Uint8Array): Promise<Imported | undefined> =>
  importFile({ path: placeOf(path), bytes, specs }, () => {});

function placeOf(path: string): string {
  const scope = recognise(path, specs)?.scope ?? '';
  return scope === '' ? path : path.slice(scope.length + 1);
}

interface Difference {
  readonly path: string;
  readonly blocks: readonly string[];
}

/** Imports every file of the folder, compiles the source for the tool of the file, and compares the result. */
async function measureFiles(): Promise<void> {
  const lost: Difference[] = [];
  const changed: Difference[] = [];
  const fieldless: Difference[] = [];
  const tally = { files: 0, compiled: 0, parts: 0, reviews: 0 };
  for (const { path, bytes } of instructionFiles()) {
    const imported = await importAt(path, bytes);
    if (!imported) continue;
    const text = bytes.toString('utf8');
    tally.files++;
    tally.parts += imported.parts.length;
    tally.reviews += imported.reviews;
    const blocks = await lostBlocks(text, path, imported.text);
    if (blocks.length > 0) lost.push({ path, blocks });
    if (imported.target === undefined) continue;
    tally.compiled++;
    const outputs = compileSource(imported.text, builtinSpec(imported.target)!);
    const changes = await changedBlocks(text, path, outputs, imported.parts);
    if (changes.length > 0) changed.push({ path, blocks: changes });
    const fields = await lostFields(text, placeOf(path), outputs);
    if (fields.length > 0) fieldless.push({ path, blocks: fields });
  }
  show('files without a lost field after a compile for their tool', tally.compiled, fieldless);
  show('files without a lost block', tally.files, lost);
  show('files unchanged after a compile for their tool', tally.compiled, changed);
  console.log(`${tally.reviews} of ${tally.parts} parts marked for review`);
}

/** Reads the body of every Markdown file as the main document of a project, which is harder to map. */
async function measureAsMain(): Promise<void> {
  const target = builtinSpec(
    specs.find(spec => Object.values(spec.files).some(file => file.kind === 'document'))!.id,
  )!;
  const changed: Difference[] = [];
  let files = 0;
  for (const { path, bytes } of instructionFiles()) {
    if (!/\.mdc?$/.test(path)) continue;
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    const { body } = bodyOf(text);
    if (body.trim() === '') continue;
    files++;
    const parts = mapMarkdown(await parseMarkdown(body));
    const source = printParts('main', parts);
    const changes = await changedBlocks(body, path, compileSource(source, target), parts);
    if (changes.length > 0) changed.push({ path, blocks: changes });
  }
  show('bodies unchanged when read as main documents', files, changed);
}

function* instructionFiles(): Generator<{ path: string; bytes: Buffer }> {
  for (const path of filesBelow(folder)) {
    if (!/\.(?:md|mdc|toml|json)$/.test(path) || path === 'README.md' || path.includes('node_modules/'))
      continue;
    const file = join(folder, path);
    if (!lstatSync(file).isSymbolicLink()) yield { path, bytes: readFileSync(file) };
  }
}

function show(what: string, all: number, worse: Difference[]): void {
  console.log(`${all - worse.length} of ${all} ${what} (${percent(all - worse.length, all)})`);
  const worst = worse.sort((a, b) => b.blocks.length - a.blocks.length).slice(0, verbose ? 100 : 10);
  for (const { path, blocks } of worst) {
    console.log(`  ${path}: ${blocks.length}`);
    for (const block of blocks.slice(0, verbose ? 20 : 2))
      console.log(`    ${JSON.stringify(block.slice(0, 120))}`);
  }
}

async function measureLabels(): Promise<void> {
  const { files } = parse(readFileSync(join(root, 'test/import/labels.yaml'), 'utf8')) as {
    files: Labelled[];
  };
  const tally = { right: 0, all: 0, present: 0 };
  const wrong: string[] = [];
  for (const label of files) {
    const path = join(folder, label.file);
    if (!existsSync(path)) continue;
    const bytes = readFileSync(path);
    if (createHash('sha256').update(bytes).digest('hex') !== label.sha256) continue;
    tally.present++;
    const judge = (expected: string, actual: string | undefined, line: number) => {
      tally.all++;
      if (actual !== undefined && expected.split('|').includes(actual)) tally.right++;
      else wrong.push(`  ${label.file}:${line}: expected ${expected}, got ${actual}`);
    };
    if (label.as === 'file') judge(label.block!, (await importAt(label.file, bytes))?.parts[0]?.block, 1);
    else await judgeGroups(label, bytes.toString('utf8').replace(/^\ufeff/, ''), judge);
  }
  if (tally.all === 0) return;
  console.log(
    `${tally.right} of ${tally.all} blocks of ${tally.present} labelled files in the expected block (${percent(tally.right, tally.all)})`,
  );
  for (const line of verbose ? wrong : wrong.slice(0, 10)) console.log(line);
}

async function judgeGroups(
  label: Labelled,
  text: string,
  judge: (expected: string, actual: string | undefined, line: number) => void,
) {
  const { body, start } = bodyOf(text);
  const markdown = await parseMarkdown(body);
  const parts = mapMarkdown(markdown, start);
  for (const { lines, block } of label.groups ?? []) {
    for (const node of markdown.nodes) {
      if (
        ['heading', 'definition', 'thematicBreak'].includes(node.type) ||
        (node.type === 'html' && node.value.startsWith('<!--'))
      )
        continue;
      const line = firstLine(node) + start;
      if (line < lines[0] || line > lines[1]) continue;
      judge(block, parts.find(part => part.startLine <= line && line <= part.endLine)?.block, line);
    }
  }
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;

/** Checks for complete projects that no content is lost by a migration and a compile. */
async function measureProjects(): Promise<void> {
  for (const { project, files, targets, lost, problems } of await moveProjects(join(folder, 'projects'))) {
    const state = lost.length + problems.length === 0 ? 'complete' : 'INCOMPLETE';
    console.log(`${project}: ${files} files of ${targets.join(', ')} migrated and compiled, ${state}`);
    for (const problem of problems.slice(0, verbose ? 100 : 5)) console.log(`  ${problem}`);
    for (const { path, blocks } of lost.slice(0, verbose ? 100 : 5))
      console.log(
        `  ${path}: ${blocks.length} blocks are lost, first ${JSON.stringify(blocks[0]!.slice(0, 100))}`,
      );
  }
}

if (process.argv.includes('--projects')) {
  await measureProjects();
  process.exit();
}
await measureFiles();
await measureAsMain();
await measureLabels();
await measureProjects();
