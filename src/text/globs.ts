/**
 * Globs on paths with `/` between segments. `*` and `?` stay in a segment, `**` crosses them, `[a-z]` is a letter,
 * `{a,b}` and `@(a|b)` are alternatives (`?(…)`, `*(…)`, `+(…)` and `!(…)` as in a shell), `\` takes the meaning away.
 * Names that begin with a dot are names like any other. Patterns come from people and from shared configuration, so
 * nothing here backtracks: a path is walked once for each part of a pattern, with all places that could be reached.
 */

type Part =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'any' | 'star' | 'everything' | 'folders' }
  | { readonly kind: 'class'; readonly not: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: 'group'; readonly sign: string; readonly choices: readonly (readonly Part[])[] };

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
  const wanted: (readonly Part[])[] = [];
  const unwanted: (readonly Part[])[] = [];
  for (const pattern of patterns.map(plainGlob)) {
    const not = !options.names && !options.simple && /^!(?!\()/.test(pattern);
    const text = not ? plainGlob(pattern.slice(1)) : pattern;
    if (text !== '') (not ? unwanted : wanted).push(new Parser(text, options).parse());
  }
  return path =>
    wanted.some(parts => matchesWhole(parts, path)) && !unwanted.some(parts => matchesWhole(parts, path));
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

  parse(): Part[] {
    // `a/**` is the folder itself as well.
    const tail = /[^/]\/\*\*$/.test(this.text) && !this.text.endsWith('\\/**');
    if (!tail) return this.sequence('', true);
    const front = new Parser(this.text.slice(0, -3), this.options).parse();
    const below: Part[] = [{ kind: 'character', character: '/' }, { kind: 'everything' }];
    return [...front, { kind: 'group', sign: '?', choices: [below] }];
  }

  /** Parts up to one of the characters of `ends`. `start`: whether the first part begins a segment. */
  private sequence(ends: string, start: boolean): Part[] {
    const parts: Part[] = [];
    let begins = start;
    while (this.at < this.text.length && !ends.includes(this.text[this.at]!)) {
      const part = this.part(begins, ends);
      begins = part.kind === 'folders' || (part.kind === 'character' && part.character === '/');
      parts.push(part);
    }
    return parts;
  }

  private part(begins: boolean, ends: string): Part {
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

  private character(character: string, length: number): Part {
    this.at += length;
    return { kind: 'character', character };
  }

  /** `**` crosses segments where it has one to itself. */
  private stars(begins: boolean, ends: string): Part {
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

  private characterClass(): Part | undefined {
    const found = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(this.text.slice(this.at, this.at + 200));
    if (!found || found[2] === '') return undefined;
    this.at += found[0].length;
    const ranges = [...found[2]!.matchAll(/(.)-(.)|(.)/gs)].map(
      ([, from, to, one]) => [from ?? one!, to ?? one!] as const,
    );
    return { kind: 'class', not: found[1] !== '', ranges };
  }

  private braces(begins: boolean): Part | undefined {
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

  private group(char: string, next: string | undefined, begins: boolean): Part | undefined {
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
  ): Part | undefined {
    if (this.depth >= deepest) return undefined;
    this.depth += 1;
    this.at += skip;
    const choices: Part[][] = [];
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

const toCharacter = (character: string): Part => ({ kind: 'character', character });

/** For each place of a path, the end included, whether it can be reached. */
type Ends = Uint8Array;

/** Where groups may end that begin at one place of a path: asked once, however deep groups lie in groups. */
type Known = Map<Part, Map<number, Ends>>;

function matchesWhole(parts: readonly Part[], path: string): boolean {
  return walk(parts, path, single(0, path.length + 1), new Map())[path.length] === 1;
}

function single(place: number, length: number): Ends {
  const places = new Uint8Array(length);
  places[place] = 1;
  return places;
}

function walk(parts: readonly Part[], path: string, from: Ends, known: Known): Ends {
  let places = from;
  for (const part of parts) {
    if (!places.includes(1)) break;
    places = step(part, path, places, known);
  }
  return places;
}

function step(part: Part, path: string, from: Ends, known: Known): Ends {
  const to = new Uint8Array(from.length);
  switch (part.kind) {
    case 'character':
      for (let at = 0; at < path.length; at++) if (from[at] && path[at] === part.character) to[at + 1] = 1;
      return to;
    case 'any':
      for (let at = 0; at < path.length; at++) if (from[at] && path[at] !== '/') to[at + 1] = 1;
      return to;
    case 'class':
      for (let at = 0; at < path.length; at++) if (from[at] && isIn(part, path[at]!)) to[at + 1] = 1;
      return to;
    case 'star':
      for (let at = 0; at < to.length; at++)
        if (from[at] || (at > 0 && to[at - 1] && path[at - 1] !== '/')) to[at] = 1;
      return to;
    case 'everything':
      return to.fill(1, from.indexOf(1));
    case 'folders': {
      const first = from.indexOf(1);
      for (let at = first; at < to.length; at++)
        if (from[at] || (at > first && path[at - 1] === '/')) to[at] = 1;
      return to;
    }
    case 'group':
      if (part.sign === '@') return once(part, path, from, known);
      if (part.sign === '?') return add(once(part, path, from, known), from);
      for (let at = 0; at < from.length; at++) if (from[at]) add(to, endsOf(part, path, at, known));
      return to;
  }
}

type Group = Part & { readonly kind: 'group' };

/** The places behind one of the choices. */
function once({ choices }: Group, path: string, from: Ends, known: Known): Ends {
  const to = new Uint8Array(from.length);
  for (const choice of choices) add(to, walk(choice, path, from, known));
  return to;
}

/** Where a group that repeats or excludes ends when it begins at one place. */
function endsOf(group: Group, path: string, start: number, known: Known): Ends {
  const found = known.get(group) ?? new Map<number, Ends>();
  known.set(group, found);
  let ends = found.get(start);
  if (!ends) {
    ends = group.sign === '!' ? notEnds(group, path, start, known) : repeatedEnds(group, path, start, known);
    found.set(start, ends);
  }
  return ends;
}

/** Again and again, from places that were not reached before, until there are none. */
function repeatedEnds(group: Group, path: string, start: number, known: Known): Ends {
  let fresh = single(start, path.length + 1);
  const reached = group.sign === '*' ? fresh.slice() : new Uint8Array(path.length + 1);
  while (fresh.includes(1)) {
    const next = once(group, path, fresh, known);
    for (let at = 0; at < next.length; at++) {
      if (reached[at]) next[at] = 0;
      else if (next[at]) reached[at] = 1;
    }
    fresh = next;
  }
  return reached;
}

/** What stands in a segment and is none of the choices. */
function notEnds(group: Group, path: string, start: number, known: Known): Ends {
  const matched = once(group, path, single(start, path.length + 1), known);
  const to = new Uint8Array(path.length + 1);
  for (let at = start; at < to.length && (at === start || path[at - 1] !== '/'); at++)
    if (!matched[at]) to[at] = 1;
  return to;
}

/** Adds places to others. */
function add(to: Ends, more: Ends): Ends {
  for (let at = 0; at < to.length; at++) if (more[at]) to[at] = 1;
  return to;
}

const isIn = ({ not, ranges }: Part & { kind: 'class' }, character: string): boolean =>
  character !== '/' && ranges.some(([from, to]) => character >= from && character <= to) !== not;
