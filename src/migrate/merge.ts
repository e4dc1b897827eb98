import type { MappedBlock } from '../kinds/document/read/map.ts';
import type { Data } from '../model/model.ts';
import { equalUnordered } from '../text/data.ts';
import { unusedName } from '../text/free-name.ts';
import { isListItem, nestHeadings } from '../text/headings.ts';
import {
  commonPairs,
  commonPieces,
  commonShare,
  keepsOrder,
  normalizePiece,
  piecesOf,
  sameList,
  similarityThreshold,
} from './pieces.ts';

export interface Repetition {
  readonly block: string;
  readonly files: readonly [string, string];
  readonly startLines: readonly [number, number];
  readonly only: readonly { readonly file: string; readonly text: string }[];
}

/** The parts of one file, in its order. */
export interface MergedSource {
  readonly path: string;
  readonly text: string;
  readonly parts: readonly MappedBlock[];
  readonly targets?: readonly string[];
}

export interface PartOrigin {
  readonly source: MergedSource;
  readonly index: number;
  /** Whether it equals the first one. */
  readonly equal: boolean;
}

/** A part with the tools it is for (absent: all), and its origins. */
export interface MergedPart {
  readonly part: MappedBlock;
  readonly targets?: readonly string[];
  readonly from: readonly PartOrigin[];
}

type Compared = Pick<Kept, 'part' | 'pieces'>;

interface Kept {
  part: MappedBlock;
  readonly path: string;
  pieces: readonly string[];
  targets: readonly string[] | undefined;
  readonly from: PartOrigin[];
}

/**
 * Merges the parts of several files, preserving the order in each file. Equal parts are kept once. Similar
 * parts are combined, and text from only one file is marked. Entries with the same name and different content
 * are both kept, the later one renamed.
 */
export function mergeParts(sources: readonly MergedSource[]) {
  const kept: Kept[] = [];
  const repetitions: Repetition[] = [];
  const names = new Map<string, Set<string>>();
  for (const source of sources) {
    const { path, parts, targets } = source;
    const matches = matchInOrder(parts, kept);
    const places = positionsFor(matches, kept);
    let moved = 0;
    for (const [index, part] of parts.entries()) {
      const other = matches[index];
      if (other === undefined) {
        const from = [{ source, index, equal: true }];
        const one = { part: renamed(part, names), path, pieces: piecesOf(part), targets, from };
        kept.splice(places[index]! + moved++, 0, one);
        continue;
      }
      const equal = isEqual(other, part, piecesOf(part));
      const repetition = take(other, part, path, equal);
      if (repetition) repetitions.push(repetition);
      other.from.push({ source, index, equal });
      other.targets = unite(other.targets, targets);
    }
  }
  const parts = ownTitles(kept);
  return {
    parts: parts.map((part, index): MergedPart => {
      const { targets, from } = kept[index]!;
      return { part, from, ...(targets && { targets }) };
    }),
    repetitions,
  };
}

/** The tools of two texts; `undefined` means all. */
export const unite = (a: readonly string[] | undefined, b: readonly string[] | undefined) =>
  a && b && [...new Set([...a, ...b])];

/** Merges a part into the one that it is a version of. */
function take(other: Kept, part: MappedBlock, path: string, isSame: boolean): Repetition | undefined {
  if (isSame) {
    other.part = withTitleOf(withReview(other.part, part.review), part, path);
    return undefined;
  }
  const united = unitedEntry(other.part, part);
  if (united) {
    other.part = united;
    other.pieces = piecesOf(other.part);
    return undefined;
  }
  const { union, only } = join(other, piecesOf(part), path);
  const content =
    other.part.content.kind === 'items'
      ? ({ kind: 'items', items: union } as const)
      : ({ kind: 'text', text: joinPieces(union) } as const);
  const lines = only.map(({ file, text }) => `only in ${file}: ${short(text)}`);
  const { startLine } = other.part;
  other.part = withTitleOf(withReview({ ...other.part, content }, ...lines, part.review), part, path);
  other.pieces = union;
  return { block: part.block, files: [other.path, path], startLines: [startLine, part.startLine], only };
}

