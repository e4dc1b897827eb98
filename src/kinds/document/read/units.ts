import type { RootContent } from 'mdast';
import { conventions } from '../../../generated/conventions.ts';
import type { Data } from '../../../model/model.ts';
import { type Classification, classify, startsPersona } from './classify.ts';
import {
  firstLine,
  lastLine,
  type Markdown,
  type MarkdownSection,
  readSections,
  sliceLines,
  wordsIn,
} from './markdown.ts';

/** A range of lines that belongs to one block. */
export interface TextUnit extends Classification {
  readonly startLine: number;
  readonly endLine: number;
  /** The section whose heading starts the unit; absent when it starts with something else. */
  readonly section?: MarkdownSection;
  /** All nodes of the unit except that heading. */
  readonly nodes: readonly RootContent[];
  /** Headings without text directly before the unit, which belong to it. */
  readonly above: readonly MarkdownSection[];
  /** Title of the block, empty for the default; only in documents laid out like compiled ones. */
  readonly laid?: string;
  /** Whether it is one topic of the block. */
  readonly topic?: boolean;
  /** Set when the unit is an entry of the block. */
  readonly entry?: { readonly key: string; readonly fields: ReadonlyMap<string, Data> };
}

/** The minimum confidence for assigning a subsection to another block than its section. */
const minSubsectionConfidence = 0.55;
/** Text without a heading and with less confidence joins its neighbour. */
const minUntitledConfidence = 0.3;
/** The bias of text above the first heading, or directly below the main heading, towards `@context`. */
const introductionBias: ReadonlyMap<string, number> = new Map([['context', 0.45]]);
/** The bias of a document that is a single titled text towards an introduction. */
const singleTextBias: ReadonlyMap<string, number> = new Map([['context', 0.25]]);

const identity: Classification = { block: 'identity', confidence: 0.9 };

/** Cuts a document into units, in order. Every node belongs to exactly one unit. */
export function readUnits(markdown: Markdown): TextUnit[] {
  const sections = readSections(markdown);
  const titled = sections.filter(({ heading }) => heading);
  const only = titled.length === 1 ? titled[0] : undefined;
  const whole = (section: MarkdownSection, verdict: Classification) =>
    cutTitled(section, nodesOf(section), section.endLine, verdict);
  /** The units of a section; a section stands for its heading, when that has no text of its own. */
  const cut = (section: MarkdownSection): readonly (TextUnit | MarkdownSection)[] => {
    const { heading, title, depth, children, own, ownEnd } = section;
    if (!heading) return splitUntitled(own);
    const cutOwn = (verdict?: Classification) =>
      own.length === 0 ? [section] : cutTitled(section, own, ownEnd, verdict);
    if (children.length > 0 && (depth === 1 || section === only))
      return [...cutOwn(), ...children.flatMap(cut)];
    const verdict = classify(title, nodesOf(section), depth === 1 && only ? singleTextBias : undefined);
    const verdicts = children.map(child => classify(child.title, nodesOf(child)));
    const isOther = ({ block, confidence }: Classification) =>
      block !== verdict.block && confidence >= minSubsectionConfidence;
    if (!verdicts.some(isOther)) return whole(section, verdict);
    const below = verdicts.map(one => (isOther(one) ? one : { ...one, block: verdict.block }));
    return [...cutOwn(verdict), ...children.flatMap((child, index) => whole(child, below[index]!))];
  };
  const units: TextUnit[] = [];
  let above: MarkdownSection[] = [];
  for (const part of sections.flatMap(cut)) {
    if ('nodes' in part) {
      units.push({ ...part, above });
      above = [];
    } else above.push(part);
  }
  const last = above.pop();
  if (last) units.push({ ...unitOfSection(last, { block: 'context', confidence: 0.5 }), above });
  return units;
}

export const unitOfSection = (
  section: MarkdownSection,
  verdict: Classification & Partial<TextUnit>,
): TextUnit => ({
  startLine: section.startLine,
  endLine: section.endLine,
  section,
  nodes: nodesOf(section),
  above: [],
  ...verdict,
});

/** All nodes of a section and its subsections, including the headings of subsections. */
export function nodesOf(section: MarkdownSection): RootContent[] {
  return [...section.own, ...section.children.flatMap(child => [child.heading!, ...nodesOf(child)])];
}

const linesOf = (nodes: readonly RootContent[]) => ({
  startLine: firstLine(nodes[0]!),
  endLine: lastLine(nodes.at(-1)!),
  nodes,
});

