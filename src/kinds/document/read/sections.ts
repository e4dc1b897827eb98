import type { Heading, Html, RootContent } from 'mdast';
import { firstLine, lastLine, type Markdown } from './markdown.ts';

/** A heading with what stands below it, deeper sections apart. The nodes before the first heading have none. */
export interface MarkdownSection {
  readonly heading?: Heading;
  /** Depth of the heading; 0 for what comes before the first one. */
  readonly depth: number;
  /** The heading as it was written, markup included, without its marks; the name of a tag that opens a section. */
  readonly title: string;
  /** Nodes directly below the heading. */
  readonly own: readonly RootContent[];
  readonly children: readonly MarkdownSection[];
  readonly startLine: number;
  /** Last line of the section with everything below it. */
  readonly endLine: number;
  /** Last line of `own`, or of the heading. */
  readonly ownEnd: number;
}

/** A section whose end is not known yet. */
interface Open extends Pick<MarkdownSection, 'heading' | 'depth' | 'title' | 'startLine'> {
  readonly own: RootContent[];
  readonly children: Open[];
}

/**
 * The sections of a document as a tree. A heading inside a tag that is still open starts no section: what stands
 * between `<rules>` and `</rules>` stays together. With `marked` only headings with marks before them count.
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

/** The text of a heading between its marks; empty for one that takes several lines. */
function titleOf(heading: Heading, markdown: Markdown): string {
  const line = markdown.lines[firstLine(heading) - 1]!;
  if (isUnderlined(heading, markdown)) return lastLine(heading) - firstLine(heading) === 1 ? line.trim() : '';
  return line
    .replace(/^ {0,3}#{1,6}[ \t]*/, '')
    .replace(/(?:^|[ \t]+)#+[ \t]*$/, '')
    .trim();
}

/** Whether a heading is marked by a line below it. */
export function isUnderlined(heading: Heading, { lines }: Markdown): boolean {
  return !/^ {0,3}#{1,6}(?:[ \t]|$)/.test(lines[firstLine(heading) - 1]!);
}

/** Tags that are not closed, or that need not be. */
const voids = /^(?:area|base|br|col|embed|hr|img|input|li|link|meta|p|source|track|wbr)$/;

/** Keeps the list of open tags; a closing tag closes the nearest one of its name. */
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
