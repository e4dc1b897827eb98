import type { Paragraph, RootContent } from 'mdast';
import type { Data } from '../../../model/model.ts';
import { classify, type Verdict } from './classify.ts';
import { firstLine, lastLine, type Markdown, wordsIn } from './markdown.ts';
import { type MarkdownSection, readSections } from './sections.ts';
import { voteOfOpening, type Words } from './words.ts';

/** An entry of a block, with its fields. */
export interface LaidOutEntry {
  readonly key: string;
  readonly fields: ReadonlyMap<string, Data>;
}

/** A run of lines that goes to one block as a whole. */
export interface Unit extends Verdict {
  readonly startLine: number;
  readonly endLine: number;
  /** The section whose heading the unit begins with; absent when it begins with something else. */
  readonly section?: MarkdownSection;
  /** Everything in the unit but that heading. */
  readonly nodes: readonly RootContent[];
  /** Headings without a text of their own that stand directly before the unit and belong to it. */
  readonly above: readonly MarkdownSection[];
  /** Title of the block, empty for its own; only in documents that are laid out like compiled ones. */
  readonly laid?: string;
  /** One topic of the block. */
  readonly topic?: boolean;
  /** The unit is an entry of the block, with these fields. */
  readonly entry?: LaidOutEntry;
}

/** A subsection leaves its section only for a reason as strong as this. */
const parts = 0.55;
/** Below this, text without a heading goes with its neighbour. */
const unsure = 0.3;

/** Cuts a document into units, in order. Every node is in exactly one of them. */
export function readUnits(markdown: Markdown, words: Words): Unit[] {
  const sections = readSections(markdown);
  const units: Unit[] = [];
  let above: MarkdownSection[] = [];
  const push = (unit: Omit<Unit, 'above'>) => {
    units.push({ ...unit, above });
    above = [];
  };
  const titled = sections.filter(section => section.heading);
  const only = titled.length === 1;

  const place = (section: MarkdownSection): void => {
    if (!section.heading) {
      for (const unit of cutLoose(section.own, words)) push(unit);
      return;
    }
    if (section.children.length > 0 && (section.depth === 1 || (only && section === titled[0]))) {
      if (section.own.length === 0) above.push(section);
      else
        for (const unit of cutTitled(section, section.own, section.ownEnd, words, asIntroduction)) push(unit);
      for (const child of section.children) place(child);
      return;
    }
    placeWhole(section);
  };

  /** A section with everything below it, but for subsections that clearly are something else. */
  const placeWhole = (section: MarkdownSection): void => {
    const leaving = new Map<MarkdownSection, Verdict>();
    const nodes = nodesOf(section);
    const verdict = classify(section.title, nodes, words, section.depth === 1 && only ? title : undefined);
    for (const child of section.children) {
      const own = classify(child.title, nodesOf(child), words);
      if (own.block !== verdict.block && own.confidence >= parts) leaving.set(child, own);
    }
    if (leaving.size === 0) {
      for (const unit of cutTitled(section, nodes, section.endLine, words, verdict)) push(unit);
      return;
    }
    if (section.own.length === 0) above.push(section);
    else for (const unit of cutTitled(section, section.own, section.ownEnd, words, verdict)) push(unit);
    for (const child of section.children) {
      const own = leaving.get(child) ?? {
        ...verdict,
        confidence: classify(child.title, nodesOf(child), words).confidence,
      };
      for (const unit of cutTitled(child, nodesOf(child), child.endLine, words, own)) push(unit);
    }
  };

  for (const section of sections) place(section);
  if (above.length > 0) push({ ...wholeUnit(above.pop()!), block: 'context', confidence: 0.5 });
  return units;
}

/** A section with everything below it, as a unit without a verdict. */
export const wholeUnit = (section: MarkdownSection) => ({
  startLine: section.startLine,
  endLine: section.endLine,
  section,
  nodes: nodesOf(section),
  above: [],
});

/** All nodes of a section and its subsections, headings of these included. */
export function nodesOf(section: MarkdownSection): RootContent[] {
  return [...section.own, ...section.children.flatMap(child => [child.heading!, ...nodesOf(child)])];
}

