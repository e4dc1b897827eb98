import { stringify } from 'yaml';
import type { ItemFiles, Row } from '../../generated/types/target.ts';
import { activationOf } from '../../model/guards.ts';
import type { Data, Item, Text } from '../../model/model.ts';
import type { Template } from '../../spec/template.ts';
import { isObject } from '../../text/data.ts';
import { groupBy } from '../../text/group.ts';
import { joinTexts, plainText } from '../../text/traced.ts';
import type { ContentDraft } from '../draft.ts';
import type { PlaceContext } from '../kind.ts';
import { withNames } from '../native/servers.ts';
import { type FilledSlot, fillShape, ItemFields } from '../native/shapes.ts';
import { argumentWriter, referenceWriter } from '../native/variables.ts';
import { unwrittenFields } from '../omissions.ts';
import type { ImpliedKey } from '../output.ts';
import { activationsOf, itemPath, type Place } from '../places.ts';
import { type Literal, specPlace } from '../write/convention.ts';
import { nativeHooks } from '../write/hooks.ts';
import {
  appendExtraFields,
  impliedKeys,
  inSourceOrder,
  isConditionMet,
  nativeOf,
  type RowValue,
  rowValues,
  traceRow,
  withNative,
  yamlRows,
} from '../write/rows.ts';
import { type FilledShape, listPlace, withKeys, withList } from '../write/tool-keys.ts';
import { bundledSource } from '../write/unite.ts';
import {
  bodyName,
  bodyText,
  folderFor,
  hiddenFields,
  type ItemLayout,
  layoutCache,
  renderBody,
  underHeading,
  withoutFolderGlobs,
} from './layout.ts';

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
  const { headed, frontmatter = [] } = place.file;
  const rows = frontmatter.filter(row => isConditionMet(row.when, request.options));
  const name = bodyName(place.file.of, place.file.body);
  const template = context.body(request, place.fallback ? undefined : place.name, name);
  // Origins differ between places, so traced layouts are not cached.
  const isCached = context.literal === undefined && headed === undefined;
  const cache = isCached ? layoutCache(context.helpers, template, place.file, rows) : undefined;
  const by = specPlace(request, `files.${place.name}`);
  return {
    place,
    request,
    context,
    omissions,
    rows,
    template,
    bodyFields: template?.uses ?? [name],
    by,
    cache,
  };
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
    const made = structure(
      [fields, ...others.map(one => new ItemFields(one, request.options))],
      format,
      layout,
    );
    omissions.fields(fields, file.of);
    return { ...draft, ...made };
  }
  const cache = marked || references || item !== given ? undefined : layout.cache;
  const laidOut = cache?.get(item) ?? layOutItem(fields, layout, marked);
  cache?.set(item, laidOut);
  omissions.fields(laidOut.fields, file.of, laidOut.left);
  const { rows, implied, plain, body } = laidOut;
  return {
    ...draft,
    rows,
    implied,
    ...(plain !== undefined && { plain }),
    body,
    ...(headed !== undefined && { headed: true }),
  };
}

