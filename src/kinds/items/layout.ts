import type { ItemFiles, Row } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data, Item, Origin, Text } from '../../model/model.ts';
import { itemText, itemTexts, originsOf, tracedData } from '../../model/origin.ts';
import { type Helpers, renderTemplate, type Template } from '../../spec/template.ts';
import { commonFolder } from '../../text/globs.ts';
import { leadingHeadingDepth, nestHeadings } from '../../text/headings.ts';
import { memoizeByObject } from '../../text/memo.ts';
import { titleOf } from '../../text/title.ts';
import { joinTexts, plainText, Traced, trimBlankLines } from '../../text/traced.ts';
import { type ItemFields, withFields } from '../native/shapes.ts';
import { omissionText, type UnwrittenFields } from '../omissions.ts';
import type { ImpliedKey } from '../output.ts';
import type { FrontMatterRow } from '../write/rows.ts';

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
export function underHeading(item: Item, text: Text, level: number): Text {
  const own = leadingHeadingDepth(plainText(text));
  if (own > 0 && own <= level) return text;
  const title = itemText(item, 'title', String(item.fields.get('title') ?? titleOf(item.name)));
  return joinTexts([joinTexts([`${'#'.repeat(level)} `, title]), nestHeadings(text, level + 1)], '\n\n');
}

/** The folder whose file contains an item, when the tool reads files of folders. */
export const folderFor = ({ nested }: ItemFiles, item: Item): string | undefined =>
  nested ? folderOfGlobs(item).folder : undefined;

/** An item in the file of a folder, without a glob for the whole folder. */
export function withoutFolderGlobs(file: ItemFiles, item: Item): Item {
  const folder = folderFor(file, item);
  const isSaid = strings(item.fields.get('globs')).every(glob => coversFolder(glob, folder ?? ''));
  return folder === undefined || !isSaid ? item : withFields(item, { globs: undefined });
}

export const bodyName = (of: string, body: string | undefined): string =>
  body ?? (of === 'skills' ? 'skill' : 'content');

/** Renders the body of an item without some of its fields. */
export function renderBody(
  item: Item,
  hidden: readonly string[],
  file: ItemFiles,
  template: Template | undefined,
  helpers: Helpers,
  marked?: (content: Text) => Text,
): Text {
  const view = viewOf(item, hidden);
  if (item.prose) view.content = helpers.prose(item.prose);
  if (marked && (typeof view.content === 'string' || view.content instanceof Traced))
    view.content = marked(view.content as Text);
  return bodyText(
    template
      ? renderTemplate(template, view, helpers, item.order)
      : shownAlone(view[bodyName(file.of, file.body)]),
  );
}

/** Bodies end with one line end and do not begin with blank lines; the rest is unchanged. */
export const bodyText = (text: Text): Text => {
  const body = trimBlankLines(text);
  return plainText(body) === '' ? '' : joinTexts([body, '\n']);
};

const shownAlone = (value: unknown): Text =>
  value instanceof Traced ? (value as Traced<Origin>) : omissionText((value as Data | undefined) ?? '');

/**
 * The fields that a body does not show: those in the front matter (except globs, which a body must name), and
 * a description that the content begins with, or that precedes it in the source.
 */
export function hiddenFields(item: Item, fields: ItemFields, isAbove: boolean): readonly string[] {
  return [...item.fields.keys()].filter(key =>
    key === 'description' ? isAbove || beginsWithIt(item) : fields.isUsed(key) && !alwaysShown.has(key),
  );
}

const beginsWithIt = ({ fields }: Item): boolean =>
  beginsWith(omissionText(fields.get('content') ?? ''), omissionText(fields.get('description') ?? ''));

/** The view of an item for a template. A field named `__proto__` becomes an ordinary key. */
const viewOf = (item: Item, hidden: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    [...item.fields]
      .filter(([key]) => !hidden.includes(key))
      .map(([key, data]) => [key, item.origins ? tracedValue(item, key, data) : data]),
  );

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

export interface ItemLayout {
  readonly rows: readonly FrontMatterRow[];
  readonly implied: readonly ImpliedKey[];
  readonly plain?: string;
  readonly body: Text;
  readonly fields: ItemFields;
  readonly left: UnwrittenFields;
}

const layouts = memoizeByObject((_helpers: Helpers) => new Map<string, WeakMap<Item, ItemLayout>>());

/**
 * A cache of rendered items, shared by places with the same layout: most tools get the same skills. Without
 * it, a fresh compile for all tools takes a quarter longer.
 */
export function layoutCache(
  helpers: Helpers,
  template: Template | undefined,
  { of, body, extra }: ItemFiles,
  rows: readonly Row[],
): WeakMap<Item, ItemLayout> {
  const key = JSON.stringify([of, body, extra, rows, template?.name]);
  const all = layouts(helpers);
  const known = all.get(key) ?? new WeakMap<Item, ItemLayout>();
  all.set(key, known);
  return known;
}
