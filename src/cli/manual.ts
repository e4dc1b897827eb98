import { join } from 'node:path';
import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Page } from '../generated/pages.ts';
import { nodeDisk } from '../host/disk.ts';
import { programFolder } from '../host/program-folder.ts';
import { headingLines } from '../text/headings.ts';
import { suggest } from '../text/similar.ts';
import { wrapLines } from '../text/wrap.ts';
import { table as columns } from './report/table.ts';
import { columnsOfOutput, writeResult } from './streams.ts';

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
interface Topic {
  /** The name for `prs help`: lower case, words joined by `-`. */
  readonly name: string;
  readonly title: string;
  readonly document: string;
  readonly depth: number;
  /** The Markdown below the heading. It is parsed when the topic is shown, because parsing the whole manual takes seconds. */
  readonly text: string;
}

/** All topics of the manual, in document order. The build copies its documents to a folder of the program. */
const readTopics = (): Topic[] =>
  Object.keys(manualFiles).flatMap(document => {
    const bytes = nodeDisk.readBytes(join(programFolder ?? '', 'manual', `${document}.md`));
    return topicsOf(document, new TextDecoder().decode(bytes));
  });

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

const contentOf = ({ title, text }: Topic): TopicContent => ({ title, nodes: parse(text) });

const parse = (markdown: string): RootContent[] =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;

/** `2. Use it in a project` has the name `use-it-in-a-project`. */
const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/^\d+\.\s*/, '')
    .replace(/[^\p{L}\p{N}@.]+/gu, '-')
    .replace(/^-|-$/g, '');

/** The topic with a name, or the only one whose name contains the word. */
function findTopic(words: string, topics: readonly Topic[]): Topic | undefined {
  const name = nameOf(words);
  const exact = topics.find(topic => topic.name === name);
  if (exact || name === '') return exact;
  const candidates = topics.filter(topic => topic.depth < 4 && topic.name.split('-').includes(name));
  return candidates.length === 1 ? candidates[0] : candidates.find(({ depth }) => depth === 2);
}

/** The manual topic of a block, `@guards`, of one of its fields, or of a field of `instr.yaml`. */
export function topicOf(subject: string, field: string | undefined): TopicContent | undefined {
  const isBlock = subject.startsWith('@') && field === undefined;
  if (!isBlock && !/^instr\.ya?ml$/.test(subject)) return undefined;
  const topics = readTopics().filter(({ document }) => document === 'reference');
  const find = (title: string): TopicContent | undefined => {
    const topic = topics.find(one => one.title === title);
    return topic && contentOf(topic);
  };
  return isBlock ? blockTopic(subject, find) : configurationTopic(field ?? '', find);
}

type FindTopic = (title: string) => TopicContent | undefined;

function blockTopic(subject: string, find: FindTopic): TopicContent | undefined {
  const [block, ...path] = subject.split('.') as [string, ...string[]];
  const content = find(block);
  return content && (path.length === 0 ? content : rowOf(subject, path.join('.'), content));
}