function withReview(part: MappedBlock, ...lines: readonly (string | undefined)[]): MappedBlock {
  const review = [part.review, ...lines].filter(Boolean).join('\n');
  return { ...part, ...(review !== '' && { review }) };
}

const isEqual = (other: Compared, part: MappedBlock, pieces: readonly string[]): boolean =>
  sameList(other.pieces, pieces) && sameFields(other.part, part);

/** The similarity of two parts; 0 when they must stay separate. */
function similarity(other: Compared, part: MappedBlock, pieces: readonly string[]): number {
  if (other.part.block !== part.block) return 0;
  if (isEqual(other, part, pieces)) return 2;
  if (unitedEntry(other.part, part)) return 1.5;
  if (!mayJoin(other.part, part)) return 0;
  const share = commonShare(other.pieces, pieces);
  return share >= similarityThreshold && (keepsOrder(other.pieces, pieces) || share === 1) ? share : 0;
}

/** Whether a part equals, or is a version of, one of some others. */
export function isVersionOf(part: MappedBlock, others: readonly MappedBlock[]): boolean {
  const pieces = piecesOf(part);
  return others.some(other => similarity({ part: other, pieces: piecesOf(other) }, part, pieces) > 0);
}

/**
 * Matches each part with the kept part that it is a version of. Prose is matched so that the order of every
 * file is preserved; the order of entries does not matter.
 */
function matchInOrder(parts: readonly MappedBlock[], kept: readonly Kept[]): (Kept | undefined)[] {
  const isEntry = (part: MappedBlock) => part.content.kind === 'fields';
  const taken = new Set<Kept>();
  const matches = parts.map(part => {
    const pieces = piecesOf(part);
    const match = (other: Kept) => !taken.has(other) && similarity(other, part, pieces) > 0;
    const found = isEntry(part) ? kept.find(match) : undefined;
    if (found) taken.add(found);
    return found;
  });
  const prose = [...parts.entries()].filter(([, part]) => !isEntry(part));
  const others = kept.filter(({ part }) => !isEntry(part));
  const rows = prose.map(([, part]) => {
    const pieces = piecesOf(part);
    return others.map(other => similarity(other, part, pieces));
  });
  for (const [a, b] of commonPairs(prose.length, others.length, (a, b) => rows[a]![b]!))
    matches[prose[a]![0]] = others[b];
  return matches;
}

/** Positions for parts without a match: after their predecessor in the file, else before their successor. */
function positionsFor(matches: readonly (Kept | undefined)[], kept: readonly Kept[]): number[] {
  const indexes = matches.map(match => (match ? kept.indexOf(match) : -1));
  let behind = 0;
  const first = indexes.find(index => index !== -1);
  let seen = false;
  return indexes.map(index => {
    if (index !== -1) {
      behind = Math.max(behind, index + 1);
      seen = true;
    }
    return seen ? behind : (first ?? kept.length);
  });
}

function sameFields(a: MappedBlock, b: MappedBlock): boolean {
  if (a.content.kind !== 'fields' || b.content.kind !== 'fields') return true;
  const withoutText = (fields: ReadonlyMap<string, Data>) => ({
    ...Object.fromEntries(fields),
    content: undefined,
  });
  return a.key === b.key && equalUnordered(withoutText(a.content.fields), withoutText(b.content.fields));
}

/** An entry with the fields of two files; `undefined` when they contradict each other. */
function unitedEntry(a: MappedBlock, b: MappedBlock): MappedBlock | undefined {
  if (a.content.kind !== 'fields' || b.content.kind !== 'fields' || a.key !== b.key) return undefined;
  const fields = new Map(a.content.fields);
  for (const [name, value] of b.content.fields) {
    const present = fields.get(name);
    if (present === undefined) fields.set(name, value);
    else if (b.lists === 'joined' && Array.isArray(present) && Array.isArray(value))
      fields.set(name, [...new Set([...present, ...value])]);
    else if (!equalUnordered(present, value)) return undefined;
  }
  return { ...a, content: { kind: 'fields', fields } };
}

/**
 * Whether two parts may be joined: only prose, because two commands or agents with one name are different
 * things.
 */
function mayJoin(a: MappedBlock, b: MappedBlock): boolean {
  if (a.content.kind !== b.content.kind || (a.content.kind !== 'items' && a.content.kind !== 'text'))
    return false;
  return a.key === b.key || a.key === undefined || b.key === undefined;
}

