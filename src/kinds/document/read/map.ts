import type { RootContent } from 'mdast';
import { conventions } from '../../../generated/conventions.ts';
import type { Data } from '../../../model/model.ts';
import { unusedName } from '../../../text/free-name.ts';
import { groupBy } from '../../../text/group.ts';
import { slugOf, titleOf } from '../../../text/title.ts';
import { classify } from './classify.ts';
import {
  bodyOf,
  type ImportedParameter,
  plainItems,
  readParameters,
  slashPairs,
  textOf,
} from './contents.ts';
import { sectionOrder as order, readLayout } from './layout.ts';
import {
  closingOf,
  firstLine,
  lastLine,
  type Markdown,
  type MarkdownSection,
  readSections,
  sliceLines,
} from './markdown.ts';
import {
  introductionBias,
  nodesOf,
  readUnits,
  splitUntitled,
  type TextUnit,
  unitOfSection,
} from './units.ts';
import { importWords, plainHeading } from './words.ts';

/** A part of a file and its place in the source. */
export interface MappedBlock {
  readonly block: string;
  /** Key in the block; absent for free text and items. */
  readonly key?: string;
  /** Heading of the original section, when it is not part of the content. */
  readonly title?: string;
  /** Whether the title is at the start of its block and applies to the whole block. */
  readonly titlesBlock?: boolean;
  /** Title of the block that begins with this part, when the part has a key of its own. */
  readonly blockTitle?: string;
  readonly content: Content;
  /** Lines of the imported file, starting at 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** 0 to 1 */
  readonly confidence: number;
  /** Why a user should review it. */
  readonly review?: string;
  /** `joined`: its lists are merged with lists of other files. */
  readonly lists?: 'joined';
  /** Set on the first part of a file that keeps its order: the lines up to the main heading. */
  readonly below?: string;
}

/** `text` is kept as written; the other forms were parsed. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly string[] }
  | {
      readonly kind: 'pairs';
      readonly pairs: readonly (readonly [string, string])[];
      /** Whether the pairs stay a list instead of becoming files. */
      readonly listed?: boolean;
    }
  | { readonly kind: 'parameters'; readonly parameters: readonly ImportedParameter[] }
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Data> };

/** In this block sections get keys, and plain lists become items. */
const keyed = 'standards';
const listed = 'restrictions';

/**
 * Maps the parts of a Markdown document to blocks, in order. Nothing is lost: what cannot be parsed stays
 * text, byte for byte. `lineOffset` is the number of lines of the file above the document. `headings` are the
 * main headings that tools have in compiled documents.
 *
 * With `known` a compile reproduces the order of the document: sections stay whole, and a section that would
 * move stays in a block that accepts any text. `known` returns the block that the same text was assigned to
 * before.
 */
export function mapMarkdown(
  markdown: Markdown,
  lineOffset = 0,
  headings: ReadonlySet<string> = new Set(),
  known?: (text: string) => string | undefined,
): MappedBlock[] {
  const laidOut = readLayout(markdown, headings);
  const { title, units }: PlacedUnits = laidOut
    ? { units: laidOut }
    : known
      ? readUnitsInPlace(markdown)
      : { units: readUnits(markdown) };
  const found = withParameters(units, markdown);
  const placed = known
    ? assignBlocksInOrder(found, unit => known(sliceLines(markdown, unit.startLine, unit.endLine)))
    : found;
  const parts = mapUnits(placed, markdown, lineOffset, known !== undefined);
  const [first, ...rest] = parts;
  return first && title !== undefined ? [{ ...first, below: title }, ...rest] : parts;
}

type WithParameters = TextUnit & { readonly parameters?: readonly ImportedParameter[] };

/** Parameters are declarations, so a section that is more than a list of them becomes context. */
const withParameters = (units: readonly TextUnit[], markdown: Markdown): WithParameters[] =>
  units.map(unit => {
    if (unit.block !== 'params' || unit.entry) return unit;
    const parameters = unit.above.length === 0 && readParameters(unit.nodes, markdown.lines.join('\n'));
    return parameters ? { ...unit, parameters } : { ...unit, block: 'context' };
  });

/** `inPlace`: the order, and the heading above each part, must be preserved. */
function mapUnits(
  units: readonly WithParameters[],
  markdown: Markdown,
  lineOffset: number,
  inPlace: boolean,
): MappedBlock[] {
  const byBlock = groupBy(units, ({ block }) => block);
  const keys = new Set<string>();
  // A text without a heading would move above fields, which have headings, so sections before it stay texts,
  // too.
  const lastUntitled = units.findLastIndex(({ block, section }) => block === keyed && !section);
  return units.map((unit, index) => {
    const { block, confidence } = unit;
    const all = byBlock.get(block)!;
    const shape = shapeOf(unit, {
      markdown,
      first: all[0] === unit,
      single: all.length === 1,
      keys,
      mayKey: index > lastUntitled,
      closing: index === units.length - 1 ? closingOf(markdown) : '',
      inPlace,
    });
    const startLine = (unit.above[0]?.startLine ?? unit.startLine) + lineOffset;
    const endLine = unit.endLine + lineOffset;
    const review = `Is this @${block}? It was not clear from lines ${startLine} to ${endLine}.`;
    const isUnsure = confidence < importWords().data.review;
    return { block, ...shape, startLine, endLine, confidence, ...(isUnsure && { review }) };
  });
}

interface BlockContext {
  readonly markdown: Markdown;
  /** Whether it is the first part of its block. */
  readonly first: boolean;
  /** Whether it is the only part of its block. */
  readonly single: boolean;
  /** Keys in use in @standards. */
  readonly keys: Set<string>;
  /** Whether no text without a heading follows in @standards. */
  readonly mayKey: boolean;
  /** Closes a fence or comment that the file left open. */
  readonly closing: string;
  readonly inPlace: boolean;
}

