import type { ItemFiles, Row } from '../../generated/types/target.ts';
import { type Activation, activationOf } from '../../model/guards.ts';
import type { Data, Item, Text } from '../../model/model.ts';
import type { Template } from '../../spec/template.ts';
import { groupBy } from '../../text/group.ts';
import { plain } from '../../text/traced.ts';
import type { ContentDraft } from '../draft.ts';
import type { Planning } from '../kind.ts';
import { argumentWriter } from '../native/arguments.ts';
import { type FilledSlot, fillShape } from '../native/shape.ts';
import { referenceWriter, withNames } from '../native/variables.ts';
import { leftOf, type Omissions } from '../omissions.ts';
import { itemPath } from '../paths.ts';
import type { Place } from '../places.ts';
import type { TargetRequest } from '../request.ts';
import { bundledSource } from '../write/content.ts';
import { derived, holds, ItemFields, rowValues } from '../write/fields.ts';
import { yamlRows } from '../write/front-matter.ts';
import { nativeHooks } from '../write/hooks.ts';
import { specPlace } from '../write/layouts.ts';
import { listPlace, withKeys } from '../write/tool-keys.ts';
import { bodyName, bodyText, hiddenIn, showBody } from './body.ts';
import { folderFor, inFolder, underHeading } from './headed.ts';
import { type ItemLayout, layoutCache } from './layout-cache.ts';
import { inSourceOrder, nativeOf, passExtra, withNative } from './rows.ts';
import { keyOrigins, structured, withListItems } from './structured.ts';

/** What the items of one place have in common. */
interface PlaceLayout extends Pick<Planning, 'request' | 'context'> {
  readonly place: Place<ItemFiles>;
  /** The rows that the options of the target ask for. */
  readonly rows: readonly Row[];
  readonly template: Template | undefined;
  /** The fields that the body shows. */
  readonly shown: readonly string[];
  /** Where the spec says it. */
  readonly by: string;
  readonly cache: WeakMap<Item, ItemLayout> | undefined;
}

function layoutFor(
  place: Place<ItemFiles>,
  { request, context }: Pick<Planning, 'request' | 'context'>,
): PlaceLayout {
  const { headed, frontmatter = [] } = place.file;
  const rows = frontmatter.filter(row => holds(row.when, request.options));
  const template = context.body(request, place.fallback ? undefined : place.name, bodyName(place.file));
  const by = specPlace(request, `files.${place.name}`);
  const shown = template?.uses ?? [bodyName(place.file)];
  // Origins differ by place.
  const isCached = context.literal === undefined && headed === undefined;
  const cache = isCached ? layoutCache(context.helpers, template, place.file, rows) : undefined;
  return { place, request, context, rows, template, shown, by, cache };
}

/** A file for each item, with its resources. */
export function planItems(place: Place<ItemFiles>, planning: Planning): ContentDraft[] {
  const making = layoutFor(place, planning);
  const { items, others } = filesFor(place, planning);
  return items.flatMap(item => draftsOf(item, making, planning.omissions, undefined, others?.get(item)));
}

/** The same for one item at a path of its own choice. */
export function draftsAt(
  path: string,
  item: Item,
  place: Place<ItemFiles>,
  planning: Pick<Planning, 'request' | 'context' | 'omissions'>,
): ContentDraft[] {
  return draftsOf(item, layoutFor(place, planning), planning.omissions, path);
}

/** The activations that guards at a place can have. */
export const activationsOf = ({ activation = ['scoped'] }: ItemFiles): readonly Activation[] => activation;

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

/** The file of an item, and its further files. */
function draftsOf(
  item: Item,
  making: PlaceLayout,
  omissions: Omissions,
  path = pathFor(item, making),
  others: readonly Item[] = [],
): ContentDraft[] {
  const { place, request } = making;
  const base = path.slice(0, path.lastIndexOf('/') + 1);
  // A skill that already lives where it would be written stays as the user wrote it.
  if (item.origin === path) return [];
  const resources = item.resources.map(
    ({ path, read, executable }): ContentDraft => ({
      kind: 'content',
      path: base + path,
      request,
      place: place.name,
      item,
      resource: path,
      body: read,
      format: 'other',
      executable,
    }),
  );
  return [contentDraft(item, path, making, omissions, others), ...resources];
}

/** Where the file of an item lies: in its folder, for a tool that reads such files there. */
function pathFor(item: Item, { place: { file }, request, context }: PlaceLayout): string {
  const folder = folderFor(file, item);
  const path = itemPath(file, item, request, context);
  return folder === undefined ? path : `${folder}/${path}`;
}

function contentDraft(
  given: Item,
  path: string,
  making: PlaceLayout,
  omissions: Omissions,
  others: readonly Item[],
): ContentDraft {
  const { place, request } = making;
  const { file, fallback } = place;
  const { format = 'markdown', headed } = file;
  const item = withNames(headed === undefined ? given : inFolder(file, given), file);
  const marked = argumentWriter(item, file, omissions);
  const references = referenceWriter(item, file, request.spec, omissions.unwritten);
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
    const fields = fieldsIn(item, request, marked, references);
    const made = structure(fields, format, making, others);
    omissions.fields(fields, file.of, leftOf(fields, derived(fields)));
    return { ...draft, ...made };
  }
  const cache = marked || references || item !== given ? undefined : making.cache;
  const laidOut =
    cache?.get(item) ?? layOutItem(item, fieldsIn(item, request, marked, references), making, marked);
  cache?.set(item, laidOut);
  const { rows, body, fields, left } = laidOut;
  omissions.fields(fields, file.of, left);
  return { ...draft, rows, body, ...(headed !== undefined && { headed: true }) };
}

/** The text of a structured file of an item, with those that are one file with it. */
function structure(
  fields: ItemFields,
  format: Exclude<ItemFiles['format'], 'markdown' | undefined>,
  { place: { file }, request, context, rows, by }: PlaceLayout,
  others: readonly Item[],
): Pick<ContentDraft, 'body' | 'keys'> {
  const { item } = fields;
  const values = rowValues(rows, fields, request.options);
  const slots: FilledSlot[] | undefined = context.literal && [];
  const first = file.entry === undefined ? undefined : fillShape(file.entry, fields, slots);
  const shaped = others.reduce(
    (all, other) => withListItems(all, fieldsIn(other, request), file.entry, slots),
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
): ItemFields {
  return new ItemFields(item, options, (field, value) => {
    const filled = references?.(field, value) ?? value;
    return marked && field === 'content' && typeof filled === 'string' ? plain(marked(filled)) : filled;
  });
}

function layOutItem(
  item: Item,
  fields: ItemFields,
  making: PlaceLayout,
  marked: ((content: Text) => Text) | undefined,
): ItemLayout {
  const { request, context, shown } = making;
  const { file } = making.place;
  const rows = withNative(rowValues(making.rows, fields, request.options), item.native);
  const isPassing = file.extra === 'pass';
  const passed = isPassing ? passExtra(rows, fields, shown) : rows;
  const isAbove = passed !== rows && passed.some(row => row.from === 'description' && !rows.includes(row));
  const hidden = hiddenIn(item, fields, isAbove);
  const text = showBody(item, hidden, file, making.template, context.helpers, marked);
  const titled = file.headed === undefined ? [] : ['title'];
  const left = leftOf(fields, [...shown, ...derived(fields), ...titled], isPassing);
  return {
    rows: yamlRows(inSourceOrder(passed, item), making.by, context.literal, bundledSource(item)),
    body: file.headed === undefined ? text : bodyText(underHeading(item, text, file.headed)),
    fields,
    left,
  };
}
