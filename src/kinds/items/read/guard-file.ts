import type { ItemFiles, Row } from '../../../generated/types/target.ts';
import type { Activation } from '../../../model/guards.ts';
import { takesText } from '../../../spec/vocabulary.ts';
import { sameUnordered } from '../../../text/equal.ts';
import type { FrontMatter } from '../../../text/front-matter.ts';
import type { Reading } from '../../kind.ts';
import { documentsOf } from '../../places.ts';
import { type ImportedItem, itemFromKeys, synonymsFor } from '../../read/items.ts';
import type { MarkdownFile } from '../../read/markdown-file.ts';
import { activationIn } from './activation.ts';

/** A Markdown file as an item of a collection, by the rows of its place. */
export function readAs(
  of: ItemFiles['of'],
  { front, body }: MarkdownFile,
  place: ItemFiles | undefined,
  { name, specs }: Reading,
): ImportedItem {
  const rows = place?.frontmatter ?? [];
  return itemFromKeys(of, name, textsAsWritten(of, front, rows), body, rows, synonymsFor(of, specs), place);
}

/** A rule, with what its keys say of when it is read. */
export const readGuard = (file: MarkdownFile, place: ItemFiles | undefined, reading: Reading): ImportedItem =>
  withActivation(readAs('guards', file, place, reading), place && activationSaid(file, place));

/** When a rule of a place is read, where its keys say it. */
export const activationSaid = ({ front }: MarkdownFile, place: ItemFiles): Activation | undefined =>
  place.of === 'guards' ? activationIn(place, place.frontmatter ?? [], front.fields) : undefined;

/** Says when a rule is read where its globs do not say it. */
function withActivation(guard: ImportedItem, activation: Activation | undefined): ImportedItem {
  const fields = new Map([...guard.fields].filter(([name]) => name !== 'activation'));
  const content = fields.get('content');
  if (
    activation === 'description' ||
    activation === 'manual' ||
    (activation && fields.has('applyTo') && activation !== 'scoped')
  )
    fields.set('activation', activation);
  if (content !== undefined && fields.delete('content')) fields.set('content', content);
  return { ...guard, fields };
}

/** `argument-hint: [issue]` is a text with brackets to those who write it, and a list to YAML. */
function textsAsWritten(
  of: ItemFiles['of'],
  front: FrontMatter,
  rows: readonly Row[],
): FrontMatter['fields'] {
  const fields = new Map(front.fields);
  for (const [key, text] of front.written) {
    const field = rows.find(row => row.key === key)?.from ?? key;
    if (takesText(of, field)) fields.set(key, text);
  }
  return fields;
}

/** Whether the front matter says what that of the tool's always-loaded document says. */
export function isAlways({ front: { fields } }: MarkdownFile, { spec }: Reading): boolean {
  const rows = spec ? documentsOf(spec).flatMap(({ frontmatter = [] }) => frontmatter) : [];
  return rows.some(
    ({ key, from, value }) =>
      from === undefined &&
      fields.has(key) &&
      sameUnordered(value, fields.get(key)) &&
      // A sentence is a description.
      !(typeof value === 'string' && /\s/.test(value)),
  );
}
