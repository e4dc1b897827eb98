/** Characters of a text that have one origin. */
export interface Run<Origin> {
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
  /** Where in the text of the origin the characters begin, or what they were made of. */
  readonly at: number;
  /** The characters are those of the origin, one for one. */
  readonly exact: boolean;
}

/** A text with the origins of its characters beside it: runs in order that do not overlap. */
export class Traced<Origin> {
  constructor(
    readonly text: string,
    readonly runs: readonly Run<Origin>[],
  ) {}
}

/**
 * What is put together from texts. A compile works on plain strings; where somebody asks what came from where, the
 * same functions are given traced texts, and whatever they make of them is traced too.
 */
export type Text<Origin = unknown> = string | Traced<Origin>;

/** The characters alone. */
export const plainText = (text: Text): string => (typeof text === 'string' ? text : text.text);

/** A text that came from one place as a whole; `exact` when it is what stands there. */
export const traced = <O>(text: string, origin: O, exact = false): Traced<O> =>
  new Traced(text, [{ start: 0, end: text.length, origin, at: 0, exact }]);

/** Texts one after the other, with a separator between them. */
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

/** A text without line feeds at its beginning and blanks at its end. */
export const trimLines = <O>(text: Text<O>): Text<O> =>
  trimmed(text, /^\n*/.exec(plainText(text))![0].length);

/** A text without empty lines at its beginning, whatever blanks they hold, and blanks at its end. */
export function trimEmptyLines<O>(text: Text<O>): Text<O> {
  const all = plainText(text);
  const blank = all.length - all.trimStart().length;
  return trimmed(text, blank === 0 ? 0 : all.lastIndexOf('\n', blank - 1) + 1);
}

/** A text without lines of spaces and tabs at its beginning, and blanks at its end. */
export const trimBlankLines = <O>(text: Text<O>): Text<O> =>
  trimmed(text, /^(?:[ \t]*\n)*/.exec(plainText(text))![0].length);

/** From an offset, without the blanks at the end. `\s+$` would take the square of a long run of blanks. */
function trimmed<O>(text: Text<O>, start: number): Text<O> {
  const all = plainText(text);
  const end = all.trimEnd().length;
  return start === 0 && end === all.length ? text : sliceText(text, Math.min(start, end), end);
}

/** Part of a text, as `String.slice` gives it. */
function sliceText<O>(text: Text<O>, from: number, to?: number): Text<O> {
  if (typeof text === 'string') return text.slice(from, to);
  const { length } = text.text;
  const start = Math.min(from < 0 ? Math.max(0, length + from) : from, length);
  const end = Math.max(start, Math.min(to === undefined ? length : to < 0 ? length + to : to, length));
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

/** `String.replace` with a text for each match; the pattern is global where all of them are meant. */
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

/** A text without what a pattern matches. */
export const cutText = <O>(text: Text<O>, pattern: RegExp): Text<O> =>
  typeof text === 'string' ? text.replace(pattern, '') : replaceText(text, pattern, () => '');

/** Other words for a text: they are made of what the text begins with. */
export function replaceWords<O>(text: Text<O>, words: string): Text<O> {
  const run = typeof text === 'string' ? undefined : text.runs[0];
  return run ? traced(words, run.origin) : words;
}

/** The lines of a text. */
export function linesOf<O>(text: Text<O>): Text<O>[] {
  if (typeof text === 'string') return text.split('\n');
  let at = 0;
  return text.text.split('\n').map(line => {
    const found = sliceText(text, at, at + line.length);
    at += line.length + 1;
    return found;
  });
}

/** A text in which every character has an origin: this one where it had none. */
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

/** A text that another one was put together from. */
export interface Ingredient<Origin> {
  readonly text: string;
  readonly origin: Origin;
  readonly at?: number;
}

/**
 * A text traced by the texts it was put together from, each looked for behind the one before it: as it is, in quotes,
 * or line by line. What stands between two of them belongs to those that were rewritten on the way.
 */
export function locateTexts<O>(text: string, ingredients: readonly Ingredient<O>[]): Text<O> {
  const runs: Run<O>[] = [];
  const lost: Ingredient<O>[] = [];
  let end = 0;
  const take = (one: Ingredient<O>): void => {
    const found = findText(text, one.text, end);
    const lines = one.text.split('\n');
    // Of several lines that are written otherwise, each is where it was.
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

/** Where a text stands behind `from`: itself, without what is round it, or as strings in quotes are written. */
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
 * Gives what nothing was found in to what was not found, line by line where there are several. Marks at the start of
 * the line behind the gap belong to what was found there.
 */
function fillGap<O>(
  text: string,
  from: number,
  to: number,
  lost: readonly Ingredient<O>[],
  runs: Run<O>[],
): void {
  const lastLine = text.lastIndexOf('\n', to - 1) + 1;
  const stop = lastLine > from && !isSaying.test(text.slice(lastLine, to)) ? lastLine : to;
  let index = 0;
  let start = from;
  while (start < stop && lost.length > 0) {
    const line = text.indexOf('\n', start);
    const end = line === -1 || line >= stop || lost.length === 1 ? stop : line + 1;
    const { origin, at = 0 } = lost[Math.min(index, lost.length - 1)]!;
    runs.push({ start, end, origin, at, exact: false });
    // What only opens or separates is no line of a value.
    if (isSaying.test(text.slice(start, end))) index++;
    start = end;
  }
}

/** More than marks that open, close or separate values. */
const isSaying = /[^\s:,"[\]{}-]/;
