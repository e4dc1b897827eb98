import { headingLines } from './headings.ts';
import { slugOf } from './title.ts';

/** A part of a Markdown text below a heading; positions are indexes into its lines. */
interface MarkdownSection {
  readonly title: string;
  readonly depth: number;
  /** The line of the heading. */
  readonly start: number;
  /** The line behind the heading. */
  readonly body: number;
  /** The line behind what stands directly below the heading. */
  readonly own: number;
  /** The line behind the last one below it, deeper sections included. */
  readonly end: number;
}

/** Every section of a Markdown text in order, code fences left aside. */
export function sectionsOf(lines: readonly string[]): MarkdownSection[] {
  const headings = headingLines(lines);
  return headings.map(({ title, depth, body, start }, index) => {
    const rest = headings.slice(index + 1);
    return {
      title,
      depth,
      start,
      body,
      own: Math.max(body, rest[0]?.start ?? lines.length),
      end: rest.find(other => other.depth <= depth)?.start ?? lines.length,
    };
  });
}

/** Where a path of headings ends, or the titles that stand where one is missing. */
type FoundSection =
  /** Absent for an empty path: the whole text. */
  | { readonly section: MarkdownSection | undefined }
  | {
      readonly missing: string;
      /** The section that was found last. */
      readonly within: MarkdownSection | undefined;
      readonly titles: readonly string[];
    };

/** Follows headings by their words, each below the one before: as they are written, else by their slug. */
export function findSection(lines: readonly string[], path: readonly string[]): FoundSection {
  const sections = sectionsOf(lines);
  let within: MarkdownSection | undefined;
  for (const name of path) {
    const below = sections.filter(({ start }) => !within || (start > within.start && start < within.end));
    const slug = slugOf(name);
    const found =
      below.find(({ title }) => title === name) ??
      (slug === '' ? undefined : below.find(({ title }) => slugOf(title) === slug));
    if (!found) return { missing: name, within, titles: below.map(({ title }) => title) };
    within = found;
  }
  return { section: within };
}
