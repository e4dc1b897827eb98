import type { ItemFiles, Row } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import { activationOf } from '../../model/guards.ts';
import type { Data, DataObject, Item, Origin, Text } from '../../model/model.ts';
import { itemText, itemTexts, originsOf, tracedData } from '../../model/origin.ts';
import { type Helpers, renderTemplate, type Template } from '../../spec/template.ts';
import { commonFolder } from '../../text/globs.ts';
import { groupBy } from '../../text/group.ts';
import { leadingHeadingDepth, nestHeadings } from '../../text/headings.ts';
import { memoize, memoizeByObject } from '../../text/memo.ts';
import { titleOf } from '../../text/title.ts';
import { joinTexts, plainText, Traced, trimBlankLines } from '../../text/traced.ts';
import type { ContentDraft } from '../draft.ts';
import type { PlaceContext } from '../kind.ts';
import { withNames } from '../native/servers.ts';
import { type FilledSlot, fillShape, ItemFields, withFields } from '../native/shapes.ts';
import { argumentWriter, referenceWriter } from '../native/variables.ts';
import { omissionText, type UnwrittenField, unwrittenFields } from '../omissions.ts';
import { activationsOf, bodyName, itemPath, type Place } from '../places.ts';
import { bodyTemplate, specPlace } from '../write/convention.ts';
import { nativeHooks } from '../write/hooks.ts';
import {
  appendExtraFields,
  impliedKeys,
  inSourceOrder,
  isConditionMet,
  type RowValue,
  rowValues,
  structured,
  withNative,
  yamlRows,
} from '../write/rows.ts';
import { type FilledShape, listPlace, withKeys, withList } from '../write/tool-keys.ts';
import { bundledSource } from '../write/unite.ts';

/** The common folder of the globs of an item, and whether the globs cover all of it. */
export function folderOfGlobs(item: Item): { folder: string | undefined; whole: boolean } {
  const globs = strings(item.fields.get('globs')).filter(glob => !glob.startsWith('!'));
  const folder = commonFolder(globs);
  return { folder, whole: globs.every(glob => coversFolder(glob, folder ?? '')) };
}

