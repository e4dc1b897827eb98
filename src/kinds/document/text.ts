import type { SectionCatalogue } from '../../generated/types/sections.ts';
import type { Row } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Item, Model, Prose, Section, Text } from '../../model/model.ts';
import { itemText, itemTexts } from '../../model/origin.ts';
import { renderTemplate } from '../../spec/template.ts';
import { leadingHeading, nestHeadings } from '../../text/headings.ts';
import { inOrder } from '../../text/in-order.ts';
import { titleOf } from '../../text/title.ts';
import { joinTexts, plain, traced } from '../../text/traced.ts';
import type { DocumentDraft, ListedItem } from '../draft.ts';
import { sectionLevel, tidy } from '../write/convention.ts';
import { ItemFields, rowValues } from '../write/fields.ts';
import { frontMatter, headerText, plainStart, yamlRows } from '../write/front-matter.ts';
import type { DocumentContext } from '../write/layouts.ts';
import { specPlace } from '../write/layouts.ts';

/** The option of the configuration that gives main documents their title. */
export const headingOption = 'output.heading';

/**
 * The text of a document for all drafts that share it: every section that one of them needs, in the order of the
 * section list, each once.
 */
export function renderDocument(
  drafts: readonly DocumentDraft[],
  model: Model,
  context: DocumentContext,
): Text {
  const [first] = drafts;
  const { file, request, place: name } = first!;
  const { layouter, catalogue } = context;
  const sections = file.of === 'local' ? [localSection(model)] : model.sections;
  const byKey = new Map(sections.map(section => [section.key, section]));
  const wanted = new Set(drafts.flatMap(draft => [...draft.prose]));
  const parts: Text[] = [];
  const list = file.sections?.list ?? (file.of === 'local' ? 'notes' : 'standard');
  for (const key of inOrder(sectionOrder(catalogue, list, sections), key => key, context.sectionOrder)) {
    const section = wanted.has(key) ? byKey.get(key) : undefined;
    const listed = unite(drafts.map(draft => draft.lists.get(key) ?? []));
    if (!section && listed.length === 0) continue;
    const title = section?.title ?? model.titles.get(key) ?? ownTitle(key, section, listed, first!, context);
    const text = renderSection(key, section, title, listed, first!, context);
    if (plain(text) !== '') parts.push(text);
  }
  const documents = drafts.flatMap(draft => draft.documents);
  const imports = [...new Set(drafts.flatMap(draft => draft.imports ?? []))];
  const guards = new Set(drafts.flatMap(draft => draft.guards ?? []));
  const isKept = drafts.some(({ pinned }) => pinned);
  const texts: Text[] = [
    ...imports.map(line => context.literal?.(`${line}\n`, 'output.layout') ?? `${line}\n`),
    ...model.documents
      .filter(text => documents.includes(text))
      .map(({ head, text }) => (isKept && head !== undefined ? joinTexts([head, text]) : text)),
    ...model.items.guards.filter(guard => guards.has(guard)).map(guardText),
  ];
  const usual = context.heading ?? catalogue.heading;
  const title = file.heading ?? (file.of === 'instructions' ? usual : undefined);
  const own = context.heading === undefined ? 'conventions/sections.yaml: heading' : headingOption;
  const origin = file.heading === undefined ? own : specPlace(request, `files.${name}.heading`);
  const words = `# ${title}`;
  // A document comes with the title that it has, or without one.
  const heading =
    title !== undefined && layouter.headings && texts.length === 0
      ? [context.literal?.(words, origin) ?? words]
      : [];
  const meta = { name: '', path: 'meta', fields: model.meta, computed: new Set<string>(), resources: [] };
  const rows = rowValues(
    (file.frontmatter ?? []) as readonly Row[],
    new ItemFields(meta, request.options, undefined, model.meta, model.metaOrigins),
    request.options,
  );
  const prose = joinTexts([...heading, ...parts], '\n\n');
  const rest = plain(prose) === '' && texts.length > 0 ? [] : [joinTexts([prose, '\n'])];
  const body = layouter.document(joinDocuments([...texts, ...rest]));
  const by = specPlace(request, `files.${name}.frontmatter`);
  const above = joinTexts([
    frontMatter(
      yamlRows(rows, by, context.literal).map(({ text }) => text),
      by,
      context.literal,
    ),
    headerText(context.header, context.literal),
  ]);
  return joinTexts([above, plain(above) === '' && !isKept ? plainStart(body, context.literal) : body]);
}

function localSection({ local, titles }: Model): Section {
  const title = titles.get('local');
  return { key: 'local', path: 'local', content: local, ...(title !== undefined && { title }) };
}