/** What stands directly below the title of a document tends to say what the project is. */
const asIntroduction = 'introduction';
/** The text above the first heading is somewhat like `@context`. */
export const introduction: ReadonlyMap<string, number> = new Map([['context', 0.45]]);

/** A document that is one titled text is somewhat like an introduction. */
const title: ReadonlyMap<string, number> = new Map([['context', 0.25]]);

/** A titled section as one unit, or as two when it begins with who the reader is to be. */
function cutTitled(
  section: MarkdownSection,
  nodes: readonly RootContent[],
  endLine: number,
  words: Words,
  verdict: Verdict | typeof asIntroduction,
): Omit<Unit, 'above'>[] {
  const persona = personaLength(nodes, words);
  const judged = (rest: readonly RootContent[]): Verdict =>
    verdict === asIntroduction ? classify(section.title, rest, words, introduction) : verdict;
  const start = { startLine: section.startLine, section };
  if (persona === 0) return [{ ...start, endLine, nodes, ...judged(nodes) }];
  if (persona === nodes.length) return [{ ...start, endLine, nodes, block: 'identity', confidence: 0.9 }];
  const rest = nodes.slice(persona);
  const first = { ...start, endLine: lastLine(nodes[persona - 1]!), nodes: nodes.slice(0, persona) };
  const stays = verdict !== asIntroduction && verdict.block === 'identity' && section.children.length > 0;
  if (stays) return [{ ...start, endLine, nodes, ...verdict }];
  // What follows has lost its heading to the persona, so it is judged with the heading and again without.
  const after =
    verdict === asIntroduction || verdict.block === 'identity'
      ? classify('', rest, words, introduction)
      : verdict;
  return [
    { ...first, block: 'identity', confidence: 0.9 },
    { startLine: firstLine(rest[0]!), endLine, nodes: rest, ...after },
  ];
}

/** How many nodes at the beginning say who the reader is to be; a list that ends such a sentence is one of them. */
function personaLength(nodes: readonly RootContent[], words: Words): number {
  let length = 0;
  while (length < nodes.length) {
    const node = nodes[length]!;
    if (node.type === 'html' && node.value.startsWith('<!--')) {
      length++;
      continue;
    }
    if (node.type !== 'paragraph' || voteOfOpening(wordsIn(node), words)?.block !== 'identity') break;
    length++;
    if (wordsIn(node).trimEnd().endsWith(':') && nodes[length]?.type === 'list') length++;
  }
  while (length > 0 && nodes[length - 1]!.type === 'html') length--;
  return length;
}

/** Text without headings: groups that lines like headings begin, and paragraphs with what they introduce. */
export function cutLoose(
  nodes: readonly RootContent[],
  words: Words,
  leaning?: ReadonlyMap<string, number>,
): Omit<Unit, 'above'>[] {
  const persona = personaLength(nodes, words);
  const groups: { title: string; nodes: RootContent[] }[] = [];
  let titled = false;
  let tagged = 0;
  for (const [index, node] of nodes.entries()) {
    if (index < persona || index < tagged) continue;
    const tag = tagTitle(node);
    if (tag !== undefined) {
      tagged = endOfTag(nodes, index, tag);
      groups.push({ title: tag.replace(/[_-]+/g, ' '), nodes: nodes.slice(index, tagged) });
      titled = false;
      continue;
    }
    const title = lineTitle(node, nodes[index + 1]);
    const open = groups.at(-1);
    if (title !== undefined) {
      groups.push({ title, nodes: [node] });
      titled = true;
    } else if (
      open &&
      (titled ? !isLooseEnd(node, open.nodes, nodes[index + 1]) : belongs(node, open.nodes.at(-1)!))
    )
      open.nodes.push(node);
    else {
      groups.push({ title: '', nodes: [node] });
      titled = false;
    }
  }
  const units: Omit<Unit, 'above'>[] = [];
  /** Text that says nothing by itself and has nothing before it goes with what follows. */
  const waiting: RootContent[] = [];
  if (persona > 0) units.push({ ...linesOf(nodes.slice(0, persona)), block: 'identity', confidence: 0.9 });
  for (const group of groups) {
    const verdict = verdictOf(group, words, leaning);
    if (waiting.length > 0) group.nodes.unshift(...waiting.splice(0));
    const before = units.at(-1);
    if (!before && verdict.confidence < unsure && group !== groups.at(-1)) {
      waiting.push(...group.nodes);
      continue;
    }
    const joins =
      before &&
      group.title === '' &&
      before.block !== 'identity' &&
      (verdict.confidence < unsure || verdict.block === before.block);
    if (joins) {
      const joined = [...before.nodes, ...group.nodes];
      units[units.length - 1] = { ...before, ...linesOf(joined) };
    } else units.push({ ...linesOf(group.nodes), ...verdict });
  }
  return units;
}

