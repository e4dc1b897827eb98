import type { Paragraph, RootContent } from 'mdast';
import type { Data } from '../../../model/model.ts';
import type { TypeExpression } from '../../../syntax/ast.ts';
import { emptySpan } from '../../../syntax/build.ts';
import { unusedName } from '../../../text/free-name.ts';
import { groupBy } from '../../../text/group.ts';
import { nestHeadings, raiseHeadings } from '../../../text/headings.ts';
import { slugOf, titleOf } from '../../../text/title.ts';
import { importWords, plainHeading } from './classify.ts';
import { sectionOrder as order, readLayout } from './layout.ts';
import {
  firstLine,
  isUnderlined,
  lastLine,
  type Markdown,
  type MarkdownSection,
  sliceLines,
  wordsIn,
} from './markdown.ts';
import {
  assignBlocksInOrder,
  type PlacedUnits,
  readUnits,
  readUnitsInPlace,
  type TextUnit,
} from './units.ts';

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
 * With `blockOfText` a compile reproduces the order of the document: sections stay whole, and a section that
 * would move stays in a block that accepts any text. The function returns the block that the same text was
 * assigned to before.
 */
export function mapMarkdown(
  markdown: Markdown,
  lineOffset = 0,
  headings: ReadonlySet<string> = new Set(),
  blockOfText?: (text: string) => string | undefined,
): MappedBlock[] {
  const laidOut = readLayout(markdown, headings);
  const { title, units }: PlacedUnits = laidOut
    ? { units: laidOut }
    : blockOfText
      ? readUnitsInPlace(markdown)
      : { units: readUnits(markdown) };
  const read = withParameters(units, markdown);
  const placed = blockOfText
    ? assignBlocksInOrder(read, order, unit =>
        blockOfText(sliceLines(markdown, unit.startLine, unit.endLine)),
      )
    : read;
  const [first, ...others] = mapUnits(placed, markdown, lineOffset, blockOfText !== undefined);
  return first ? [{ ...first, ...(title !== undefined && { below: title }) }, ...others] : [];
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
  readonly first: boolean;
  readonly single: boolean;
  /** Keys in use in @standards. */
  readonly keys: Set<string>;
  /** Whether no text without a heading follows in @standards. */
  readonly mayKey: boolean;
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
function laidShape(unit: TextUnit, title: string, { markdown, keys }: BlockContext): Shape {
  const { block, entry, nodes, section } = unit;
  if (entry) return { key: entry.key, content: { kind: 'fields', fields: entry.fields } };
  const list = plainItems(unit, markdown);
  const [start] = nodes;
  const text = start ? sliceLines(markdown, firstLine(start), unit.endLine) : '';
  if (unit.topic && section) {
    const named = { key: keyOf(section.title, keys), title: section.title };
    return { ...named, ...(title !== '' && { blockTitle: title }), content: listOrText(list, text) };
  }
  const named = title === '' ? {} : { title, titlesBlock: true };
  const pairs = block === 'shortcuts' ? slashPairs(unit) : undefined;
  if (pairs) return { ...named, content: { kind: 'pairs', pairs, listed: true } };
  return { ...named, content: listOrText(block === listed ? list : undefined, text) };
}

/** The most structured form of a section that loses nothing; `undefined` when it must stay text. */
function titledShape(unit: TextUnit, section: MarkdownSection, context: BlockContext): Shape | undefined {
  const { markdown, first, single, keys, inPlace } = context;
  const { block } = unit;
  const { title, depth } = section;
  if (unit.above.length > 0 || !usable(title)) return undefined;
  const list = plainItems(unit, markdown);
  const [start] = unit.nodes;
  const text = start ? flatLines(markdown, unit, firstLine(start)) : '';
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
  const { markdown, first, single } = context;
  const [top, ...more] = unit.above;
  const list =
    unit.block === listed && single && first && !unit.section && !top
      ? plainItems(unit, markdown)
      : undefined;
  if (list) return { content: { kind: 'items', items: list } };
  // The heading above the whole block becomes its title.
  if (first && top && more.length === 0 && usable(top.title))
    return { title: top.title, titlesBlock: true, content: textContent(textOf(unit, [], markdown)) };
  return { content: textContent(textOf(unit, unit.above, markdown)) };
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

/** The text of a unit with its heading and the headings above it, the topmost at depth two. */
function textOf(unit: TextUnit, above: readonly MarkdownSection[], markdown: Markdown): string {
  const [top = unit.section] = above;
  const text = flatLines(markdown, unit, top?.startLine ?? unit.startLine);
  const depth = top?.depth ?? 0;
  return depth > 2 ? raiseHeadings(text, depth - 2) : depth === 1 ? nestHeadings(text, 2) : text;
}

/** The lines of a unit from `start` on; underlined headings become ATX headings, which can be moved to another depth. */
function flatLines(markdown: Markdown, unit: TextUnit, start: number): string {
  const lines = markdown.lines.slice(start - 1, unit.endLine);
  const heads = [...unit.above, ...(unit.section ? [unit.section] : [])].map(({ heading }) => heading!);
  for (const node of [...heads, ...unit.nodes].reverse()) {
    if (node.type !== 'heading' || firstLine(node) < start || !isUnderlined(node, markdown)) continue;
    const at = firstLine(node) - start;
    if (lastLine(node) - firstLine(node) === 1)
      lines.splice(at, 2, `${'#'.repeat(node.depth)} ${lines[at]!.trim()}`);
  }
  return lines.join('\n');
}

/** The paragraphs of the items when the nodes are a single list of one-paragraph items. */
function itemParagraphs([list, ...more]: readonly RootContent[]): readonly Paragraph[] | undefined {
  if (more.length > 0 || list?.type !== 'list') return undefined;
  const paragraphs = list.children.flatMap(({ checked, children: [content, ...below] }) =>
    content?.type === 'paragraph' && below.length === 0 && checked === null ? [content] : [],
  );
  return paragraphs.length === list.children.length ? paragraphs : undefined;
}

/** Maps every paragraph; `undefined` when that fails for one of them, or when two have the same name. */
function readEach<T, R>(
  all: readonly T[] | undefined,
  read: (one: T) => R | undefined,
  nameOf: (one: R) => unknown = one => one,
): R[] | undefined {
  const found = (all ?? []).map(read);
  if (!all || !found.every(one => one !== undefined)) return undefined;
  return new Set(found.map(nameOf)).size === found.length ? found : undefined;
}

/** The items of a unit that is one flat list of single lines; anything else is kept as text. */
function plainItems({ nodes }: TextUnit, { lines }: Markdown): string[] | undefined {
  const [list] = nodes;
  if (list?.type !== 'list' || list.ordered || list.spread) return undefined;
  const items = readEach(itemParagraphs(nodes), content => {
    const { start, end } = content.position!;
    const text = lines[start.line - 1]!.slice(start.column - 1, end.column - 1);
    // In a one-line string variables would be filled in. Footnotes and links of the document must stay next
    // to their definitions.
    const isPlain = start.line === end.line && !text.includes('${') && text === text.trim() && text !== '';
    return isPlain ? { text } : undefined;
  });
  return items?.map(({ text }) => text);
}

/** Pairs of `/name` and description, when the unit is a single list of such items. */
function slashPairs({ nodes }: TextUnit): (readonly [string, string])[] | undefined {
  const read = (content: Paragraph): readonly [string, string] | undefined => {
    if (content.children.some(child => !['text', 'inlineCode', 'strong'].includes(child.type)))
      return undefined;
    const match = /^`?(\/[A-Za-z][\w:-]*)`?\s*(?::|-|–|—)\s+([^\n`]+)$/.exec(wordsIn(content).trim());
    return match && !match[2]!.includes('${') ? [match[1]!, match[2]!] : undefined;
  };
  return readEach(itemParagraphs(nodes), read, ([name]) => name);
}

export interface ImportedParameter {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly type?: TypeExpression;
}

/**
 * The parameters of a section that is a single list of `name: value`, perhaps with the allowed values, in the
 * form that the compiler writes. `undefined` for anything else, and when the document contains a `{{name}}`
 * that such a declaration would replace.
 */
function readParameters(nodes: readonly RootContent[], document: string): ImportedParameter[] | undefined {
  const read = (content: Paragraph) =>
    content.children.every(child => child.type === 'text') ? readParameter(wordsIn(content)) : undefined;
  const parameters = readEach(itemParagraphs(nodes), read, ({ name }) => name);
  const isUsed = ({ name }: ImportedParameter) =>
    document.includes(`{{${name}}}`) || document.includes(`{{ ${name} }}`);
  return parameters?.some(isUsed) ? undefined : parameters;
}

function readParameter(text: string): ImportedParameter | undefined {
  const match = /^([A-Za-z_][\w-]*): ([^\n()$]+?)(?: \(([^()\n]+)\))?$/.exec(text);
  if (!match) return undefined;
  const [, name, written, allowed] = match as unknown as [string, string, string, string | undefined];
  if (allowed === undefined) return { name, value: written };
  const options = /^one of (.+)$/.exec(allowed)?.[1]?.split(', ');
  if (options) return { name, value: written, type: { name: 'enum', options, span: emptySpan } };
  const range = /^(-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)$/.exec(allowed);
  if (range && Number.isFinite(Number(written))) {
    return {
      name,
      value: Number(written),
      type: { name: 'range', low: Number(range[1]), high: Number(range[2]), span: emptySpan },
    };
  }
  if (allowed === 'true or false' && /^(?:true|false)$/.test(written)) {
    return { name, value: written === 'true', type: { name: 'boolean', span: emptySpan } };
  }
  return undefined;
}
