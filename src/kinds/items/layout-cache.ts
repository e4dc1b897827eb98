import type { ItemFiles, Row } from '../../generated/types/target.ts';
import type { Item, Text } from '../../model/model.ts';
import type { Helpers, Template } from '../../spec/template.ts';
import { perObject } from '../../text/memo.ts';
import type { LeftFields } from '../omissions.ts';
import type { ItemFields } from '../write/fields.ts';
import type { FrontMatterRow } from '../write/front-matter.ts';

/** A Markdown file of an item, and the fields that it leaves out. */
export interface ItemLayout {
  readonly rows: readonly FrontMatterRow[];
  readonly body: Text;
  readonly fields: ItemFields;
  readonly left: LeftFields;
}

/** Laid-out Markdown files by the place that they are laid out for, and by item. */
const layouts = perObject((_helpers: Helpers) => new Map<string, WeakMap<Item, ItemLayout>>());

/**
 * The cache of laid-out items for all places that lay items out alike: most tools take the same skills. Without it, a
 * fresh compile for all tools takes a quarter longer.
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
