import { findBlock, takesObjectItems } from '../resolve/catalogue.ts';
import { collectionOf, describeCollection, isForPrograms } from './collections.ts';
import { isDataObject } from './data.ts';
import type { Data, Unplaced } from './model.ts';

type FieldSpec = NonNullable<NonNullable<ReturnType<typeof findBlock>>['entry']>['fields'][number];

/** What matters of a field, or of a member of one, for the shape of its value. */
type Shape = Pick<FieldSpec, 'types' | 'fields' | 'members'> & {
  /** Whether only a single value is taken: a variable, a header, a path, or anything else that a program reads. */
  readonly alone?: true;
};

const advice = 'Give the field a value of the kind it has: `prs explain PRS4007`.';

const reservedAdvice =
  'Entries have no such field: the name is kept for what is made of the others. `prs explain PRS4046` names those there are.';

const textOf = (value: Data): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Names of fields that are made of others, in entries that only programs read. */
function reservedFields(block: string): ReadonlySet<string> {
  const collection = collectionOf(block);
  const { computed } = collection ? describeCollection(collection) : {};
  if (!isForPrograms(block)) return none;
  return new Set(Object.keys(computed ?? {}).filter(name => !read.has(name)));
}

const none: ReadonlySet<string> = new Set();

/** Those that are read all the same. */
const read: ReadonlySet<string> = new Set(['name', 'disabled']);

/**
 * The fields of an entry in the shapes that the block catalogue gives them, which is what specs and templates count
 * on. A value of another shape is left out, and is an omission in addition to the finding of `block-shape`.
 */
export function shapedFields(
  block: string,
  fields: ReadonlyMap<string, Data>,
  path: string,
  unplaced: Unplaced[],
): Map<string, Data> {
  const specs = findBlock(block)?.entry?.fields ?? [];
  const shaped = new Map<string, Data>();
  const reserved = reservedFields(block);
  fields.forEach((value, name) => {
    const spec = specs.find(one => (one.as ?? one.name) === name);
    const at = `${path}.${name}`;
    if (!spec && reserved.has(name)) {
      unplaced.push({ path: at, text: textOf(value), advice: reservedAdvice });
      return;
    }
    const shape: Shape | undefined = spec && isForPrograms(block) ? { ...spec, alone: true } : spec;
    const fitting = shape ? shapedValue(shape, value, at, unplaced) : value;
    if (fitting !== undefined) shaped.set(name, fitting);
  });
  return shaped;
}

function shapedValue(spec: Shape, value: Data, path: string, unplaced: Unplaced[]): Data | undefined {
  const takes = (type: FieldSpec['types'][number]) => spec.types.includes(type);
  const leaveOut = (part: Data) => void unplaced.push({ path, text: textOf(part), advice });
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.filter(item => {
      const fits = takesObjectItems(spec) || typeof item !== 'object';
      if (!fits && item !== null) leaveOut(item);
      return fits && item !== null;
    });
    if (takes('list')) return items;
    if (takes('text') && !spec.alone && items.length > 0 && items.length === value.length)
      return items.join('\n');
    for (const item of items) leaveOut(item);
    return undefined;
  }
  // An object where single values or lists of them are wanted, and a single value where there must be fields.
  const fits = isDataObject(value) ? takes('object') : spec.types.some(type => type !== 'object');
  if (fits) return isDataObject(value) ? shapedMembers(spec, value, path, unplaced) : value;
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
