import type { Nodes, Root, RootContent } from 'mdast';
import { closesFence, openingFence } from '../../../text/fences.ts';

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
  const lines = clean.split('\n');
  const parsed = lines.map(withoutDeepMarkers);
  const starts = clean.length > large ? cuts(lines) : [0];
  const nodes = starts.flatMap((start, index) => {
    const part = parsed.slice(start, starts[index + 1]).join('\n');
    const { children } = parse(part);
    if (start > 0) for (const node of children) moveDown(node, start);
    return children;
  });
  return { lines, nodes };
}

/** Marks of quotes and lists behind this column are text: time and stack of the parser grow with the square of their depth. */
const deepest = 200;

function withoutDeepMarkers(line: string): string {
  const marks = /^(?:[ \t]+|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/.exec(line)![0];
  if (marks.length <= deepest) return line;
  return `${line.slice(0, deepest)}${marks.slice(deepest).replace(/[^ \t]/g, '.')}${line.slice(marks.length)}`;
}

/** The parser takes time that grows faster than the text: from this size on, it gets the text in pieces. */
const large = 64 * 1024;
const piece = 8 * 1024;
/** So much text without a good place to cut is cut between two items of a list. */
const longest = 8 * piece;

/** Indexes of lines at which a text can be cut: nothing that begins above goes on below. */
function cuts(lines: readonly string[]): number[] {
  const starts = [0];
  let size = 0;
  /** Tells the line behind which the text is plain Markdown again: of the closing mark of a fence, comment or tag. */
  let isEnd: ((line: string) => boolean) | undefined;
  for (const [index, line] of lines.entries()) {
    const apart = index > 0 && lines[index - 1]!.trim() === '' && /^[^\s]/.test(line);
    const isItem = /^(?:[-*+]|\d{1,9}[.)])\s/.test(line);
    if (!isEnd && ((size > piece && apart && !isItem) || (size > longest && isItem))) {
      starts.push(index);
      size = 0;
    }
    size += line.length + 1;
    if (isEnd) {
      if (isEnd(line)) isEnd = undefined;
      continue;
    }
    const fence = openingFence(line, 'inside');
    const tag = /^ {0,3}<(pre|script|style|textarea)\b/i.exec(line)?.[1];
    if (fence) isEnd = other => closesFence(other, fence, 'inside');
    else if (/^ {0,3}<!--/.test(line) && !line.includes('-->')) isEnd = other => other.includes('-->');
    else if (tag && !closesTag(line, tag)) isEnd = other => closesTag(other, tag);
  }
  return starts;
}

const closesTag = (line: string, tag: string): boolean =>
  line.toLowerCase().includes(`</${tag.toLowerCase()}>`);

/** Positions count from the beginning of the whole text. */
function moveDown(node: Nodes, by: number): void {
  if (node.position) {
    node.position.start.line += by;
    node.position.end.line += by;
  }
  if ('children' in node) for (const child of node.children) moveDown(child, by);
}

/** The line in which a node begins, from 1. */
export const firstLine = (node: Nodes): number => node.position!.start.line;
/** The line in which a node ends, from 1. */
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
  const open = openingFence(markdown.lines[firstLine(last) - 1] ?? '');
  if (!open) return '';
  const end = markdown.lines[lastLine(last) - 1] ?? '';
  const closed = lastLine(last) > firstLine(last) && closesFence(end, open, 'inside');
  return closed ? '' : `\n${open}`;
}
