/** Opens and closes a text. */
export const textMark = '"""';

/** A backslash that does not start a valid escape sequence. */
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
 * The value of a `"…"` or `'…'` literal; `raw` includes the quotes. Invalid escape sequences are kept as
 * written and listed in `bad`.
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
 * The value of a `"""…"""` literal; `raw` includes the marks. The common indentation and one blank line at
 * each end are removed, `\"""` becomes `"""`, and line ends become LF. `contentStart` is the index in `raw`
 * of the first line of the value, so that line i of the value is i lines below it.
 * Blank lines do not affect the common indentation. Neither does a first line that directly follows the
 * opening mark: its position in the file says nothing about the other lines. Its own leading blanks are
 * removed.
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

/** The longest run of blanks that all non-blank lines start with. Tabs and spaces are different. */
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

/** A blank line may be shorter than the common indentation. */
function unindent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  return isBlank(line) ? '' : line;
}

/** Writes a `"…"` literal that reads back as exactly `value`. */
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
 * Writes a `"""…"""` literal with its content at `indent` and its closing mark at `closeIndent`. Returns
 * `undefined` when no such literal reads back as exactly `value` (all lines indented, a carriage return, a
 * lone surrogate).
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
