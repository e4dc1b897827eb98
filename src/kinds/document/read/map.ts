import type { Data } from '../../../model/model.ts';
import { freeName } from '../../../text/free-name.ts';
import { groupBy } from '../../../text/group.ts';
import { slugOf, titleOf } from '../../../text/title.ts';
import {
  bodyOf,
  type ImportedParameter,
  plainItems,
  readParameters,
  slashPairs,
  textOf,
} from './contents.ts';
import { placeInOrder, readUnitsInPlace } from './in-place.ts';
import { readLayout } from './layout.ts';
import { closingOf, firstLine, type Markdown, type MarkdownSection, sliceLines } from './markdown.ts';
import { readUnits, type TextUnit } from './units.ts';
import { type ImportVocabulary, importWords, plainHeading } from './words.ts';

/** A part of a file and the place it gets in the source. */
export interface MappedBlock {
  readonly block: string;
  /** Key below the block; absent for loose text and items. */
  readonly key?: string;
  /** Heading of the original section, when it is not part of the content. */
  readonly title?: string;
  /** The title is the first thing of its block and names all of it. */
  readonly titlesBlock?: boolean;
  /** Title of the block that begins with this part, when the part has a key of its own. */
  readonly blockTitle?: string;
  readonly content: Content;
  /** Lines of the imported file, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** 0 to 1 */
  readonly confidence: number;
  /** Why a person should look at it. */
  readonly review?: string;
  /** `joined`: its lists are parts of lists that other files go on with. */
  readonly lists?: 'joined';
  /** Of the first part of a file that keeps its order: the lines down to the heading above all parts. */
  readonly below?: string;
}

/** `text` is kept as it was written; the others were understood. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly string[] }
  | {
      readonly kind: 'pairs';
      readonly pairs: readonly (readonly [string, string])[];
      /** The pairs stay a list: no files are made of them. */
      readonly listed?: boolean;
    }
  | { readonly kind: 'parameters'; readonly parameters: readonly ImportedParameter[] }
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Data> };

/** Below these blocks sections get keys, and plain lists become items. */
const keyed = 'standards';
const listed = 'restrictions';

/**
 * The parts of a Markdown document in order, each with its block. Nothing is left out: what is not understood stays
 * text, byte for byte. `lineOffset` is the number of lines of the file that stand above the document; `headings` are
 * those that tools have above a document that was compiled for them.
 */
export function mapMarkdown(
  markdown: Markdown,
  lineOffset = 0,
  headings: ReadonlySet<string> = new Set(),
  words: ImportVocabulary = importWords(),
): MappedBlock[] {
  const laidOut = readLayout(markdown, words, headings);
  const units = withParameters(laidOut ?? readUnits(markdown, words), markdown);
  return mapUnits(units, markdown, { lineOffset, words, inPlace: false });
}

/**
 * The parts of a Markdown document, so that it comes out of a compile in its order: sections stay whole, and one that
 * would change places stays where it is, in a block that takes any text. `known` says where the same text went before.
 */
export function mapInPlace(
  markdown: Markdown,
  lineOffset: number,
  headings: ReadonlySet<string>,
  known: (text: string) => string | undefined,
  words: ImportVocabulary = importWords(),
): MappedBlock[] {
  const laidOut = readLayout(markdown, words, headings);
  const { title, units: cut } = laidOut
    ? { units: laidOut, title: undefined }
    : readUnitsInPlace(markdown, words);
  const placed = placeInOrder(withParameters(cut, markdown), unit =>
    known(sliceLines(markdown, unit.startLine, unit.endLine)),
  );
  const parts = mapUnits(placed, markdown, { lineOffset, words, inPlace: true });
  const [first, ...rest] = parts;
  return first && title !== undefined ? [{ ...first, below: title }, ...rest] : parts;
}

type WithParameters = TextUnit & { readonly parameters?: readonly ImportedParameter[] };

/** Parameters are declarations: a section that is not just a list of them is kept as context. */
const withParameters = (units: readonly TextUnit[], markdown: Markdown): WithParameters[] =>
  units.map(unit => {
    if (unit.block !== 'params' || unit.entry) return unit;
    const parameters = unit.above.length === 0 && readParameters(unit.nodes, markdown.lines.join('\n'));
    return parameters ? { ...unit, parameters } : { ...unit, block: 'context' };
  });

interface Manner {
  readonly lineOffset: number;
  readonly words: ImportVocabulary;
  /** Nothing may come to stand below another heading, or in another order. */
  readonly inPlace: boolean;
}

function mapUnits(
  units: readonly WithParameters[],
  markdown: Markdown,
  { lineOffset, words, inPlace }: Manner,
): MappedBlock[] {
  const byBlock = groupBy(units, ({ block }) => block);
  const keys = new Set<string>();
  // A text without a heading would move above fields, which have one: what stands before it stays text too.
  const headless = units.findLastIndex(({ block, section }) => block === keyed && !section);
  return units.map((unit, index) => {
    const { block, confidence } = unit;
    const all = byBlock.get(block)!;
    const shape = shapeOf(unit, {
      markdown,
      words,
      first: all[0] === unit,
      single: all.length === 1,
      keys,
      mayKey: index > headless,
      closing: index === units.length - 1 ? closingOf(markdown) : '',
      inPlace,
    });
    const startLine = (unit.above[0]?.startLine ?? unit.startLine) + lineOffset;
    const endLine = unit.endLine + lineOffset;
    const review = `Is this @${block}? It was not clear from lines ${startLine} to ${endLine}.`;
    const isUnsure = confidence < words.data.review;
    return { block, ...shape, startLine, endLine, confidence, ...(isUnsure && { review }) };
  });
}