/** A line that stands for a heading says what it says as one; a comment may be a statement too. */
function verdictOf(
  { title, nodes }: { readonly title: string; readonly nodes: readonly RootContent[] },
  words: Words,
  leaning: ReadonlyMap<string, number> | undefined,
): Verdict {
  if (title === '' || nodes.length === 1) return classify(title, nodes, words, leaning);
  const comment = wordsIn(nodes[0]!).startsWith('//');
  return classify(title, comment ? nodes : nodes.slice(1), words);
}

const linesOf = (nodes: readonly RootContent[]) => ({
  startLine: firstLine(nodes[0]!),
  endLine: lastLine(nodes.at(-1)!),
  nodes,
});

/** After a list below a line like a heading, a paragraph with nothing below it begins something new. */
function isLooseEnd(
  node: RootContent,
  before: readonly RootContent[],
  after: RootContent | undefined,
): boolean {
  return (
    node.type === 'paragraph' &&
    before.length > 1 &&
    before.at(-1)!.type === 'list' &&
    after?.type === 'paragraph'
  );
}

/** Lists, code and tables belong to the paragraph above that announces them. */
function belongs(node: RootContent, before: RootContent): boolean {
  if (node.type === 'html' || node.type === 'definition' || before.type === 'html') return true;
  return node.type !== 'paragraph' && before.type === 'paragraph' && /:\s*$/.test(wordsIn(before));
}

/** A short line that does the work of a heading: `Code Style`, `**Code Style**`, `// Code style`, `Key Principles:`. */
function lineTitle(node: RootContent, next: RootContent | undefined): string | undefined {
  if (node.type !== 'paragraph') return undefined;
  const text = wordsIn(node).trim();
  const comment = /^\/\/\s*([^\n]{1,60}?)\s*(?:\n|$)/.exec(text)?.[1];
  if (comment !== undefined) return /[.!?]$/.test(comment) ? undefined : comment;
  if (text.includes('\n') || text.length > 60 || next === undefined) return undefined;
  if (isBold(node)) return text.replace(/:$/, '');
  if (next.type !== 'list' && !(text.endsWith(':') && next.type === 'paragraph')) return undefined;
  if (/[.!?,;]$/.test(text) || text.split(/\s+/).length > 6 || /^[a-z]/.test(text)) return undefined;
  return text.replace(/:$/, '');
}

/** Tags that lay text out; any other one names what stands in it: `<rules>`, `<context>`. */
const layoutTags =
  /^(?:a|abbr|article|aside|b|blockquote|br|caption|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|link|main|mark|meta|nav|ol|p|picture|pre|q|s|samp|script|section|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video|wbr)$/;

/** The name of the tag that a node opens, when the tag stands for a heading. */
function tagTitle(node: RootContent): string | undefined {
  const tag = node.type === 'html' ? /^<([A-Za-z][\w-]*)>/.exec(node.value)?.[1] : undefined;
  return tag === undefined || layoutTags.test(tag.toLowerCase()) ? undefined : tag;
}

/** The index behind the node that closes a tag; behind the opening one when nothing does. */
function endOfTag(nodes: readonly RootContent[], start: number, tag: string): number {
  const closes = (node: RootContent) => node.type === 'html' && node.value.includes(`</${tag}>`);
  const end = nodes.findIndex((node, index) => index >= start && closes(node));
  return end === -1 ? start + 1 : end + 1;
}

const isBold = (node: Paragraph): boolean =>
  node.children.length === 1 && node.children[0]!.type === 'strong';
