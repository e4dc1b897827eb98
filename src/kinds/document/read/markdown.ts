import type { Heading, Html, Nodes, Root, RootContent } from 'mdast';
import { frontMatterBroken, looseFrontMatter, repeatedFrontMatter } from '../../../generated/diagnostics.ts';
import type { Report } from '../../../text/diagnostics/diagnostic.ts';
import { closesFence, openingFence } from '../../../text/fences.ts';
import { type FrontMatter, readFrontMatter } from '../../../text/front-matter.ts';
import { withoutNoFrontMatterMark } from '../../../text/plain-mark.ts';
import type { Source } from '../../../text/source.ts';
import { trimBlankLines } from '../../../text/traced.ts';

/** A Markdown text without front matter, with its top-level nodes. Lines are counted from 1 within `lines`. */
export interface Markdown {
  readonly lines: readonly string[];
  readonly nodes: readonly RootContent[];
  /** What the last line closes. */
  readonly closing: string;
}

type Parse = (text: string) => Root;

let loading: Promise<Parse> | undefined;

/** The parser is large and only needed for import, so it is loaded on first use. */
async function loadParser(): Promise<Parse> {
  const [{ fromMarkdown }, { gfm }, { gfmFromMarkdown }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('micromark-extension-gfm'),
    import('mdast-util-gfm'),
  ]);
  return text => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/**
 * Parses a text to lines and nodes with positions. Line ends become LF. Any text is valid Markdown. The last
 * line also closes a code fence or comment that the text left open, so that another text can follow.
 */
export async function parseMarkdown(text: string): Promise<Markdown> {
  loading ??= loadParser();
  const parse = await loading;
  const clean = text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '\ufffd');
  const lines = clean.split('\n');
  const nodes = parse(lines.map(withoutDeepMarkers).join('\n')).children;
  const last = nodes.at(-1);
  const closing = last ? closingOf(last, lines) : '';
  if (last) lines[lastLine(last) - 1] += closing;
  return { lines, nodes, closing };
}

/**
 * Markers of quotes and lists beyond this column are treated as text: time and stack of the parser grow
 * quadratically with the nesting depth.
 */
const maxMarkerColumn = 200;

