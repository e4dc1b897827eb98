import type { Report } from '../../diagnostics/diagnostic.ts';
import { frontMatterBroken, looseFrontMatter, repeatedFrontMatter } from '../../generated/diagnostics.ts';
import { type FrontMatter, readFrontMatter } from '../../text/front-matter.ts';
import { withoutPlainMark } from '../../text/plain-mark.ts';
import type { Source } from '../../text/source.ts';
import { closingOf, type Markdown, parseMarkdown } from '../document/read/markdown.ts';

/** A Markdown file of a tool, taken apart. */
export interface MarkdownFile {
  readonly source: Source;
  readonly front: FrontMatter;
  /** The text below the front matter, without blank lines at its ends; what it leaves open is closed. */
  readonly body: string;
  /** The same text as a tree. */
  readonly markdown: Markdown;
}

/** Reads front matter and text; reports keys that nobody could tell. */
export async function openMarkdown(source: Source, report: Report): Promise<MarkdownFile> {
  const front = readFrontMatter(source);
  for (const [key, span] of front.loose) report(looseFrontMatter({ key }, { span }));
  for (const [key, span] of front.repeated) report(repeatedFrontMatter({ key }, { span }));
  if (front.problem?.kind === 'expansion') {
    const { title, advice, span } = front.problem;
    report(frontMatterBroken({ problem: title, advice }, { span }));
  }
  const lines = source.text.split(/\r\n?|\n/);
  const text = withoutPlainMark(lines.slice(front.lines).join('\n'));
  const markdown = await parseMarkdown(text);
  return { source, front, body: trimLines(text) + closingOf(markdown), markdown };
}

/** Blank lines at both ends go; the first line keeps its indentation. */
export const trimLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
