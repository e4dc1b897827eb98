/**
 * Globs on `/`-separated paths, with the syntax of picomatch and POSIX classes. A leading dot in a name is
 * not special. Patterns may come from untrusted configuration: `globProblem` enforces limits that keep
 * matching fast, and a pattern beyond the limits matches nothing.
 */

import { expand } from 'brace-expansion';
import picomatch from 'picomatch/posix';

interface GlobOptions {
  /** For names that are not paths: groups `@(…)` and a leading `!` have no special meaning. */
  readonly names?: boolean;
}

const maxLength = 1000;
const maxChoices = 256;
/** The time of a match grows with the length of the name to this power. */
const maxWildcards = 3;

type Matches = (text: string) => boolean;

/**
 * Compiles patterns to a predicate on paths: at least one pattern matches, and none of those that begin with
 * `!` does. Empty patterns match nothing.
 */
export function compileGlobs(patterns: readonly string[], options: GlobOptions = {}): Matches {
  const wanted: Matches[] = [];
  const unwanted: Matches[] = [];
  for (const pattern of patterns.map(normalizeGlob)) {
    const not = !options.names && isExclusion(pattern);
    const text = not ? normalizeGlob(pattern.slice(1)) : pattern;
    if (text !== '') (not ? unwanted : wanted).push(compileGlob(text, options));
  }
  return path => wanted.some(matches => matches(path)) && !unwanted.some(matches => matches(path));
}

/** Whether a pattern excludes what it matches; `!(…)` is an extended glob. */
export const isExclusion = (pattern: string): boolean => /^!(?!\()/.test(pattern);

/** Removes the `./` that people write in front of patterns; `.` becomes empty and matches no file. */
export const normalizeGlob = (pattern: string): string =>
  pattern.replace(/\/{2,}/g, '/').replace(/^(?:\.\/)+|^\.$/g, '');

/** The folders before the first segment with a wildcard, and whether there is such a segment. */
export function globBase(pattern: string): { readonly base: string; readonly isGlob: boolean } {
  const segments = normalizeGlob(pattern).split('/');
  const at = segments.findIndex(segment => /[*?[\]{}()!\\]/.test(segment));
  return { base: segments.slice(0, at === -1 ? segments.length - 1 : at).join('/'), isGlob: at !== -1 };
}

/** Why a pattern is refused, as the end of the sentence "the pattern …"; `undefined` for a valid pattern. */
export function globProblem(pattern: string, { names = false }: GlobOptions = {}): string | undefined {
  if (pattern.length > maxLength) return `has more than ${maxLength} characters`;
  const choices = expand(pattern, { max: maxChoices + 1 });
  if (choices.length > maxChoices) return `expands to more than ${maxChoices} patterns`;
  for (const segment of choices.flatMap(choice => choice.split('/'))) {
    const wildcards = segment.replace(/\\./g, '').match(names ? /\*+/g : /[@?+*!]\(|\*+/g) ?? [];
    if (wildcards.length > maxWildcards)
      return `has more than ${maxWildcards} wildcards \`*\` and groups between two slashes`;
    if (
      /\[\[:(?!(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\])/.test(
        segment,
      )
    )
      return 'has a class in `[[:…:]]` that POSIX does not have';
    if (!names && wildcards.some(one => one.endsWith('(')) && /[+*]\((?![^()|*?[\]+@!]*\))/.test(segment))
      return 'repeats more than one plain text with `+(…)` or `*(…)`';
  }
  return undefined;
}

function compileGlob(pattern: string, options: GlobOptions): Matches {
  if (globProblem(pattern, options) !== undefined) return () => false;
  const choices = expand(pattern).map(choice =>
    choice.split('/').map(segment => (segment === '**' ? undefined : compileSegment(segment, options))),
  );
  return path => {
    const names = path.split('/');
    return choices.some(segments => matchSegments(segments, names));
  };
}

/**
 * Whether names match segments one by one; an `undefined` segment (`**`) matches any number of names.
 * Backtracking is needed for the last `**` only.
 */
function matchSegments(segments: readonly (Matches | undefined)[], names: readonly string[]): boolean {
  let at = 0;
  let globstar = -1;
  let resume = 0;
  for (let name = 0; name < names.length; ) {
    const matches = segments[at];
    if (at < segments.length && matches === undefined) {
      globstar = at++;
      resume = name;
    } else if (matches?.(names[name]!)) {
      at++;
      name++;
    } else if (globstar === -1) return false;
    else {
      at = globstar + 1;
      name = ++resume;
    }
  }
  return segments.slice(at).every(matches => matches === undefined);
}

function compileSegment(segment: string, { names = false }: GlobOptions): Matches {
  if (!/[*?[\]{}()!\\]/.test(segment)) return name => name === segment;
  return picomatch(escapeParentheses(segment, names), {
    dot: true,
    posix: true,
    nonegate: true,
    noextglob: names,
    regex: false,
  });
}

/**
 * Escapes what picomatch would treat as syntax: braces, and parentheses and bars outside groups, as in
 * `app/(shop)`.
 */
function escapeParentheses(segment: string, all: boolean): string {
  const groups: boolean[] = [];
  return segment.replace(/\\.|[@?*+!]?\(|[|){}]|\[(?:\\.|[^\]\\])+\]/g, part => {
    if (part.startsWith('\\') || part.startsWith('[')) return part;
    if (part.endsWith('(')) {
      groups.push(part.length === 2 && !all);
      return groups.at(-1) ? part : part.replace('(', '\\(');
    }
    if (part === '{' || part === '}') return `\\${part}`;
    const inGroup = part === ')' ? groups.pop() : groups.at(-1);
    return inGroup ? part : `\\${part}`;
  });
}

/** The deepest common folder of all globs; `undefined` for the root. Negated globs are ignored. */
export function commonFolder(globs: readonly string[]): string | undefined {
  const [first, ...others] = globs
    .filter(glob => !glob.startsWith('!'))
    .map(glob => globBase(glob.replace(/^\//, '')).base.split('/'));
  if (!first) return undefined;
  const length = first.findIndex((part, at) => others.some(other => other[at] !== part));
  const common = first.slice(0, length === -1 ? first.length : length);
  return common.includes('..') ? undefined : common.join('/') || undefined;
}