function withoutDeepMarkers(line: string): string {
  const marks = /^(?:[ \t]+|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/.exec(line)![0];
  if (marks.length <= maxMarkerColumn) return line;
  return `${line.slice(0, maxMarkerColumn)}${marks.slice(maxMarkerColumn).replace(/[^ \t]/g, '.')}${line.slice(marks.length)}`;
}

export const firstLine = (node: Nodes): number => node.position!.start.line;
export const lastLine = (node: Nodes): number => node.position!.end.line;

export const sliceLines = ({ lines }: Markdown, start: number, end: number): string =>
  lines.slice(start - 1, end).join('\n');

/** The text of a node without markup; code keeps its backticks, and line breaks are kept. */
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

function closingOf(last: RootContent, lines: readonly string[]): string {
  if (last.type === 'html' && last.value.startsWith('<!--') && !last.value.includes('-->')) return '\n-->';
  const open = last.type === 'code' ? openingFence(lines[firstLine(last) - 1]!) : undefined;
  if (!open) return '';
  const isClosed =
    lastLine(last) > firstLine(last) && closesFence(lines[lastLine(last) - 1]!, open, 'inside');
  return isClosed ? '' : `\n${open}`;
}

/** A heading with the content below it. The section before the first heading has none. */
export interface MarkdownSection {
  readonly heading?: Heading;
  /** Depth of the heading; 0 before the first one. */
  readonly depth: number;
  /** The heading as written, without its marks; the name of the tag when a tag opens the section. */
  readonly title: string;
  readonly own: readonly RootContent[];
  readonly children: readonly MarkdownSection[];
  readonly startLine: number;
  /** Last line of the section including subsections. */
  readonly endLine: number;
  /** Last line of `own`, or of the heading. */
  readonly ownEnd: number;
}

/** A section whose end is not yet known. */
interface Open extends Pick<MarkdownSection, 'heading' | 'depth' | 'title' | 'startLine'> {
  readonly own: RootContent[];
  readonly children: Open[];
}

/**
 * The sections of a document as a tree. A heading inside an open tag does not start a section, so that
 * everything between `<rules>` and `</rules>` stays together. With `marked`, setext headings do not count.
 */
export function readSections(markdown: Markdown, marked = false): readonly MarkdownSection[] {
  const root: Open = { depth: 0, title: '', own: [], children: [], startLine: 1 };
  const path: Open[] = [root];
  const tags: string[] = [];
  for (const node of markdown.nodes) {
    if (node.type === 'heading' && tags.length === 0 && !(marked && isUnderlined(node, markdown))) {
      while (path.length > 1 && path.at(-1)!.depth >= node.depth) path.pop();
      const open: Open = {
        heading: node,
        depth: node.depth,
        title: titleOf(node, markdown),
        own: [],
        children: [],
        startLine: firstLine(node),
      };
      path.at(-1)!.children.push(open);
      path.push(open);
      continue;
    }
    if (node.type === 'html') followTags(node, tags);
    path.at(-1)!.own.push(node);
  }
  const before =
    root.own.length > 0 ? [close({ ...root, children: [], startLine: firstLine(root.own[0]!) })] : [];
  return [...before, ...root.children.map(close)];
}

function close(open: Open): MarkdownSection {
  const children = open.children.map(close);
  const ownEnd =
    open.own.length > 0 ? lastLine(open.own.at(-1)!) : open.heading ? lastLine(open.heading) : open.startLine;
  return { ...open, children, ownEnd, endLine: children.at(-1)?.endLine ?? ownEnd };
}

/** The text of a heading without its marks; empty for a heading of several lines. */
function titleOf(heading: Heading, markdown: Markdown): string {
  const line = markdown.lines[firstLine(heading) - 1]!;
  if (isUnderlined(heading, markdown)) return lastLine(heading) - firstLine(heading) === 1 ? line.trim() : '';
  return line
    .replace(/^ {0,3}#{1,6}[ \t]*/, '')
    .replace(/(?:^|[ \t]+)#+[ \t]*$/, '')
    .trim();
}

/** Whether a heading is underlined (setext). */
export function isUnderlined(heading: Heading, { lines }: Markdown): boolean {
  return !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(lines[firstLine(heading) - 1]!);
}

/** Tags that have no closing tag, or may omit it. */
const voids = /^(?:area|base|br|col|embed|hr|img|input|li|link|meta|p|source|track|wbr)$/;

/** Updates the list of open tags; a closing tag closes the innermost one of its name. */
function followTags({ value }: Html, open: string[]): void {
  if (value.startsWith('<!')) return;
  for (const [, slash, name, rest] of value.matchAll(/<(\/?)([A-Za-z][\w-]*)\b([^<>]*)>/g)) {
    const tag = name!.toLowerCase();
    if (voids.test(tag) || rest!.endsWith('/')) continue;
    if (slash === '') open.push(tag);
    else {
      const at = open.lastIndexOf(tag);
      if (at !== -1) open.length = at;
    }
  }
}

export interface MarkdownFile {
  readonly source: Source;
  readonly front: FrontMatter;
  /** The trimmed text below the front matter; open fences and comments are closed. */
  readonly body: string;
  readonly markdown: Markdown;
}

/** Parses front matter and text; reports keys with ambiguous values. */
export async function openMarkdown(source: Source, report: Report): Promise<MarkdownFile> {
  const front = readFrontMatter(source);
  for (const [key, span] of front.lenient) report(looseFrontMatter({ key }, { span }));
  for (const [key, span] of front.repeated) report(repeatedFrontMatter({ key }, { span }));
  if (front.problem?.kind === 'expansion') {
    const { title, advice, span } = front.problem;
    report(frontMatterBroken({ problem: title, advice }, { span }));
  }
  const lines = source.text.split(/\r\n?|\n/);
  const text = withoutNoFrontMatterMark(lines.slice(front.lines).join('\n'));
  const markdown = await parseMarkdown(text);
  return { source, front, body: trimBlankLines(text) + markdown.closing, markdown };
}
