import { leadingHeadingDepth, raiseHeadings } from '../../text/headings.ts';
import { isBlank, sharedEnds, trimBlankLines } from './hunks.ts';

/** How the characters of a generated line may be spelled in a source. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => text.replace(/\\(["'\\])/g, '$1'),
  text => JSON.stringify(text).slice(1, -1),
  text => text.replace(/^(\s*)[-*+] /, '$1'),
];

/**
 * A source line with the change of the generated line that came from it: what differs between the generated lines is
 * found in the source by the text around it.
 */
export function transferChange(source: string, before: string, after: string): string | undefined {
  for (const spell of spellings) {
    const found = transferSpelled(source, spell(before), spell(after));
    if (found !== undefined && found !== source) return found;
  }
  return undefined;
}

function transferSpelled(source: string, before: string, after: string): string | undefined {
  const { head, tail } = sharedEnds(before, after);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  let best: { readonly at: number; readonly score: number } | undefined;
  for (let at = source.indexOf(removed); at !== -1; at = source.indexOf(removed, at + 1)) {
    let left = 0;
    while (left < Math.min(at, head) && source[at - 1 - left] === before[head - 1 - left]) left++;
    let right = 0;
    const end = at + removed.length;
    while (right < tail && source[end + right] === before[head + removed.length + right]) right++;
    const isFound = removed.length + left + right > 0;
    if (isFound && left + right > (best?.score ?? -1)) best = { at, score: left + right };
    if (at === source.length) break;
  }
  return best && source.slice(0, best.at) + added + source.slice(best.at + removed.length);
}

const indentOf = (line: string) => /^\s*/.exec(line)![0];

/** The words of a line that is a heading. */
export const headingWords = (line: string): string | undefined => /^#{1,6} +(.*\S)\s*$/.exec(line)?.[1];

/** Generated lines without the marks that a generated line has around the text of a source; `undefined`: they differ. */
export function withoutMarks(
  source: string,
  output: string,
  lines: readonly string[],
): readonly string[] | undefined {
  const at = source === '' ? -1 : output.indexOf(source);
  if (at === -1) return undefined;
  const [head, tail] = [output.slice(0, at), output.slice(at + source.length)];
  const texts = trimBlankLines(lines).map(line =>
    line.startsWith(head) && line.endsWith(tail) ? line.slice(head.length, line.length - tail.length) : '',
  );
  return texts.length > 0 && texts.every(text => !isBlank(text)) ? texts : undefined;
}

/**
 * Lines added next to a generated line as a source may have them next to the line that it came from: with its
 * indentation and level of headings, and with the blank lines that a source may have around them.
 */
export function framedLines(source: string, output: string, added: readonly string[]): string[][] {
  const [wanted, had] = [indentOf(source), indentOf(output)];
  // What the source adds to the indentation; an added line may have less of its own than its neighbour.
  const frame = wanted.endsWith(had) ? wanted.slice(0, wanted.length - had.length) : undefined;
  const indented = (lines: readonly string[]) =>
    lines.map(line => {
      if (isBlank(line)) return '';
      if (frame !== undefined) return frame + line;
      return wanted + (line.startsWith(had) ? line.slice(had.length) : line.trimStart());
    });
  const plain = indented(added);
  const [depth, shown] = [leadingHeadingDepth(source), leadingHeadingDepth(output)];
  const isRaised = depth > 0 && shown > depth;
  const raised = isRaised ? [indented(raiseHeadings(added.join('\n'), shown - depth).split('\n'))] : [];
  const forms = [...raised, plain];
  const texts = withoutMarks(source.trim(), output, added);
  if (texts && texts.join('\n') !== trimBlankLines(plain).join('\n'))
    forms.unshift(texts.map(text => wanted + text));
  return forms;
}

/** Lines with the blank lines that a source may have around them. */
export function blankForms(lines: readonly string[]): string[][] {
  const words = trimBlankLines(lines);
  if (words.length === 0) return [[...lines]];
  const forms = [[...lines], ['', ...words], [...words, '']];
  return [...new Map(forms.map(form => [form.join('\n'), form])).values()];
}
