import type { ItemFiles, Row } from '../../generated/types/target.ts';
import { activationOf } from '../../model/guards.ts';
import type { Data, Fields, Item } from '../../model/model.ts';
import type { Origin, Text } from '../../model/origin.ts';
import { itemText, itemTexts, originsOf, tracedData } from '../../model/sourced.ts';
import { renderSections, type Template } from '../../spec/template.ts';
import { groupBy } from '../../text/group.ts';
import { inOrder } from '../../text/in-order.ts';
import { perObject } from '../../text/memo.ts';
import { joinTexts, plain, Traced, trimBlankLines } from '../../text/traced.ts';
import type { ContentDraft } from '../draft.ts';
import type { Planning } from '../kind.ts';
import { type LeftFields, leftOf, Omissions, textOf } from '../omissions.ts';
import { itemPath } from '../paths.ts';
import type { Place } from '../places.ts';
import type { PlanContext } from '../plan-context.ts';
import type { TargetRequest } from '../request.ts';
import { argumentWriter } from '../write/arguments.ts';
import { bundledIn } from '../write/content.ts';
import { askedBy, derived, holds, ItemFields, type RowValue, rowValues, takeOwn } from '../write/fields.ts';
import { type FrontMatterRow, yamlRows } from '../write/front-matter.ts';
import { nativeHooks } from '../write/hooks.ts';
import { specPlace } from '../write/layouts.ts';
import { fillShape, type Slot } from '../write/shape.ts';
import { listPlace, withKeys } from '../write/tool-keys.ts';
import { referenceWriter, withNames } from '../write/variables.ts';
import { activationsOf } from './activations.ts';
import { folderFor, inFolder, underHeading } from './headed.ts';
import { layoutCache } from './layout-cache.ts';
import { withListed } from './listed.ts';
import { keyOrigins, structured } from './structured.ts';

/** What the items of one place have in common. */
interface Making extends Pick<Planning, 'request' | 'context'> {
  readonly place: Place<ItemFiles>;
  /** The rows that the options of the target ask for. */
  readonly rows: readonly Row[];
  readonly template: Template | undefined;
  /** The fields that the rows ask for, and those that the body shows. */
  readonly asked: ReadonlySet<string>;
  readonly shown: readonly string[];
  /** Where the spec says it. */
  readonly by: string;
  readonly cache: WeakMap<Item, LaidOut> | undefined;
}

function makingOf(
  place: Place<ItemFiles>,
  { request, context }: Pick<Planning, 'request' | 'context'>,
): Making {
  const { headed, frontmatter = [] } = place.file;
  const rows = frontmatter.filter(row => holds(row.when, request.options));
  const template = context.body(request, place.fallback ? undefined : place.name, bodyName(place.file));
  const by = specPlace(request, `files.${place.name}`);
  const shown = template?.uses ?? [bodyName(place.file)];
  // Origins differ by place.
  const isCached = context.literal === undefined && headed === undefined;
  const cache = isCached ? layoutCache(context.helpers, template, place.file, rows) : undefined;
  return { place, request, context, rows, template, asked: askedBy(rows), shown, by, cache };
}

/** A file for each item, with what lies beside it. */
export function planItems(place: Place<ItemFiles>, planning: Planning): ContentDraft[] {
  const { request, context, omissions } = planning;
  const making = makingOf(place, planning);
  const known = madeIn(context, place);
  let unused: Omissions | undefined;
  const all: ContentDraft[] = [];
  const { items, others } = filesFor(place, planning);
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    let result = known.get(item);
    if (!result) {
      const own: Omissions = unused ?? new Omissions(request);
      const drafts = draftsOf(item, making, own, undefined, others?.get(item));
      unused = own.isEmpty ? own : undefined;
      result = unused ? { drafts } : { drafts, omissions: own };
      known.set(item, result);
    }
    if (result.omissions) {
      omissions.unwritten.push(...result.omissions.unwritten);
      for (const omission of result.omissions.found) omissions.take(omission);
    }
    all.push(...result.drafts);
  }
  return all;
}

/** The same for one item at a path of its own choice. */
export function draftsAt(
  path: string,
  item: Item,
  place: Place<ItemFiles>,
  planning: Pick<Planning, 'request' | 'context' | 'omissions'>,
): ContentDraft[] {
  return draftsOf(item, makingOf(place, planning), planning.omissions, path);
}

