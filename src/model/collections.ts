import { type Collection, records } from '../generated/collections.ts';
import { findBlock, sourceName } from '../resolve/catalogue.ts';
import { memoize } from '../text/memo.ts';
import type { Item, Model } from './model.ts';

type Description = (typeof records)[number];

const byName = new Map<string, Description>(records.map(record => [record.name, record]));

const byBlock = new Map<string, Description>(
  records.filter(({ of }) => of !== 'fields').map(record => [record.block, record]),
);

/** The names of all collections, in the order in which their places are filled. */
export const collections: readonly Collection[] = records.map(({ name }) => name);

/** Whether a string is the name of a collection. */
export const isCollection = (name: string | undefined): name is Collection =>
  collections.some(one => one === name);

/** Builds the `items` of a model from a function of the collection. */
export function itemsOfEach(make: (collection: Collection) => readonly Item[]): Model['items'] {
  const items: Partial<Record<Collection, readonly Item[]>> = {};
  for (const collection of collections) items[collection] = make(collection);
  return items as Model['items'];
}

/** The catalogue entry of a collection. */
export const describeCollection = (name: Collection): Description => byName.get(name)!;

/** The collection that the named entries of a block belong to; `undefined` for prose. */
export const collectionOf = (block: string): Collection | undefined => byBlock.get(block)?.name;

/** Whether only programs read the entries of a block, so that nothing in them is text for a model. */
export const isReadByPrograms = (block: string): boolean =>
  byBlock.get(block)?.without === 'omission' &&
  !findBlock(block)?.entry?.fields.some(({ name }) => name === 'content');

/** Whether items have a display name (`shown`) and a description (`about`). */
export const hasDisplayName = (collection: Collection): boolean =>
  Object.hasOwn(describeCollection(collection).computed, 'shown');

/** The block in which a collection is written. */
export const blockOf = (collection: string): string => byName.get(collection)?.block ?? collection;

/** The key of an item in sources: a command has the key `/name`. */
export const keyOfItem = (collection: string, name: string): string =>
  `${byName.get(collection)?.prefix ?? ''}${name}`;

/** The name of a field in sources: `applyTo` for the `globs` of a guard. */
export const sourceField = (collection: string, name: string): string =>
  sourceName(blockOf(collection), name);

/** Whether an entry of a block may be a plain text. */
export const allowsTextEntry = (block: string): boolean =>
  findBlock(block)?.entry?.types.includes('text') ?? false;

/** Fields of an item that contain no user text, so that leaving them out is not an omission. */
export const fieldsWithoutText: (collection: Collection) => ReadonlySet<string> = memoize(
  collection => new Set(['name', ...(describeCollection(collection).steering ?? [])]),
);