/** The row of a field in the tables of the configuration, and the table of its type. */
function configurationTopic(path: string, find: FindTopic): TopicContent | undefined {
  let section = find('instr.yaml');
  if (path === '') return section;
  let content: TopicContent | undefined;
  let name = '';
  for (const part of path.split('.')) {
    name = name === '' ? part : `${name}.${part}`;
    content = section && rowOf(`instr.yaml ${path}`, name, section);
    const type = content && typesOf(content).flatMap(title => find(title) ?? [])[0];
    if (!content || !type) continue;
    section = type;
    content = { ...content, nodes: [...content.nodes, ...type.nodes] };
    name = '';
  }
  return content;
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

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 80;

/**
 * A topic as text for a terminal: wrapped, without Markdown syntax. Code is not wrapped, so that it can be
 * copied.
 */
export function topicText({ title, nodes }: TopicContent, available: number): string {
  const width = Math.min(available, widest);
  return `${heading(title, 1)}\n\n${blocks(nodes, width)}\n`;
}

/** The page of a diagnostic. Its examples stand directly below their headings. */
export function pageText({ code, name, severity, message, hint, page }: Page, available: number): string {
  const width = Math.min(available, widest);
  // Placeholders of findings are written `{hole}`.
  const filled = (text: string) => wrapLines(text.replace(/\{(\w+)\}/g, '<$1>'), width, '');
  const nodes = parse(page).map(node => (node.type === 'heading' ? { ...node, depth: 3 as const } : node));
  const body = blocks(nodes, width).replace(/(^.+:\n)\n(?= {2})/gm, '$1');
  return `${code} ${name} (${severity})\n\n${filled(message)}\n${filled(hint)}\n\n${body}\n`;
}

/** A list of topics by document. */
function topicList(topics: readonly Topic[], available: number): string {
  const width = Math.min(available, widest);
  const documents = topics.filter(({ depth }) => depth === 1);
  const parts = documents.map(({ name, title, document }) => {
    const below = topics.filter(topic => topic.document === document && topic.depth === 2);
    return `${name}: ${title}\n${columns(
      below.map(topic => [`  ${topic.name}`, topic.title]),
      width,
    )}`;
  });
  const more =
    'Blocks and fields: `prs explain @guards`, `prs explain @guards.applyTo`, `prs explain instr.yaml output.layout`.';
  return `${parts.join('\n')}\n${wrapLines(more, width, '')}\n`;
}

const heading = (title: string, depth: number): string =>
  depth <= 2 ? `${title}\n${(depth === 1 ? '=' : '-').repeat(title.length)}` : `${title}:`;

const blocks = (nodes: readonly RootContent[], width: number): string =>
  nodes
    .map(node => block(node, width))
    .filter(text => text !== '')
    .join('\n\n');

function block(node: RootContent, width: number): string {
  switch (node.type) {
    case 'heading':
      return heading(inline(node.children), node.depth);
    case 'paragraph':
      return wrapLines(inline(node.children), width, '');
    case 'code': {
      const prompt = node.lang === 'sh' ? '$ ' : '';
      const file = /^file=(\S+)/.exec(node.meta ?? '')?.[1];
      const label = file === undefined ? '' : `  ${file}:\n`;
      return label + node.value.replace(/^(?=.)/gm, `    ${prompt}`);
    }
    case 'list':
      return list(node, width);
    case 'blockquote':
      return indent(blocks(node.children, width - 2), '  ');
    case 'table':
      return fields(node, width);
    default:
      // Comments and thematic breaks are not shown.
      return '';
  }
}

function list({ children, ordered, start, spread }: List, width: number): string {
  const items = children.map((item, at) => {
    const mark = ordered ? `${(start ?? 1) + at}. ` : '- ';
    const text = blocks(item.children, width - mark.length);
    return mark + indent(text, ' '.repeat(mark.length)).trimStart();
  });
  return items.join(spread ? '\n\n' : '\n');
}

const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

/**
 * Small tables stay tables. In others each row becomes a paragraph: its first cell, and the other cells below
 * it.
 */
function fields({ children: [head, ...rows] }: Table, width: number): string {
  const cells = (row: Table['children'][number]) => row.children.map(cell => inline(cell.children));
  const titles = cells(head!);
  const all = rows.map(cells);
  const asTable = columns([titles, ...all], Number.POSITIVE_INFINITY);
  if (asTable.split('\n').every(line => line.length <= width)) return asTable.trimEnd();
  return all
    .map(([first = '', ...others]) => {
      const lines = others.flatMap((cell, at) => {
        const title = titles[at + 1];
        return cell === '' ? [] : wrapLines(title === 'Meaning' ? cell : `${title}: ${cell}`, width - 4, '');
      });
      return `${first.replaceAll('`', '')}\n${indent(lines.join('\n'), '    ')}`;
    })
    .join('\n\n');
}

function inline(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map(node => {
      switch (node.type) {
        case 'text':
          return node.value.replace(/\s*\n\s*/g, ' ');
        case 'inlineCode':
          return `\`${node.value}\``;
        case 'link': {
          const text = inline(node.children);
          return /^https?:/.test(node.url) && node.url !== text ? `${text} (${node.url})` : text;
        }
        case 'break':
          return '\n';
        default:
          return 'children' in node ? inline(node.children) : '';
      }
    })
    .join('');
}

/** Shows the topic of the manual for some words; when there is none, returns a hint. */
export function showTopic(words: readonly string[]): { readonly hint?: string } {
  const topics = readTopics();
  const width = columnsOfOutput() ?? 80;
  const asked = words.join(' ');
  const topic = asked === 'topics' ? undefined : findTopic(asked, topics);
  if (!topic && asked !== 'topics') {
    const meant = suggest(
      asked,
      Array.from(topics, ({ name }) => name),
    );
    const start = meant === undefined ? '' : `Did you mean \`prs help ${meant}\`? `;
    return { hint: `${start}\`prs help topics\` lists the manual.` };
  }
  writeResult(topic ? topicText(contentOf(topic), width) : topicList(topics, width));
  return {};
}
