import type { List, PhrasingContent, RootContent, Table } from 'mdast';
import type { Page } from '../../generated/pages.ts';
import { wrapLines } from '../../text/wrap.ts';
import { table as columns } from '../report/table.ts';
import { parse, type Topic, type TopicContent } from './read.ts';

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
export function topicList(topics: readonly Topic[], width: number): string {
  const documents = topics.filter(({ depth }) => depth === 1);
  const parts = documents.map(({ name, title, document }) => {
    const below = topics.filter(topic => topic.document === document && topic.depth === 2);
    return `${name}: ${title}\n${columns(
      below.map(topic => [`  ${topic.name}`, topic.title === topic.name ? '' : topic.title]),
      Math.min(width, widest),
    )}`;
  });
  const more =
    'Blocks and fields: `prs explain @guards`, `prs explain @guards.applyTo`, `prs explain instr.yaml output.layout`.';
  return `${parts.join('\n')}\n${wrapLines(more, Math.min(width, widest), '')}\n`;
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
  const longest = titles.map((title, at) => Math.max(title.length, ...all.map(row => row[at]?.length ?? 0)));
  if (longest.reduce((sum, length) => sum + length + 2, 0) <= width)
    return columns([titles, ...all], width).trimEnd();
  return all
    .map(([first = '', ...rest]) => {
      const short = rest
        .map((cell, at) => [titles[at + 1]!, cell] as const)
        .filter(([, cell]) => cell !== '');
      const lines = short.map(([title, cell]) =>
        wrapLines(title === 'Meaning' ? cell : `${title}: ${cell}`, width - 4, ''),
      );
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
