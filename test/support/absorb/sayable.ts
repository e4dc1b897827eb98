/**
 * What no source can say, told from an edit and the texts of the sources alone, before anything is absorbed:
 *
 * - `broken`: the file, or its front matter, was valid data and is none with the edit, or the address of a server was;
 * - `emptied`: an item is left without any text, or without a field that it cannot be without, or a heading that the
 *   layout gives to what stands below it has nothing below it;
 * - `layout`: words are changed, taken away or moved that stand in no source: templates, specs, names and the program
 *   itself give them;
 * - `place`: lines come where no text and no list of the sources stands on either side, between parts that are laid out
 *   from names and fields; or main sections come or stand in another order than the layout gives them.
 */
import { diffArrays } from 'diff';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import type { Edit } from './edits.ts';
import type { Laboratory } from './laboratory.ts';

export type Unsayable = 'broken' | 'emptied' | 'layout' | 'place';

/** Fields without which an item is none, for the compiler or for the tool. */
const needed = /^(?:description|name|command|url|type|prompt|instructions|systemPrompt|developer_instructions)$/;

/** Why no source can say an edit; `undefined`: one can. */
export function unsayable(edit: Edit, lab: Laboratory): Unsayable | undefined {
  for (const [path, after] of edit.changes) {
    const before = lab.files.get(path);
    // Whole files come and go.
    if (before === undefined || after === null) continue;
    if (isValid(path, before) && !isValid(path, after)) return 'broken';
    if (webAddresses(after) < webAddresses(before)) return 'broken';
    if (bodyOf(before) !== '' && bodyOf(after) === '') return 'emptied';
    const why = unsayableLines(before.split('\n'), after.split('\n'), said(lab), endOf(path, before, lab));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What a section at the end of a file may come from: a block of its own, a text that stands there, or nothing. */
type End = 'block' | 'text' | 'none';

function endOf(path: string, text: string, { outputs }: Laboratory): End {
  if (outputs.some(output => output.path === path && output.isMain)) return 'block';
  return text.startsWith('---\n') ? 'text' : 'none';
}

const frontOf = (text: string): string | undefined => /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text)?.[1];
const bodyOf = (text: string): string => text.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, '').trim();