/** A titled section as one unit, or two when it begins with a persona; unclassified, an introduction. */
function cutTitled(
  section: MarkdownSection,
  nodes: readonly RootContent[],
  endLine: number,
  verdict: Classification | undefined,
): TextUnit[] {
  const persona = personaLength(nodes);
  const whole = { startLine: section.startLine, endLine, section, nodes, above: [] };
  if (persona === 0) return [{ ...whole, ...(verdict ?? classify(section.title, nodes, introductionBias)) }];
  if (persona === nodes.length) return [{ ...whole, ...identity }];
  const isIdentity = verdict?.block === 'identity';
  if (isIdentity && section.children.length > 0) return [{ ...whole, ...verdict }];
  const [first, rest] = [nodes.slice(0, persona), nodes.slice(persona)];
  // The heading goes to the persona, so the rest is classified without it.
  const after = verdict && !isIdentity ? verdict : classify('', rest, introductionBias);
  return [
    { ...whole, endLine: lastLine(first.at(-1)!), nodes: first, ...identity },
    { ...linesOf(rest), endLine, above: [], ...after },
  ];
}

/** The number of leading nodes that describe a persona, including a list that completes such a sentence. */
function personaLength(nodes: readonly RootContent[]): number {
  let length = 0;
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!;
    if (node.type === 'html' && node.value.startsWith('<!--')) continue;
    if (node.type !== 'paragraph' || !startsPersona(wordsIn(node))) break;
    if (wordsIn(node).trimEnd().endsWith(':') && nodes[at + 1]?.type === 'list') at++;
    length = at + 1;
  }
  return length;
}

/** Splits text at lines that act as headings, and at paragraphs with the nodes they introduce. */
function splitUntitled(nodes: readonly RootContent[], leaning?: ReadonlyMap<string, number>): TextUnit[] {
  const persona = personaLength(nodes);
  const units: TextUnit[] =
    persona === 0 ? [] : [{ ...linesOf(nodes.slice(0, persona)), above: [], ...identity }];
  const groups = groupsOf(nodes.slice(persona));
  let open: RootContent[] = [];
  for (const group of groups) {
    // A line that acts as a heading counts as one.
    const isHeaded = group.title !== '' && group.nodes.length > 1;
    const verdict = isHeaded
      ? classify(group.title, group.nodes.slice(1))
      : classify(group.title, group.nodes, leaning);
    const isUnsure = verdict.confidence < minUntitledConfidence;
    open.push(...group.nodes);
    const before = units.at(-1);
    // An unclassified first group joins the next one.
    if (!before && isUnsure && group !== groups.at(-1)) continue;
    const isMore = group.title === '' && (isUnsure || verdict.block === before?.block);
    if (before && isMore && before.block !== 'identity')
      units[units.length - 1] = { ...before, ...linesOf([...before.nodes, ...open]) };
    else units.push({ ...linesOf(open), above: [], ...verdict });
    open = [];
  }
  return units;
}

/** The nodes below each line that acts as a heading, and each paragraph with the nodes it introduces. */
function groupsOf(nodes: readonly RootContent[]) {
  const groups: { readonly title: string; readonly nodes: RootContent[] }[] = [];
  let isTitled = false;
  for (let at = 0; at < nodes.length; at++) {
    const [node, next] = [nodes[at]!, nodes[at + 1]];
    const tag = tagTitle(node);
    const title = tag === undefined ? lineTitle(node, next) : undefined;
    const open = groups.at(-1)?.nodes;
    if (tag !== undefined) {
      const end = endOfTag(nodes, at, tag);
      groups.push({ title: tag.replace(/[_-]+/g, ' '), nodes: nodes.slice(at, end) });
      at = end - 1;
      isTitled = false;
    } else if (title !== undefined) {
      groups.push({ title, nodes: [node] });
      isTitled = true;
    } else if (open && (isTitled || belongs(node, open.at(-1)!))) {
      open.push(node);
    } else {
      groups.push({ title: '', nodes: [node] });
      isTitled = false;
    }
  }
  return groups;
}

/** Whether lists, code or tables belong to the paragraph above that introduces them. */
function belongs(node: RootContent, before: RootContent): boolean {
  if (node.type === 'html' || node.type === 'definition' || before.type === 'html') return true;
  return node.type !== 'paragraph' && before.type === 'paragraph' && /:\s*$/.test(wordsIn(before));
}

/** The title in a line that acts as a heading: `Code Style`, `**Code Style**`, `// Code style`, `Style:`. */
function lineTitle(node: RootContent, next: RootContent | undefined): string | undefined {
  if (node.type !== 'paragraph') return undefined;
  const text = wordsIn(node).trim();
  const comment = /^\/\/\s*([^\n]{1,60}?)\s*(?:\n|$)/.exec(text)?.[1];
  if (comment !== undefined) return /[.!?]$/.test(comment) ? undefined : comment;
  if (text.includes('\n') || text.length > 60 || next === undefined) return undefined;
  if (node.children.length === 1 && node.children[0]!.type === 'strong') return text.replace(/:$/, '');
  if (next.type !== 'list' && !(text.endsWith(':') && next.type === 'paragraph')) return undefined;
  if (/[.!?,;]$/.test(text) || text.split(/\s+/).length > 6 || /^[a-z]/.test(text)) return undefined;
  return text.replace(/:$/, '');
}

