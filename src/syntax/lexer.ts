import { firstChoice, type Rule, type State } from '../generated/lexers.ts';
import { isAscii } from '../text/ascii.ts';
import type { Source } from '../text/source.ts';
import { asciiStates, fullStates } from './lexers.ts';
import { textMark } from './marks.ts';

/**
 * What the grammar tells apart. Everything else (is a name a number, is a key allowed here) is decided
 * when the tree is built, so that the grammar stays small and each token has one reading.
 */
export type TokenType =
  | 'at'
  | 'inherit'
  | 'use'
  | 'extend'
  | 'override'
  | 'header'
  | 'name'
  | 'word'
  | 'range'
  | 'string'
  | 'text'
  | 'reference'
  | 'version'
  | 'segment'
  | 'as'
  | 'into'
  | 'for'
  | 'lbrace'
  | 'rbrace'
  | 'lbracket'
  | 'rbracket'
  | 'lparen'
  | 'rparen'
  | 'colon'
  | 'comma'
  | 'equals'
  | 'question'
  | 'bang'
  | 'dash'
  | 'dot'
  | 'plus'
  // Never part of a valid file; told apart so that the message can say what is wrong.
  | 'openString'
  | 'openText'
  | 'wrongQuote'
  | 'slashComment'
  | 'other';

/** A word of the language with its place in the source. */
export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  /** Whether a line break stands between the token before and this one. */
  readonly newLine: boolean;
}

/** Offset behind the string that opens at `start`, and whether it is closed on its line. */
function stringEnd(text: string, start: number): { readonly end: number; readonly closed: boolean } {
  const mark = text.charCodeAt(start);
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === mark) return { end: at + 1, closed: true };
    if (unit === 10 || unit === 13) break;
    if (unit === 92 && text[at + 1] !== '\n' && text[at + 1] !== '\r') at++;
  }
  return { end: Math.min(at, text.length), closed: false };
}

/** Offset of the `"""` that closes a text whose content starts at `from`; -1 when none does. */
function closingMark(text: string, from: number): number {
  let at = text.indexOf(textMark, from);
  // `\"""` is the one escape, so a backslash directly before always keeps the text open.
  while (at > from && text[at - 1] === '\\') at = text.indexOf(textMark, at + 3);
  return at;
}

/**
 * A line that reads like the start of a declaration: `@name {` or `@use …` in the first column. `@param x` or
 * `@Component({` in a text do not.
 */
const declarationLine = () =>
  /(?<=\n)@(?:(?:use|inherit|extend|override)[ \t]+[^\s]|[\p{L}_][\p{L}\p{M}\p{N}_-]*\s*\{)/u;

/**
 * Offset of the first line in `[from, to)` that reads like the start of a declaration; -1 when there is none.
 * The line that holds `from` does not count.
 */
export function declarationLineIn(text: string, from: number, to: number): number {
  const mark = text.indexOf('\n@', from);
  if (mark === -1 || mark >= to) return -1;
  const found = text.slice(from, to).search(declarationLine());
  return found === -1 ? -1 : from + found;
}

/**
 * Makes the tokens of `source` from `offset` on, one at a call of `next`, `undefined` at the end. Blanks and comments
 * are dropped, a whole `"""` text is one token. With `strict`, a text ends (as `openText`) before a line that reads
 * like a declaration even when a `"""` follows somewhere: that is how an unclosed text is kept in its own block.
 * `onComment` is told where comments stand as they go by.
 */
export class Lexer {
  /** Whether the last token began outside of everything: a lexer that starts there would go on as this one does. */
  isFresh = true;
  private states = asciiStates();
  private state = 'main';
  private readonly stack: string[] = [];
  private newLine: boolean;
  private at: number;

  constructor(
    private readonly source: Source,
    offset: number,
    readonly strict: boolean,
    private readonly onComment?: (start: number, end: number) => void,
  ) {
    this.at = offset;
    this.newLine = offset === 0;
  }

  next(): Token | undefined {
    const { text } = this.source;
    while (this.at < text.length) {
      const state = this.states[this.state]!;
      if (state.skipsBlanks) while (text.charCodeAt(this.at) === 32) this.at++;
      if (this.at === text.length) return undefined;
      const start = this.at;
      const rule = this.match(state, start);
      const { type } = rule;
      if (type === 'space') {
        this.move(rule);
        continue;
      }
      const isDoubtful = type === 'other' || (type === 'word' && !isAscii(text.slice(start, this.at)));
      if (isDoubtful && this.states !== fullStates()) {
        this.states = fullStates();
        this.at = start;
        continue;
      }
      this.isFresh = this.stack.length === 0 && this.state === 'main' && this.states === asciiStates();
      this.move(rule);
      if (type === 'newline') this.newLine = true;
      else if (type === 'comment') this.onComment?.(start, this.at);
      else return this.finish(type, start);
    }
    return undefined;
  }

  /** The rule for what stands at `start`; `at` is behind it then. */
  private match({ starts, choices }: State, start: number): Rule {
    const { text } = this.source;
    const code = text.charCodeAt(start);
    const rules = choices[starts.charCodeAt(code < 128 ? code : 128) - firstChoice]!;
    for (let index = 0; ; index++) {
      const rule = rules[index]!;
      const { literal, expression } = rule;
      if (literal !== undefined && !text.startsWith(literal, start)) continue;
      if (!expression) this.at = start + (literal?.length ?? 1);
      else {
        expression.lastIndex = start;
        // Unlike `exec` this makes no list of what was found.
        if (!expression.test(text)) continue;
        this.at = expression.lastIndex;
      }
      return rule;
    }
  }

  private move({ push, pop, next }: Rule): void {
    if (pop) this.state = this.stack.pop() ?? this.state;
    else if (push) {
      this.stack.push(this.state);
      this.state = push;
    } else if (next) this.state = next;
  }

  /** The token, with the rest of a text or of a string that its rule does not find. */
  private finish(found: Rule['type'], start: number): Token {
    const { source, newLine } = this;
    const { text } = source;
    let type = found as TokenType;
    if (type === 'text') {
      const close = closingMark(text, this.at);
      const stop =
        this.strict || close === -1 ? declarationLineIn(text, this.at, close === -1 ? Infinity : close) : -1;
      if (close === -1 || stop !== -1) type = 'openText';
      this.at = stop !== -1 ? stop : close === -1 ? text.length : close + 3;
    } else if (type === 'openString') {
      const string = stringEnd(text, start);
      if (string.closed) type = 'string';
      this.at = string.end;
    }
    const end = this.at;
    this.newLine = false;
    return { type, text: text.slice(start, end), source, start, end, newLine };
  }
}