interface BlockContext {
  readonly markdown: Markdown;
  readonly words: ImportVocabulary;
  /** Nothing of the block came before. */
  readonly first: boolean;
  /** Nothing else of the block comes. */
  readonly single: boolean;
  /** Keys taken in @standards. */
  readonly keys: Set<string>;
  /** No text of @standards without a heading follows. */
  readonly mayKey: boolean;
  /** To be added to a text that the file left open. */
  readonly closing: string;
  readonly inPlace: boolean;
}

type Shape = Pick<MappedBlock, 'key' | 'title' | 'titlesBlock' | 'blockTitle' | 'content'>;

const textContent = (text: string): Content => ({ kind: 'text', text });

/** The list that a unit is, or its text. */
const listOrText = (list: readonly string[] | undefined, text: string): Content =>
  list ? { kind: 'items', items: list } : textContent(text);

function shapeOf(unit: WithParameters, context: BlockContext): Shape {
  const { section, parameters, laid } = unit;
  if (parameters && unit.block === 'params')
    return { ...(section && { title: section.title }), content: { kind: 'parameters', parameters } };
  if (laid !== undefined) return laidShape(unit, laid, context);
  return (section && titledShape(unit, section, context)) ?? textShape(unit, context);
}

/** The form of a part whose section has a title that the compiler writes. */
function laidShape(unit: TextUnit, title: string, { markdown, keys, closing }: BlockContext): Shape {
  const { block, entry, nodes, section } = unit;
  if (entry) return { key: entry.key, content: { kind: 'fields', fields: entry.fields } };
  const list = plainItems(unit, markdown);
  const [start] = nodes;
  const text = (start ? sliceLines(markdown, firstLine(start), unit.endLine) : '') + closing;
  if (unit.topic && section) {
    const named = { key: keyOf(section.title, keys), title: section.title };
    return { ...named, ...(title !== '' && { blockTitle: title }), content: listOrText(list, text) };
  }
  const named = title === '' ? {} : { title, titlesBlock: true };
  const pairs = block === 'shortcuts' ? slashPairs(unit) : undefined;
  if (pairs) return { ...named, content: { kind: 'pairs', pairs, listed: true } };
  return { ...named, content: listOrText(block === listed ? list : undefined, text) };
}

/** The title of its block, where everything below it in the block stood below it in the file. */
function titleAbove({ above }: TextUnit, { first }: BlockContext): string | undefined {
  const [top, ...more] = above;
  return first && top && more.length === 0 && usable(top.title) ? top.title : undefined;
}

/** The neatest form of a section that loses nothing; `undefined` where it has to stay text. */
function titledShape(unit: TextUnit, section: MarkdownSection, context: BlockContext): Shape | undefined {
  const { markdown, words, first, single, keys, inPlace } = context;
  const { block } = unit;
  const { title, depth } = section;
  if (unit.above.length > 0 || !usable(title)) return undefined;
  const list = plainItems(unit, markdown);
  const text = bodyOf(unit, markdown) + context.closing;
  const pairs = block === 'shortcuts' && single ? slashPairs(unit) : undefined;
  if (pairs)
    return {
      title,
      titlesBlock: true,
      content: { kind: 'pairs', pairs, ...(inPlace && { listed: true }) },
    };
  const isEmpty = text.trim() === '';
  const isWhole = first && depth === 1 && !single && !inPlace;
  if (context.mayKey && block === keyed && !isWhole && (list || !isEmpty))
    return { key: keyOf(title, keys), title, content: listOrText(list, text) };
  const isStack = words.stack.has(plainHeading(title)) && text.trim().includes('\n');
  if (block === 'context' && isStack && !keys.has('@stack')) {
    keys.add('@stack');
    return { key: 'stack', title, content: textContent(text) };
  }
  if (!first || isEmpty || !(single || (depth === 1 && !inPlace))) return undefined;
  return { title, titlesBlock: true, content: listOrText(block === listed ? list : undefined, text) };
}

function textShape(unit: TextUnit, context: BlockContext): Shape {
  const { markdown, first, single, closing } = context;
  const isBare = !unit.section && unit.above.length === 0;
  const list = unit.block === listed && single && first && isBare ? plainItems(unit, markdown) : undefined;
  if (list) return { content: { kind: 'items', items: list } };
  const title = titleAbove(unit, context);
  const text = textOf(unit, title === undefined ? unit.above : [], markdown) + closing;
  return { ...(title !== undefined && { title, titlesBlock: true }), content: textContent(text) };
}

/** Can be written as a heading of the compiler: one line, nothing that would be replaced. */
const usable = (title: string): boolean =>
  title !== '' && !title.includes('${') && !/[\n\u0000-\u001f]/.test(title);

/** A key for a heading, not yet taken. A heading that no identifier can stand for is its own key. */
function keyOf(title: string, taken: Set<string>): string {
  const slug = slugOf(title.replace(/[`*_]/g, '').toLowerCase());
  const base = /^[a-z_][a-z0-9_-]{0,60}$/.test(slug) ? slug : title;
  const key = freeName(
    base,
    name => taken.has(name),
    number => (base === title ? `${title} (${number})` : `${base}-${number}`),
  );
  taken.add(key);
  return key;
}

/** Whether a key by itself gives back the heading it was made from. */
export const keyGivesTitle = (key: string, title: string): boolean => titleOf(key) === title;
