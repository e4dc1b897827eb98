const atMargin = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const inside = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/;

/** Where a fence may start: at the margin, or also indented and after the markers of list items and quotes. */
type FenceReach = 'margin' | 'inside';

const openings: Readonly<Record<FenceReach, RegExp>> = { margin: atMargin, inside };

const leads: Readonly<Record<FenceReach, RegExp>> = {
  margin: /^ {0,3}/,
  inside: /^[\s>]*/,
};

/** The marker of the code fence that a line opens, if it opens one. */
export const openingFence = (line: string, reach: FenceReach = 'margin'): string | undefined =>
  line.includes('```') || line.includes('~~~') ? openings[reach].exec(line)?.[1] : undefined;

/**
 * Whether a line closes the fence that `mark` opened: the same character, at least as often, and nothing
 * else.
 */
export function closesFence(line: string, mark: string, reach: FenceReach = 'margin'): boolean {
  const rest = line.replace(leads[reach], '').trimEnd();
  return rest.length >= mark.length && rest === mark[0]!.repeat(rest.length);
}

/**
 * For each line of a Markdown text, whether it belongs to a code fence, markers included. An unclosed fence
 * extends to the end.
 */
export function fencedLines(lines: readonly string[], reach: FenceReach = 'margin'): boolean[] {
  let open: string | undefined;
  return lines.map(line => {
    if (open !== undefined) {
      if (closesFence(line, open, reach)) open = undefined;
      return true;
    }
    open = openingFence(line, reach);
    return open !== undefined;
  });
}

/**
 * A fence marker for a code block: at least as long as `least`, and longer than every run of its character in
 * the text.
 */
export function fenceAround(text: string, least = '```'): string {
  const sign = least[0]!;
  let longest = 0;
  for (const [run] of text.matchAll(sign === '~' ? /~+/g : /`+/g)) longest = Math.max(longest, run.length);
  return longest < least.length ? least : sign.repeat(longest + 1);
}
