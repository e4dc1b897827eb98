import type { Collection, Data, Item } from '../../model/model.ts';
import type { Origin, Text } from '../../model/origin.ts';
import { itemText, itemTexts, originsOf, tracedData } from '../../model/sourced.ts';
import { perObject } from '../../text/memo.ts';
import { cutText, joinTexts, plain, Traced } from '../../text/traced.ts';
import type { ContentDraft, Draft } from '../draft.ts';
import { Omissions, textOf } from '../omissions.ts';
import { itemPath } from '../paths.ts';
import type { ItemFiles, Place } from '../places.ts';
import type { PlanContext } from '../plan-context.ts';
import type { TargetRequest } from '../request.ts';
import { ItemFields, type RowValue, rowValues } from '../write/fields.ts';
import { yamlRows } from '../write/front-matter.ts';
import { specPlace } from '../write/layouts.ts';
import { fillShape, type Slot } from '../write/shape.ts';
import { keyOrigins, structured } from './structured.ts';

/** What the items of one place have in common. */
interface Making {
  readonly place: Place<ItemFiles>;
  readonly collection: Collection;
  readonly request: TargetRequest;
  readonly context: PlanContext;
  /** The place stands in for one that the target does not have. */
  readonly fallback: boolean;
}

export function itemDrafts(
  place: Place<ItemFiles>,
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
  fallback: boolean,
): Draft[] {
  const making: Making = { place, collection, request, context, fallback };
  const name = `${fallback} ${collection} ${place.name}`;
  const known = madeIn(context, name);
  return items.flatMap(item => {
    let result = known.get(item);
    if (!result) {
      const own = new Omissions(request);
      result = { drafts: draftsOf(item, making, own), omissions: own.found };
      known.set(item, result);
    }
    for (const { source, text, advice } of result.omissions) omissions.add(source, text, advice);
    return result.drafts;
  });
}

interface ItemResult {
  readonly drafts: readonly Draft[];
  readonly omissions: Omissions['found'];
}

/** What was made from items at a place. It depends on the context of a target (which has one request) and on the item. */
const placesMade = perObject((_context: PlanContext) => new Map<string, WeakMap<Item, ItemResult>>());

function madeIn(context: PlanContext, place: string): WeakMap<Item, ItemResult> {
  const places = placesMade(context);
  const known = places.get(place) ?? new WeakMap<Item, ItemResult>();
  places.set(place, known);
  return known;
}

