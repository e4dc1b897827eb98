import { sharedSectionRepeats } from '../../generated/diagnostics.ts';
import type { DocumentFile } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Item, Model, Origin, Prose, Section, Text } from '../../model/model.ts';
import { itemText, itemTexts } from '../../model/origin.ts';
import { renderTemplate } from '../../spec/template.ts';
import { builtinTemplate } from '../../spec/templates.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import { leadingHeadingDepth, nestHeadings } from '../../text/headings.ts';
import { sortByNames } from '../../text/in-order.ts';
import { fewNames } from '../../text/names.ts';
import { titleOf } from '../../text/title.ts';
import { joinTexts, plainText, traced, trimBlankLines } from '../../text/traced.ts';
import { isForTarget } from '../audience.ts';
import type { DocumentDraft, ListedItem } from '../draft.ts';
import type { NonEmpty, PlaceContext, RenderContext } from '../kind.ts';
import { ItemFields, noItem } from '../native/shapes.ts';
import type { OutputBase, WholeFile } from '../output.ts';
import { documentPath, fillOptions, type Place } from '../places.ts';
import type { EmitSettings } from '../request.ts';
import {
  joinFilled,
  type Layouter,
  type Literal,
  literalFor,
  sectionLevel,
  specPlace,
} from '../write/convention.ts';
import { frontMatter, headerText, isConditionMet, plainStart, rowValues, yamlRows } from '../write/rows.ts';
import { contentOf, firstDifference } from '../write/unite.ts';

/** A main document without a spec: plain Markdown with the given sections. */
export const mainDocument = (path: string, sections?: DocumentFile['sections']): DocumentFile => ({
  kind: 'document',
  of: 'instructions',
  path,
  ...(sections && { sections }),
});

/** The draft of a document with prose, texts, and items without a place of their own, unless empty. */
export function planDocument(
  { name, file }: Place<DocumentFile>,
  { request, document }: PlaceContext,
): DocumentDraft[] {
  const isLocal = file.of === 'local';
  const hasNotes = document.local.length > 0;
  const prose = new Set(isLocal ? (hasNotes ? ['local'] : []) : document.sections.map(({ key }) => key));
  const lists = new Map<string, readonly ListedItem[]>(isLocal ? [] : document.lists);
  for (const { section, with: other, when } of file.sections?.replace ?? []) {
    const topics = isConditionMet(when, request.options) ? document.index('topics') : undefined;
    if (topics && prose.delete(section)) lists.set(other, topics);
  }
  for (const { section, of } of file.sections?.index ?? []) {
    const listed = document.index(of) ?? [];
    if (listed.length > 0) lists.set(section, listed);
  }
  const documents = isLocal ? [] : document.texts;
  if (prose.size === 0 && lists.size === 0 && documents.length === 0) return [];
  // Private notes must never be written to the shared file that `output` names.
  const path = documentPath(fillOptions(file.path, request), request, isLocal);
  return [{ kind: 'document', path, request, place: name, file, documents, prose, lists }];
}

/** A document to render for all drafts that share it. */
interface DocumentRendering {
  readonly drafts: NonEmpty<DocumentDraft>;
  /** The first draft, which determines the layout. */
  readonly draft: DocumentDraft;
  readonly model: Model;
  readonly settings: EmitSettings;
  readonly layouter: Layouter;
  readonly literal: Literal;
}

/** Every section that one of the drafts needs, once, in the order of the section list. */
function renderDocument(rendering: DocumentRendering): Text {
  const { drafts, draft, model, settings, layouter, literal } = rendering;
  const isKept = drafts.some(({ pinned }) => pinned);
  const texts = wholeTexts(rendering, isKept);
  // An imported document keeps its own title, or has none.
  const heading = layouter.headings && texts.length === 0 ? titleLine(rendering) : [];
  const prose = joinTexts([...heading, ...sectionTexts(rendering)], '\n\n');
  const rest = plainText(prose) === '' && texts.length > 0 ? [] : [joinTexts([prose, '\n'])];
  const body = layouter.document(joinDocuments([...texts, ...rest]));
  const { request, file, place } = draft;
  const by = specPlace(request, `files.${place}.frontmatter`);
  const values = rowValues(file.frontmatter ?? [], new ItemFields(metaItem(model), request.options));
  const rows = yamlRows(values, by, literal).map(({ text }) => text);
  const above = joinTexts([frontMatter(rows, by, literal), headerText(settings.header, literal)]);
  return joinTexts([above, plainText(above) === '' && !isKept ? plainStart(body, literal) : body]);
}