/** How many fields that hold the address of a server hold one of the web. */
const webAddresses = (text: string): number => {
  const urls = [...text.matchAll(/^\s*"?(?:url|httpUrl|serverUrl|uri)"?\s*[:=]\s*"?(\S*)/gm)];
  return urls.filter(([, url]) => /^https?:/.test(url!)).length - urls.length;
};

function isValid(path: string, text: string): boolean {
  try {
    if (/\.json$/.test(path)) JSON.parse(text);
    else if (path.endsWith('.toml')) parseToml(text);
    else if (/\.ya?ml$/.test(path)) return parseDocument(text).errors.length === 0;
    else if (text.startsWith('---\n')) {
      const front = frontOf(text);
      return front !== undefined && parseDocument(front).errors.length === 0;
    }
    return true;
  } catch {
    return false;
  }
}

/** What the sources of a project say, to be asked for a line. */
interface Said {
  /** The words stand in a source. */
  readonly has: (words: string) => boolean;
  /** A word is a value in a source, or the first word of one. */
  readonly isValue: (word: string) => boolean;
  /** They are a line of a text, or a member of a list that has lines. */
  readonly isLine: (words: string) => boolean;
  /** They are a heading that is written in a text. */
  readonly isHeading: (words: string) => boolean;
  /** One line stands right above the other. */
  readonly isPair: (above: string, below: string) => boolean;
}

const known = new WeakMap<Laboratory, Said>();

function said(lab: Laboratory): Said {
  const cached = known.get(lab);
  if (cached) return cached;
  const outputs = new Set(lab.outputs.map(({ path }) => path));
  const isSource = (path: string) =>
    lab.sources.has(path) || (!outputs.has(path) && !/^instr\.yaml$|^\.instr\/(?:\.state\/|manifest)/.test(path));
  const texts = [...lab.files].flatMap(([path, text]) => (isSource(path) ? [unquoted(text)] : []));
  const all = texts.flatMap(text => text.split('\n'));
  const lines = new Set(all.map(wordsOf));
  const pairs = new Set(all.map((line, at) => `${wordsOf(all[at - 1] ?? '')}\n${wordsOf(line)}`));
  const headings = new Set(all.filter(line => /^\s*#{1,6} /.test(line)).map(wordsOf));
  const made: Said = {
    has: words => words !== '' && texts.some(text => standsIn(text, words)),
    isValue: word => {
      const value = new RegExp(`(?:[:[,({=]|^\\s*-)\\s*["']?${word}["']?(?=[\\s,\\])}#]|$)`, 'm');
      return texts.some(text => value.test(text));
    },
    isLine: words => lines.has(words),
    isHeading: words => headings.has(words),
    isPair: (above, below) => pairs.has(`${above}\n${below}`),
  };
  known.set(lab, made);
  return made;
}

/** Whether words stand in a text, and not as a part of others. */
function standsIn(text: string, words: string): boolean {
  const isPart = (one: string | undefined) => one !== undefined && /[\p{L}\p{N}_-]/u.test(one);
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (
      !(isPart(text[at - 1]) && isPart(words[0])) &&
      !(isPart(text[at + words.length]) && isPart(words.at(-1)))
    )
      return true;
  return false;
}

const unquoted = (text: string): string => text.replace(/\\(["'\\])/g, '$1').replaceAll('\r', '');
/** A line without marks of lists and headings, quotes and commas at its ends. */
const wordsOf = (line: string): string =>
  unquoted(line)
    .trim()
    .replace(/^(?:[-*+]|\d+\.|>|#{1,6})\s+/, '')
    .replace(/^["']+|["'],?$|,$/g, '')
    .trim();
/** The value of a line that begins with a label. */
const labelled = (line: string): string => wordsOf(wordsOf(line).replace(/^(?:\*\*)?[\w. -]+?(?:\*\*)?\s*[:=]\s+(?:\*\*)?/, ''));
const labelOf = (line: string): string | undefined => /^\s*"?([\w-]+)"?\s*[:=]/.exec(line)?.[1];
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

const isSaid = (line: string, { has, isLine }: Said): boolean =>
  [wordsOf(line), labelled(line)].some(
    // A name above what it has is laid out from a field, where no text has such a line.
    words => words.length > 2 && (words.endsWith(':') ? isLine(words) : has(words)),
  );

function unsayableLines(
  before: readonly string[],
  after: readonly string[],
  all: Said,
  end: End,
): Unsayable | undefined {
  const hunks: { at: number; removed: string[]; added: string[] }[] = [];
  let at = 0;
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = hunks.at(-1);
    const hunk = last && last.at + last.removed.length === at ? last : { at, removed: [], added: [] };
    if (hunk !== last) hunks.push(hunk);
    (added ? hunk.added : hunk.removed).push(...value);
    if (removed) at += value.length;
  }
  if (isLeftBare(before, after, all)) return 'emptied';
  const moved = hunks.flatMap(({ removed }) => removed.filter(isMain));
  const come = new Set(hunks.flatMap(({ added }) => added));
  if (moved.some(line => come.has(line) && !all.isHeading(wordsOf(line)))) return 'place';
  for (const hunk of hunks) {
    const why = unsayableHunk(hunk, before, all, end);
    if (why !== undefined) return why;
  }
  return undefined;
}

const levelOf = (line: string | undefined): number => /^(#{1,6}) \S/.exec(line ?? '')?.[1]?.length ?? 0;
/** A heading of the sections that the layout gives an order. */
const isMain = (line: string): boolean => levelOf(line) === 2;

/** Headings that the layout gives, and that nothing stands below. */
function bareHeadings(lines: readonly string[], { isHeading }: Said): number {
  const spoken = lines.filter(line => !isBlank(line));
  return spoken.filter((line, at) => {
    const [own, next] = [levelOf(line), levelOf(spoken[at + 1])];
    return own > 1 && !isHeading(wordsOf(line)) && (at === spoken.length - 1 || (next > 0 && next <= own));
  }).length;
}

const isLeftBare = (before: readonly string[], after: readonly string[], all: Said): boolean =>
  bareHeadings(after, all) > bareHeadings(before, all);

function unsayableHunk(
  { at, removed, added }: { readonly at: number; readonly removed: readonly string[]; readonly added: readonly string[] },
  before: readonly string[],
  all: Said,
  end: End,
): Unsayable | undefined {
  const gone = removed.filter(line => !isBlank(line));
  const come = added.filter(line => !isBlank(line));
  if (gone.length === 0) return come.length === 0 || hasPlace(at, come, before, all, end) ? undefined : 'place';
  if (gone.length === come.length)
    return gone.every((line, index) => isChangeSaid(line, come[index]!, all)) ? undefined : 'layout';
  if (gone.some(line => needed.test(labelOf(line) ?? '')) && come.length === 0) return 'emptied';
  return gone.every(line => isSaid(line, all) || isPart(line)) ? undefined : 'layout';
}

/** Brackets and quotes of data stand with what they hold. */
const isPart = (line: string): boolean => !/\p{L}/u.test(line);

/** What differs in a line, with the words beside it, stands in a source. */
function isChangeSaid(line: string, next: string, { has, isValue }: Said): boolean {
  const most = Math.min(line.length, next.length);
  let head = 0;
  while (head < most && line[head] === next[head]) head++;
  let tail = 0;
  while (tail < most - head && line.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const from = line.slice(0, head).search(/\S*$/);
  const end = line.length - tail + /^\S*/.exec(line.slice(line.length - tail))![0].length;
  const own = wordsOf(line.slice(from, end));
  // A value is found by the words beside those that changed, a single one by itself.
  const wide = wordsOf(line.slice(line.slice(0, from).trimEnd().search(/\S*$/), end));
  if (/^\s*"[^"]+": "\w+",?$/.test(line)) return isValue(own);
  return own === '' ? has(wide) : own.length > 2 && has(own);
}

/** Whether lines that came stand beside a text, or beside a member of a list that they are like. */
function hasPlace(
  at: number,
  come: readonly string[],
  before: readonly string[],
  all: Said,
  end: End,
): boolean {
  const front = before[0] === '---' ? before.indexOf('---', 1) : -1;
  if (at <= front) return before.slice(1, front).some(line => isSaid(line, all));
  if (/^\s*["{}[\]]|^[\w-]+ = /.test(come[0]!)) return true;
  if (isMain(come[0]!) && end !== 'text') return hasMainPlace(at, before, all, end);
  let [above, below] = [at - 1, at];
  while (above >= 0 && isBlank(before[above])) above--;
  while (below < before.length && isBlank(before[below])) below++;
  const marks = (line: string) => /^\s*(?:[-*+] |\d+\. )?/.exec(line)![0].replace(/\d+/, '1');
  const fits = (line: string | undefined, next: string): boolean => {
    if (isBlank(line) || line!.startsWith('#!')) return false;
    const words = wordsOf(line!);
    // A name above what it has is no member of a list.
    const isKnown = words.endsWith(':') ? all.isLine : all.has;
    if (/^\s*(?:[-*+]|\d+\.) /.test(come[0]!)) return marks(line!) === marks(come[0]!) && isKnown(words);
    if (/^\s*[-*+] /.test(line!)) return false;
    // Marks such as those around code are in many texts.
    if (!isPart(line!)) return all.isLine(words);
    return !isPart(next) && (all.isPair(wordsOf(next), words) || all.isPair(words, wordsOf(next)));
  };
  return fits(before[above], before[above - 1] ?? '') || fits(before[below], before[below + 1] ?? '');
}

/** Whether a main section can come at a place: at the end, or beside one whose heading a text has. */
function hasMainPlace(at: number, before: readonly string[], { isHeading }: Said, end: End): boolean {
  if (end === 'block' && before.slice(at).every(isBlank)) return true;
  const above = before.slice(0, at).findLast(isMain);
  const below = before.slice(at).find(isMain);
  return [above, below].some(line => line !== undefined && isHeading(wordsOf(line)));
}