/** The items that the place can say, in the words of the tool, with those that are one file with them. */
function filesFor(
  { file }: Place<ItemFiles>,
  { items, request, omissions }: Planning,
): { readonly items: readonly Item[]; readonly others?: ReadonlyMap<Item, readonly Item[]> } {
  const placed =
    file.of === 'guards' ? items.filter(guard => activationsOf(file).includes(activationOf(guard))) : items;
  if (!file.hooks) return { items: placed };
  const natives = nativeHooks(placed, file.hooks, request, omissions).map(({ item }) => item);
  // A hook that the tool has several events for stands in its file once for each, where that has a list of them.
  if (listPlace(file.entry) === undefined) return { items: natives };
  const groups = [...groupBy(natives, ({ path }) => path).values()];
  return {
    items: groups.map(([first]) => first),
    others: new Map(groups.map(([first, ...others]) => [first, others])),
  };
}

interface ItemResult {
  readonly drafts: readonly ContentDraft[];
  /** Absent: all of it is written. */
  readonly omissions?: Pick<Omissions, 'found' | 'unwritten'>;
}

/** What was made from items at a place. It depends on the context of a target (which has one request) and on the item. */
const placesMade = perObject((_context: PlanContext) => new Map<string, WeakMap<Item, ItemResult>>());

function madeIn(context: PlanContext, { name, file, fallback }: Place<ItemFiles>): WeakMap<Item, ItemResult> {
  const places = placesMade(context);
  const key = `${fallback} ${name} ${file.path}`;
  const known = places.get(key) ?? new WeakMap<Item, ItemResult>();
  places.set(key, known);
  return known;
}

/** The file of an item, and its further files. */
function draftsOf(
  item: Item,
  making: Making,
  omissions: Omissions,
  path = pathFor(item, making),
  others: readonly Item[] = [],
): ContentDraft[] {
  const { place, request } = making;
  const base = path.slice(0, path.lastIndexOf('/') + 1);
  // A skill that already lives where it would be written stays as the user wrote it.
  if (item.origin === path) return [];
  const drafts = [contentDraft(item, path, making, omissions, others)];
  for (const resource of item.resources) {
    drafts.push({
      kind: 'content',
      path: base + resource.path,
      request,
      place: place.name,
      item,
      resource: resource.path,
      body: resource.read,
      format: 'other',
      executable: resource.executable,
    });
  }
  return drafts;
}

/** Where the file of an item lies: in its folder, for a tool that reads such files there. */
function pathFor(item: Item, { place: { file }, request, context }: Making): string {
  const folder = folderFor(file, item);
  const path = itemPath(file, item, request, context);
  return folder === undefined ? path : `${folder}/${path}`;
}

function contentDraft(
  given: Item,
  path: string,
  making: Making,
  omissions: Omissions,
  others: readonly Item[],
): ContentDraft {
  const { place, request } = making;
  const { file, fallback } = place;
  const { format = 'markdown', headed } = file;
  const item = withNames(headed === undefined ? given : inFolder(file, given), file);
  const marked = argumentWriter(item, file, omissions);
  const references = referenceWriter(item, file, request.spec, omissions.unwritten);
  const name = fallback ? undefined : place.name;
  if (format !== 'markdown') {
    const fields = fieldsIn(item, request, marked, references);
    const made = structure(fields, format, making, others);
    omissions.fields(fields, file.of, leftOf(fields, derived(fields)));
    return { kind: 'content', path, request, place: name, item, executable: false, format, ...made };
  }
  const cache = marked || references || item !== given ? undefined : making.cache;
  const laidOut =
    cache?.get(item) ??
    layOutItem(item, fieldsIn(item, request, marked, references, making.asked), making, marked);
  cache?.set(item, laidOut);
  const { rows, body, fields, left } = laidOut;
  omissions.fields(fields, file.of, left);
  const draft: ContentDraft = {
    kind: 'content',
    path,
    request,
    place: name,
    item,
    executable: false,
    format,
    rows,
    body,
  };
  return headed === undefined ? draft : { ...draft, headed: true };
}