/** Inserts the pieces of the second text after their common predecessor; `only` are those of one file. */
function join(first: Kept, pieces: readonly string[], path: string) {
  const missingIn = (other: readonly string[], from: readonly string[]) => {
    const present = new Set(other.map(normalizePiece));
    return from.filter(piece => !present.has(normalizePiece(piece)));
  };
  const removed = missingIn(pieces, first.pieces);
  // A sentence that is there already, in another order, is not repeated.
  const added = missingIn(first.pieces, pieces);
  const union: string[] = [];
  let [a, b] = [0, 0];
  for (const [x, y] of [
    ...commonPieces(first.pieces, pieces),
    [first.pieces.length, pieces.length],
  ] as const) {
    union.push(...pieces.slice(b, y).filter(piece => added.includes(piece)), ...first.pieces.slice(a, x + 1));
    [a, b] = [x + 1, y + 1];
  }
  const only = [
    ...removed.map(text => ({ file: first.path, text })),
    ...added.map(text => ({ file: path, text })),
  ];
  return { union, only };
}

/** Only one of two titles can be used; the other one is kept for review. */
function withTitleOf(kept: MappedBlock, part: MappedBlock, path: string): MappedBlock {
  const lost = [part.blockTitle, part.title].filter(
    title =>
      title !== undefined &&
      ![kept.blockTitle, kept.title].some(own => own && normalizePiece(own) === normalizePiece(title)),
  );
  return withReview(kept, ...lost.map(title => `only in ${path}: the title ${title}`));
}

function joinPieces(pieces: readonly string[]): string {
  return pieces.reduce((text, piece, index) => {
    if (index === 0) return piece;
    return `${text}${isListItem(piece) && isListItem(pieces[index - 1]!) ? '\n' : '\n\n'}${piece}`;
  }, '');
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
};

/** Keys are unique in a block: a second entry with the same name gets a number. */
function renamed(part: MappedBlock, names: Map<string, Set<string>>): MappedBlock {
  const taken = names.get(part.block) ?? new Set<string>();
  names.set(part.block, taken);
  if (part.content.kind === 'pairs') return withoutUsed(part, part.content, taken);
  if (part.key === undefined) return part;
  const key = unusedName(part.key, name => taken.has(name.toLowerCase()));
  taken.add(key.toLowerCase());
  return key === part.key ? part : withReview({ ...part, key }, `There is another \`${part.key}\`.`);
}

/** A list of commands that names some defined elsewhere becomes a text. */
function withoutUsed(
  part: MappedBlock,
  content: Extract<MappedBlock['content'], { kind: 'pairs' }>,
  taken: Set<string>,
): MappedBlock {
  const keys = content.pairs.map(([name]) => name.toLowerCase());
  if (!keys.some(key => taken.has(key))) {
    for (const key of keys) taken.add(key);
    return part;
  }
  return { ...part, content: { kind: 'text', text: textOf(content)! } };
}

/**
 * A title applies to its whole block. When several files have texts in a block, titles become headings of
 * their texts.
 */
function ownTitles(kept: readonly Kept[]): MappedBlock[] {
  const owners = new Map<string, Set<string>>();
  for (const { part, path } of kept)
    owners.set(part.block, (owners.get(part.block) ?? new Set<string>()).add(path));
  return kept.map(({ part }) => {
    if (owners.get(part.block)!.size === 1) return part;
    const { blockTitle, titlesBlock, ...rest } = part;
    if (blockTitle !== undefined) return withReview(rest, `It stood below "${blockTitle}".`);
    if (!titlesBlock) return part;
    const { title, ...untitled } = rest;
    const text = textOf(part.content);
    return text === undefined
      ? untitled
      : { ...untitled, content: { kind: 'text', text: `## ${title}\n\n${nestHeadings(text, 3)}` } };
  });
}

function textOf(content: MappedBlock['content']): string | undefined {
  if (content.kind === 'text') return content.text;
  if (content.kind === 'items') return content.items.map(item => `- ${item}`).join('\n');
  if (content.kind !== 'pairs') return undefined;
  return content.pairs.map(([name, words]) => `- \`${name}\`: ${words}`).join('\n');
}
