/**
 * Splits a text with merge conflict markers into its two sides, ours first. The common ancestor (`diff3`) is
 * dropped. Returns `undefined` when the markers do not pair up.
 */
export function conflictSides(text: string): readonly [string, string] | undefined {
  const sides: [string[], string[]] = [[], []];
  let at: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  let conflicts = 0;
  for (const line of text.split('\n')) {
    const mark = /^(<{7}|\|{7}|={7}|>{7})(?:[ \r]|$)/.exec(line)?.[1]?.[0];
    if (mark === undefined) {
      if (at === 'both' || at === 'ours') sides[0].push(line);
      if (at === 'both' || at === 'theirs') sides[1].push(line);
    } else if (mark === '<' && at === 'both') at = 'ours';
    else if (mark === '|' && at === 'ours') at = 'base';
    else if (mark === '=' && (at === 'ours' || at === 'base')) at = 'theirs';
    else if (mark === '>' && at === 'theirs') {
      at = 'both';
      conflicts++;
    } else return undefined;
  }
  if (at !== 'both' || conflicts === 0) return undefined;
  return [sides[0].join('\n'), sides[1].join('\n')];
}

/** The advice for a text that still has the markers of a merge conflict. */
export const conflictAdvice =
  'Keep one side, or join both, and delete the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`.';

/**
 * The place of a merge conflict: its first marker when a text has all markers of a conflict in order. With `isPartial`
 * any marker counts, for formats in which no other line begins like one.
 */
export function conflictMark(
  text: string,
  isPartial = false,
): { readonly start: number; readonly end: number } | undefined {
  const all = /^<{7}(?=[ \r\n])[\s\S]*?^={7}\r?$[\s\S]*?^>{7}(?=[ \r\n]|$)/m;
  const start = (isPartial ? /^(?:<{7}|={7}|>{7})(?=[ \r\n]|$)/m : all).exec(text)?.index;
  return start === undefined ? undefined : { start, end: start + 7 };
}