/** HTML tags for layout; any other tag names its content: `<rules>`, `<context>`. */
const layoutTags =
  /^(?:a|abbr|article|aside|b|blockquote|br|caption|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|link|main|mark|meta|nav|ol|p|picture|pre|q|s|samp|script|section|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video|wbr)$/;

/** The name of the tag that a node opens, when it acts as a heading. */
function tagTitle(node: RootContent): string | undefined {
  const tag = node.type === 'html' ? /^<([A-Za-z][\w-]*)>/.exec(node.value)?.[1] : undefined;
  return tag === undefined || layoutTags.test(tag.toLowerCase()) ? undefined : tag;
}

/** The index after the node that closes a tag, or after the opening one when it is never closed. */
function endOfTag(nodes: readonly RootContent[], start: number, tag: string): number {
  const closes = (node: RootContent) => node.type === 'html' && node.value.includes(`</${tag}>`);
  const end = nodes.findIndex((node, index) => index >= start && closes(node));
  return end === -1 ? start + 1 : end + 1;
}

/** A document cut into units so that sections keep their order and subsections. */
export interface PlacedUnits {
  /** The lines up to the main heading; absent when there is none, or when the compiler writes it again. */
  readonly title?: string;
  readonly units: readonly TextUnit[];
}

/** Cuts a document at its top-level sections; each of them stays whole. */
export function readUnitsInPlace(markdown: Markdown): PlacedUnits {
  const sections = readSections(markdown);
  const top = mainHeadingOf(sections);
  if (!top) return { units: sections.flatMap(wholeUnits) };
  const untitled = top.own.length > 0 ? splitUntitled(top.own, introductionBias) : [];
  const units = [...untitled, ...top.children.flatMap(wholeUnits)];
  const isWritten = top.title === conventions.catalogue.heading && sections.length === 1;
  return { units, ...(!isWritten && { title: sliceLines(markdown, 1, lastLine(top.heading!)) }) };
}

/** The heading that contains the whole document; only comments may precede it. */
function mainHeadingOf(sections: readonly MarkdownSection[]): MarkdownSection | undefined {
  const last = sections.at(-1);
  const isFilled = last && last.children.length + last.own.length > 0;
  if (!isFilled || last.depth !== 1 || last.title === '' || sections.length > 2) return undefined;
  const isComment = (node: RootContent) => node.type === 'html' && node.value.startsWith('<!--');
  return sections.length === 1 || sections[0]!.own.every(isComment) ? last : undefined;
}

const wholeUnits = (section: MarkdownSection): TextUnit[] =>
  section.heading
    ? [unitOfSection(section, classify(section.title, nodesOf(section)))]
    : splitUntitled(section.own);

/** Blocks that accept any text. A section whose best block would change the order stays in one of them. */
const openBlocks = ['context', 'standards', 'knowledge'];

/** A block for a unit, as the last of a sequence of blocks for all units up to it. */
interface BlockChoice {
  readonly block: string;
  readonly before: BlockChoice | undefined;
  readonly score: number;
}

/**
 * Assigns a block to each unit so that the sections of the compiled document are in the order of the units.
 * As many units as possible, the most certain first, get the block that fits them best. `blockOf` names a
 * block that takes precedence over that. `order` are the blocks of a compiled document.
 */
export function assignBlocksInOrder<U extends TextUnit>(
  units: readonly U[],
  order: readonly string[],
  blockOf: (unit: U) => string | undefined,
): readonly U[] {
  let choices: BlockChoice[] = [];
  for (const unit of units) {
    const { block: best, confidence } = unit;
    const preferred = blockOf(unit);
    const blocks = [
      ...(order.includes(best) ? [best] : []),
      ...(preferred === undefined ? [] : [preferred]),
      ...openBlocks,
    ];
    const previous = choices;
    choices = [...new Set(blocks)].map(block => {
      const score = (block === best ? Math.max(confidence, 0.05) : 0) + (block === preferred ? 2 : 0);
      if (unit === units[0]) return { block, before: undefined, score };
      const isInOrder = (one: BlockChoice) => order.indexOf(one.block) <= order.indexOf(block);
      // Keeping neighbours in the same block decides when nothing else does.
      const sequences = previous.filter(isInOrder).map(before => ({
        block,
        before,
        score: before.score + score + (before.block === block ? 0.001 : 0),
      }));
      return sequences.reduce(higherScore, { block, before: undefined, score: Number.NEGATIVE_INFINITY });
    });
  }
  const assigned: U[] = [];
  let choice = choices.length > 0 ? choices.reduce(higherScore) : undefined;
  for (const unit of [...units].reverse()) {
    const { block } = choice!;
    assigned.unshift(unit.block === block ? unit : { ...unit, block });
    choice = choice!.before;
  }
  return assigned;
}

const higherScore = (best: BlockChoice, next: BlockChoice): BlockChoice =>
  next.score > best.score ? next : best;
