import { join } from 'node:path';
import type { Nodes, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { nodeDisk } from '../../host/disk.ts';
import { programFolder } from '../../host/program-folder.ts';

/** The documents in the package by their name in `prs help`, in reading order. */
export const manualFiles = {
  start: 'README.md',
  guide: 'GUIDE.md',
  migrating: 'MIGRATING.md',
  organisations: 'ORGANISATIONS.md',
  reference: 'schema/README.md',
  tools: 'targets/README.md',
} as const;

/** A section of a document with its subsections. */
export interface Topic {
  /** The name for `prs help`: lower case, words joined by `-`. */
  readonly name: string;
  readonly title: string;
  readonly document: string;
  readonly depth: number;
  readonly nodes: readonly RootContent[];
}

/** The folder that the build copies them to. */
const folder = (): string => join(programFolder ?? '', 'manual');

const readManual = (path: string): string => new TextDecoder().decode(nodeDisk.readBytes(path));

/** All topics of the manual, in document order. */
export function readTopics(from: string = folder()): Topic[] {
  return Object.keys(manualFiles).flatMap(document =>
    topicsOf(document, readManual(join(from, `${document}.md`))),
  );
}

function topicsOf(document: string, text: string): Topic[] {
  const { children } = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return children.flatMap((node, at) => {
    if (node.type !== 'heading') return [];
    const after = children.slice(at + 1);
    const end = after.findIndex(next => next.type === 'heading' && next.depth <= node.depth);
    const title = textOf(node);
    const name = node.depth === 1 ? document : nameOf(title);
    const nodes = end === -1 ? after : after.slice(0, end);
    return [{ name, title, document, depth: node.depth, nodes }];
  });
}

/** `2. Use it in a project` has the name `use-it-in-a-project`. */
const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/^\d+\.\s*/, '')
    .replace(/[^\p{L}\p{N}@.]+/gu, '-')
    .replace(/^-|-$/g, '');

/** The topic with a name, or the only one whose name contains the word. */
export function findTopic(words: string, topics: readonly Topic[]): Topic | undefined {
  const name = nameOf(words);
  const exact = topics.find(topic => topic.name === name);
  if (exact || name === '') return exact;
  const found = topics.filter(topic => topic.depth < 4 && topic.name.split('-').includes(name));
  return found.length === 1 ? found[0] : found.find(({ depth }) => depth === 2);
}

/** The topic of the block `@guards`, or of a field of it or of its entries, `@guards.applyTo`. */
export function findBlockTopic(subject: string, topics: readonly Topic[]): Topic | undefined {
  const [block, ...path] = subject.split('.') as [string, ...string[]];
  const topic = topics.find(({ document, title }) => document === 'reference' && title === block);
  return topic && (path.length === 0 ? topic : rowTopic(subject, path.join('.'), topic));
}

/**
 * The topic of a field of `instr.yaml`: its row in the tables of the configuration, and the table of its
 * type.
 */
export function findConfigurationTopic(path: string, topics: readonly Topic[]): Topic | undefined {
  const reference = topics.filter(({ document }) => document === 'reference');
  let section = reference.find(({ title }) => title === 'instr.yaml');
  if (path === '') return section;
  let found: Topic | undefined;
  let rest = '';
  for (const part of path.split('.')) {
    rest = rest === '' ? part : `${rest}.${part}`;
    found = section && rowTopic(`instr.yaml ${path}`, rest, section);
    const type = found && typesOf(found).find(name => reference.some(({ title }) => title === name));
    if (!type) continue;
    section = reference.find(({ title }) => title === type);
    found = section && { ...found!, nodes: [...found!.nodes, ...section.nodes] };
    rest = '';
  }
  return found;
}

/** The row of a field as a topic, with the head of its table. */
function rowTopic(title: string, field: string, { nodes, ...topic }: Topic): Topic | undefined {
  for (const table of nodes) {
    if (table.type !== 'table') continue;
    const [head, ...rows] = table.children;
    const row = rows.find(({ children: [cell] }) => cell && textOf(cell).replace(/ \(.*$/, '') === field);
    if (row) return { ...topic, title, nodes: [{ ...table, children: [head!, row] } satisfies Table] };
  }
  return undefined;
}

/** Types with tables of their own are links. */
function typesOf({ nodes: [table] }: Topic): string[] {
  const cells = table?.type === 'table' ? (table.children[1]?.children ?? []) : [];
  return cells.flatMap(({ children }) =>
    children.flatMap(node => (node.type === 'link' ? textOf(node) : [])),
  );
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