/** A rule as the text of its folder. */
function guardText(guard: Item): Text {
  const parts = ['description', 'content'].flatMap(field => itemTexts(guard, field));
  const text = joinTexts(
    parts.filter(part => plain(part) !== ''),
    '\n\n',
  );
  return plain(text).endsWith('\n') ? text : joinTexts([text, '\n']);
}

/** Texts one below the other with an empty line between them; nothing else in them changes. */
function joinDocuments(texts: readonly Text[]): Text {
  return joinTexts(
    texts.flatMap((text, index) => {
      const above = plain(texts[index - 1] ?? '');
      const gap = above.endsWith('\n\n') ? '' : above.endsWith('\n') ? '\n' : '\n\n';
      return index === 0 ? [text] : [gap, text];
    }),
  );
}

/** The title that a section has by itself: its block gave it the name, or else the spec or the catalogue has it. */
function ownTitle(
  key: string,
  section: Section | undefined,
  listed: readonly ListedItem[],
  { file, request, place }: DocumentDraft,
  { catalogue, literal }: DocumentContext,
): Text {
  const chosen = file.sections?.titles?.[key];
  const words = chosen ?? catalogue.sections[key]?.title ?? titleOf(key);
  if (!literal) return words;
  const origin = section?.origin ?? listed[0]?.item.origins?.block;
  if (origin?.kind === 'name' && words === titleOf(origin.path)) return traced(words, origin);
  const by = `conventions/sections.yaml: sections.${key}.title`;
  return literal(
    words,
    chosen === undefined ? by : specPlace(request, `files.${place}.sections.titles.${key}`),
  );
}

/** Keys in the order of the list; `*` stands for sections that no list of the catalogue knows. */
function sectionOrder(catalogue: SectionCatalogue, list: string, sections: readonly Section[]): string[] {
  const order = catalogue.lists[list] ?? [];
  const others = sections.map(({ key }) => key).filter(key => !Object.hasOwn(catalogue.sections, key));
  return order.flatMap(key => (key === '*' ? others : [key]));
}

function unite(lists: readonly (readonly ListedItem[])[]): ListedItem[] {
  const seen = new Map<string, ListedItem>();
  for (const list of lists)
    for (const listed of list) if (!seen.has(listed.item.path)) seen.set(listed.item.path, listed);
  return [...seen.values()];
}

function renderSection(
  key: string,
  section: Section | undefined,
  title: Text,
  listed: readonly ListedItem[],
  draft: DocumentDraft,
  context: DocumentContext,
): Text {
  const { layouter, catalogue } = context;
  const override = section && context.override(draft, key);
  const template = catalogue.sections[key]?.items;
  const items = listed.length > 0 && template !== undefined ? context.template(template) : undefined;
  const list = items
    ? tidy(renderTemplate(items, { items: listed.map(viewOf) }, layouter.helpers(sectionLevel)))
    : '';
  if (override && section) {
    const content = layouter.prose(section.content, sectionLevel);
    return tidy(
      renderTemplate(override, { title, content, items: listed.map(viewOf) }, layouter.helpers(sectionLevel)),
    );
  }
  if (
    section &&
    plain(list) === '' &&
    section.title === undefined &&
    layouter.headings &&
    ownHeading(section.content)
  ) {
    return nestHeadings(layouter.prose(section.content, sectionLevel), sectionLevel);
  }
  const prose = section ? layouter.prose(section.content, sectionLevel) : '';
  const content = joinTexts(
    [prose, list].filter(text => plain(text) !== ''),
    '\n\n',
  );
  return plain(content) === '' ? '' : layouter.section(sectionLevel, title, content);
}

/** A text that brings its own first heading needs none from us. */
function ownHeading(content: readonly Prose[]): boolean {
  const [first] = content;
  if (first?.kind !== 'text') return false;
  const depth = leadingHeading(plain(first.text));
  return depth > 0 && content.every(part => part.kind === 'text') && depth <= 2;
}

/** What section templates may show of an item, with the path of its own file when it has one. */
const viewOf = ({ item, path }: ListedItem): Record<string, unknown> => ({
  ...viewOfItem(item),
  path: path === undefined ? undefined : itemText(item, 'name', path),
});

const viewOfItem = (item: Item): Record<string, unknown> => {
  const content = strings(item.fields.get('content')).join('\n');
  const description = strings(item.fields.get('description')).join('\n');
  const title = item.path.startsWith('shortcuts.')
    ? `/${item.name}`
    : String(item.fields.get('title') ?? titleOf(item.name));
  return {
    name: itemText(item, 'name', item.name),
    title: itemText(item, 'title', title),
    // A description that only repeats the beginning of the content is said once.
    description: content.startsWith(description) ? '' : itemText(item, 'description', description),
    content: itemText(item, 'content', content),
    globs: itemTexts(item, 'globs'),
  };
};
