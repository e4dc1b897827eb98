import type { ItemFiles } from '../../generated/types/target.ts';
import type { Data, Item, Origin, Text } from '../../model/model.ts';
import { itemText, itemTexts, originsOf, tracedData } from '../../model/origin.ts';
import { type Helpers, renderTemplate, type Template } from '../../spec/template.ts';
import { joinTexts, plain, Traced, trimBlankLines } from '../../text/traced.ts';
import { textOf } from '../omissions.ts';
import type { ItemFields } from '../write/fields.ts';

/** The name of the body of a place. */
export const bodyName = ({ body, of }: ItemFiles): string => body ?? (of === 'skills' ? 'skill' : 'content');

/** What a body shows of an item without some of its fields. */
export function showBody(
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
    template ? renderTemplate(template, view, helpers, item.order) : shownAlone(view[bodyName(file)]),
  );
}

/** Bodies end with one line end and do not begin with blank lines; what is inside stays as written. */
export const bodyText = (text: Text): Text => {
  const body = trimBlankLines(text);
  return plain(body) === '' ? '' : joinTexts([body, '\n']);
};

/** A field that is all that a body shows. */
const shownAlone = (value: unknown): Text =>
  value instanceof Traced ? (value as Traced<Origin>) : textOf((value as Data | undefined) ?? '');

/**
 * The fields that a body does not show: those in the front matter (but globs, which a body has to name), and a
 * description that the content begins with, or that is above it as the source has it.
 */
export function hiddenIn(item: Item, fields: ItemFields, isAbove: boolean): readonly string[] {
  return [...item.fields.keys()].filter(key =>
    key === 'description' ? isAbove || beginsWithIt(item) : fields.isUsed(key) && !alwaysShown.has(key),
  );
}

/** Whether the content of an item begins with its description. */
const beginsWithIt = ({ fields }: Item): boolean =>
  beginsWith(textOf(fields.get('content') ?? ''), textOf(fields.get('description') ?? ''));

/** The fields that a template shows; also a field `__proto__` becomes a key of its own. */
const viewOf = (item: Item, hidden: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    [...item.fields]
      .filter(([key]) => !hidden.includes(key))
      .map(([key, data]) => [key, item.origins ? tracedValue(item, key, data) : data]),
  );

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
