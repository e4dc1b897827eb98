/**
 * Globs on paths with `/` between segments. `*` and `?` stay in a segment, `**` crosses them, `[a-z]` is a letter,
 * `{a,b}` and `@(a|b)` are alternatives (`?(…)`, `*(…)`, `+(…)` and `!(…)` as in a shell), `\` takes the meaning away.
 * Names that begin with a dot are names like any other. Patterns come from people and from shared configuration, so
 * nothing here backtracks: a path is walked once, in all places of the pattern that could be reached at a time.
 */

import { matchesWhole, type Pattern, type PatternPart, patternOf } from './glob-machine.ts';

/** Which characters of a pattern have a meaning. */
export interface GlobOptions {
  /** Braces and groups are characters like any other, as in an ignore file. */
  readonly simple?: boolean;
  /** Groups `@(…)` are no groups, and `!` in front is no exclusion: for names that are no paths. */
  readonly names?: boolean;
}

const deepest = 20;

/** Whether a path matches one of the patterns, and none of those that begin with `!`. Empty patterns match nothing. */
export function compileGlobs(
  patterns: readonly string[],
  options: GlobOptions = {},
): (path: string) => boolean {
  const wanted: Pattern[] = [];
  const unwanted: Pattern[] = [];
  for (const pattern of patterns.map(plainGlob)) {
    const not = !options.names && !options.simple && /^!(?!\()/.test(pattern);
    const text = not ? plainGlob(pattern.slice(1)) : pattern;
    if (text !== '') (not ? unwanted : wanted).push(patternOf(new Parser(text, options).parse()));
  }
  return path =>
    wanted.some(one => matchesWhole(one, path)) && !unwanted.some(one => matchesWhole(one, path));
}

/** A pattern without the `./` in front that people write and paths do not have; `.` is the start, which is no file. */
export const plainGlob = (pattern: string): string =>
  pattern.replace(/\/{2,}/g, '/').replace(/^(?:\.\/)+|^\.$/g, '');

/** The folders in front of the first segment with a wildcard, and whether there is such a segment. */
export function globBase(pattern: string): { readonly base: string; readonly isGlob: boolean } {
  const segments = plainGlob(pattern).split('/');
  const at = segments.findIndex(segment => /[*?[\]{}()!\\]/.test(segment));
  return { base: segments.slice(0, at === -1 ? segments.length - 1 : at).join('/'), isGlob: at !== -1 };
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly options: GlobOptions,
  ) {}

  parse(): PatternPart[] {
    // `a/**` is the folder itself as well.
    const tail = /[^/]\/\*\*$/.test(this.text) && !this.text.endsWith('\\/**');
    if (!tail) return this.sequence('', true);
    const front = new Parser(this.text.slice(0, -3), this.options).parse();
    const below: PatternPart[] = [{ kind: 'character', character: '/' }, { kind: 'everything' }];
    return [...front, { kind: 'group', sign: '?', choices: [below] }];
  }

  /** Parts up to one of the characters of `ends`. `start`: whether the first part begins a segment. */
  private sequence(ends: string, start: boolean): PatternPart[] {
    const parts: PatternPart[] = [];
    let begins = start;
    while (this.at < this.text.length && !ends.includes(this.text[this.at]!)) {
      const part = this.part(begins, ends);
      begins = part.kind === 'folders' || (part.kind === 'character' && part.character === '/');
      parts.push(part);
    }
    return parts;
  }

  private part(begins: boolean, ends: string): PatternPart {
    const char = this.text[this.at]!;
    const next = this.text[this.at + 1];
    if (char === '\\' && next !== undefined) return this.character(next, 2);
    if (!this.options.simple) {
      const grouped = char === '{' ? this.braces(begins) : this.group(char, next, begins);
      if (grouped) return grouped;
    }
    if (char === '*') return this.stars(begins, ends);
    if (char === '?') {
      this.at += 1;
      return { kind: 'any' };
    }
    return (char === '[' && this.characterClass()) || this.character(char, 1);
  }

  private character(character: string, length: number): PatternPart {
    this.at += length;
    return { kind: 'character', character };
  }

  /** `**` crosses segments where it has one to itself. */
  private stars(begins: boolean, ends: string): PatternPart {
    let length = 1;
    while (this.text[this.at + length] === '*') length += 1;
    const after = this.text[this.at + length];
    this.at += length;
    if (length === 1 || !begins) return { kind: 'star' };
    if (after === '/') {
      this.at += 1;
      return { kind: 'folders' };
    }
    return { kind: after === undefined || ends.includes(after) ? 'everything' : 'star' };
  }

  private characterClass(): PatternPart | undefined {
    const found = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(this.text.slice(this.at, this.at + 200));
    if (!found || found[2] === '') return undefined;
    this.at += found[0].length;
    const ranges = [...found[2]!.matchAll(/(.)-(.)|(.)/gs)].map(
      ([, from, to, one]) => [from ?? one!, to ?? one!] as const,
    );
    return { kind: 'class', not: found[1] !== '', ranges };
  }

  private braces(begins: boolean): PatternPart | undefined {
    const close = this.closing('{', '}');
    if (close === undefined) return undefined;
    const inside = this.text.slice(this.at + 1, close);
    const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(inside);
    if (range) {
      const [from, to] = [Number(range[1]), Number(range[2])].sort((a, b) => a - b) as [number, number];
      if (to - from > 1000) return undefined;
      this.at = close + 1;
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
      const choices = numbers.map(number => [...number].map(toCharacter));
      return { kind: 'group', sign: '@', choices };
    }
    return inside.includes(',') ? this.choices('@', ',', '}', 1, begins) : undefined;
  }

  private group(char: string, next: string | undefined, begins: boolean): PatternPart | undefined {
    if (this.options.names || next !== '(' || !'@?*+!'.includes(char)) return undefined;
    this.at += 1;
    const close = this.closing('(', ')');
    this.at -= 1;
    return close === undefined ? undefined : this.choices(char, '|', ')', 2, begins);
  }

  private choices(
    sign: string,
    between: string,
    close: string,
    skip: number,
    begins: boolean,
  ): PatternPart | undefined {
    if (this.depth >= deepest) return undefined;
    this.depth += 1;
    this.at += skip;
    const choices: PatternPart[][] = [];
    for (;;) {
      choices.push(this.sequence(between + close, begins));
      const end = this.text[this.at] !== between;
      this.at += 1;
      if (end) break;
    }
    this.depth -= 1;
    return { kind: 'group', sign, choices };
  }

  /** Where the bracket that opens here is closed. */
  private closing(open: string, close: string): number | undefined {
    let depth = 0;
    for (let at = this.at; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '\\') at += 1;
      else if (char === open) depth += 1;
      else if (char === close && --depth === 0) return at;
    }
    return undefined;
  }
}

const toCharacter = (character: string): PatternPart => ({ kind: 'character', character });
