import { catalogue } from '../generated/blocks.ts';
import { records } from '../generated/collections.ts';
import { blockOf } from '../model/collections.ts';
import { findBlock, isTextField } from '../resolve/catalogue.ts';

/** Fields that the model computes for the items of a collection, beside those of the block catalogue, and what they are. */
export const computedFields: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  records.map(({ name, computed }) => [name, computed]),
);

/** Whether a field of a collection takes a text and nothing else. */
export const takesText = (collection: string, field: string): boolean =>
  isTextField(blockOf(collection), field);

/** The words a spec may use in `from:` for a collection; `undefined` for documents, which have only `meta.…`. */
export function fieldsOf(collection: string): readonly string[] | undefined {
  const own = computedFields[collection];
  const fields = findBlock(blockOf(collection))?.entry?.fields ?? [];
  return own && [...new Set([...Object.keys(own), ...fields.map(field => field.as ?? field.name)])].sort();
}

/** Which of these words stands for a field that has another name in sources: `globs` for `applyTo`. */
export const wordFor = (name: string, words: readonly string[]): string | undefined =>
  catalogue.blocks
    .flatMap(block => block.entry?.fields ?? [])
    .find(({ name: own, keys = [], as }) => as && words.includes(as) && [own, ...keys].includes(name))?.as;
