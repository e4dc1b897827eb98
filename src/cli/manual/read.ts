import { join } from 'node:path';
import type { Nodes, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { nodeDisk } from '../../host/disk.ts';
import { programFolder } from '../../host/program-folder.ts';
import { headingLines } from '../../text/headings.ts';

/** The documents in the package by their name in `prs help`, in reading order. */
export const manualFiles = {
  start: 'README.md',
  guide: 'GUIDE.md',
  migrating: 'MIGRATING.md',
  organisations: 'ORGANISATIONS.md',
  reference: 'schema/README.md',
  tools: 'targets/README.md',
} as const;

/** What is shown of a topic. */
export interface TopicContent {
  readonly title: string;
  readonly nodes: readonly RootContent[];
}

/** A section of a document with its subsections. */
export interface Topic {
  /** The name for `prs help`: lower case, words joined by `-`. */
  readonly name: string;
  readonly title: string;
  readonly document: string;
  readonly depth: number;
  /** The Markdown below the heading. It is parsed when the topic is shown, because parsing the whole manual takes seconds. */
  readonly text: string;
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
  const lines = text.split('\n');
  const headings = headingLines(lines);
  return headings.map(({ title: markdown, depth, body }, at) => {
    const end = headings.slice(at + 1).find(next => next.depth <= depth)?.start;
    const title = parse(`# ${markdown}`).map(textOf).join('');
    const name = depth === 1 ? document : nameOf(title);
    return { name, title, document, depth, text: lines.slice(body, end).join('\n') };
  });
}

export const contentOf = ({ title, text }: Topic): TopicContent => ({ title, nodes: parse(text) });

export const parse = (markdown: string): RootContent[] =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;

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
export function findBlockTopic(subject: string, topics: readonly Topic[]): TopicContent | undefined {
  const [block, ...path] = subject.split('.') as [string, ...string[]];
  const topic = topics.find(({ document, title }) => document === 'reference' && title === block);
  const content = topic && contentOf(topic);
  return content && (path.length === 0 ? content : rowOf(subject, path.join('.'), content));
}

/**
 * The topic of a field of `instr.yaml`: its row in the tables of the configuration, and the table of its
 * type.
 */
export function findConfigurationTopic(path: string, topics: readonly Topic[]): TopicContent | undefined {
  const find = (name: string): TopicContent | undefined => {
    const topic = topics.find(({ document, title }) => document === 'reference' && title === name);
    return topic && contentOf(topic);
  };
  let section = find('instr.yaml');
  if (path === '') return section;
  let found: TopicContent | undefined;
  let rest = '';
  for (const part of path.split('.')) {
    rest = rest === '' ? part : `${rest}.${part}`;
    found = section && rowOf(`instr.yaml ${path}`, rest, section);
    const type = found && typesOf(found).flatMap(name => find(name) ?? [])[0];
    if (!type) continue;
    section = type;
    found = { ...found!, nodes: [...found!.nodes, ...type.nodes] };
    rest = '';
  }
  return found;
}

/** The row of a field, with the head of its table. */
function rowOf(title: string, field: string, { nodes }: TopicContent): TopicContent | undefined {
  for (const table of nodes) {
    if (table.type !== 'table') continue;
    const [head, ...rows] = table.children;
    const row = rows.find(({ children: [cell] }) => cell && textOf(cell).replace(/ \(.*$/, '') === field);
    if (row) return { title, nodes: [{ ...table, children: [head!, row] } satisfies Table] };
  }
  return undefined;
}

/** Types with tables of their own are links. */
function typesOf({ nodes: [table] }: TopicContent): string[] {
  const cells = table?.type === 'table' ? (table.children[1]?.children ?? []) : [];
  return cells.flatMap(({ children }) =>
    children.flatMap(node => (node.type === 'link' ? textOf(node) : [])),
  );
}

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
