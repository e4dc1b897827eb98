import { escapeRegex } from '../escape-regex.ts';
import { globAlternatives, globRegex, globsFromStars, hasSingleStar } from './patterns.ts';
import { plainPath } from './subject.ts';

/** A portable pattern in the words of a tool: several where it takes several texts to say it. */
interface Written {
  readonly texts: readonly string[];
  /** They cover more than the pattern does. */
  readonly wider?: true;
}

/** How tools write patterns. */
interface Dialect {
  /** The kinds of subjects that it can be used for. */
  readonly of: readonly string[];
  /** `undefined` where the tool has no text for a pattern. */
  write(pattern: string): Written | undefined;
  /** The patterns that a text of the tool stands for: no more than it says when it is to be `narrow`, otherwise no less. */
  read(text: string, narrow: boolean): readonly string[];
  /** All texts of a pattern have to be there before it is one. */
  readonly together?: true;
}

const exactly = (...texts: string[]): Written => ({ texts });
const more = (...texts: string[]): Written => ({ texts, wider: true });
const itself = (text: string): readonly string[] => [text];
const orNone = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

const paths = ['read', 'write'];

/** Words of a command that no shell would read as more than themselves. */
const plainWord = /^[\w@%+=:,./-]+$/;

/** `git push *` as its words before the star; nothing for stars elsewhere. */
function wordsBefore(
  pattern: string,
): { readonly words: readonly string[]; readonly open: boolean } | undefined {
  const open = pattern.endsWith(' *');
  const words = (open ? pattern.slice(0, -2) : pattern).split(/ +/);
  return words.every(word => plainWord.test(word)) ? { words, open } : undefined;
}

/** The dialects by the names that specs use. */
export const dialects: Readonly<Record<string, Dialect>> = {
  // As the source has it.
  same: { of: ['shell', 'net', 'mcp', ...paths], write: pattern => exactly(pattern), read: itself },
  // Without any star.
  literal: {
    of: ['shell', 'net', 'mcp', ...paths],
    write: pattern => (/[*?]/.test(pattern) ? undefined : exactly(pattern)),
    read: text => (/[*?]/.test(text) ? [] : [text]),
  },
  // A star stands for any characters, a question mark for one.
  wildcard: {
    of: ['shell'],
    write: pattern => (pattern.includes('?') ? more(pattern) : exactly(pattern)),
    read: itself,
  },
  // A pattern without a star takes arguments as well.
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
  // ` *` at the end wants something to follow.
  stars: {
    of: ['shell'],
    write: pattern => (pattern.endsWith(' *') ? exactly(pattern.slice(0, -2), pattern) : exactly(pattern)),
    read: itself,
    together: true,
  },
  // The first words of a command, apart by blanks; the tool splits it as well.
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
  // The same as a list of quoted words.
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
  // The program alone, with whatever arguments.
  program: {
    of: ['shell'],
    write: pattern => {
      const found = wordsBefore(pattern);
      return found?.open && found.words.length === 1 ? exactly(found.words[0]!) : undefined;
    },
    read: text => (plainWord.test(text) ? [`${text} *`] : []),
  },
  // A regular expression for all of the command.
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
  // Globs in which `*` stays within a folder.
  glob: { of: paths, write: pattern => exactly(plainPath(pattern)), read: text => [plainPath(text)] },
  // The same for a tool that takes `~/` for a folder of the project.
  here: {
    of: paths,
    write: pattern => (pattern.startsWith('~/') ? undefined : exactly(plainPath(pattern))),
    read: text => [plainPath(text)],
  },
  // As in files that list what Git ignores: a pattern begins with `/` at the root of the project.
  rooted: {
    of: paths,
    write: pattern => {
      const path = plainPath(pattern);
      const isFree = path.startsWith('**/') || path.startsWith('~/') || path === '**';
      return exactly(isFree ? path : `/${path}`);
    },
    read: (text, narrow) => {
      if (text.startsWith('//')) return [text.slice(1)];
      if (text.startsWith('/')) return [plainPath(text.slice(1))];
      if (text.startsWith('~/') || text.startsWith('**/') || text === '**') return [text];
      // A name alone is looked for everywhere.
      const isAnywhere = !narrow && !text.replace(/\/$/, '').includes('/');
      return [isAnywhere ? `**/${plainPath(text)}` : plainPath(text)];
    },
  },
  // Globs for a tool whose star crosses folders.
  'wildcard-path': {
    of: paths,
    write: pattern => {
      const path = plainPath(pattern);
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

/** A regular expression of plain text without its escapes; nothing for one that is more. */
function unescaped(body: string): string | undefined {
  const text = body.replace(/\\[.*+?^${}()|[\]\\]/g, found => `\ud800${found[1]}`);
  return /(?<!\ud800)[.+?^${}()|[\]\\]/.test(text) ? undefined : text.replaceAll('\ud800', '');
}

/** Regular expressions of paths; apart, because a star of a path is no star of a command. */
const pathRegex: Dialect = {
  of: paths,
  write: pattern => exactly(`^${globRegex(plainPath(pattern))}$`),
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

/** The dialect that a spec names for a kind of subjects. */
export const dialectFor = (name: string, kind: string): Dialect | undefined =>
  name === 'regex' && paths.includes(kind) ? pathRegex : dialects[name];
