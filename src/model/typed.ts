import type { Field } from '../generated/blocks.ts';
import { entryFieldsOf, fieldNamed } from '../resolve/catalogue.ts';
import type { Node, ObjectNode, ScalarNode } from '../resolve/program.ts';
import { isForPrograms } from './collections.ts';
import { scalarText } from './data.ts';
import type { Data } from './model.ts';

/**
 * The value of a field of an entry as the type that the block catalogue gives the field: formats that want a text get
 * one, with the digits that were written, and `"false"` switches off like `false`. A value that fits no type stays.
 */
export function fieldData(block: string, key: string, node: Node): Data {
  return typed(
    node,
    entryFieldsOf(block)?.find(field => fieldNamed(field, key)),
    block,
  );
}

/** The same for a field directly in the block, such as `description` of `@meta`. */
export const ownFieldData = (fields: readonly Field[] | undefined, key: string, node: Node): Data =>
  typed(
    node,
    fields?.find(field => fieldNamed(field, key)),
    '',
  );

function typed(node: Node, field: Field | undefined, block: string): Data {
  const types: readonly string[] = field?.types ?? [];
  if (
    node.kind === 'list' &&
    types.length > 0 &&
    types.every(type => type === 'text') &&
    !isForPrograms(block)
  )
    return node.items.every(item => item.kind === 'scalar')
      ? `[${node.items.map(item => scalarText(item)).join(', ')}]`
      : loose(node);
  if (node.kind === 'list')
    return node.items.map(item => (types.length > 0 ? asText(item, false) : loose(item)));
  if (node.kind === 'scalar') return field ? scalarAs(node, types) : loose(node);
  if (field?.members === 'text' || field?.members === 'single') return asText(node, true);
  if (field?.members === 'entry') {
    return mapObject(node, inner =>
      inner.kind === 'object' ? mapObject(inner, (value, key) => fieldData(block, key, value)) : loose(inner),
    );
  }
  return loose(node);
}

function scalarAs(node: ScalarNode, types: readonly string[]): Data {
  const { value } = node;
  if (value === null) return null;
  if (types.includes(typeof value === 'string' ? 'text' : typeof value))
    return node.raw !== undefined && types.includes('text') ? node.raw : value;
  if (typeof value !== 'string')
    return types.includes('text') || types.includes('list') ? scalarText(node) : value;
  const word = value.trim().toLowerCase();
  if (types.includes('boolean') && (word === 'true' || word === 'false')) return word === 'true';
  if (types.includes('number') && /^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  return value;
}

/** Members of lists and maps that hold texts. `deep` goes into objects; what is unset there is left out. */
function asText(node: Node, deep: boolean): Data {
  if (node.kind === 'scalar') return node.value === null ? null : scalarText(node);
  if (node.kind === 'list') return node.items.map(item => asText(item, deep));
  return deep ? mapObject(node, inner => (isNull(inner) ? undefined : asText(inner, true))) : loose(node);
}

const isNull = (node: Node): boolean => node.kind === 'scalar' && node.value === null;

/** A value that no type is known for; a number with a text of its own keeps that text. */
function loose(node: Node): Data {
  if (node.kind === 'scalar') return node.raw ?? node.value;
  return node.kind === 'list' ? node.items.map(loose) : mapObject(node, loose);
}

function mapObject(node: ObjectNode, make: (value: Node, key: string) => Data | undefined): Data {
  const object: Record<string, Data> = Object.create(null);
  for (const [key, value] of node.fields) {
    const data = make(value, key);
    if (data !== undefined) object[key] = data;
  }
  return object;
}
