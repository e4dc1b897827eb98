import { headingLines } from './headings.ts';
import { slugOf } from './title.ts';

/** A section of a Markdown text. Positions are indexes into its lines. */
interface MarkdownSection {
  readonly title: string;
  readonly depth: number;
  /** The line of the heading. */
  readonly start: number;
  /** The line after the heading. */
  readonly body: number;
  /** The line after the text that belongs directly to the heading. */
  readonly own: number;
  /** The line after the section including its subsections. */
  readonly end: number;
}

/** All sections of a Markdown text in order, ignoring code fences. */
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

/** The section that a path of headings leads to, or the titles available where a heading is missing. */
type FoundSection =
  /** Absent for an empty path, which means the whole text. */
  | { readonly section: MarkdownSection | undefined }
  | {
      readonly missing: string;
      /** The last section that was found. */
      readonly within: MarkdownSection | undefined;
      readonly titles: readonly string[];
    };

/**
 * Follows a path of headings, each below the one before. A heading matches by its title, or else by its slug.
 */
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
