import type { Field } from '../generated/blocks.ts';
import { allowsObjectItems, entryField, isPortable, refersToField } from '../resolve/catalogue.ts';
import type { Node, ObjectNode, ScalarNode } from '../resolve/program.ts';
import { isObject } from '../text/data.ts';
import { collectionOf, describeCollection, isReadByPrograms } from './collections.ts';
import { scalarText } from './data.ts';
import type { Data, Unplaced } from './model.ts';

/**
 * Converts the value of a field to its type in the catalogue: `"false"` becomes a boolean. A value that
 * cannot be converted is kept.
 */
export function fieldData(block: string, key: string, node: Node): Data {
  return typed(node, entryField(block, key), block);
}

/** The same for a field directly in a block, such as `description` of `@meta`. */
export const ownFieldData = (fields: readonly Field[] | undefined, key: string, node: Node): Data =>
  typed(
    node,
    fields?.find(field => refersToField(field, key)),
    '',
  );

function typed(node: Node, field: Field | undefined, block: string): Data {
  if (!field) return untyped(node);
  if (node.kind === 'scalar') return scalarAs(node, field.types);
  if (node.kind === 'list') {
    const isText = field.types.every(type => type === 'text') && !isReadByPrograms(block);
    return isText && node.items.every(item => item.kind === 'scalar')
      ? `[${node.items.map(scalarText).join(', ')}]`
      : node.items.map(item => asText(item, false));
  }
  if (field.members === 'text' || field.members === 'single') return asText(node, true);
  if (field.members === 'entry') {
    return mapObject(node, inner =>
      inner.kind === 'object'
        ? mapObject(inner, (value, key) => fieldData(block, key, value))
        : untyped(inner),
    );
  }
  return untyped(node);
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

/** Converts members of lists and maps to texts. `deep` includes nested objects; unset members are omitted. */
function asText(node: Node, deep: boolean): Data {
  if (node.kind === 'scalar') return node.value === null ? null : scalarText(node);
  if (node.kind === 'list') return node.items.map(item => asText(item, deep));
  return deep ? mapObject(node, inner => (isNull(inner) ? undefined : asText(inner, true))) : untyped(node);
}

const isNull = (node: Node): boolean => node.kind === 'scalar' && node.value === null;

/** A value without a known type. A number keeps its source text. */
function untyped(node: Node): Data {
  if (node.kind === 'scalar') return node.raw ?? node.value;
  return node.kind === 'list' ? node.items.map(untyped) : mapObject(node, untyped);
}

function mapObject(node: ObjectNode, make: (value: Node, key: string) => Data | undefined): Data {
  const object: Record<string, Data> = Object.create(null);
  for (const [key, value] of node.fields) {
    const data = make(value, key);
    if (data !== undefined) object[key] = data;
  }
  return object;
}

/** The part of a field or member definition that determines the type of its value. */
type Shape = Pick<Field, 'types' | 'fields' | 'members'> & {
  /**
   * Whether only a single value is accepted: a variable, a header, a path, or anything else that a program
   * reads.
   */
  readonly alone?: boolean;
};

const advice = 'Give the field a value of the kind it has: `prs explain PRS4007`.';

const reservedAdvice =
  'Entries have no such field: the name is kept for what is made of the others. `prs explain PRS4046` names those there are.';

const textOf = (value: Data): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Names of computed fields in entries that only programs read. Two of them can also be set in sources. */
const isReserved = (block: string, name: string): boolean =>
  name !== 'name' &&
  name !== 'disabled' &&
  isReadByPrograms(block) &&
  Object.hasOwn(describeCollection(collectionOf(block)!).computed, name);

/**
 * The fields of an entry with the types of the catalogue. A value of another type is left out and becomes an
 * omission.
 */
export function shapedFields(
  block: string,
  fields: ReadonlyMap<string, Data>,
  path: string,
  unplaced: Unplaced[],
): Map<string, Data> {
  const shaped = new Map<string, Data>();
  const alone = isReadByPrograms(block);
  fields.forEach((value, name) => {
    const field = isPortable(block, name) ? entryField(block, name) : undefined;
    const at = `${path}.${name}`;
    if (!field && isReserved(block, name)) {
      unplaced.push({ path: at, text: textOf(value), advice: reservedAdvice });
      return;
    }
    const fitting = field ? shapedValue({ ...field, alone }, value, at, unplaced) : value;
    if (fitting !== undefined) shaped.set(name, fitting);
  });
  return shaped;
}

function shapedValue(spec: Shape, value: Data, path: string, unplaced: Unplaced[]): Data | undefined {
  const takes = (type: Field['types'][number]) => spec.types.includes(type);
  const leaveOut = (part: Data) => void unplaced.push({ path, text: textOf(part), advice });
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.filter(item => {
      const fits = allowsObjectItems(spec) || typeof item !== 'object';
      if (!fits && item !== null) leaveOut(item);
      return fits && item !== null;
    });
    if (takes('list')) return items;
    if (takes('text') && !spec.alone && items.length > 0 && items.length === value.length)
      return items.join('\n');
    for (const item of items) leaveOut(item);
    return undefined;
  }
  // An object does not fit where single values or lists are expected, and a single value does not fit where
  // fields are.
  const fits = isObject(value) ? takes('object') : spec.types.some(type => type !== 'object');
  if (fits) return isObject(value) ? shapedMembers(spec, value, path, unplaced) : value;
  leaveOut(value);
  return undefined;
}

const single: Shape = { types: ['text'], alone: true };

function shapedMembers(
  spec: Shape,
  object: { readonly [key: string]: Data },
  path: string,
  unplaced: Unplaced[],
): Data {
  if (!spec.fields && spec.members !== 'single') return object;
  const result: Record<string, Data> = Object.create(null);
  for (const [name, value] of Object.entries(object)) {
    const field = spec.fields?.find(one => one.name === name);
    const member: Shape | undefined = spec.members === 'single' ? single : field && { ...field, alone: true };
    const fitting = member ? shapedValue(member, value, `${path}.${name}`, unplaced) : value;
    if (fitting !== undefined) result[name] = fitting;
  }
  return result;
}