/** The fields of `@meta` with the names that specs use for them. */
function metaItem({ meta, metaOrigins }: Model): Item {
  const named = <T>(fields: ReadonlyMap<string, T>) =>
    new Map([...fields].map(([name, value]) => [`meta.${name}`, value]));
  const origin: Origin = { kind: 'layout', by: '@meta' };
  const origins = metaOrigins && { block: origin, name: origin, fields: named(metaOrigins) };
  return { ...noItem, fields: named(meta), ...(origins && { origins }) };
}

/** Import lines, documents and rules of the folder, which are output unchanged. */
function wholeTexts(
  { drafts, model: { documents, items }, literal }: DocumentRendering,
  isKept: boolean,
): Text[] {
  const needed = new Set(drafts.flatMap(draft => draft.documents));
  const imports = new Set(drafts.flatMap(draft => draft.imports ?? []));
  const guards = new Set(drafts.flatMap(draft => draft.guards ?? []));
  return [
    ...[...imports].map(line => literal(`${line}\n`, 'output.layout')),
    ...documents
      .filter(text => needed.has(text))
      .map(({ head, text }) => (isKept && head !== undefined ? joinTexts([head, text]) : text)),
    ...items.guards.filter(guard => guards.has(guard)).map(guardText),
  ];
}

function guardText(guard: Item): Text {
  const parts = ['description', 'content'].flatMap(field => itemTexts(guard, field));
  const text = joinFilled(parts, '\n\n');
  return plainText(text).endsWith('\n') ? text : joinTexts([text, '\n']);
}

/** Joins texts with an empty line; the texts themselves do not change. */
function joinDocuments(texts: readonly Text[]): Text {
  return joinTexts(
    texts.flatMap((text, index) => {
      const above = plainText(texts[index - 1] ?? '');
      const gap = above.endsWith('\n\n') ? '' : above.endsWith('\n') ? '\n' : '\n\n';
      return index === 0 ? [text] : [gap, text];
    }),
  );
}

function titleLine({ draft: { file }, settings, literal }: DocumentRendering): Text[] {
  const { heading, conventions } = settings;
  if (file.of !== 'instructions') return [];
  const title = heading ?? conventions.catalogue.heading;
  const by = heading === undefined ? 'conventions/sections.yaml: heading' : 'output.heading';
  return [literal(`# ${title}`, by)];
}

function sectionTexts(rendering: DocumentRendering): Text[] {
  const { drafts, draft, model, settings } = rendering;
  const { catalogue } = settings.conventions;
  const isLocal = draft.file.of === 'local';
  const title = model.titles.get('local');
  const notes = { key: 'local', path: 'local', content: model.local, ...(title !== undefined && { title }) };
  const sections = isLocal ? [notes] : model.sections;
  const byKey = new Map(sections.map(section => [section.key, section]));
  const needed = new Set(drafts.flatMap(draft => [...draft.prose]));
  const list = catalogue.lists[draft.file.sections?.list ?? (isLocal ? 'notes' : 'standard')] ?? [];
  // `*` stands for sections that are not in the catalogue.
  const others = sections.map(({ key }) => key).filter(key => !Object.hasOwn(catalogue.sections, key));
  const keys = list.flatMap(key => (key === '*' ? others : [key]));
  const texts = sortByNames(keys, key => key, settings.sectionOrder ?? []).map(key => {
    const section = needed.has(key) ? byKey.get(key) : undefined;
    const listed = drafts.flatMap(draft => draft.lists.get(key) ?? []);
    const items = [...groupBy(listed, ({ item }) => item.path).values()].map(([first]) => first);
    if (!section && items.length === 0) return '';
    const shown = section?.title ?? model.titles.get(key) ?? defaultTitle(key, section, items, rendering);
    return renderSection(key, section, shown, items, rendering);
  });
  return texts.filter(text => plainText(text) !== '');
}

function defaultTitle(
  key: string,
  section: Section | undefined,
  listed: readonly ListedItem[],
  { settings, literal }: DocumentRendering,
): Text {
  const title = settings.conventions.catalogue.sections[key]?.title ?? titleOf(key);
  const origin = section?.origin ?? listed[0]?.item.origins?.block;
  if (settings.trace && origin?.kind === 'name' && title === titleOf(origin.path))
    return traced(title, origin);
  return literal(title, `conventions/sections.yaml: sections.${key}.title`);
}

