import type { Nodes, Root, RootContent } from 'mdast';

/** A Markdown text without front matter, with its top-level nodes. Lines are counted from 1 within `lines`. */
export interface Markdown {
  readonly lines: readonly string[];
  readonly nodes: readonly RootContent[];
}

type Parse = (text: string) => Root;

let loading: Promise<Parse> | undefined;

/** The parser is large and only importing needs it, so it is loaded when the first text asks for it. */
async function loadParser(): Promise<Parse> {
  const [{ fromMarkdown }, { gfm }, { gfmFromMarkdown }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('micromark-extension-gfm'),
    import('mdast-util-gfm'),
  ]);
  return text => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** The text as lines and nodes with positions. Line ends become LF; any text is Markdown, so nothing can fail. */
export async function parseMarkdown(text: string): Promise<Markdown> {
  loading ??= loadParser();
  const parse = await loading;
  const clean = text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '\ufffd');
  return { lines: clean.split('\n'), nodes: parse(clean).children };
}

export const firstLine = (node: Nodes): number => node.position!.start.line;
export const lastLine = (node: Nodes): number => node.position!.end.line;

/** The source of a range of lines, as it is. */
export const sliceLines = ({ lines }: Markdown, start: number, end: number): string =>
  lines.slice(start - 1, end).join('\n');

/** The words of a node: markup is gone, code stands in backticks, lines stay lines. */
export function wordsIn(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return `\`${node.value}\``;
    case 'code':
      return node.value;
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    default:
      if (!('children' in node)) return '';
      return (node.children as readonly Nodes[]).map(wordsIn).join(isBlock(node) ? '\n' : '');
  }
}

const isBlock = (node: Nodes): boolean =>
  node.type === 'list' || node.type === 'listItem' || node.type === 'blockquote' || node.type === 'root';

/**
 * What has to be added to the end of a text so that it can stand before another one: the closing mark of a code
 * fence or comment that the file left open at its end.
 */
export function closingOf(markdown: Markdown): string {
  const last = markdown.nodes.at(-1);
  if (last?.type === 'html' && last.value.startsWith('<!--') && !last.value.includes('-->')) return '\n-->';
  if (last?.type !== 'code') return '';
  const open = /^ {0,3}(`{3,}|~{3,})/.exec(markdown.lines[firstLine(last) - 1] ?? '')?.[1];
  if (!open) return '';
  const end = (markdown.lines[lastLine(last) - 1] ?? '').trim();
  const closed =
    lastLine(last) > firstLine(last) && end.length >= open.length && end === open[0]!.repeat(end.length);
  return closed ? '' : `\n${open}`;
}

/** Moves headings up by a number of levels, outside code fences. */
export function raiseHeadings(text: string, by: number): string {
  let fence = '';
  return text
    .split('\n')
    .map(line => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark && (fence === '' || (mark.startsWith(fence) && line.trim() === mark)))
        fence = fence === '' ? mark : '';
      if (fence !== '' || mark) return line;
      return line.replace(/^ {0,3}(#{1,6})(?=[ \t]|$)/, (_, marks: string) =>
        '#'.repeat(Math.max(1, marks.length - by)),
      );
    })
    .join('\n');
}