/** The text of a structured file of an item, with those that are one file with it. */
function structure(
  fields: ItemFields,
  format: Exclude<ItemFiles['format'], 'markdown' | undefined>,
  { place: { file }, request, context, rows, by }: Making,
  others: readonly Item[],
): Pick<ContentDraft, 'body' | 'keys'> {
  const { item } = fields;
  const values = rowValues(rows, fields, request.options);
  const slots: Slot[] | undefined = context.literal && [];
  const first = file.entry === undefined ? undefined : fillShape(file.entry, fields, slots);
  const shaped = others.reduce(
    (all, other) => withListed(all, fieldsIn(other, request), file.entry, slots),
    first,
  );
  const inRows = (key: string) => shaped === undefined || values.some(row => row.key === key);
  const entry = withKeys(
    shaped,
    nativeOf(item, key => !inRows(key)),
    file.entry,
  ) as Data | undefined;
  const kept = withNative(values, nativeOf(item, inRows));
  const body = structured(format, kept, entry, by, context.literal, slots);
  if (!slots || !item.origins || format === 'toml') return { body };
  const origins = { by, name: item.origins.name, slots: keyOrigins(values, slots) };
  return { body, keys: [{ kind: 'set', path: [], value: null, origins }] };
}

/** The fields of an item, in the words that the tool has for references to variables and arguments. */
function fieldsIn(
  item: Item,
  { options }: TargetRequest,
  marked?: ReturnType<typeof argumentWriter>,
  references?: ReturnType<typeof referenceWriter>,
  asked?: ReadonlySet<string>,
): ItemFields {
  const written = marked || references ? writer(marked, references) : undefined;
  return new ItemFields(item, options, written, undefined, undefined, asked);
}

const writer =
  (marked: ReturnType<typeof argumentWriter>, references: ReturnType<typeof referenceWriter>) =>
  (field: string, value: Data): Data => {
    const filled = references?.(field, value) ?? value;
    return marked && field === 'content' && typeof filled === 'string' ? plain(marked(filled)) : filled;
  };

/** A Markdown file of an item, and the fields that it leaves out. */
export interface LaidOut {
  readonly rows: readonly FrontMatterRow[];
  readonly body: Text;
  readonly fields: ItemFields;
  readonly left: LeftFields;
}

/** The name of the body of a place. */
const bodyName = ({ body, of }: ItemFiles): string => body ?? (of === 'skills' ? 'skill' : 'content');

function layOutItem(
  item: Item,
  fields: ItemFields,
  making: Making,
  marked: ((content: Text) => Text) | undefined,
): LaidOut {
  const { request, context, shown } = making;
  const { file } = making.place;
  const rows = withNative(rowValues(making.rows, fields, request.options), item.native);
  const isPassing = file.extra === 'pass';
  const passed = isPassing ? passExtra(rows, fields, shown) : rows;
  const isAbove = passed !== rows && passed.some(row => row.from === 'description' && !rows.includes(row));
  const hidden = hiddenIn(item, fields, isAbove);
  const text = showBody(item, hidden, making, marked);
  const also = derived(fields);
  if (file.headed !== undefined) also.push('title');
  const left = leftOf(fields, also.length === 0 ? shown : [...shown, ...also], isPassing);
  return {
    rows: yamlRows(inSourceOrder(passed, item), making.by, context.literal, bundledIn(item)),
    body: file.headed === undefined ? text : bodyText([underHeading(item, text, file.headed)]),
    fields,
    left,
  };
}

/** What a body shows of an item without some of its fields. */
function showBody(
  item: Item,
  hidden: readonly string[],
  { place: { file }, template, context }: Making,
  marked?: (content: Text) => Text,
): Text {
  const view = viewOf(item, hidden);
  if (item.prose) view.content = context.helpers.prose(item.prose);
  if (marked && (typeof view.content === 'string' || view.content instanceof Traced))
    view.content = marked(view.content as Text);
  return bodyText(
    template
      ? renderSections(template, view, context.helpers, item.order)
      : [shownAlone(view[bodyName(file)])],
  );
}

/** Keys that an entry has for this tool alone, as far as they stand in one part of the file. */
const nativeOf = ({ native = new Map() }: Item, stands: (key: string) => boolean): Fields =>
  new Map([...native].filter(([key]) => stands(key)));

/** The rows with keys that an entry has for this tool alone, in the place of those of the spec; `null` takes one away. */
function withNative(rows: RowValue[], native: Fields | undefined): RowValue[] {
  if (!native || native.size === 0) return rows;
  const rowOf = ([key, value]: readonly [string, Data]): RowValue[] =>
    value === null ? [] : [{ key, value, bare: false }];
  const known = new Set(rows.map(({ key }) => key));
  return [
    ...rows.flatMap(row => (native.has(row.key) ? rowOf([row.key, native.get(row.key)!]) : [row])),
    ...[...native].filter(([key]) => !known.has(key)).flatMap(rowOf),
  ];
}

