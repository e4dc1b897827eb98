import type { Collection } from '../../../generated/collections.ts';
import { conventions } from '../../../generated/conventions.ts';
import { blockOf, keyOfItem, sourceField } from '../../../model/collections.ts';
import type { Data } from '../../../model/model.ts';
import { hasLiteralWords, templateTree, titledBody } from '../../../spec/template-read.ts';
import type { Program } from '../../../spec/template-tree.ts';
import { minHeadingDepth, raiseHeadings } from '../../../text/headings.ts';
import { slugOf } from '../../../text/title.ts';
import { readText } from '../../read/items.ts';
import { type Classification, classify } from './classify.ts';
import { type Markdown, type MarkdownSection, readSections, sliceLines } from './markdown.ts';
import { nodesOf, type TextUnit, unitOfSection } from './units.ts';

const { sections: known, lists } = conventions.catalogue;

/** Default titles of sections with their keys; the first of several with the same title wins. */
const keys = new Map(
  Object.entries(known)
    .reverse()
    .map(([key, { title }]) => [title, key]),
);
/** The keys of sections in the order of a compiled document. */
export const sectionOrder = (lists.standard ?? []).filter(key => key !== '*');

export const ownTitle = (block: string): string | undefined =>
  Object.hasOwn(known, block) ? known[block]!.title : undefined;

/** With at least this number of known titles in the standard order, the document was compiled. */
const minKnownTitles = 3;

/** Sections whose text is the text of a block. */
const prose: ReadonlySet<string> = new Set([
  'identity',
  'context',
  'standards',
  'knowledge',
  'params',
  'restrictions',
  'examples',
]);

/**
 * The units of a document that has the sections of a compiled one, recognised by default titles and their
 * order. `undefined` for all other documents, which are classified by their words. A main heading must be one
 * of `headings`, because the compiler writes it again.
 */
export function readLayout(markdown: Markdown, headings: ReadonlySet<string>): TextUnit[] | undefined {
  const top = readSections(markdown, true);
  const [title] = top;
  const titled = top.length === 1 && title!.depth === 1;
  if (titled && (title!.own.length > 0 || !headings.has(title!.title))) return undefined;
  const sections = titled ? title!.children : top;
  if (sections.some(({ depth }) => depth !== 2)) return undefined;
  const places = sections.flatMap(section => {
    const key = keys.get(section.title);
    return key === undefined ? [] : [sectionOrder.indexOf(key)];
  });
  const ordered = places.every((place, index) => index === 0 || place > places[index - 1]!);
  if (!ordered || places.length < minKnownTitles || places.length * 2 < sections.length) return undefined;
  return readUnits(sections, markdown);
}

function readUnits(sections: readonly MarkdownSection[], markdown: Markdown): TextUnit[] {
  const taken = new Set(sections.map(({ title }) => keys.get(title)));
  return sections.flatMap(section => {
    const key = keys.get(section.title);
    if (key !== undefined && prose.has(key)) return unitsOf(section, key);
    const entries = key === undefined ? undefined : entriesOf(section, key, markdown);
    if (entries && entries.length > 0) return entries;
    const verdict = classify(section.title, nodesOf(section));
    // A section with a custom title replaces a block that has no section yet.
    if (key === undefined && prose.has(verdict.block) && !taken.has(verdict.block)) {
      taken.add(verdict.block);
      return unitsOf(section, verdict.block);
    }
    return [unitOfSection(section, verdict)];
  });
}

/** The units of a section that corresponds to a block; topics of @standards are separate units. */
function unitsOf(section: MarkdownSection, block: string): TextUnit[] {
  const laid = { block, confidence: 1, laid: section.title === ownTitle(block) ? '' : section.title };
  return block === 'standards' && section.children.length > 0
    ? childUnits(section, laid, () => ({ topic: true }))
    : [unitOfSection(section, laid)];
}

/** The text above the first subsection, and each subsection, as units; the first one has the title. */
function childUnits(
  section: MarkdownSection,
  laid: Classification & { readonly laid: string },
  more: (child: MarkdownSection) => Partial<TextUnit>,
): TextUnit[] {
  const { startLine, ownEnd: endLine, own: nodes } = section;
  const before = nodes.length > 0 ? [unitOfSection(section, { ...laid, endLine, nodes })] : [];
  return [
    ...before,
    ...section.children.map((child, index) => {
      const isFirst = index === 0 && before.length === 0;
      return unitOfSection(child, { ...laid, ...(isFirst ? { startLine } : { laid: '' }), ...more(child) });
    }),
  ];
}

/** Items that the tool has no other place for, parsed by the template that laid them out. */
function entriesOf(section: MarkdownSection, key: string, markdown: Markdown): TextUnit[] | undefined {
  const { collection, items } = known[key] ?? {};
  const template = items === undefined ? undefined : templateTree(`section:${items}`);
  const body = template && titledBody(template);
  if (collection === undefined || body === undefined) return undefined;
  const entries = new Map<MarkdownSection, NonNullable<TextUnit['entry']>>();
  for (const child of section.children) {
    const entry = readEntry(child, collection as Collection, body, markdown);
    if (!entry) return undefined;
    entries.set(child, entry);
  }
  const unit = { block: blockOf(collection), confidence: 1, laid: '' };
  return childUnits(section, unit, child => ({ entry: entries.get(child)! }));
}

/** Parses an entry from its title and text; `undefined` when the template cannot have rendered it. */
function readEntry(
  child: MarkdownSection,
  collection: Collection,
  body: Program,
  markdown: Markdown,
): TextUnit['entry'] {
  const prefix = keyOfItem(collection, '');
  const named = child.title.startsWith(prefix) && /^\S+$/.test(child.title);
  const key = prefix === '' ? slugOf(child.title) : named ? child.title : '';
  if (key === '') return undefined;
  const { content, fields } = readText(body, textBelow(child, markdown));
  if (hasLiteralWords(body) && fields.size === 0) return undefined;
  const spelled = [...fields].map(([name, value]) => [sourceField(collection, name), value] as const);
  return { key, fields: new Map<string, Data>([...spelled, ['content', content]]) };
}

/** The text of a section below its heading, with headings at the depth of a separate file. */
function textBelow({ startLine, endLine }: MarkdownSection, markdown: Markdown): string {
  const text = sliceLines(markdown, startLine + 1, endLine);
  const top = minHeadingDepth(text);
  return (top > 1 ? raiseHeadings(text, top - 1) : text).replace(/^\n+|\s+$/g, '');
}
