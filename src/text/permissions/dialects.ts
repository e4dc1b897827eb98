import { escapeRegex } from '../escape-regex.ts';
import { globAlternatives, globRegex, globsFromStars, hasSingleStar } from './patterns.ts';
import { normalizePathPattern } from './subject.ts';

/** A portable pattern in the syntax of a tool; some patterns need several texts. */
interface NativePattern {
  readonly texts: readonly string[];
  /** Set when the texts cover more than the pattern does. */
  readonly wider?: true;
}

/** The pattern syntax of a tool. */
interface Dialect {
  /** The kinds of subjects that the dialect applies to. */
  readonly of: readonly string[];
  /** Returns `undefined` when the syntax cannot express the pattern. */
  write(pattern: string): NativePattern | undefined;
  /**
   * The portable patterns for a text of the tool. If they are not exact, `narrow` asks for patterns that
   * cover less than the text, otherwise for patterns that cover more.
   */
  read(text: string, narrow: boolean): readonly string[];
  /** Other texts of the tool for a pattern that `write` gives one text for, as users write them. */
  equivalents?(pattern: string): readonly string[];
  /** Whether several texts form one pattern only when all of them are present. */
  readonly together?: true;
}

const exactly = (...texts: string[]): NativePattern => ({ texts });
const more = (...texts: string[]): NativePattern => ({ texts, wider: true });
const itself = (text: string): readonly string[] => [text];
const orNone = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

const paths = ['read', 'write'];

/** Words of a command without special meaning in any shell. */
const plainWord = /^[\w@%+=:,./-]+$/;

/** `git push *` as the words before the star; `undefined` when a star is elsewhere. */
function wordsBefore(
  pattern: string,
): { readonly words: readonly string[]; readonly open: boolean } | undefined {
  const open = pattern.endsWith(' *');
  const words = (open ? pattern.slice(0, -2) : pattern).split(/ +/);
  return words.every(word => plainWord.test(word)) ? { words, open } : undefined;
}

/** The texts of a path with `./`, and those of a folder with `/` for its content. */
const withDot = (pattern: string): readonly string[] => {
  const path = normalizePathPattern(pattern);
  return /^(?:~?\/|\*\*)/.test(path) ? [] : [`./${path}`, ...withSlash(path), ...withSlash(`./${path}`)];
};

/** `a/` for `a/**`. */
const withSlash = (path: string): readonly string[] =>
  path.endsWith('/**') ? [path.slice(0, -'**'.length)] : [];

