import { isListItem } from '../../text/headings.ts';
import { type Hunk, isBlank, trimBlankLines } from './hunks.ts';
import { headingWords } from './text-change.ts';
import type { EditContext } from './workspace.ts';

/**
 * Lines that were added below a generated section (a list of skills, for example), as an addition at the end of the
 * nearest texts above it: no source can have them where they were added. Empty for other hunks.
 */
export function aboveGeneratedSection({ at, removed, added }: Hunk, around: EditContext): Hunk[] {
  const { lines } = around;
  const text = trimBlankLines(added);
  const next = lines.slice(at + removed.length).find(line => !isBlank(line));
  const endsSection = next === undefined || headingWords(next) !== undefined;
  if (text.length === 0 || !removed.every(isBlank) || !endsSection) return [];
  const found: Hunk[] = [];
  let end = at;
  while (end > 0) {
    const heading = lines.slice(0, end).findLastIndex(line => headingWords(line) !== undefined);
    if (heading < 1 || !isGenerated(heading, around)) break;
    const last = lines.slice(0, heading).findLastIndex(line => !isBlank(line));
    const isOneList = [text[0]!, lines[last] ?? ''].every(line => isListItem(line.trimStart()));
    found.push({ at: last + 1, removed: [], added: isOneList ? text : ['', ...text] });
    end = heading;
  }
  return found;
}

/** Whether a line comes from no source of the project. */
const isGenerated = (at: number, { originsOf }: EditContext): boolean =>
  originsOf(at).every(({ file }) => file === undefined);

/** Whether lines that a hunk adds already stand right above its place. */
export function isAlreadyAbove({ at, added }: Hunk, { lines }: EditContext): boolean {
  const text = trimBlankLines(added);
  return text.join('\n') === lines.slice(at - text.length, at).join('\n');
}
