/** A range of characters of a text with one origin. */
export interface Run<Origin> {
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
  /** The offset in the text of the origin where these characters begin, or of what they were made from. */
  readonly at: number;
  /** Whether the characters are copied from the origin unchanged. */
  readonly exact: boolean;
}

/** A text with the origins of its characters, as ordered runs that do not overlap. */
export class Traced<Origin> {
  constructor(
    readonly text: string,
    readonly runs: readonly Run<Origin>[],
  ) {}
}

/**
 * A text for output. A compile works on plain strings. When origins are requested, the same functions get
 * traced texts, and their results are traced, too.
 */
export type Text<Origin = unknown> = string | Traced<Origin>;

/** The text without origins. */
export const plainText = (text: Text): string => (typeof text === 'string' ? text : text.text);

/** A text with one origin; `exact` when it is copied from there unchanged. */
export const traced = <O>(text: string, origin: O, exact = false): Traced<O> =>
  new Traced(text, [{ start: 0, end: text.length, origin, at: 0, exact }]);

/** Concatenates texts with a separator. */
export function joinTexts<O>(texts: readonly Text<O>[], separator: Text<O> = ''): Text<O> {
  if (typeof separator === 'string' && texts.every(isPlain)) return texts.join(separator);
  const runs: Run<O>[] = [];
  let whole = '';
  const add = (text: Text<O>) => {
    if (typeof text !== 'string') {
      for (const run of text.runs)
        runs.push({ ...run, start: run.start + whole.length, end: run.end + whole.length });
    }
    whole += plainText(text);
  };
  texts.forEach((text, index) => {
    if (index > 0) add(separator);
    add(text);
  });
  return new Traced(whole, runs);
}

const isPlain = (text: Text): text is string => typeof text === 'string';

/** Removes lines of spaces and tabs at the beginning and whitespace at the end. */
export function trimBlankLines(text: string): string;
export function trimBlankLines<O>(text: Text<O>): Text<O>;
export function trimBlankLines<O>(text: Text<O>): Text<O> {
  const all = plainText(text);
  const start = /^(?:[ \t]*\n)*/.exec(all)![0].length;
  // `\s+$` would take quadratic time for a long run of blanks.
  const end = all.trimEnd().length;
  return start === 0 && end === all.length ? text : sliceText(text, Math.min(start, end), end);
}

/** Like `String.slice`, for offsets in the text. */
function sliceText<O>(text: Text<O>, start: number, end = plainText(text).length): Text<O> {
  if (typeof text === 'string') return text.slice(start, end);
  const runs: Run<O>[] = [];
  for (const run of text.runs) {
    const first = Math.max(run.start, start);
    const last = Math.min(run.end, end);
    if (first >= last) continue;
    const at = run.exact ? run.at + first - run.start : run.at;
    runs.push({ ...run, start: first - start, end: last - start, at });
  }
  return new Traced(text.text.slice(start, end), runs);
}

/** Like `String.replace`, with a function for each match. A global pattern replaces all matches. */
export function replaceText<O>(
  text: Text<O>,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => Text<O>,
): Text<O> {
  const all = plainText(text);
  const parts: Text<O>[] = [];
  let at = 0;
  const matches = pattern.global ? all.matchAll(pattern) : [pattern.exec(all)];
  for (const match of matches) {
    if (!match) continue;
    parts.push(sliceText(text, at, match.index), replacement(match as RegExpExecArray));
    at = match.index + match[0].length;
  }
  return at === 0 && parts.length === 0 ? text : joinTexts([...parts, sliceText(text, at)]);
}

/** Removes what a pattern matches. */
export const removeText = <O>(text: Text<O>, pattern: RegExp): Text<O> =>
  typeof text === 'string' ? text.replace(pattern, '') : replaceText(text, pattern, () => '');

/** Replaces the whole text; the result has the origin of the beginning of the text. */
export function replaceWords<O>(text: Text<O>, words: string): Text<O> {
  const run = typeof text === 'string' ? undefined : text.runs[0];
  return run ? traced(words, run.origin) : words;
}

