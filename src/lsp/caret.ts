import type { Field } from '../generated/blocks.ts';
import { canonicalBlock, entryField, entryFieldsOf, findBlock, refersToField } from '../resolve/catalogue.ts';
import { type Token, tokensOf } from '../syntax/lexer.ts';
import { readString } from '../syntax/literals.ts';
import type { Source } from '../text/source.ts';

/** What can be written at a position, regardless of the text there. */
export type Slot = 'declaration' | 'path' | 'reference' | 'clause' | 'key' | 'value' | 'text';

/**
 * The syntactic context of the caret. It is derived from tokens only, so that it works in incomplete text.
 */
export interface Caret {
  readonly slot: Slot;
  /** Names from the block to the innermost braces: `skills`, `review`. */
  readonly path: readonly string[];
  /** The field, when the caret is in its value. */
  readonly key: string | undefined;
  /** The word at the caret, or directly before it. */
  readonly token: Token | undefined;
}

const directives = new Set(['at', 'use', 'inherit', 'extend', 'override']);
const words = new Set([
  ...directives,
  ...['name', 'word', 'string', 'segment', 'openString', 'text', 'openText', 'reference', 'header'],
]);

/** The text of a key, path segment or value without quotes. */
export const wordOf = ({ type, text }: Token): string =>
  type === 'string' ? readString(text).value : type === 'openString' ? text.slice(1) : text;

/** Finds the context of an offset by walking the tokens up to it. */
export function caretAt(source: Source, offset: number): Caret {
  /** The open brackets, with the fields whose values they are. */
  const open: { readonly type: Token['type']; readonly key: string | undefined }[] = [];
  let directive: Token | undefined;
  let start: string[] = [];
  let key: string | undefined;
  let expectsValue = false;
  let last: Token | undefined;
  const tokens = tokensOf(source);
  for (let token = tokens.next().value; token; token = tokens.next().value) {
    if (token.start > offset || (token.start === offset && !words.has(token.type))) break;
    if (token.end >= offset && words.has(token.type))
      return caret(token, token.end === offset ? undefined : tokens.next().value);
    last = token;
    step(token);
  }
  return caret(undefined, undefined);

  function step(token: Token): void {
    const inner = open.at(-1)?.type;
    if (directives.has(token.type)) {
      if (inner !== undefined) return;
      directive = token;
      start = token.type === 'at' ? [canonicalBlock(token.text.slice(1))] : [];
    } else if (/^l(?:brace|bracket|paren)$/.test(token.type)) {
      open.push({ type: token.type, key });
      if (token.type === 'lbrace') [key, expectsValue] = [undefined, false];
    } else if (/^r(?:brace|bracket|paren)$/.test(token.type)) {
      open.pop();
      [key, expectsValue] = [undefined, false];
      if (open.length === 0 && token.type === 'rbrace') [directive, start] = [undefined, []];
    } else if (token.type === 'colon') expectsValue = true;
    else if (token.type === 'dash') [key, expectsValue] = [undefined, true];
    else if (inner === undefined && (token.type === 'segment' || token.type === 'string'))
      start = [...start, start.length === 0 ? canonicalBlock(wordOf(token)) : wordOf(token)];
    else if (inner === 'lbrace' && expectsValue) expectsValue = false;
    else if (inner === 'lbrace' && words.has(token.type)) key = wordOf(token);
  }

  function caret(token: Token | undefined, following: Token | undefined): Caret {
    const slot = slotAt(token, following);
    const inner = open.at(-1);
    const path = [
      ...start,
      ...open.flatMap(({ type, key: name }) => (type === 'lbrace' && name !== undefined ? [name] : [])),
    ];
    const field = inner?.type === 'lbracket' ? inner.key : key;
    return { slot, path, key: slot === 'value' ? field : undefined, token };
  }

  function slotAt(token: Token | undefined, following: Token | undefined): Slot {
    if (token?.type === 'text' || token?.type === 'openText') return 'text';
    if (token?.type === 'reference') return 'reference';
    if (open.length === 0) {
      // A declaration without braces ends with its line.
      const isNew = token
        ? directives.has(token.type)
        : source.text.slice(directive?.end, offset).includes('\n');
      if (isNew || !directive || directive.type === 'at') return 'declaration';
      if (directive.type === 'extend' || directive.type === 'override') return 'path';
      return last === directive ? 'reference' : 'clause';
    }
    if (last?.type === 'use' && !token?.newLine) return 'reference';
    const isValue = open.at(-1)!.type === 'lbracket' || (expectsValue && following?.type !== 'colon');
    return isValue ? 'value' : 'key';
  }
}

/** The catalogue field at a path of names: `skills`, `review`, `license`. */
export const fieldAt = (path: readonly string[]): Field | undefined =>
  fieldsIn(path.slice(0, -1)).find(field => refersToField(field, path.at(-1)!));

/** The fields that are allowed in the braces at a path. */
export function fieldsIn([block, entry, field, tool, ...more]: readonly string[]): readonly Field[] {
  if (block === undefined) return [];
  if (entry === undefined) return findBlock(block)?.fields ?? [];
  if (field === undefined) return entryFieldsOf(block) ?? [];
  const parent = entryField(block, field);
  if (tool === undefined) return parent?.fields ?? [];
  // Overlays for single tools have the same fields as the entry.
  return parent?.members === 'entry' ? fieldsIn([block, entry, ...more]) : [];
}
