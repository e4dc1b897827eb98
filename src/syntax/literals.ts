/** `"""` opens and closes a text. */
export const textMark = '"""';

/** A backslash with something behind it that means nothing. */
export interface BadEscape {
  /** Index of the backslash in the literal. */
  readonly at: number;
  readonly text: string;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['n', '\n'],
  ['t', '\t'],
]);

const none: readonly BadEscape[] = [];

/**
 * The value of a `"…"` or `'…'` literal, quotes included in `raw`. An escape that is none stays as written and is
 * listed in `bad`.
 */
export function readString(raw: string): { readonly value: string; readonly bad: readonly BadEscape[] } {
  const inner = raw.slice(1, -1);
  if (!inner.includes('\\')) return { value: inner, bad: none };
  const bad: BadEscape[] = [];
  const value = inner.replace(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/gu,
    (all: string, hex: string, letter: string, at: number) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      const meant = escapes.get(letter);
      if (meant === undefined) bad.push({ at: at + 1, text: all });
      return meant ?? all;
    },
  );
  return { value, bad };
}

/**
 * The value of a `"""…"""` literal, marks included in `raw`: the common indentation and the first and last blank line
 * removed, `\"""` read as `"""`, line ends turned into LF. `contentStart` is the index in `raw` of what became the
 * first line, so that line i of the value stands i lines below it.
 *
 * A blank line has no say in what is common. A first line that begins right behind the opening mark has none either:
 * where it starts in the file says nothing about the others; it keeps what follows its own blanks.
 */
export function readText(raw: string): { readonly value: string; readonly contentStart: number } {
  const inner = raw.slice(3, -3);
  const lines = inner.includes('\r')
    ? inner.split('\n').map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
    : inner.split('\n');
  let contentStart = 3;
  const opened = isBlank(lines[0]!);
  if (opened) {
    contentStart = lines.length > 1 ? 4 + inner.indexOf('\n') : 3;
    lines.shift();
  } else {
    lines[0] = lines[0]!.trimStart();
  }
  if (lines.length > 0 && isBlank(lines.at(-1)!)) lines.pop();
  const common = commonIndent(opened ? lines : lines.slice(1));
  const unindented =
    common === ''
      ? lines
      : lines.map((line, index) => (index === 0 && !opened ? line : unindent(line, common)));
  const value = unindented.join('\n').replaceAll(`\\${textMark}`, textMark);
  return { value, contentStart };
}

const isBlank = (line: string) => /^[ \t]*$/.test(line);

/** The longest run of blanks that all lines with content start with; tabs and spaces are different blanks. */
function commonIndent(lines: readonly string[]): string {
  let common: string | undefined;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const indent = /^[ \t]*/.exec(line)![0];
    if (common === undefined) common = indent;
    else {
      let same = 0;
      while (same < common.length && common[same] === indent[same]) same++;
      common = common.slice(0, same);
    }
    if (common === '') break;
  }
  return common ?? '';
}

/** A blank line may be shorter than the indentation that the others share. */
function unindent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  return isBlank(line) ? '' : line;
}

/** A `"…"` literal that reads back as exactly `value`. */
export function writeString(value: string): string {
  const escaped = value.replace(/["\\\u0000-\u001f\u007f\u2028\u2029\ufeff]|\p{Surrogate}/gu, found => {
    if (found === '"' || found === '\\') return `\\${found}`;
    if (found === '\n') return '\\n';
    if (found === '\t') return '\\t';
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

/**
 * A `"""…"""` literal with its content at `indent` and its closing mark at `closeIndent`; `undefined` when no such
 * literal reads back as exactly `value` (all lines indented, a carriage return, an unpaired surrogate).
 */
export function writeText(value: string, indent: string, closeIndent: string): string | undefined {
  if (/[\u0000\r]|\p{Surrogate}/u.test(value)) return undefined;
  const lines = value
    .replaceAll(textMark, `\\${textMark}`)
    .split('\n')
    .map(line => (line === '' ? '' : indent + line));
  const raw = [textMark, ...lines, closeIndent + textMark].join('\n');
  return readText(raw).value === value ? raw : undefined;
}