export function linesOf<O>(text: Text<O>): Text<O>[] {
  if (typeof text === 'string') return text.split('\n');
  let at = 0;
  return text.text.split('\n').map(line => {
    const found = sliceText(text, at, at + line.length);
    at += line.length + 1;
    return found;
  });
}

/** Gives every character that has no origin the given one. */
export function fillOrigins<O>(text: Text<O>, origin: O): Traced<O> {
  const all = plainText(text);
  const runs: Run<O>[] = [];
  let end = 0;
  const fill = (to: number) => {
    if (to > end) runs.push({ start: end, end: to, origin, at: 0, exact: false });
  };
  for (const run of typeof text === 'string' ? [] : text.runs) {
    fill(run.start);
    runs.push(run);
    end = run.end;
  }
  fill(all.length);
  return new Traced(all, runs);
}

/** A text that occurs in another one, with its origin. */
export interface Ingredient<Origin> {
  readonly text: string;
  readonly origin: Origin;
  readonly at?: number;
}

/**
 * Traces a text to the texts that it was made from. Each ingredient is searched for after the previous one:
 * verbatim, in quotes, or line by line. The text between two matches is attributed to ingredients that were
 * rewritten.
 */
export function locateTexts<O>(text: string, ingredients: readonly Ingredient<O>[]): Text<O> {
  const runs: Run<O>[] = [];
  const lost: Ingredient<O>[] = [];
  let end = 0;
  const take = (one: Ingredient<O>): void => {
    const found = findText(text, one.text, end);
    const lines = one.text.split('\n');
    // A value of several lines that was changed is matched line by line.
    if (found && (found.exact || lines.length === 1)) {
      fillGap(text, end, found.start, lost.splice(0), runs);
      runs.push({ ...found, at: found.at + (one.at ?? 0), origin: one.origin });
      end = found.end;
      return;
    }
    if (lines.length === 1) {
      if (one.text.trim() !== '') lost.push(one);
      return;
    }
    let at = one.at ?? 0;
    for (const line of lines) {
      take({ text: line, origin: one.origin, at });
      at += line.length + 1;
    }
  };
  for (const one of ingredients) take(one);
  fillGap(text, end, text.length, lost, runs);
  return runs.length === 0 ? text : new Traced(text, runs);
}

/** Finds a text at or after `from`: verbatim, trimmed, or as a quoted string writes it. */
function findText(text: string, part: string, from: number): Omit<Run<never>, 'origin'> | undefined {
  const trimmed = part.trim();
  if (trimmed === '') return undefined;
  const sentence = trimmed.replace(/[.\s]+$/, '');
  const quoted = JSON.stringify(trimmed).slice(1, -1);
  for (const [form, exact] of [
    [part, true],
    [trimmed, true],
    [sentence, true],
    [quoted, false],
    [trimmed.replaceAll('\\', '\\\\'), false],
  ] as const) {
    const start = form === '' ? -1 : text.indexOf(form, from);
    if (start !== -1) return { start, end: start + form.length, at: exact ? part.indexOf(form) : 0, exact };
  }
  return undefined;
}

/**
 * Attributes the text of a gap to the ingredients that were not found, line by line when there are several.
 * Markers at the start of the line after the gap belong to the next match.
 */
function fillGap<O>(
  text: string,
  from: number,
  to: number,
  lost: readonly Ingredient<O>[],
  runs: Run<O>[],
): void {
  const lastLine = text.lastIndexOf('\n', to - 1) + 1;
  const stop = lastLine > from && !contentPattern.test(text.slice(lastLine, to)) ? lastLine : to;
  let index = 0;
  let start = from;
  while (start < stop && lost.length > 0) {
    const line = text.indexOf('\n', start);
    const end = line === -1 || line >= stop || lost.length === 1 ? stop : line + 1;
    const { origin, at = 0 } = lost[Math.min(index, lost.length - 1)]!;
    runs.push({ start, end, origin, at, exact: false });
    // A line of separators and brackets only is not a line of a value.
    if (contentPattern.test(text.slice(start, end))) index++;
    start = end;
  }
}

/** Matches a line with more than brackets and separators. */
const contentPattern = /[^\s:,"[\]{}-]/;