function renderSection(
  key: string,
  section: Section | undefined,
  title: Text,
  listed: readonly ListedItem[],
  { settings, layouter }: DocumentRendering,
): Text {
  const helpers = layouter.helpers(sectionLevel);
  const prose = section ? layouter.prose(section.content, sectionLevel) : '';
  const items = listed.map(viewOf);
  const name = settings.conventions.catalogue.sections[key]?.items;
  const template = listed.length > 0 && name !== undefined ? builtinTemplate(`section:${name}`) : undefined;
  const list = template ? trimBlankLines(renderTemplate(template, { items }, helpers)) : '';
  const isTitled = section?.title === undefined && layouter.headings && ownHeading(section?.content ?? []);
  if (isTitled && plainText(list) === '') return nestHeadings(prose, sectionLevel);
  const content = joinFilled([prose, list], '\n\n');
  return plainText(content) === '' ? '' : layouter.section(sectionLevel, title, content);
}

/** Whether a text starts with a heading and needs no other. */
function ownHeading(content: readonly Prose[]): boolean {
  const [first] = content;
  if (first?.kind !== 'text') return false;
  const depth = leadingHeadingDepth(plainText(first.text));
  return depth > 0 && content.every(part => part.kind === 'text') && depth <= 2;
}

/** The data of an item for section templates, with the path of its own file when it has one. */
function viewOf({ item, path }: ListedItem): Record<string, unknown> {
  const content = strings(item.fields.get('content')).join('\n');
  const description = strings(item.fields.get('description')).join('\n');
  const title = item.path.startsWith('shortcuts.')
    ? `/${item.name}`
    : String(item.fields.get('title') ?? titleOf(item.name));
  return {
    name: itemText(item, 'name', item.name),
    title: itemText(item, 'title', title),
    // A description that only repeats the beginning of the content is left out.
    description: content.startsWith(description) ? '' : itemText(item, 'description', description),
    content: itemText(item, 'content', content),
    globs: itemTexts(item, 'globs'),
    path: path === undefined ? undefined : itemText(item, 'name', path),
  };
}

/** Renders a document once for all targets that share it. A file that is a source is kept unchanged. */
export function renderDocuments(
  drafts: NonEmpty<DocumentDraft>,
  base: OutputBase,
  rendering: RenderContext,
): WholeFile {
  const { model, settings, sourceAt, report } = rendering;
  const file = { kind: 'whole', ...base, executable: false, format: 'markdown' } as const;
  const source = sourceAt(base.path);
  if (source !== undefined) {
    // The plan compares it with the text that tools load.
    const { origin } = model.documents.find(document => document.origin?.file === source) ?? {};
    return { ...file, content: (origin?.text ?? '').replace(/\r\n/g, '\n') };
  }
  const [first] = drafts;
  const text = unite(drafts, base.path, rendering);
  if (first.file.of === 'instructions') reportRepeatedSections(base.path, drafts, report);
  return {
    ...file,
    ...contentOf(text, settings, `conventions/${first.request.convention}.yaml`),
    ...(first.file.of === 'local' && { private: true }),
  };
}

function unite(
  drafts: NonEmpty<DocumentDraft>,
  path: string,
  { model, settings, layouter, clashes }: RenderContext,
): Text {
  const literal = literalFor(settings);
  const [first, ...others] = [...groupBy(drafts, layoutOf).values()].map(group => {
    const [draft] = group;
    const common = { model, settings, layouter: layouter(draft.request.convention), literal };
    return { draft, text: renderDocument({ drafts: group, draft, ...common }) };
  });
  for (const { draft, text } of others) {
    const [one, other] = [plainText(first!.text), plainText(text)];
    if (one !== other) clashes.add(path, first!.draft, draft, firstDifference(one, other));
  }
  return first!.text;
}

/** A key for the options that change the layout; other options of sections only select them. */
function layoutOf({ file, request }: DocumentDraft): string {
  const { of, frontmatter, sections } = file;
  const options = [...request.options].filter(([name]) =>
    (frontmatter ?? []).some(row => row.when?.option === name),
  );
  return JSON.stringify([request.convention, of, frontmatter, sections?.list, options]);
}

function reportRepeatedSections(path: string, drafts: readonly DocumentDraft[], report: Report): void {
  const namesOf = (some: readonly DocumentDraft[]) => fewNames(some.map(({ request }) => request.spec.id));
  for (const key of new Set(drafts.flatMap(draft => [...draft.lists.keys()]))) {
    const needing = drafts.filter(({ lists }) => lists.has(key));
    const listed = needing.flatMap(({ lists }) => lists.get(key)!);
    // Text that does not apply to a tool that reads it is reported elsewhere.
    const isMeantFor = ({ request }: DocumentDraft) =>
      listed.some(({ item }) => isForTarget(item.audience, request.spec));
    const others = drafts.filter(draft => !needing.includes(draft) && isMeantFor(draft));
    const [first] = others;
    if (!first) continue;
    const holes = { path, sections: key, needed: namesOf(needing), others: namesOf(others) };
    report(sharedSectionRepeats(holes, { file: path, span: first.request.at }));
  }
}
