import type { ItemFiles } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import type { Source } from '../../text/source.ts';
import { readProse } from '../document/read/prose.ts';
import type { Reader, Reading } from '../kind.ts';
import { readArguments } from '../native/arguments.ts';
import { asMap, type ImportedItem, itemFromKeys, synonymsFor } from '../read/items.ts';
import { type MarkdownFile, openMarkdown } from '../read/markdown-file.ts';
import { type ItemsRead, readStructured, wholeFile } from '../read/parts.ts';
import { activationSaid, isAlways, readAs, readGuard } from './read/guard-file.ts';
import { guardInSkill } from './read/guard-skill.ts';
import { readHeaded } from './read/headed.ts';
import { readItemEntry } from './read/item-entry.ts';

/** A file is one item, unless it is Markdown at a place of rules that says nothing of when it is read. */
export const reader: Reader<ItemFiles> = {
  read: async (source, place, reading) => {
    const { format = 'markdown' } = place;
    if (format !== 'markdown')
      return readStructured(source, format, reading.report, data => readData(data, place, reading));
    const file = await openMarkdown(source, reading.report);
    if (place.headed !== undefined) return readHeaded(file, place, reading);
    const item = readItem(file, place, reading);
    return item ? [wholeFile(readArguments(item, place), source, reading.report)] : readProse(file, reading);
  },
};

/** A Markdown file at a place of items as one item, whatever else it could be. */
export async function readWholeItem(
  source: Source,
  place: ItemFiles,
  reading: Reading,
): Promise<ImportedItem> {
  const file = await openMarkdown(source, reading.report);
  const item =
    place.of === 'guards'
      ? readGuard(file, place, reading)
      : withOwnKeys(readAs(place.of, file, place, reading), file, place, reading);
  return readArguments(item, place);
}

function readData(data: Data, place: ItemFiles, { name, specs }: Reading): ItemsRead {
  if (place.entry !== undefined) return readItemEntry(data, place, name);
  const { of, frontmatter = [] } = place;
  const item = itemFromKeys(of, name, asMap(data), undefined, frontmatter, synonymsFor(of, specs));
  return { items: [readArguments(item, place)] };
}

/**
 * An item with the keys that its tool is not known to have, though the language has a field for them: they are said for the
 * tool alone, too, so that a compile writes them again.
 */
function withOwnKeys(
  item: ImportedItem,
  { front }: MarkdownFile,
  { extra, frontmatter = [] }: ItemFiles,
  { spec }: Reading,
): ImportedItem {
  if (!spec || extra !== 'pass') return item;
  const own = [...front.fields].filter(
    ([key, value]) =>
      value !== null &&
      key !== 'name' &&
      !frontmatter.some(row => row.key === key) &&
      // What nobody knows is passed on as it is.
      (!item.unknown.has(key) || isPortable(item.block, key)),
  );
  if (own.length === 0) return item;
  return { ...item, fields: new Map([...item.fields, ['targets', { [spec.id]: Object.fromEntries(own) }]]) };
}

/** The whole file as one entry of a block, when the tool or its front matter says that it is one. */
function readItem(file: MarkdownFile, place: ItemFiles, reading: Reading): ImportedItem | undefined {
  if (place.of !== 'guards' && place.of !== 'topics') {
    const whole = withOwnKeys(readAs(place.of, file, place, reading), file, place, reading);
    return place.of === 'skills' ? (guardInSkill(whole) ?? whole) : whole;
  }
  const guard = readGuard(file, place, reading);
  if (guard.fields.has('applyTo') || activationSaid(file, place) !== undefined) return guard;
  const described = typeof guard.fields.get('description') === 'string';
  // Sorted into blocks, its text would be there twice: the file stays.
  if (reading.inPlace && (place.of === 'topics' || !described || isAlways(file, reading))) return guard;
  // A rule without globs that a tool loads when its description fits is what others call a skill.
  const isSkill = place.of === 'guards' && !isAlways(file, reading) && described;
  return isSkill ? { ...guard, block: 'skills' } : undefined;
}