/** The dialects, by the names that specs use. */
export const dialects: Readonly<Record<string, Dialect>> = {
  // The portable syntax itself.
  same: { of: ['shell', 'net', 'mcp', ...paths], write: pattern => exactly(pattern), read: itself },
  // Texts without stars.
  literal: {
    of: ['shell', 'net', 'mcp', ...paths],
    write: pattern => (/[*?]/.test(pattern) ? undefined : exactly(pattern)),
    read: text => (/[*?]/.test(text) ? [] : [text]),
  },
  // `*` matches any characters, `?` matches one.
  wildcard: {
    of: ['shell'],
    write: pattern => (pattern.includes('?') ? more(pattern) : exactly(pattern)),
    read: itself,
  },
  // A pattern without a star also matches with arguments.
  open: {
    of: ['shell'],
    write: pattern => {
      const stars = pattern.split('*').length - 1;
      return stars === 0 || (pattern.endsWith(' *') ? stars > 1 : / \*/.test(pattern))
        ? more(pattern)
        : exactly(pattern);
    },
    read: text => [text.includes('*') ? text : `${text} *`],
  },
  // A final ` *` requires at least one argument.
  stars: {
    of: ['shell'],
    write: pattern => (pattern.endsWith(' *') ? exactly(pattern.slice(0, -2), pattern) : exactly(pattern)),
    read: itself,
    together: true,
  },
  // The first words of a command, separated by blanks; the tool splits the command in the same way.
  words: {
    of: ['shell'],
    write: pattern => {
      const found = wordsBefore(pattern);
      if (!found) return undefined;
      const text = found.words.join(' ');
      return found.open ? exactly(text) : more(text);
    },
    read: text => [`${text} *`],
  },
  // The same, as a list of quoted words.
  'word-list': {
    of: ['shell'],
    write: pattern => {
      const found = wordsBefore(pattern);
      if (!found) return undefined;
      const text = found.words.map(word => JSON.stringify(word)).join(', ');
      return found.open ? exactly(text) : more(text);
    },
    read: text => {
      const words = [...text.matchAll(/"([^"\\]*)"\s*(?:,\s*|$)/gy)].map(([, word]) => word!);
      return words.length > 0 && words.every(word => plainWord.test(word)) ? [`${words.join(' ')} *`] : [];
    },
  },
  // Only the name of the program; it matches with any arguments.
  program: {
    of: ['shell'],
    write: pattern => {
      const found = wordsBefore(pattern);
      return found?.open && found.words.length === 1 ? exactly(found.words[0]!) : undefined;
    },
    read: text => (plainWord.test(text) ? [`${text} *`] : []),
  },
  // A regular expression for the whole command.
  regex: {
    of: ['shell', ...paths],
    write: pattern => exactly(`^${shellRegex(pattern)}$`),
    read: text => {
      const found = /^\^(.*?)(\(\?: \.\*\)\?)?\$$/.exec(text);
      if (!found) return [];
      const [, body = '', rest] = found;
      const pattern = unescaped(body.replaceAll('.*', '*'));
      return orNone(pattern === undefined ? undefined : `${pattern}${rest === undefined ? '' : ' *'}`);
    },
  },
  // Globs in which `*` does not cross folders.
  glob: {
    of: paths,
    write: pattern => exactly(normalizePathPattern(pattern)),
    read: text => [normalizePathPattern(text)],
    equivalents: withDot,
  },
  // The same, for a tool that resolves `~/` inside the project.
  here: {
    of: paths,
    write: pattern => (pattern.startsWith('~/') ? undefined : exactly(normalizePathPattern(pattern))),
    read: text => [normalizePathPattern(text)],
    equivalents: withDot,
  },
  // The syntax of `.gitignore`: a pattern with a leading `/` is anchored at the root of the project.
  rooted: {
    of: paths,
    write: pattern => {
      const path = normalizePathPattern(pattern);
      const isFree = path.startsWith('**/') || path.startsWith('~/') || path === '**';
      return exactly(isFree ? path : `/${path}`);
    },
    read: (text, narrow) => {
      if (text.startsWith('//')) return [text.slice(1)];
      if (text.startsWith('/')) return [normalizePathPattern(text.slice(1))];
      if (text.startsWith('~/') || text.startsWith('**/') || text === '**') return [text];
      // A name without a slash matches in every folder.
      const isAnywhere = !narrow && !text.replace(/\/$/, '').includes('/');
      return [isAnywhere ? `**/${normalizePathPattern(text)}` : normalizePathPattern(text)];
    },
    equivalents: pattern => {
      const path = normalizePathPattern(pattern);
      // A name alone is not known to match in every folder, but it matches at the root.
      if (/^(?:~?\/|\*\*)/.test(path)) return [];
      return [path, ...withDot(path), ...withSlash(`/${path}`)];
    },
  },
  // Globs for a tool whose `*` crosses folders.
  'wildcard-path': {
    of: paths,
    write: pattern => {
      const path = normalizePathPattern(pattern);
      const texts = globAlternatives(path);
      return hasSingleStar(path) ? more(...texts) : exactly(...texts);
    },
    read: globsFromStars,
  },
};

function shellRegex(pattern: string): string {
  const open = pattern.endsWith(' *');
  const text = open ? pattern.slice(0, -2) : pattern;
  return `${escapeRegex(text).replaceAll('\\*', '.*')}${open ? '(?: .*)?' : ''}`;
}

/** The literal text of a regular expression; `undefined` when it is not a plain text. */
function unescaped(body: string): string | undefined {
  const text = body.replace(/\\[.*+?^${}()|[\]\\]/g, found => `\ud800${found[1]}`);
  return /(?<!\ud800)[.+?^${}()|[\]\\]/.test(text) ? undefined : text.replaceAll('\ud800', '');
}

/**
 * Regular expressions of paths, which need a dialect of their own: `*` does not mean the same in paths and
 * commands.
 */
const pathRegex: Dialect = {
  of: paths,
  write: pattern => exactly(`^${globRegex(normalizePathPattern(pattern))}$`),
  read: text => {
    const body = /^\^(.*)\$$/.exec(text)?.[1];
    const stars = body
      ?.replaceAll('(?:.*/)?', '\ud801/')
      .replaceAll('[^/]*', '*')
      .replaceAll('[^/]', '\ud802')
      .replace(/\.\*$/, '\ud801');
    const glob = stars === undefined ? undefined : unescaped(stars);
    return orNone(glob?.replaceAll('\ud801', '**').replaceAll('\ud802', '?'));
  },
};

/** The dialect that a spec names, when it applies to the kind of subjects. */
export const dialectFor = (name: string, kind: string): Dialect | undefined =>
  name === 'regex' && paths.includes(kind) ? pathRegex : dialects[name];
