/** Ways in which the characters of a text stand in a source, or those of a source in an output. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text).slice(1, -1),
  text => text.replace(/\\(["'\\])/g, '$1'),
  text => text.replace(/'/g, "''"),
  text => text.replace(/'/g, "\\'"),
  text => text.replace(/^(\s*)[-*+] /, '$1'),
];

/** Places are tried so often in one line. */
const mostPlaces = 4;

/**
 * A line of a source as it may be said after the line that it led to was edited; the likeliest first. What the line
 * led to is compared with the edited one from both ends, and what differs is looked for in the source by what stands
 * around it.
 */
export function transferEdit(source: string, before: string, after: string): string[] {
  const found: string[] = [];
  for (const spell of spellings) found.push(...transferAs(source, spell(before), spell(after)));
  found.push(...quotedAnew(source, before, after));
  return [...new Set(found)].filter(line => line !== source);
}

function transferAs(source: string, before: string, after: string): string[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const places: { readonly at: number; readonly score: number }[] = [];
  for (let at = source.indexOf(gone); at !== -1 && at <= source.length; at = source.indexOf(gone, at + 1)) {
    let left = 0;
    while (left < Math.min(at, head) && source[at - 1 - left] === before[head - 1 - left]) left++;
    let right = 0;
    const end = at + gone.length;
    while (right < tail && source[end + right] === before[head + gone.length + right]) right++;
    if (gone.length + left + right > 0) places.push({ at, score: left + right });
    if (gone === '' && at === source.length) break;
  }
  places.sort((a, b) => b.score - a.score);
  return places
    .slice(0, mostPlaces)
    .map(({ at }) => source.slice(0, at) + come + source.slice(at + gone.length));
}

/** A value that stood without quotes may need them now. */
function quotedAnew(source: string, before: string, after: string): string[] {
  const core = commonPart(source, before);
  if (core.length < 2) return [];
  const [one, other] = [before.indexOf(core), source.indexOf(core)];
  const head = before.slice(0, one);
  const tail = before.slice(one + core.length);
  if (!after.startsWith(head) || !after.endsWith(tail) || after.length < head.length + tail.length) return [];
  const value = after.slice(head.length, after.length - tail.length);
  const rest = source.slice(other + core.length);
  return [source.slice(0, other) + JSON.stringify(value) + rest, source.slice(0, other) + value + rest];
}

/** The longest part of two lines that is the same, without blanks at its ends. */
export function commonPart(one: string, other: string): string {
  let best = '';
  let lengths = new Uint16Array(other.length + 1);
  for (let at = 1; at <= one.length; at++) {
    const next = new Uint16Array(other.length + 1);
    for (let to = 1; to <= other.length; to++) {
      if (one[at - 1] !== other[to - 1]) continue;
      next[to] = lengths[to - 1]! + 1;
      if (next[to]! > best.length) best = one.slice(at - next[to]!, at);
    }
    lengths = next;
  }
  return best.trim();
}

/**
 * A line that came beside another one, as it may stand in the source beside the line that the other one came from:
 * with its marks and quotes, else with its indentation only.
 */
