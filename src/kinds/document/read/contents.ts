import type { Paragraph, RootContent } from 'mdast';
import type { TypeExpression } from '../../../syntax/ast.ts';
import { emptySpan } from '../../../syntax/build.ts';
import { nestHeadings, raiseHeadings } from '../../../text/headings.ts';
import {
  firstLine,
  isUnderlined,
  lastLine,
  type Markdown,
  type MarkdownSection,
  sliceLines,
  wordsIn,
} from './markdown.ts';
import type { TextUnit } from './units.ts';

/** The text of a unit without its heading. */
export function bodyOf(unit: TextUnit, markdown: Markdown): string {
  if (unit.nodes.length === 0) return '';
  return flattenHeadings(sliceLines(markdown, firstLine(unit.nodes[0]!), unit.endLine), unit, markdown);
}

/** The text of a unit with its heading and the headings above it, the topmost at depth two. */
export function textOf(unit: TextUnit, above: readonly MarkdownSection[], markdown: Markdown): string {
  const heads = [...above, ...(unit.section ? [unit.section] : [])];
  const start = heads[0]?.startLine ?? unit.startLine;
  const text = flattenHeadings(sliceLines(markdown, start, unit.endLine), unit, markdown);
  const depth = heads[0]?.depth ?? 0;
  return depth > 2 ? raiseHeadings(text, depth - 2) : depth === 1 ? nestHeadings(text, 2) : text;
}

/** Converts setext headings to ATX headings, because only those can be moved to another depth. */
function flattenHeadings(text: string, unit: TextUnit, markdown: Markdown): string {
  const lines = markdown.lines;
  const headings = [
    ...unit.above.map(section => section.heading!),
    ...(unit.section ? [unit.section.heading!] : []),
    ...unit.nodes.filter(node => node.type === 'heading'),
  ];
  let flat = text;
  for (const heading of headings) {
    if (!isUnderlined(heading, markdown) || lastLine(heading) - firstLine(heading) !== 1) continue;
    const written = `${lines[firstLine(heading) - 1]}\n${lines[lastLine(heading) - 1]}`;
    flat = flat.replace(
      written,
      () => `${'#'.repeat(heading.depth)} ${lines[firstLine(heading) - 1]!.trim()}`,
    );
  }
  return flat;
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

/**
 * The items of a unit that is one flat list of single lines; `undefined` for anything else, which is kept as
 * text.
 */
export function plainItems({ nodes }: TextUnit, { lines }: Markdown): string[] | undefined {
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
export function slashPairs({ nodes }: TextUnit): (readonly [string, string])[] | undefined {
  const read = (content: Paragraph): readonly [string, string] | undefined => {
    if (content.children.some(child => !['text', 'inlineCode', 'strong'].includes(child.type)))
      return undefined;
    const match = /^`?(\/[A-Za-z][\w:-]*)`?\s*(?::|-|–|—)\s+([^\n`]+)$/.exec(wordsIn(content).trim());
    return match && !match[2]!.includes('${') ? [match[1]!, match[2]!] : undefined;
  };
  return readEach(itemParagraphs(nodes), read, ([name]) => name);
}

/** A parameter declared by a list of settings. */
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
export function readParameters(
  nodes: readonly RootContent[],
  document: string,
): ImportedParameter[] | undefined {
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
