import type { ItemFiles } from '../../generated/types/target.ts';
import type { ImportedItem } from './items.ts';

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
