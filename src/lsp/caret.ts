import type { Field } from '../generated/blocks.ts';
import { canonicalBlock, entryFieldsOf, findBlock, refersToField } from '../resolve/catalogue.ts';
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
  readonly key?: string;
  /** Whether the caret is in a list. */
  readonly inList: boolean;
  /** The word at the caret, or directly before it. */
  readonly token?: Token;
  /** The directive of the line or body: `use`, `inherit`, `extend`, `override`, `at`. */
  readonly head?: Token;
}

interface Frame {
  readonly opener: Token;
  readonly name: string | undefined;
}

const words = new Set(['name', 'word', 'string', 'segment', 'openString', 'text', 'openText']);
const heads = new Set(['at', 'use', 'inherit', 'extend', 'override']);

/** The text of a key, path segment or value without quotes. */
export const wordOf = ({ type, text }: Token): string =>
  type === 'string' ? readString(text).value : type === 'openString' ? text.slice(1) : text;

/** Finds the context of an offset by walking the tokens up to it. */
export function caretAt(source: Source, offset: number): Caret {
  const frames: Frame[] = [];
  let head: Token | undefined;
  let path: string[] = [];
  let key: string | undefined;
  let expectsValue = false;
  let last: Token | undefined;
  const tokens = tokensOf(source);
  for (let token = tokens.next().value; token; token = tokens.next().value) {
    if (token.start > offset || (token.start === offset && !words.has(token.type) && !heads.has(token.type)))
      break;
    if (token.newLine && frames.length === 0 && heads.has(token.type)) [head, path] = [undefined, []];
    if (token.end >= offset && token.start <= offset && isWord(token)) {
      const following = token.end === offset ? undefined : tokens.next().value;
      return place(token, following);
    }
    last = token;
    step(token);
  }
  return place(undefined, undefined);

  function isWord(token: Token): boolean {
    return (
      words.has(token.type) || heads.has(token.type) || token.type === 'reference' || token.type === 'header'
    );
  }

  function step(token: Token): void {
    if (heads.has(token.type)) {
      if (frames.length === 0) {
        head = token;
        path = token.type === 'at' ? [canonicalBlock(token.text.slice(1))] : [];
      } else head = token;
      return;
    }
    if (frames.length === 0 && (head?.type === 'extend' || head?.type === 'override')) {
      if (token.type === 'segment' || token.type === 'string')
        path = [...path, path.length === 0 ? canonicalBlock(wordOf(token)) : wordOf(token)];
    }
    switch (token.type) {
      case 'lbrace':
        frames.push({ opener: token, name: frames.length === 0 ? undefined : key });
        [key, expectsValue] = [undefined, false];
        return;
      case 'lbracket':
      case 'lparen':
        frames.push({ opener: token, name: key });
        return;
      case 'rbrace':
      case 'rbracket':
      case 'rparen': {
        const frame = frames.pop();
        if (frame?.opener.type === 'lbrace') key = undefined;
        expectsValue = false;
        if (frames.length === 0 && token.type === 'rbrace') [head, path] = [undefined, []];
        return;
      }
      case 'colon':
        expectsValue = true;
        return;
      case 'dash':
        [key, expectsValue] = [undefined, true];
        return;
      default:
        if (frames.at(-1)?.opener.type !== 'lbrace' || expectsValue) {
          if (frames.at(-1)?.opener.type === 'lbrace') expectsValue = false;
          return;
        }
        if (words.has(token.type)) key = wordOf(token);
    }
  }

  function place(token: Token | undefined, following: Token | undefined): Caret {
    const names = [
      ...path,
      ...frames.flatMap(({ name, opener }) => (opener.type === 'lbrace' && name !== undefined ? [name] : [])),
    ];
    const base = {
      path: names,
      inList: frames.at(-1)?.opener.type === 'lbracket',
      ...(token && { token }),
      ...(head && { head }),
    };
    const inner = frames.at(-1)?.opener.type;
    if (token?.type === 'text' || token?.type === 'openText')
      return { ...base, slot: 'text', ...(key !== undefined && { key }) };
    if (token?.type === 'reference') return { ...base, slot: 'reference' };
    if (frames.length === 0) {
      // A declaration without braces ends with its line.
      if (!token && head && source.text.slice(head.end, offset).includes('\n'))
        return { slot: 'declaration', path: [], inList: false };
      if (token && heads.has(token.type)) return { ...base, slot: 'declaration' };
      if (head?.type === 'extend' || head?.type === 'override') return { ...base, slot: 'path' };
      if (head?.type === 'use' || head?.type === 'inherit')
        return { ...base, slot: last === head ? 'reference' : 'clause' };
      return { ...base, slot: 'declaration' };
    }
    if (last?.type === 'use' && frames.length > 0 && !token?.newLine) return { ...base, slot: 'reference' };
    const listed = inner === 'lbracket' ? frames.at(-1)!.name : undefined;
    const field = listed ?? key;
    if (inner === 'lbracket' || (expectsValue && following?.type !== 'colon'))
      return { ...base, slot: 'value', ...(field !== undefined && { key: field }) };
    return { ...base, slot: 'key' };
  }
}

/** The catalogue field at a path of names: `skills`, `review`, `license`. */
export const fieldAt = (path: readonly string[]): Field | undefined =>
  fieldsIn(path.slice(0, -1)).find(field => refersToField(field, path.at(-1)!));

/** The fields that are allowed in the braces at a path. */
export function fieldsIn([block, entry, field, tool, ...more]: readonly string[]): readonly Field[] {
  if (block === undefined) return [];
  if (entry === undefined) return findBlock(block)?.fields ?? [];
  const own = entryFieldsOf(block) ?? [];
  if (field === undefined) return own;
  const found = own.find(one => refersToField(one, field));
  if (tool === undefined) return found?.fields ?? [];
  // Overlays for single tools have the same fields as the entry.
  return found?.members === 'entry' ? fieldsIn([block, entry, ...more]) : [];
}
