/**
 * Edits that no source can express, determined from the edit and the source texts alone, before anything is absorbed:
 *
 * - `broken`: the file or its front matter was valid data and is invalid after the edit, or the same with the URL of a
 * server;
 * - `emptied`: an item has no text left or lacks a required field, or a heading that the layout generates has no
 * content;
 * - `layout`: words were changed, removed or moved that are in no source, because templates, specs, names or the
 * program generate them;
 * - `place`: lines were inserted between parts that the layout generates from names and fields, with no source text or
 * list on either side; or main sections are in another order than the layout gives them.
 */
import { diffArrays } from 'diff';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import type { Edit } from './edits.ts';
import type { Laboratory } from './laboratory.ts';

export type Unsayable = 'broken' | 'emptied' | 'layout' | 'place';

/** Fields that an item must have, for the compiler or for the tool. */
const needed = /^(?:description|name|command|url|type|prompt|instructions|systemPrompt|developer_instructions)$/;

/** Why no source can express an edit. `undefined`: a source can. */
export function unsayable(edit: Edit, lab: Laboratory): Unsayable | undefined {
  for (const [path, after] of edit.changes) {
    const before = lab.files.get(path);
    // Complete files may be added and removed.
    if (before === undefined || after === null) continue;
    if (isValid(path, before) && !isValid(path, after)) return 'broken';
    if (webAddresses(after) < webAddresses(before)) return 'broken';
    if (bodyOf(before) !== '' && bodyOf(after) === '') return 'emptied';
    const why = unsayableLines(before.split('\n'), after.split('\n'), said(lab), endOf(path, before, lab));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Where a section at the end of a file may come from: a block of its own, a source text, or nothing. */
type End = 'block' | 'text' | 'none';

function endOf(path: string, text: string, { outputs }: Laboratory): End {
  if (outputs.some(output => output.path === path && output.isMain)) return 'block';
  return text.startsWith('---\n') ? 'text' : 'none';
}

const frontOf = (text: string): string | undefined => /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text)?.[1];
const bodyOf = (text: string): string => text.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, '').trim();

/** The number of server URL fields with a valid URL. */
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

/** Looks up lines in the sources of a project. */
interface Said {
  /** Whether the words are in a source. */
  readonly has: (words: string) => boolean;
  /** Whether the word is a value in a source, or the first word of one. */
  readonly isValue: (word: string) => boolean;
  /** Whether the words are a line of a text, or an item of a list of lines. */
  readonly isLine: (words: string) => boolean;
  /** Whether the words are a heading of a source text. */
  readonly isHeading: (words: string) => boolean;
  /** Whether one line is directly above the other. */
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

/** Whether a text contains the words, not as a part of other words. */
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
/** The line without list and heading markers, and without quotes and commas at its ends. */
const wordsOf = (line: string): string =>
  unquoted(line)
    .trim()
    .replace(/^(?:[-*+]|\d+\.|>|#{1,6})\s+/, '')
    .replace(/^["']+|["'],?$|,$/g, '')
    .trim();
/** The value of a line that starts with a label. */
const labelled = (line: string): string => wordsOf(wordsOf(line).replace(/^(?:\*\*)?[\w. -]+?(?:\*\*)?\s*[:=]\s+(?:\*\*)?/, ''));
const labelOf = (line: string): string | undefined => /^\s*"?([\w-]+)"?\s*[:=]/.exec(line)?.[1];
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

const isSaid = (line: string, { has, isLine }: Said): boolean =>
  [wordsOf(line), labelled(line)].some(
    // A label line is generated from a field, unless a text contains the same line.
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
/** Whether the line is a heading of a section whose order the layout determines. */
const isMain = (line: string): boolean => levelOf(line) === 2;

/** The number of headings from the layout that have no content. */
function bareHeadings(lines: readonly string[], { isHeading }: Said): number {
  const textLines = lines.filter(line => !isBlank(line));
  return textLines.filter((line, at) => {
    const [own, next] = [levelOf(line), levelOf(textLines[at + 1])];
    return own > 1 && !isHeading(wordsOf(line)) && (at === textLines.length - 1 || (next > 0 && next <= own));
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

/** Brackets and quotes of data belong to the values next to them. */
const isPart = (line: string): boolean => !/\p{L}/u.test(line);

/** Whether the changed part of a line, together with adjacent words, is in a source. */
function isChangeSaid(line: string, next: string, { has, isValue }: Said): boolean {
  const most = Math.min(line.length, next.length);
  let head = 0;
  while (head < most && line[head] === next[head]) head++;
  let tail = 0;
  while (tail < most - head && line.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const from = line.slice(0, head).search(/\S*$/);
  const end = line.length - tail + /^\S*/.exec(line.slice(line.length - tail))![0].length;
  const own = wordsOf(line.slice(from, end));
  // A value is found by the words next to the change. A single word is looked up by itself.
  const wide = wordsOf(line.slice(line.slice(0, from).trimEnd().search(/\S*$/), end));
  if (/^\s*"[^"]+": "\w+",?$/.test(line)) return isValue(own);
  return own === '' ? has(wide) : own.length > 2 && has(own);
}

/** Whether inserted lines are next to a source text, or next to an item of a list of the same form. */
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
    // A label line is not an item of a list.
    const isKnown = words.endsWith(':') ? all.isLine : all.has;
    if (/^\s*(?:[-*+]|\d+\.) /.test(come[0]!)) return marks(line!) === marks(come[0]!) && isKnown(words);
    if (/^\s*[-*+] /.test(line!)) return false;
    // Markers such as code fences occur in many texts.
    if (!isPart(line!)) return all.isLine(words);
    return !isPart(next) && (all.isPair(wordsOf(next), words) || all.isPair(words, wordsOf(next)));
  };
  return fits(before[above], before[above - 1] ?? '') || fits(before[below], before[below + 1] ?? '');
}

/** Whether a main section can be inserted at a place: at the end, or next to one whose heading is in a source text. */
function hasMainPlace(at: number, before: readonly string[], { isHeading }: Said, end: End): boolean {
  if (end === 'block' && before.slice(at).every(isBlank)) return true;
  const above = before.slice(0, at).findLast(isMain);
  const below = before.slice(at).find(isMain);
  return [above, below].some(line => line !== undefined && isHeading(wordsOf(line)));
}
