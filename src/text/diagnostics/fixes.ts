import { suggest } from '../similar.ts';
import type { Source, Span } from '../source.ts';

/** A change of the sources that follows a hint. Its edits do not overlap; each replaces a stretch of text. */
export interface Fix {
  /** What it does, in the imperative. */
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** A stretch of a source and the text that replaces it. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Replaces a stretch of text. */
export const replacementFix = (title: string, span: Span, text: string): Fix => ({
  title,
  edits: [{ span, text }],
});

/** Puts text in at an offset. */
export const insertionFix = (title: string, source: Source, at: number, text: string): Fix =>
  replacementFix(title, { source, start: at, end: at }, text);

/**
 * Removes a field, an item or a line: the comma behind it too, else the one before it, and its line when nothing else
 * is there.
 */
export function removalFix(title: string, { source, start, end }: Span): Fix {
  const { text } = source;
  const behind = /[ \t]*,/y;
  behind.lastIndex = end;
  const comma = behind.exec(text)?.[0].length;
  const before = comma === undefined ? /,\s*$/.exec(text.slice(0, start)) : null;
  if (before) return replacementFix(title, { source, start: before.index, end }, '');
  const stop = end + (comma ?? 0);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = /[ \t]*(?:\r?\n|$)/y;
  lineEnd.lastIndex = stop;
  const rest = lineEnd.exec(text)?.[0];
  if (rest === undefined || text.slice(lineStart, start).trim() !== '')
    return replacementFix(title, { source, start, end: stop }, '');
  return replacementFix(title, { source, start: lineStart, end: stop + rest.length }, '');
}

/** Removes a field of YAML or JSON, by the places of its key and of its value. */
export function removingField(
  spanOf: (part: 'key' | 'value') => Span | undefined,
  name: string,
): readonly Fix[] {
  const [key, value] = [spanOf('key'), spanOf('value')];
  if (!key || value?.source !== key.source || value.end < key.end) return [];
  return [removalFix(`Remove \`${name}\``, { ...key, end: value.end })];
}

/** Exchanges a piece of text that stands in `span` exactly once, whatever is around it; nothing where it does not. */
export function replacingIn(
  span: Span | undefined,
  title: string,
  part: string,
  text: string,
): readonly Fix[] {
  const written = span?.source.text.slice(span.start, span.end) ?? '';
  const at = written.indexOf(part);
  if (!span || part === '' || at === -1 || written.indexOf(part, at + 1) !== -1) return [];
  const start = span.start + at;
  return [replacementFix(title, { source: span.source, start, end: start + part.length }, text)];
}

/**
 * For a word of which a hint asks "Did you mean …?": writes that name instead. Nothing when no name is close, or when
 * the word does not stand in `span` exactly once as a word of its own, or the name could not stand there as it is.
 */
export function renameFix(
  span: Span | undefined,
  word: string,
  candidates: Iterable<string>,
): readonly Fix[] {
  const meant = span && suggest(word, candidates);
  return meant === undefined ? [] : replaceWordFix(span, word, meant);
}

/** As `renaming`, when the name is known. */
export function replaceWordFix(span: Span | undefined, word: string, name: string): readonly Fix[] {
  if (!span || word === '') return [];
  const { source } = span;
  const text = source.text.slice(span.start, span.end);
  const at = text.indexOf(word);
  if (at === -1 || text.indexOf(word, at + 1) !== -1) return [];
  const start = span.start + at;
  const end = start + word.length;
  const before = source.text[start - 1] ?? '';
  const after = source.text[end] ?? '';
  if (/[\w-]/.test(before) || /[\w-]/.test(after)) return [];
  const quoted = before === after && /["']/.test(before);
  if (!(quoted ? /^[^"'\\\r\n]+$/ : /^[\p{L}_./@][\p{L}\p{N}_./@-]*$/u).test(name)) return [];
  return [replacementFix(`Replace \`${word}\` with \`${name}\``, { source, start, end }, name)];
}
