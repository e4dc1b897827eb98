import type { Nodes } from 'mdast';
import { firstLine, parseMarkdown, wordsIn } from '../../src/kinds/document/read/markdown.ts';
import { parseData } from '../../src/kinds/read/parse-data.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import type { BodyItem, Value } from '../../src/syntax/ast.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import { readFrontMatter } from '../../src/text/front-matter.ts';

/** The text below the front matter, and the number of lines above it. */
export function bodyOf(text: string): { body: string; start: number } {
  const { lines } = readFrontMatter(text);
  const body = text.split(/\r\n?|\n/).slice(lines);
  return { body: body.join('\n'), start: lines };
}

/**
 * Blocks of a file that the imported source does not contain. The depth of headings is ignored.
 */
export async function lostBlocks(original: string, path: string, imported: string): Promise<string[]> {
  const present = await blocksOfSource(imported);
  const expected = await blocksOfFile(original.replace(/^\ufeff/, ''), path);
  const lost: string[] = [];
  for (const block of expected) {
    const count = present.get(block) ?? 0;
    if (count === 0) lost.push(block);
    else present.set(block, count - 1);
  }
  return lost;
}

/**
 * Blocks of a file that the files compiled from its import do not contain with the same kind and words, or contain out of
 * order. Order only counts among the parts of one source block; sections of different blocks may be reordered.
 */
export async function changedBlocks(
  original: string,
  path: string,
  outputs: readonly { readonly path: string; readonly text: string }[],
  parts: readonly { readonly block: string; readonly startLine: number; readonly endLine: number }[],
): Promise<string[]> {
  const compiled: string[] = [];
  for (const output of outputs) compiled.push(...(await blocksOfFile(output.text, output.path)));
  const positions = new Map<string, number[]>();
  for (const [index, block] of compiled.entries())
    positions.set(block, [...(positions.get(block) ?? []), index]);
  const changed: string[] = [];
  const reached = new Map<string, number>();
  for (const { block, line } of await placedBlocks(original.replace(/^\ufeff/, ''), path)) {
    const owner = parts.find(({ startLine, endLine }) => startLine <= line && line <= endLine)?.block ?? '';
    const after = reached.get(owner) ?? -1;
    const next = positions.get(block)?.find(position => position > after);
    if (next === undefined) changed.push(positions.has(block) ? `out of order: ${block}` : block);
    else reached.set(owner, next);
  }
  return changed;
}

/** All blocks of some files, as an unordered set. Computed once per project for all comparisons. */
export async function blocksOfAll(
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const { path, text } of files) for (const block of await blocksOfFile(text, path)) present.add(block);
  return present;
}

/** Blocks of a file that a set does not contain. */
export async function missingBlocks(
  original: string,
  path: string,
  present: ReadonlySet<string>,
): Promise<string[]> {
  return (await blocksOfFile(original.replace(/^\ufeff/, ''), path)).filter(block => !present.has(block));
}

/** Blocks of a file, each with the line of its top-level node. */
async function placedBlocks(text: string, path: string): Promise<{ block: string; line: number }[]> {
  if (path.endsWith('.toml')) return (await blocksOfFile(text, path)).map(block => ({ block, line: 1 }));
  const { body, start } = bodyOf(text);
  const { nodes } = await parseMarkdown(body);
  return nodes.flatMap(node => fingerprints([node]).map(block => ({ block, line: firstLine(node) + start })));
}

async function blocksOfFile(text: string, path: string): Promise<string[]> {
  if (path.endsWith('.toml')) {
    const parsed = await parseData(text, 'toml');
    return 'data' in parsed ? leaves(parsed.data).map(normal) : [];
  }
  return fingerprints((await parseMarkdown(bodyOf(text).body)).nodes);
}

const leaves = (data: unknown): string[] =>
  typeof data === 'object' && data !== null ? Object.values(data).flatMap(leaves) : [String(data)];

