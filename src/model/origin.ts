import type { Node } from '../resolve/program.ts';
import { type Ingredient, locateTexts, traced } from '../text/traced.ts';
import { scalarText, strings } from './data.ts';
import { type Item, keyOrigins, type NameOrigin, type Origin, type Text, type ValueSource } from './model.ts';

/** A key as a segment of a path, quoted where needed. */
export const pathSegment = (key: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : JSON.stringify(key);

/** The origin of text made from the name of a declaration. */
export const nameOrigin = (path: string, text: string, { steps }: Pick<Node, 'steps'>): NameOrigin => ({
  kind: 'name',
  path,
  text,
  step: steps[0]!,
});

/** The texts of a value in source order, including field names. */
export function leavesOf(sourced: ValueSource): Ingredient<Origin>[] {
  if (!('node' in sourced)) return [{ text: sourced.text, origin: sourced }];
  const { path, node } = sourced;
  if (node.kind === 'scalar') return [{ text: scalarText(node), origin: { kind: 'value', path, node } }];
  if (node.kind === 'list')
    return node.items.flatMap((item, index) => leavesOf({ path: `${path}[${index}]`, node: item }));
  return [...node.fields].flatMap(([key, inner]) => {
    const below = `${path}.${pathSegment(key)}`;
    return [{ text: key, origin: nameOrigin(below, key, inner) }, ...leavesOf({ path: below, node: inner })];
  });
}

const names: ReadonlySet<string> = new Set(['name', 'title', 'id']);

/** What a field was made from; empty when the item is not traced. */
export const originsOf = ({ origins }: Item, field: string): readonly ValueSource[] => {
  if (!origins) return none;
  const found = origins.fields.get(field);
  if (found) return found;
  return names.has(field) && origins.name.kind === 'name' ? [origins.name] : none;
};

const none: readonly ValueSource[] = [];

/** A text made from a field of an item; traced when the item is. */
export function itemText(item: Item, field: string, text: string): Text {
  if (!item.origins || text === '') return text;
  if (names.has(field) && !item.origins.fields.has(field)) return traced(text, item.origins.name);
  return locateTexts(text, originsOf(item, field).flatMap(leavesOf));
}

/** The strings of a list field; traced when the item is. */
export function itemTexts(item: Item, field: string): Text[] {
  const texts = strings(item.fields.get(field));
  const leaves = originsOf(item, field).flatMap(leavesOf);
  return texts.map((text, index) => {
    const origin = leaves.length === texts.length ? leaves[index]!.origin : leaves[0]?.origin;
    return origin ? traced(text, origin, leaves[index]?.text === text) : text;
  });
}

/** Plain data of a field in which strings are replaced by traced texts. */
export function tracedData(sourced: ValueSource): unknown {
  if (!('node' in sourced)) return traced(sourced.text, sourced);
  const { path, node } = sourced;
  if (node.kind === 'scalar') {
    if (typeof node.value !== 'string' && node.raw === undefined) {
      return node.value === null ? null : traced(String(node.value), { kind: 'value', path, node });
    }
    return traced(String(node.value), { kind: 'value', path, node } satisfies Origin, true);
  }
  if (node.kind === 'list')
    return node.items.map((item, index) => tracedData({ path: `${path}[${index}]`, node: item }));
  const data: Record<string | symbol, unknown> = Object.create(null);
  const keys = new Map<string, Origin>();
  for (const [key, inner] of node.fields) {
    const below = `${path}.${pathSegment(key)}`;
    data[key] = tracedData({ path: below, node: inner });
    keys.set(key, nameOrigin(below, key, inner));
  }
  data[keyOrigins] = keys;
  return data;
}