type Shape = Pick<MappedBlock, 'key' | 'title' | 'titlesBlock' | 'blockTitle' | 'content'>;

const textContent = (text: string): Content => ({ kind: 'text', text });

/** The items of a unit that is a list, else its text. */
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

/** The title of its block, when the whole block was below it in the file. */
function titleAbove({ above }: TextUnit, { first }: BlockContext): string | undefined {
  const [top, ...more] = above;
  return first && top && more.length === 0 && usable(top.title) ? top.title : undefined;
}

/** The most structured form of a section that loses nothing; `undefined` when it must stay text. */
function titledShape(unit: TextUnit, section: MarkdownSection, context: BlockContext): Shape | undefined {
  const { markdown, first, single, keys, inPlace } = context;
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
  const isStack = importWords().stack.has(plainHeading(title)) && text.trim().includes('\n');
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

/** Whether the compiler can write a heading: one line, without placeholders. */
const usable = (title: string): boolean =>
  title !== '' && !title.includes('${') && !/[\n\u0000-\u001f]/.test(title);

/** An unused key for a heading. A heading without a valid identifier is its own key. */
function keyOf(title: string, taken: Set<string>): string {
  const slug = slugOf(title.replace(/[`*_]/g, '').toLowerCase());
  const base = /^[a-z_][a-z0-9_-]{0,60}$/.test(slug) ? slug : title;
  const key = unusedName(
    base,
    name => taken.has(name),
    number => (base === title ? `${title} (${number})` : `${base}-${number}`),
  );
  taken.add(key);
  return key;
}

/** Whether the default title of a key is the heading that it was made from. */
export const isDefaultTitle = (key: string, title: string): boolean => titleOf(key) === title;

/** A document cut into units so that sections keep their order and subsections. */
interface PlacedUnits {
  /** The lines up to the main heading; absent when there is none, or when the compiler writes it again. */
  readonly title?: string;
  readonly units: readonly TextUnit[];
}

/** Blocks that accept any text. A section whose best block would change the order stays in one of them. */
const open = ['context', 'standards', 'knowledge'];

/** Cuts a document at its top-level sections; each of them stays whole. */
function readUnitsInPlace(markdown: Markdown): PlacedUnits {
  const sections = readSections(markdown);
  const top = mainHeadingOf(sections);
  if (!top) return { units: sections.flatMap(section => unitsOf(section)) };
  const loose = top.own.length > 0 ? splitUntitled(top.own, introductionBias) : [];
  const units = [...loose, ...top.children.flatMap(child => unitsOf(child))];
  const written = top.title === conventions.catalogue.heading && sections.length === 1;
  return { units, ...(!written && { title: sliceLines(markdown, 1, lastLine(top.heading!)) }) };
}

/** The heading that contains the whole document; only comments may precede it. */
function mainHeadingOf(sections: readonly MarkdownSection[]): MarkdownSection | undefined {
  const last = sections.at(-1);
  if (
    last?.depth !== 1 ||
    last.title === '' ||
    last.children.length + last.own.length === 0 ||
    sections.length > 2
  )
    return undefined;
  const isComment = (node: RootContent) => node.type === 'html' && node.value.startsWith('<!--');
  return sections.length === 1 || sections[0]!.own.every(isComment) ? last : undefined;
}

function unitsOf(section: MarkdownSection): TextUnit[] {
  if (!section.heading) return splitUntitled(section.own);
  return [unitOfSection(section, classify(section.title, nodesOf(section)))];
}

/**
 * Assigns a block to each unit so that the sections of the compiled document are in the order of the units.
 * As many units as possible, the most certain first, get the block that fits them best. `wanted` is a block
 * that takes precedence over that.
 */
function assignBlocksInOrder<U extends TextUnit>(
  units: readonly U[],
  wanted: (unit: U) => string | undefined,
): readonly U[] {
  const choices = units.map(unit => choicesFor(unit, wanted(unit)));
  // best[unit][block]: the best total for all units up to this one, and the previous choice that leads to it.
  const best: { readonly worth: number; readonly before: number }[][] = [];
  for (const [index, options] of choices.entries()) {
    best.push(
      options.map(({ place, worth }) => {
        let chosen = { worth: index === 0 ? worth : Number.NEGATIVE_INFINITY, before: -1 };
        for (const [at, before] of (choices[index - 1] ?? []).entries()) {
          if (before.place > place) continue;
          // Prefers keeping neighbours in the same block when nothing else decides.
          const sum = best[index - 1]![at]!.worth + worth + (before.place === place ? 0.001 : 0);
          if (sum > chosen.worth) chosen = { worth: sum, before: at };
        }
        return chosen;
      }),
    );
  }
  const blocks: string[] = [];
  let at = indexOfBest(best.at(-1) ?? []);
  for (let index = units.length - 1; index >= 0; index--) {
    blocks[index] = choices[index]![at]!.block;
    at = best[index]![at]!.before;
  }
  return units.map((unit, index) =>
    unit.block === blocks[index] ? unit : { ...unit, block: blocks[index]! },
  );
}

function choicesFor({ block, confidence }: TextUnit, wanted: string | undefined) {
  const known = order.includes(block) ? [block] : [];
  return [...new Set([...known, ...(wanted === undefined ? [] : [wanted]), ...open])].map(name => ({
    block: name,
    place: order.indexOf(name),
    worth: (name === block ? Math.max(confidence, 0.05) : 0) + (name === wanted ? 2 : 0),
  }));
}

const indexOfBest = (worths: readonly { readonly worth: number }[]): number =>
  worths.reduce((best, { worth }, index) => (worth > (worths[best]?.worth ?? -1) ? index : best), 0);