/** The text of a structured file: the rows first, then the filled shape, whose list contains all items. */
function structure(
  all: readonly [ItemFields, ...ItemFields[]],
  format: Exclude<ItemFiles['format'], 'markdown' | undefined>,
  { place: { file }, request, context, rows, by }: PlaceLayout,
): Pick<ContentDraft, 'body' | 'keys'> {
  const [fields] = all;
  const { item } = fields;
  const values = rowValues(rows, fields, request.options);
  const [first, ...more] = all.flatMap((source): FilledShape[] => {
    const slots: FilledSlot[] = [];
    const value = fillShape(file.entry, source, context.literal && slots);
    return value === undefined ? [] : [{ value, slots }];
  });
  const { value, slots = [] } = first
    ? more.reduce((all, one) => withList(all, one, listPlace(file.entry)!), first)
    : {};
  const isRow = (key: string) => value === undefined || values.some(row => row.key === key);
  const own = nativeOf(item, key => !isRow(key));
  const entry = withKeys(value, own, file.entry) as Data | undefined;
  const kept = withNative(values, nativeOf(item, isRow));
  const filled = Object.entries(isObject(entry) ? entry : {}).map(([key, value]) => ({
    key,
    value,
    origins: slots.flatMap(slot => (slot.path[0] === key ? slot.origins : [])),
  }));
  const body = structured(format, [...kept, ...filled], by, context.literal);
  if (!context.literal || !item.origins || format === 'toml') return { body };
  const rowSlots = values.flatMap(({ key, origins }) => (origins?.length ? [{ path: [key], origins }] : []));
  const origins = { by, name: item.origins.name, slots: [...rowSlots, ...slots] };
  return { body, keys: [{ kind: 'set', path: [], value: null, origins }] };
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

/** The description that the body shows, as a key that front matter may have. */
function shownDescription({ fields }: Item, rows: readonly RowValue[]): ImpliedKey[] {
  const value = fields.get('description');
  const hasRow = rows.some(({ key }) => key === 'description');
  return typeof value !== 'string' || hasRow ? [] : [{ key: 'description', value }];
}

function layOutItem(
  fields: ItemFields,
  { request, context, bodyFields, by, template, rows, place: { file } }: PlaceLayout,
  marked: ((content: Text) => Text) | undefined,
): ItemLayout {
  const { item } = fields;
  const values = withNative(rowValues(rows, fields, request.options), item.native);
  const isPassing = file.extra === 'pass';
  const passed = isPassing ? appendExtraFields(values, fields, bodyFields) : values;
  const isAbove = passed.some(row => row.from === 'description' && !values.includes(row));
  const text = renderBody(item, hiddenFields(item, fields, isAbove), file, template, context.helpers, marked);
  const plain = file.headed === undefined ? plainBody(item, text, passed) : undefined;
  const titled = file.headed === undefined ? [] : ['title'];
  return {
    rows: yamlRows(inSourceOrder(passed, item), by, context.literal, bundledSource(item)),
    implied: [...impliedKeys(rows, passed), ...(plain === undefined ? [] : shownDescription(item, passed))],
    ...(plain !== undefined && { plain }),
    body: file.headed === undefined ? text : bodyText(underHeading(item, text, file.headed)),
    fields,
    left: unwrittenFields(fields, [...bodyFields, ...titled], isPassing),
  };
}

/** Renders a whole structured file. `by` is the place of its keys in the spec. */
function structured(
  format: 'toml' | 'yaml' | 'json',
  values: readonly RowValue[],
  by: string,
  literal: Literal,
): Text {
  if (format === 'toml') return tomlRows(values, by, literal);
  const object: Record<string, Data> = Object.create(null);
  for (const { key, value } of values) object[key] = value;
  return format === 'json' ? `${JSON.stringify(object, null, 2)}\n` : stringify(object, { lineWidth: 0 });
}

/** Renders flat rows as TOML: multi-line texts as multi-line strings, tables after plain keys. */
export function tomlRows(values: readonly RowValue[], by: string, literal: Literal): Text {
  const lines = values.map(row => {
    const { key, value } = row;
    const text = isObject(value) ? table([key], value) : `${tomlKey(key)} = ${tomlValue(value)}\n`;
    return { isTable: isObject(value), text: traceRow(text, row, by, literal) };
  });
  const sorted = [...lines.filter(({ isTable }) => !isTable), ...lines.filter(({ isTable }) => isTable)];
  return joinTexts(sorted.map(({ text }) => text));
}

function table(path: readonly string[], value: { readonly [key: string]: Data }): string {
  const keys: string[] = [];
  const tables: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (isObject(item)) tables.push(table([...path, key], item));
    else keys.push(`${tomlKey(key)} = ${tomlValue(item)}\n`);
  }
  return [`\n[${path.map(tomlKey).join('.')}]\n`, ...keys, ...tables].join('');
}

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

function tomlValue(value: Data): string {
  if (typeof value === 'string') return value.includes('\n') ? tomlText(value) : tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return value === null ? '""' : String(value);
  const members = Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);
  return `{ ${members.join(', ')} }`;
}

/** JSON escapes are a subset of those of TOML basic strings, except for control character 127. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F');

/** A multi-line basic string. The line end after the opening quotes is not part of the text. */
function tomlText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replace(/"{3,}/g, quotes => quotes.replaceAll('"', '\\"'))
    .replace(/"$/, '\\"')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f]/g,
      char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    );
  return `"""\n${escaped}"""`;
}
