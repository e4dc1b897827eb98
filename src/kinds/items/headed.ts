import type { ItemFiles } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Item, Text } from '../../model/model.ts';
import { itemText } from '../../model/origin.ts';
import { leadingHeading, nestHeadings } from '../../text/headings.ts';
import { titleOf } from '../../text/title.ts';
import { joinTexts, plain } from '../../text/traced.ts';
import { aboutFolder, isWhole } from '../about-folder.ts';

/** The text of an item in a file that others share: below a heading with its title, unless it begins with one. */
export function underHeading(item: Item, text: Text, level: number): Text {
  const own = leadingHeading(plain(text));
  if (own > 0 && own <= level) return text;
  const title = itemText(item, 'title', String(item.fields.get('title') ?? titleOf(item.name)));
  return joinTexts([joinTexts([`${'#'.repeat(level)} `, title]), nestHeadings(text, level + 1)], '\n\n');
}

/** The folder whose file holds an item, where the tool reads files of folders. */
export const folderFor = ({ nested }: ItemFiles, item: Item): string | undefined =>
  nested ? aboutFolder(item).folder : undefined;

/** An item in the file of a folder: that it is about all that lies there need not be said. */
export function inFolder(file: ItemFiles, item: Item): Item {
  const folder = folderFor(file, item);
  const isSaid = strings(item.fields.get('globs')).every(glob => isWhole(glob, folder ?? ''));
  if (folder === undefined || !isSaid) return item;
  const fields = new Map(item.fields);
  fields.delete('globs');
  return { ...item, fields };
}