/** The file of an item, and its further files. */
function draftsOf(item: Item, making: Making, omissions: Omissions): Draft[] {
  const { place, request, context } = making;
  const path = itemPath(place.file, item, request, context);
  const base = path.slice(0, path.lastIndexOf('/') + 1);
  const drafts: Draft[] = [];
  // A skill that already lives where it would be written stays as the user wrote it.
  if (item.origin === path) return drafts;
  drafts.push(contentDraft(item, path, making, omissions));
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

function contentDraft(item: Item, path: string, making: Making, omissions: Omissions): ContentDraft {
  const { place, collection, request, context, fallback } = making;
  const { file } = place;
  const format = file.format ?? 'markdown';
  const fields = new ItemFields(item, request.options, new Map());
  const values = rowValues(file.frontmatter ?? [], fields, request.options);
  const draft = {
    kind: 'content',
    path,
    request,
    place: fallback ? undefined : place.name,
    item,
    executable: false,
  } as const;
  const by = specPlace(request, `files.${place.name}`);
  if (format !== 'markdown') {
    const slots: Slot[] | undefined = context.literal && [];
    const entry = file.entry === undefined ? undefined : fillShape(file.entry, fields, slots);
    const body = structured(format, values, entry, by, context.literal, slots);
    omissions.fields(fields, collection, derived(fields), false);
    if (!slots || !item.origins || format === 'toml') return { ...draft, body, format };
    const origins = { by, name: item.origins.name, slots: keyOrigins(values, slots) };
    return { ...draft, body, format, keys: [{ kind: 'set', path: [], value: null, origins }] };
  }
  const passed = file.extra === 'pass' ? passExtra(values, fields) : values;
  const name = file.body ?? (collection === 'skills' ? 'skill' : 'content');
  const template = context.body(request, fallback ? undefined : place.name, name);
  const shown = template ? template.uses : [name];
  const content = item.prose ? { content: context.helpers.prose(item.prose) } : {};
  const isAbove = passed.some(row => row.from === 'description' && !values.includes(row));
  const view: Record<string, unknown> = { ...viewOf(item, fields.used, isAbove), ...content };
  const text = template ? template.render(view, context.helpers) : shownAlone(view[name]);
  omissions.fields(fields, collection, [...shown, ...derived(fields)], file.extra === 'pass');
  return {
    ...draft,
    rows: yamlRows(inSourceOrder(passed, item), by, context.literal),
    body: bodyText(text),
    format: 'markdown',
  };
}

/**
 * The rows with the fields that only the tool knows: what the source says of a key that the spec has a constant for
 * counts, and what a Markdown source says under a key that no row has stays under that key.
 */
function passExtra(values: readonly RowValue[], fields: ItemFields): RowValue[] {
  const { item, used } = fields;
  const rows = new Map(values.map(value => [value.key, value]));
  const pass = (field: string, key: string, value: Data) => {
    const known = rows.get(key)?.from;
    if (known !== undefined && !item.computed.has(known)) return;
    const origins = originsOf(item, field);
    rows.set(key, { key, value, bare: false, from: field, ...(origins.length > 0 && { origins }) });
  };
  for (const [key, value] of item.extra ?? []) pass(key, key, value);
  for (const [field, key] of item.written?.keys ?? []) {
    const steers = item.computed.has(field) && field !== 'name';
    const value = steers || used.has(field) || item.extra?.has(field) ? undefined : fields.get(field);
    if (value !== undefined) pass(field, key, value);
  }
  return [...rows.values()];
}

/** Rows in the order in which the source has their fields; what it does not have keeps its place. */
function inSourceOrder(values: readonly RowValue[], { order }: Item): readonly RowValue[] {
  if (!order || values.length < 2) return values;
  const rankOf = ({ from }: RowValue) => (from === undefined ? -1 : order.indexOf(from));
  const sorted = values.filter(value => rankOf(value) !== -1).sort((a, b) => rankOf(a) - rankOf(b));
  let next = 0;
  return values.map(value => (rankOf(value) === -1 ? value : sorted[next++]!));
}

/** Bodies end with one line end and do not begin with blank lines; what is inside stays as written. */
const bodyText = (text: Text): Text => {
  const trimmed = cutText(text, /^(?:[ \t]*\n)+|\s+$/g);
  return plain(trimmed) === '' ? '' : joinTexts([trimmed, '\n']);
};

/** A field that is all that a body shows. */
const shownAlone = (value: unknown): Text =>
  value instanceof Traced ? (value as Traced<Origin>) : textOf((value as Data | undefined) ?? '');

/** Source fields that count as written when a field computed from them was. */
export function derived(fields: ItemFields): string[] {
  return fields.used.has('timeout') ? ['timeoutMs'] : [];
}

/** What a body may show: not again what stands in the front matter (but globs, which a body has to name), nor a description that the content begins with or that stands above it as the source has it. */
function viewOf(item: Item, written: ReadonlySet<string>, isAbove: boolean): Record<string, unknown> {
  const { fields } = item;
  const always = new Set(['name', 'title', 'content', 'description', 'globs']);
  const view = new Map([...fields].filter(([key]) => always.has(key) || !written.has(key)));
  if (isAbove || beginsWith(textOf(fields.get('content') ?? ''), textOf(fields.get('description') ?? '')))
    view.delete('description');
  if (!item.origins) return Object.fromEntries(view);
  return Object.fromEntries([...view].map(([key, value]) => [key, tracedValue(item, key, value)]));
}

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
