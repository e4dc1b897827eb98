import { isBlank, sharedEnds } from './hunks.ts';

/** How characters of a generated text may be spelled in a source, and the other way round. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text).slice(1, -1),
  text => text.replace(/\\(["'\\])/g, '$1'),
  text => text.replace(/'/g, "''"),
  text => text.replace(/'/g, "\\'"),
  text => text.replace(/^(\s*)[-*+] /, '$1'),
];

const maxPlaces = 4;

/**
 * The ways to make the change of a generated line in the source line that it came from, the likeliest first: what
 * differs between the generated lines is found in the source by the text around it.
 */
export function transferChange(source: string, before: string, after: string): string[] {
  const found = spellings.flatMap(spell => transferSpelled(source, spell(before), spell(after)));
  return [...new Set(found)].filter(line => line !== source);
}

function transferSpelled(source: string, before: string, after: string): string[] {
  const { head, tail } = sharedEnds(before, after);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const places: { readonly at: number; readonly score: number }[] = [];
  for (let at = source.indexOf(removed); at !== -1; at = source.indexOf(removed, at + 1)) {
    let left = 0;
    while (left < Math.min(at, head) && source[at - 1 - left] === before[head - 1 - left]) left++;
    let right = 0;
    const end = at + removed.length;
    while (right < tail && source[end + right] === before[head + removed.length + right]) right++;
    if (removed.length + left + right > 0) places.push({ at, score: left + right });
    if (at === source.length) break;
  }
  return places
    .sort((a, b) => b.score - a.score)
    .slice(0, maxPlaces)
    .map(({ at }) => source.slice(0, at) + added + source.slice(at + removed.length));
}

/** What a line has before and after a part. */
function around(line: string, part: string): readonly [string, string] {
  const at = line.indexOf(part);
  return [line.slice(0, at), line.slice(at + part.length)];
}

/** The longest common part of two lines, without blanks at its ends. */
export function commonPart(one: string, other: string): string {
  let best = '';
  let lengths: number[] = [];
  for (let at = 1; at <= one.length; at++) {
    const next: number[] = [];
    for (let to = 1; to <= other.length; to++) {
      if (one[at - 1] !== other[to - 1]) continue;
      const length = (lengths[to - 1] ?? 0) + 1;
      next[to] = length;
      if (length > best.length) best = one.slice(at - length, at);
    }
    lengths = next;
  }
  return best.trim();
}

const indentOf = (line: string) => /^\s*/.exec(line)![0];
const headingLevel = (line: string): number => /^\s*(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;

/** The words of a line that is a heading. */
export const headingWords = (line: string): string | undefined => /^#{1,6} +(.*\S)\s*$/.exec(line)?.[1];

/** The words of a line that is a list item. */
export const itemWords = (line: string): string | undefined => /^\s*[-*+] +(.*\S)\s*$/.exec(line)?.[1];

/** Lines with headings `by` levels deeper. */
export const shiftHeadings = (lines: readonly string[], by: number): string[] =>
  lines.map(line =>
    line.replace(/^(\s*)(#{1,6})(?=\s)/, (_all, indent: string, marks: string) => {
      return indent + '#'.repeat(Math.max(1, Math.min(6, marks.length + by)));
    }),
  );

/**
 * Lines added beside a generated line as a source may have them beside the line that it came from: with the marks and
 * quotes of that line, else with its indentation.
 */
export function framedLines(source: string, output: string, added: readonly string[]): string[][] {
  const forms = withMarks(source, output, added);
  const [wanted, had] = [indentOf(source), indentOf(output)];
  const extra = wanted.endsWith(had) ? wanted.slice(0, wanted.length - had.length) : undefined;
  const plain = added.map(line => {
    if (isBlank(line)) return '';
    if (line.startsWith(had)) return wanted + line.slice(had.length);
    return extra === undefined ? wanted + line.trimStart() : extra + line;
  });
  const shift = headingLevel(source) - headingLevel(output);
  if (headingLevel(source) > 0 && headingLevel(output) > 0 && shift !== 0)
    forms.push(shiftHeadings(plain, shift));
  forms.push(plain);
  if (plain.some(line => headingLevel(line) > 0))
    for (const by of [-1, -2, 1]) forms.push(shiftHeadings(plain, by));
  forms.push(
    plain.map(line =>
      line.replace(/^(\s*)(?:[-*+] +)?(\S.*)$/, (_all, indent, text) => `${indent}- ${JSON.stringify(text)}`),
    ),
  );
  return forms;
}

function withMarks(source: string, output: string, added: readonly string[]): string[][] {
  const core = commonPart(source, output);
  if (core === '') return [];
  const [head, tail] = around(output, core);
  const [before, after] = around(source, core);
  const fits = (line: string) =>
    line === '' || (line.startsWith(head) && line.endsWith(tail) && line.length > head.length + tail.length);
  if (!added.every(fits)) return [];
  const frame = (spell: (text: string) => string) =>
    added.map(line =>
      line === '' ? '' : before + spell(line.slice(head.length, line.length - tail.length)) + after,
    );
  const plain = frame(text => text);
  return /["']$/.test(before) ? [frame(spellings[1]!), plain] : [plain];
}

/** A list member with its own line, and the comment after it. */
export function splitComment(source: string): { readonly line: string; readonly comment: string } {
  const found = /^(\s*(?:- )?(?:"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*,)?)(\s*#.*)$/.exec(source);
  return { line: found?.[1] ?? source, comment: found?.[2] ?? '' };
}

const maxMembers = 16;

/**
 * The ways to remove a member from a list on one line: the one that a generated line came from, else each of them,
 * because a tool may have another word for it.
 */
export function withoutMember(source: string, output: string): string[] {
  const core = commonPart(source, output);
  const found: string[] = [];
  if (core !== '') {
    let [head, tail] = around(source, core);
    if (/["']$/.test(head) && tail[0] === head.at(-1)) [head, tail] = [head.slice(0, -1), tail.slice(1)];
    if (head.endsWith(' ') && tail.startsWith(' ')) found.push(head + tail.trimStart());
    if (/^\s*,\s*/.test(tail)) found.push(head + tail.replace(/^\s*,\s*/, ''));
    if (/,\s*$/.test(head)) found.push(head.replace(/\s*,\s*$/, '') + tail);
    found.push(head + tail);
  }
  const list =
    /^(.*?\[)([^[\]]*)(\].*)$/.exec(source) ?? /^(\s*[\w-]+:\s+)([^"',]+(?:,[^"',]+)+)()$/.exec(source);
  const members = (list?.[2] ?? '').match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,\s][^,]*/g) ?? [];
  if (members.length >= 2 && members.length <= maxMembers)
    for (const at of members.keys()) {
      const rest = members.toSpliced(at, 1).map(one => one.trim());
      found.push(list![1]! + rest.join(', ') + list![3]!);
    }
  return found;
}