/** Whether a glob matches everything below a folder. */
export const coversFolder = (glob: string, folder: string): boolean =>
  [`${folder}/**`, `${folder}/**/*`].includes(glob.replace(/^\.?\//, ''));

/** The text of an item in a shared file: below a heading with its title, unless it starts with a heading. */
function underHeading(item: Item, text: Text, level: number): Text {
  const own = leadingHeadingDepth(plainText(text));
  if (own > 0 && own <= level) return text;
  const title = itemText(item, 'title', String(item.fields.get('title') ?? titleOf(item.name)));
  return joinTexts([joinTexts([`${'#'.repeat(level)} `, title]), nestHeadings(text, level + 1)], '\n\n');
}

/** The folder whose file contains an item, when the tool reads files of folders. */
const folderFor = ({ nested }: ItemFiles, item: Item): string | undefined =>
  nested ? folderOfGlobs(item).folder : undefined;

/** An item in the file of a folder, without a glob for the whole folder. */
function withoutFolderGlobs(file: ItemFiles, item: Item): Item {
  const folder = folderFor(file, item);
  const isSaid = strings(item.fields.get('globs')).every(glob => coversFolder(glob, folder ?? ''));
  return folder === undefined || !isSaid ? item : withFields(item, { globs: undefined });
}

/** Bodies end with one line end and do not begin with blank lines; the rest is unchanged. */
export const bodyText = (text: Text): Text => {
  const body = trimBlankLines(text);
  return plainText(body) === '' ? '' : joinTexts([body, '\n']);
};

/**
 * Renders the body of an item without the fields in the front matter (except globs, which a body must name),
 * and without a description that the content begins with, or that is above it in the source.
 */
function renderBody(
  fields: ItemFields,
  { template, context: { helpers }, place: { file } }: PlaceLayout,
  isAbove: boolean,
  marked: ((content: Text) => Text) | undefined,
): Text {
  const { item } = fields;
  const textOf = (key: string) => omissionText(item.fields.get(key) ?? '');
  const isHidden = (key: string) =>
    key === 'description'
      ? isAbove || beginsWith(textOf('content'), textOf('description'))
      : fields.isUsed(key) && !alwaysShown.has(key);
  const shown = [...item.fields].filter(([key]) => !isHidden(key));
  // A field named `__proto__` becomes an ordinary key.
  const view: Record<string, unknown> = Object.fromEntries(
    shown.map(([key, data]) => [key, item.origins ? tracedValue(item, key, data) : data]),
  );
  if (item.prose) view.content = helpers.prose(item.prose);
  if (marked && (typeof view.content === 'string' || view.content instanceof Traced))
    view.content = marked(view.content as Text);
  if (template) return bodyText(renderTemplate(template, view, helpers));
  const value = view[bodyName(file.of, file.body)];
  const isTraced = value instanceof Traced;
  return bodyText(isTraced ? (value as Traced<Origin>) : omissionText((value as Data | undefined) ?? ''));
}

const alwaysShown: ReadonlySet<string> = new Set(['name', 'title', 'content', 'globs']);

function tracedValue(item: Item, key: string, value: Data): unknown {
  if (typeof value === 'string') return itemText(item, key, value);
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return itemTexts(item, key);
  const [source, ...more] = originsOf(item, key);
  if (!source || more.length > 0) return value;
  const data = tracedData(source);
  return Array.isArray(value) && !Array.isArray(data) ? [data] : data;
}

/** Whether a text begins with another one at a word boundary. */
function beginsWith(text: string, start: string): boolean {
  const [whole, part] = [text.trimStart(), start.trim()];
  return whole.startsWith(part) && /^(?:$|[\s.,;:!?])/.test(whole.slice(part.length));
}

/** The parts of a draft that places with the same layout share, and the fields that they leave out. */
interface ItemLayout {
  readonly parts: Pick<ContentDraft, 'rows' | 'implied' | 'plain' | 'body' | 'headed'>;
  readonly fields: ItemFields;
  readonly unwritten: readonly UnwrittenField[];
}

/**
 * Rendered items by the layout of their place, which many places share: most tools get the same skills.
 * Without this cache, a fresh compile for all tools takes a quarter longer.
 */
const layoutCaches = memoizeByObject((_helpers: Helpers) =>
  memoize((_layout: string) => new WeakMap<Item, ItemLayout>()),
);

interface PlaceLayout extends LayoutContext {
  readonly place: Place<ItemFiles>;
  /** The rows whose conditions the options of the target meet. */
  readonly rows: readonly Row[];
  readonly template: Template | undefined;
  /** Fields that the body shows. */
  readonly bodyFields: readonly string[];
  /** The place in the spec, as origin. */
  readonly by: string;
  readonly cache: WeakMap<Item, ItemLayout> | undefined;
}

type LayoutContext = Pick<PlaceContext, 'request' | 'context' | 'omissions'>;

function layoutFor(place: Place<ItemFiles>, { request, context, omissions }: LayoutContext): PlaceLayout {
  const { of, body, extra, headed, frontmatter = [] } = place.file;
  const rows = frontmatter.filter(row => isConditionMet(row.when, request.options));
  const name = bodyName(of, body);
  const template = bodyTemplate(request, place.fallback ? undefined : place.name, name);
  // Origins differ between places, so traced layouts are not cached.
  const isCached = !context.isTraced && headed === undefined;
  const key = JSON.stringify([of, body, extra, rows, template?.name]);
  const cache = isCached ? layoutCaches(context.helpers)(key) : undefined;
  const by = specPlace(request, `files.${place.name}`);
  const bodyFields = template?.uses ?? [name];
  return { place, request, context, omissions, rows, template, bodyFields, by, cache };
}

/** Plans a file for each item, with its further files. */
export function planItems(place: Place<ItemFiles>, planning: PlaceContext): ContentDraft[] {
  const { file } = place;
  const { items, request, omissions } = planning;
  const layout = layoutFor(place, planning);
  const placed =
    file.of === 'guards' ? items.filter(guard => activationsOf(file).includes(activationOf(guard))) : items;
  if (!file.hooks) return placed.flatMap(item => draftsOf([item], layout));
  const natives = nativeHooks(placed, file.hooks, request, omissions).map(({ item }) => item);
  // A hook that maps to several native events occurs once for each, if the file has a list of hooks.
  const hasList = listPlace(file.entry) !== undefined;
  const groups = groupBy(natives, item => (hasList ? item.path : item));
  return [...groups.values()].flatMap(group => draftsOf(group, layout));
}

/** The same for one item at a path that it names. */
export const draftsAt = (
  path: string,
  item: Item,
  place: Place<ItemFiles>,
  planning: LayoutContext,
): ContentDraft[] => draftsOf([item], layoutFor(place, planning), path);

/** The drafts of an item's file and further files. Several items are forms of one hook. */
function draftsOf(
  items: readonly [Item, ...Item[]],
  layout: PlaceLayout,
  path = pathFor(items[0], layout),
): ContentDraft[] {
  const [item] = items;
  const { place, request } = layout;
  // A skill whose source is at the output path is not written.
  if (item.origin === path) return [];
  return [contentDraft(items, path, layout), ...resourceDrafts(item, path, { request, place: place.name })];
}

/** The drafts of the further files of an item, beside its own file at `path`. */
export const resourceDrafts = (
  item: Item,
  path: string,
  where: Pick<ContentDraft, 'request' | 'place'>,
): ContentDraft[] =>
  item.resources.map(({ path: resource, read, executable }) => ({
    kind: 'content',
    ...where,
    item,
    path: path.slice(0, path.lastIndexOf('/') + 1) + resource,
    resource,
    body: read,
    format: 'other',
    executable,
  }));

function pathFor(item: Item, { place: { file }, request, context }: PlaceLayout): string {
  const folder = folderFor(file, item);
  const path = itemPath(file, item, request, context);
  return folder === undefined ? path : `${folder}/${path}`;
}

function contentDraft(
  [given, ...others]: readonly [Item, ...Item[]],
  path: string,
  layout: PlaceLayout,
): ContentDraft {
  const { place, request, omissions } = layout;
  const { file, fallback } = place;
  const { format = 'markdown', headed } = file;
  const item = withNames(headed === undefined ? given : withoutFolderGlobs(file, given), file);
  const marked = argumentWriter(item, file, omissions);
  const references = referenceWriter(item, file, request.spec, omissions.unwritten);
  const fields = new ItemFields(item, request.options, (field, value) => {
    const filled = references?.(field, value) ?? value;
    return marked && field === 'content' && typeof filled === 'string' ? plainText(marked(filled)) : filled;
  });
  const draft = {
    kind: 'content',
    path,
    request,
    place: fallback ? undefined : place.name,
    item,
    executable: false,
    format,
  } as const;
  if (format !== 'markdown') {
    const sources = others.map(one => new ItemFields(one, request.options));
    const parts = structure([fields, ...sources], format, layout);
    omissions.fields(fields, file.of, unwrittenFields(fields));
    return { ...draft, ...parts };
  }
  const cache = marked || references || item !== given ? undefined : layout.cache;
  const laidOut = cache?.get(item) ?? layOutItem(fields, layout, marked);
  cache?.set(item, laidOut);
  omissions.fields(laidOut.fields, file.of, laidOut.unwritten);
  return { ...draft, ...laidOut.parts };
}

/** The text of a structured file: its rows, or the filled shape, whose list contains all items. */
function structure(
  all: readonly [ItemFields, ...ItemFields[]],
  format: Exclude<ItemFiles['format'], 'markdown' | undefined>,
  { place, context, rows, by }: PlaceLayout,
): Pick<ContentDraft, 'body' | 'keys'> {
  const [fields] = all;
  const { item } = fields;
  const { entry: shape } = place.file;
  const { literal, isTraced } = context;
  if (shape === undefined)
    return { body: structured(format, withNative(rowValues(rows, fields), item.native), by, literal) };
  const { value, slots } = all
    .map((source): FilledShape => {
      const slots: FilledSlot[] = [];
      return { value: fillShape(shape, source, isTraced ? slots : undefined) ?? {}, slots };
    })
    .reduce((joined, one) => withList(joined, one, listPlace(shape)!));
  const entry = withKeys(value, item.native, shape) as DataObject;
  const values = Object.entries(entry).map(([key, value]) => ({ key, value }));
  const body = structured(format, values, by, literal);
  if (!item.origins || format === 'toml') return { body };
  return {
    body,
    keys: [{ kind: 'set', path: [], value: null, origins: { by, name: item.origins.name, slots } }],
  };
}

/**
 * The content of an item alone, where its body shows the description or the globs as well: who wrote the file by hand
 * has the text alone. Globs count as said by a row; without one only the body says them.
 */
function plainBody({ fields }: Item, body: Text, rows: readonly RowValue[]): string | undefined {
  const content = fields.get('content');
  const isSaid = !fields.has('globs') || rows.some(({ from }) => from === 'globs');
  if (typeof content !== 'string' || !isSaid) return undefined;
  const plain = plainText(bodyText(content));
  return plain === '' || plain === plainText(body) ? undefined : plain;
}

function layOutItem(
  fields: ItemFields,
  layout: PlaceLayout,
  marked: ((content: Text) => Text) | undefined,
): ItemLayout {
  const { context, bodyFields, by, rows, place } = layout;
  const { headed, extra } = place.file;
  const { item } = fields;
  const values = withNative(rowValues(rows, fields), item.native);
  const isPassing = extra === 'pass';
  const passed = isPassing ? appendExtraFields(values, fields, bodyFields) : values;
  const isAbove = passed.some(row => row.from === 'description' && !values.includes(row));
  const text = renderBody(fields, layout, isAbove, marked);
  const frontRows = yamlRows(inSourceOrder(passed, item), by, context.literal, bundledSource(item));
  const implied = impliedKeys(rows, passed);
  const common = { rows: frontRows, implied };
  if (headed !== undefined) {
    const body = bodyText(underHeading(item, text, headed));
    const unwritten = unwrittenFields(fields, [...bodyFields, 'title'], isPassing);
    return { parts: { ...common, body, headed: true }, fields, unwritten };
  }
  const plain = plainBody(item, text, passed);
  // Who wrote the file by hand may have the description that the body shows as a key.
  const description = item.fields.get('description');
  const isKey = passed.some(({ key }) => key === 'description');
  if (plain !== undefined && typeof description === 'string' && !isKey)
    implied.push({ key: 'description', value: description });
  const parts = { ...common, body: text, ...(plain !== undefined && { plain }) };
  return { parts, fields, unwritten: unwrittenFields(fields, bodyFields, isPassing) };
}
