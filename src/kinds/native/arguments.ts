import type { ItemFiles } from '../../generated/types/target.ts';
import type { Item, Text } from '../../model/model.ts';
import { plain, replaceText } from '../../text/traced.ts';
import type { Omissions } from '../omissions.ts';
import type { ImportedItem } from '../read/items.ts';

/** What stands in a command for all that the user types after its name, and for one word of it. */
const reference = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g;

/**
 * Writes the references to arguments in a content as the tool marks them; nothing when the file has the marks of the
 * source, or the content has none. A reference that the tool fills in by no mark stays as it is, and is an omission. A text that has the tool's
 * own mark is in its words already.
 */
export function argumentWriter(
  item: Item,
  { of, arguments: marks }: ItemFiles,
  omissions: Omissions,
): ((content: Text) => Text) | undefined {
  if (!marks || !mayHoldReference(item)) return undefined;
  return content => {
    const text = plain(content);
    if (!text.includes('$') || (marks.all !== undefined && text.includes(marks.all))) return content;
    return replaceText(content, reference, ([whole, number]) => {
      const mark = number === undefined ? marks.all : undefined;
      if (mark === undefined) {
        const what = number === undefined || marks.all === undefined ? 'arguments' : 'argument';
        omissions.add(`${item.path}.content`, whole, omissions.adviceFor(of, what));
      }
      return mark ?? whole;
    });
  };
}

function mayHoldReference({ prose, fields }: Item): boolean {
  const text = fields.get('content');
  return prose !== undefined || (typeof text === 'string' && text.includes('$'));
}

/**
 * The item with the marks for arguments in its content as the source has them. A text that holds the mark of the source
 * as well, which the tool does not fill in, stays as it is: nobody could tell the two apart again.
 */
export function readArguments(item: ImportedItem, { arguments: marks }: ItemFiles): ImportedItem {
  const content = item.fields.get('content');
  if (marks?.all === undefined || typeof content !== 'string' || !content.includes(marks.all)) return item;
  if (content.includes('$ARGUMENTS')) return item;
  const read = content.replaceAll(marks.all, () => '$ARGUMENTS');
  return { ...item, fields: new Map(item.fields).set('content', read) };
}