/** All texts of a source as Markdown blocks, with their number. List items are separate blocks; titles and keys are headings. */
async function blocksOfSource(text: string): Promise<Map<string, number>> {
  const source = { name: 'imported.prs', text };
  const errors: string[] = [];
  const document = parseDocument(source, diagnostic => {
    if (diagnostic.severity === 'error') errors.push(diagnostic.message);
  });
  if (errors.length > 0) throw new Error(`the import does not parse: ${errors[0]}`);
  const found = new Map<string, number>();
  const add = (block: string) => found.set(block, (found.get(block) ?? 0) + 1);
  const texts: string[] = [];
  const visitValue = (value: Value): void => {
    if (value.kind === 'string') texts.push(value.value);
    else if (value.kind === 'array') value.items.forEach(visitValue);
    else if (value.kind === 'object')
      for (const field of value.fields) if (field.value) visitValue(field.value);
  };
  const visitItem = (item: BodyItem): void => {
    if (item.kind === 'field') {
      add(`heading ${normal(item.key.replaceAll('-', ' '))}`);
      if (item.key.startsWith('/') && item.value?.kind === 'string')
        texts.push(`${item.key}: ${item.value.value}`);
      if (item.value) visitValue(item.value);
    } else if (item.kind === 'header') add(`heading ${normal(item.title.value)}`);
    else if (item.kind !== 'use') visitValue(item.value);
  };
  for (const declaration of document.declarations)
    if (declaration.kind === 'block') declaration.body.items.forEach(visitItem);
  for (const value of texts) add(normal(value));
  // Texts are parsed together, because link definitions apply to the whole document. One-line texts also become list items.
  const markdown = [
    ...texts,
    ...texts.filter(value => !value.includes('\n')).map(value => `- ${value}`),
  ].join('\n\n');
  for (const block of fingerprints((await parseMarkdown(markdown)).nodes)) add(block);
  return found;
}

/** A block of a text with the headings above it. */
export interface HeadedBlock {
  readonly block: string;
  readonly headings: readonly string[];
}

/** All blocks of a text in order, each with the headings above it. */
export async function headedBlocks(text: string): Promise<HeadedBlock[]> {
  const { nodes } = await parseMarkdown(bodyOf(text.replace(/^\ufeff/, '')).body);
  const open: { depth: number; block: string }[] = [];
  return nodes.flatMap(node => {
    const blocks = fingerprints([node]);
    if (node.type === 'heading') while (open.length > 0 && open.at(-1)!.depth >= node.depth) open.pop();
    const headings = open.map(({ block }) => block);
    if (node.type === 'heading') open.push({ depth: node.depth, block: blocks[0]! });
    return blocks.map(block => ({ block, headings }));
  });
}

/** Kind and words of each block, in order. List items and table cells are separate blocks. */
function fingerprints(nodes: readonly Nodes[]): string[] {
  return nodes.flatMap(node => {
    switch (node.type) {
      case 'list':
      case 'blockquote':
      case 'footnoteDefinition':
        return fingerprints(node.children);
      case 'listItem':
        return fingerprints(node.children);
      case 'table':
        return node.children.flatMap(row => row.children.map(cell => `cell ${normal(wordsIn(cell))}`));
      case 'thematicBreak':
        return [];
      case 'heading':
        return [`heading ${normal(wordsIn(node))}`];
      case 'code':
        return [`code ${node.lang ?? ''} ${node.value.trimEnd()}`];
      case 'html':
        return [`html ${node.value.trim()}`];
      case 'definition':
        return [`definition ${node.identifier} ${node.url}`];
      default:
        return [`${node.type} ${normal(wordsIn(node))}`];
    }
  });
}

/** Placeholders of the tools for all arguments of a command. Sources use only `$ARGUMENTS`. */
const marks = new Set(
  builtinIds().flatMap(id =>
    Object.values(builtinSpec(id)!.spec.files).flatMap(file =>
      file.kind === 'items' && file.arguments?.all !== undefined ? [file.arguments.all] : [],
    ),
  ),
);

const normal = (text: string): string =>
  [...marks]
    .reduce((words, mark) => words.replaceAll(mark, () => '$ARGUMENTS'), text)
    .replace(/[`*_]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
