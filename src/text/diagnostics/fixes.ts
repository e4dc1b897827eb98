import { didYouMean, suggest } from '../similar.ts';
import type { Source, Span } from '../source.ts';

/** A change of the sources that does what a hint says. Its edits do not overlap. */
export interface Fix {
  /** What the fix does, in the imperative. */
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** Replaces a range of a source by a text. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

export const replacementFix = (title: string, span: Span, text: string): Fix => ({
  title,
  edits: [{ span, text }],
});

export const insertionFix = (title: string, source: Source, at: number, text: string): Fix =>
  replacementFix(title, { source, start: at, end: at }, text);

/**
 * A fix that removes a field, an item or a line. It also removes the comma after it, or else the one before
 * it, and the whole line when nothing else is on it.
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

/** A fix that removes a field of YAML or JSON, given the spans of its key and value. */
export function removingField(
  spanOf: (part: 'key' | 'value') => Span | undefined,
  name: string,
): readonly Fix[] {
  const [key, value] = [spanOf('key'), spanOf('value')];
  if (!key || value?.source !== key.source || value.end < key.end) return [];
  return [removalFix(`Remove \`${name}\``, { ...key, end: value.end })];
}

/** A fix that replaces text inside `span`. Returns nothing unless the text occurs there exactly once. */
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
 * The fix for a hint "Did you mean …?": replaces a word by the closest name. Returns nothing when no name is
 * close, when the word does not occur in `span` exactly once as a whole word, or when the name would need
 * quotes there.
 */
export function renameFix(
  span: Span | undefined,
  word: string,
  candidates: Iterable<string>,
): readonly Fix[] {
  const meant = span && suggest(word, candidates);
  return meant === undefined ? [] : replaceWordFix(span, word, meant);
}

/** The place of a finding about an unknown name, with a hint and a fix that name the closest candidate. */
export const unknownNameAt = (
  span: Span | undefined,
  name: string,
  candidates: Iterable<string>,
  advice: string,
): { readonly span: Span | undefined; readonly hint: string; readonly fixes: readonly Fix[] } => ({
  span,
  hint: didYouMean(name, candidates) + advice,
  fixes: renameFix(span, name, candidates),
});

/** Like `renameFix`, for a known name. */
export function replaceWordFix(span: Span | undefined, word: string, name: string): readonly Fix[] {
  const [fix] = replacingIn(span, `Replace \`${word}\` with \`${name}\``, word, name);
  if (!fix) return [];
  const { source, start, end } = fix.edits[0]!.span;
  const before = source.text[start - 1] ?? '';
  const after = source.text[end] ?? '';
  if (/[\w-]/.test(before) || /[\w-]/.test(after)) return [];
  const quoted = before === after && /["']/.test(before);
  return (quoted ? /^[^"'\\\r\n]+$/ : /^[\p{L}_./@][\p{L}\p{N}_./@-]*$/u).test(name) ? [fix] : [];
}