/**
 * The rows with the fields that only the tool knows: what the source says of a key that the spec has a constant for
 * counts, and what a Markdown source says under a key that no row has stays under that key. `shown` is in the body.
 */
function passExtra(
  values: readonly RowValue[],
  fields: ItemFields,
  shown: readonly string[],
): readonly RowValue[] {
  const { item } = fields;
  // Of most items all has been said, and the rows are those that they were.
  let rows: Map<string, RowValue> | undefined;
  const pass = (field: string, key: string, value: Data) => {
    rows ??= new Map(values.map(value => [value.key, value]));
    const known = rows.get(key)?.from;
    if (known !== undefined && !item.computed.has(known)) return;
    const origins = originsOf(item, field);
    rows.set(key, { key, value, bare: false, from: field, ...(origins.length > 0 && { origins }) });
  };
  const passAsItIs = (value: Data, key: string) => pass(key, key, value);
  item.extra?.forEach(passAsItIs);
  takeOwn(fields, shown).forEach(passAsItIs);
  item.written?.keys.forEach((key, field) => {
    if (fields.isUsed(field) || (item.computed.has(field) && field !== 'name') || item.extra?.has(field))
      return;
    const value = fields.get(field);
    if (value !== undefined) pass(field, key, value);
  });
  return rows ? [...rows.values()] : values;
}

/** Rows in the order in which the source has their fields. */
const inSourceOrder = (values: readonly RowValue[], { order }: Item): readonly RowValue[] =>
  order ? inOrder(values, ({ from }) => from, order) : values;

/** Bodies end with one line end and do not begin with blank lines; what is inside stays as written. */
const bodyText = (texts: readonly Text[]): Text => {
  const body = trimBlankLines(joinTexts(texts));
  return plain(body) === '' ? '' : joinTexts([body, '\n']);
};

/** A field that is all that a body shows. */
const shownAlone = (value: unknown): Text =>
  value instanceof Traced ? (value as Traced<Origin>) : textOf((value as Data | undefined) ?? '');

/** What a body does not show: not again what stands in the front matter (but globs, which a body has to name), nor a description that the content begins with or that stands above it as the source has it. */
function hiddenIn(item: Item, fields: ItemFields, isAbove: boolean): readonly string[] {
  const hidden: string[] = [];
  item.fields.forEach((_, key) => {
    const isHidden =
      key === 'description' ? isAbove || beginsWithIt(item) : fields.isUsed(key) && !alwaysShown.has(key);
    if (isHidden) hidden.push(key);
  });
  return hidden;
}

/** Whether the content of an item begins with its description. */
const beginsWithIt = ({ fields }: Item): boolean =>
  beginsWith(textOf(fields.get('content') ?? ''), textOf(fields.get('description') ?? ''));

function viewOf(item: Item, hidden: readonly string[]): Record<string, unknown> {
  const view: Record<string, unknown> = {};
  item.fields.forEach((data, key) => {
    if (hidden.includes(key)) return;
    const value = item.origins ? tracedValue(item, key, data) : data;
    // Assigned, it would be more than a key.
    if (key === '__proto__') Object.defineProperty(view, key, { value, enumerable: true });
    else view[key] = value;
  });
  return view;
}

const alwaysShown: ReadonlySet<string> = new Set(['name', 'title', 'content', 'globs']);

/** A value of a view with its origins: texts as they were put together, other data by its parts. */
function tracedValue(item: Item, key: string, value: Data): unknown {
  if (typeof value === 'string') return itemText(item, key, value);
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return itemTexts(item, key);
  const [source, ...more] = originsOf(item, key);
  if (!source || more.length > 0) return value;
  const data = tracedData(source);
  return Array.isArray(value) && !Array.isArray(data) ? [data] : data;
}

/** Whether a text begins with another one, and that does not end in the middle of a word. */
function beginsWith(text: string, start: string): boolean {
  const [whole, part] = [text.trimStart(), start.trim()];
  return whole.startsWith(part) && /^(?:$|[\s.,;:!?])/.test(whole.slice(part.length));
}