export function framedLines(source: string, output: string, added: readonly string[]): string[][] {
  const core = commonPart(source, output);
  const forms: string[][] = [];
  if (core !== '') {
    const [one, other] = [output.indexOf(core), source.indexOf(core)];
    const head = output.slice(0, one);
    const tail = output.slice(one + core.length);
    const before = source.slice(0, other);
    const after = source.slice(other + core.length);
    const fits = (line: string) =>
      line === '' ||
      (line.startsWith(head) && line.endsWith(tail) && line.length > head.length + tail.length);
    if (added.every(fits)) {
      const frame = (spell: (text: string) => string) =>
        added.map(line => {
          if (line === '') return '';
          return before + spell(line.slice(head.length, line.length - tail.length)) + after;
        });
      if (/["']$/.test(before)) forms.push(frame(spellings[1]!));
      forms.push(frame(text => text));
      forms.push(frame(JSON.stringify));
    }
  }
  const indentOf = (line: string) => /^\s*/.exec(line)![0];
  const [wanted, had] = [indentOf(source), indentOf(output)];
  // The source has all of the text so much further in.
  const inner = wanted.endsWith(had) ? wanted.slice(0, wanted.length - had.length) : undefined;
  const strip = (line: string) => {
    if (line.startsWith(had)) return wanted + line.slice(had.length);
    return inner === undefined ? wanted + line.trimStart() : inner + line;
  };
  const plain = added.map(line => (line.trim() === '' ? '' : strip(line)));
  const shift = headingLevel(source) - headingLevel(output);
  if (headingLevel(source) > 0 && headingLevel(output) > 0 && shift !== 0)
    forms.push(shiftHeadings(plain, shift));
  forms.push(plain);
  if (plain.some(line => headingLevel(line) > 0))
    for (const by of [-1, -2, 1]) forms.push(shiftHeadings(plain, by));
  const quoted = (line: string) => /^(\s*)(?:[-*+] +)?(.*)$/.exec(line)!;
  forms.push(
    plain.map(line => (line === '' ? '' : `${quoted(line)[1]}- ${JSON.stringify(quoted(line)[2])}`)),
  );
  forms.push(plain.map(line => (line === '' ? '' : `${quoted(line)[1]}${quoted(line)[2]}`)));
  return forms;
}

/** A member of a list with the comment behind it, which is about that line alone. */
export function withoutComment(source: string): { readonly line: string; readonly comment: string } {
  const found = /^(\s*(?:- )?(?:"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*,)?)(\s*#.*)$/.exec(source);
  return { line: found?.[1] ?? source, comment: found?.[2] ?? '' };
}

const headingLevel = (line: string): number => /^\s*(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;

/** The lines with every heading `by` levels deeper, or higher where it is negative, between the first and the sixth. */
export const shiftHeadings = (lines: readonly string[], by: number): string[] =>
  lines.map(line =>
    line.replace(/^(\s*)(#{1,6})(?=\s)/, (_all, indent: string, marks: string) => {
      return indent + '#'.repeat(Math.max(1, Math.min(6, marks.length + by)));
    }),
  );

/** A line with a list in it, with members beside the one that an output line was made of. */
export function withMembers(
  source: string,
  output: string,
  added: readonly string[],
  before: boolean,
): string[] {
  const place = memberIn(source, output);
  if (!place) return [];
  const { start, end, core } = place;
  const at = output.indexOf(core);
  const head = output.slice(0, at);
  const tail = output.slice(at + core.length);
  const values = added.filter(line => line.trim() !== '');
  if (values.length === 0 || !values.every(line => line.startsWith(head) && line.endsWith(tail))) return [];
  const quote = /["']/.test(source[start] ?? '') ? source[start]! : '';
  const members = values.map(line => {
    const text = line.slice(head.length, line.length - tail.length);
    return quote === '"' ? JSON.stringify(text) : quote + text + quote;
  });
  const joined = members.join(', ');
  return before
    ? [`${source.slice(0, start)}${joined}, ${source.slice(start)}`]
    : [`${source.slice(0, end)}, ${joined}${source.slice(end)}`];
}

/** A line with a list in it, without the members that output lines were made of. */
export function withoutMember(source: string, output: string): string[] {
  const place = memberIn(source, output);
  if (!place) return [];
  const [head, tail] = [source.slice(0, place.start), source.slice(place.end)];
  const found: string[] = [];
  if (head.endsWith(' ') && tail.startsWith(' ')) found.push(head + tail.trimStart());
  if (/^\s*,\s*/.test(tail)) found.push(head + tail.replace(/^\s*,\s*/, ''));
  if (/,\s*$/.test(head)) found.push(head.replace(/\s*,\s*$/, '') + tail);
  found.push(head + tail);
  return found;
}

/** So many members of a list are taken away by turns. */
const mostMembers = 16;

/** A line with a list in it, without one member after the other: a tool may have its own word for it. */
export function withoutEachMember(source: string): string[] {
  const list =
    /^(.*?\[)([^[\]]*)(\].*)$/.exec(source) ?? /^(\s*[\w-]+:\s+)([^"',]+(?:,[^"',]+)+)()$/.exec(source);
  if (!list) return [];
  const members = list[2]!.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,\s][^,]*/g) ?? [];
  if (members.length < 2 || members.length > mostMembers) return [];
  return members.map(
    (_, at) =>
      list[1]! +
      members
        .filter((_one, index) => index !== at)
        .map(one => one.trim())
        .join(', ') +
      list[3]!,
  );
}

/** Where a member of a list stands in a line, with its quotes. */
function memberIn(source: string, output: string) {
  const core = commonPart(source, output);
  if (core === '') return undefined;
  let start = source.indexOf(core);
  let end = start + core.length;
  if (/["']/.test(source[start - 1] ?? '') && source[end] === source[start - 1]) {
    start--;
    end++;
  }
  return { start, end, core };
}
