import type { Data } from '../../../model/model.ts';
import { freeName } from '../../../text/free-name.ts';
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
import { readUnits, type Unit } from './units.ts';
import { importWords, plainHeading, type Words } from './words.ts';

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
  words: Words = importWords(),
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
  words: Words = importWords(),
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

type WithParameters = Unit & { readonly parameters?: readonly ImportedParameter[] };

/** Parameters are declarations: a section that is not just a list of them is kept as context. */
const withParameters = (units: readonly Unit[], markdown: Markdown): WithParameters[] =>
  units.map(unit => {
    if (unit.block !== 'params' || unit.entry) return unit;
    const parameters = unit.above.length === 0 && readParameters(unit.nodes, markdown.lines.join('\n'));
    return parameters ? { ...unit, parameters } : { ...unit, block: 'context' };
  });

interface Manner {
  readonly lineOffset: number;
  readonly words: Words;
  /** Nothing may come to stand below another heading, or in another order. */
  readonly inPlace: boolean;
}

function mapUnits(
  units: readonly WithParameters[],
  markdown: Markdown,
  { lineOffset, words, inPlace }: Manner,
): MappedBlock[] {
  const closing = closingOf(markdown);
  const counts = new Map<string, number>();
  for (const { block } of units) counts.set(block, (counts.get(block) ?? 0) + 1);
  const keys = new Set<string>();
  // A text without a heading would move above fields, which have one: what stands before it stays text too.
  const headless = units.findLastIndex(({ block, section }) => block === keyed && !section);
  const seen = new Set<string>();
  return units.map((unit, index) => {
    const first = !seen.has(unit.block);
    seen.add(unit.block);
    const last = index === units.length - 1 ? closing : '';
    const single = counts.get(unit.block) === 1;
    const shape: Shape =
      unit.parameters && unit.block === 'params'
        ? parametersOf(unit.section, unit.parameters)
        : unit.laid !== undefined
          ? laidShape(unit, unit.laid, keys, markdown, last)
          : shapeOf(unit, {
              markdown,
              words,
              first,
              single,
              keys,
              mayKey: index > headless,
              closing: last,
              inPlace,
            });
    const start = unit.above[0]?.startLine ?? unit.startLine;
    const unsure = unit.confidence < words.data.review;
    return {
      block: unit.block,
      ...shape,
      startLine: start + lineOffset,
      endLine: unit.endLine + lineOffset,
      confidence: unit.confidence,
      ...(unsure && {
        review: `Is this @${unit.block}? It was not clear from lines ${start + lineOffset} to ${unit.endLine + lineOffset}.`,
      }),
    };
  });
}

interface BlockContext {
  readonly markdown: Markdown;
  readonly words: Words;
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

const parametersOf = (
  section: MarkdownSection | undefined,
  parameters: readonly ImportedParameter[],
): Shape => ({
  ...(section && { title: section.title }),
  content: { kind: 'parameters', parameters },
});

/** The form of a part whose section has a title that the compiler writes. */
function laidShape(unit: Unit, title: string, keys: Set<string>, markdown: Markdown, closing: string): Shape {
  if (unit.entry) return { key: unit.entry.key, content: { kind: 'fields', fields: unit.entry.fields } };
  const list = plainItems(unit, markdown);
  const [start] = unit.nodes;
  const text = (start ? sliceLines(markdown, firstLine(start), unit.endLine) : '') + closing;
  if (unit.topic && unit.section) {
    const own = unit.section.title;
    const content: Content = list ? { kind: 'items', items: list } : { kind: 'text', text };
    return { key: keyOf(own, keys), title: own, ...(title !== '' && { blockTitle: title }), content };
  }
  const named = title === '' ? {} : { title, titlesBlock: true };
  const pairs = unit.block === 'shortcuts' ? slashPairs(unit) : undefined;
  if (pairs) return { ...named, content: { kind: 'pairs', pairs, listed: true } };
  if (unit.block === listed && list) return { ...named, content: { kind: 'items', items: list } };
  return { ...named, content: { kind: 'text', text } };
}

/** Chooses the neatest form that loses nothing. */
function shapeOf(unit: Unit, context: BlockContext): Shape {
  const { markdown, words, first, single, keys, inPlace } = context;
  const title = unit.section?.title ?? '';
  const top = unit.above.at(-1)?.title ?? '';
  // A heading can name the whole block when everything below it in the block stood below it in the file.
  const blockTitle = first && unit.above.length === 1 && usable(top) ? top : undefined;
  const bare = unit.above.length === 0 || blockTitle !== undefined;
  const named = blockTitle === undefined ? {} : { title: blockTitle, titlesBlock: true };
  if (bare && unit.section && usable(title)) {
    const list = plainItems(unit, markdown);
    const text = bodyOf(unit, markdown) + context.closing;
    if (unit.block === 'shortcuts' && single && blockTitle === undefined) {
      const pairs = slashPairs(unit);
      if (pairs)
        return {
          title,
          titlesBlock: true,
          content: { kind: 'pairs', pairs, ...(inPlace && { listed: true }) },
        };
    }
    if (
      context.mayKey &&
      unit.block === keyed &&
      blockTitle === undefined &&
      (inPlace || !(first && unit.section.depth === 1 && !single))
    ) {
      if (list) return { key: keyOf(title, keys), title, content: { kind: 'items', items: list } };
      if (text.trim() !== '') return { key: keyOf(title, keys), title, content: { kind: 'text', text } };
    }
    if (
      unit.block === 'context' &&
      blockTitle === undefined &&
      isStack(title, words) &&
      !keys.has('@stack') &&
      text.trim().includes('\n')
    ) {
      keys.add('@stack');
      return { key: 'stack', title, content: { kind: 'text', text } };
    }
    if (
      blockTitle === undefined &&
      first &&
      (single || (unit.section.depth === 1 && !inPlace)) &&
      text.trim() !== ''
    ) {
      if (unit.block === listed && list)
        return { title, titlesBlock: true, content: { kind: 'items', items: list } };
      return { title, titlesBlock: true, content: { kind: 'text', text } };
    }
  }
  if (unit.block === listed && single && first && !unit.section && unit.above.length === 0) {
    const list = plainItems(unit, markdown);
    if (list) return { content: { kind: 'items', items: list } };
  }
  const start = blockTitle === undefined ? unit.above : [];
  return { ...named, content: { kind: 'text', text: textOf(unit, start, markdown) + context.closing } };
}

/** Can be written as a heading of the compiler: one line, nothing that would be replaced. */
const usable = (title: string): boolean =>
  title !== '' && !title.includes('${') && !/[\n\u0000-\u001f]/.test(title);

const isStack = (title: string, words: Words): boolean => words.stack.has(plainHeading(title));

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
export const keyTells = (key: string, title: string): boolean => titleOf(key) === title;
