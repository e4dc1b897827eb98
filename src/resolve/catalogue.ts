import { type Block, catalogue, type Field } from '../generated/blocks.ts';
import type { Feature } from '../generated/types/blocks.ts';
import { memoize } from '../text/memo.ts';

const byName = new Map<string, Block>(
  catalogue.blocks.flatMap(block =>
    [block.name, ...(block.aliases ?? [])].map(name => [name, block] as const),
  ),
);

const features = new Map<string, Feature>(catalogue.features.map(feature => [feature.name, feature]));

/** All names of catalogue blocks, including aliases. */
export const blockNames: readonly string[] = [...byName.keys()];

/** The catalogue entry of a block by any of its names; `undefined` for a custom block. */
export const findBlock = (name: string): Block | undefined => byName.get(name);

/** Resolves an alias of a block: `commands` is `shortcuts`; other names are returned unchanged. */
export const canonicalBlock = (name: string): string => byName.get(name)?.name ?? name;

/** The catalogue entry of a language feature, with the version that introduced it. */
export const featureOf = (name: Feature['name']): Feature => features.get(name)!;

/**
 * How two values of one path merge. `default`: the later scalar wins, lists append, texts concatenate,
 * objects merge.
 */
export type Strategy = 'default' | NonNullable<Field['merge']>;

/** The fields of the entries of a block. */
export const entryFieldsOf = (block: string): readonly Field[] | undefined =>
  byName.get(block)?.entry?.fields;

/**
 * The fields of the entries of a block by every key that refers to them; of two fields with one key the first
 * wins.
 */
const fieldsByKey = memoize((block: string): ReadonlyMap<string, Field> => {
  const fields = new Map<string, Field>();
  for (const field of entryFieldsOf(block) ?? [])
    for (const key of keysOf(field)) if (!fields.has(key)) fields.set(key, field);
  return fields;
});

const keysOf = ({ name, keys, as }: Field): string[] => [
  name,
  ...(keys ?? []),
  ...(as === undefined ? [] : [as]),
];

/** Whether a key refers to a field: by its name, another spelling, or its name in the portable model. */
export const refersToField = (field: Field, key: string): boolean => keysOf(field).includes(key);

/**
 * The field of an entry that a key refers to: by its name, another spelling, or its name in the portable
 * model.
 */
export const entryField = (block: string, key: string): Field | undefined => fieldsByKey(block).get(key);

function namedField(block: string, name: string): Field | undefined {
  const field = entryField(block, name);
  return field?.name === name ? field : undefined;
}

/** The merge strategy of a field of the entries of a block, for example `skills` and `content`. */
export const strategyOf = (block: string, field: string): Strategy =>
  namedField(block, field)?.merge ?? 'default';

/** Whether a list directly in a block is append-only: other files cannot remove its items. */
export const isAppendOnly = (block: string | undefined, field: string | undefined): boolean =>
  byName.get(block ?? '')?.fields?.some(({ name, lasting }) => name === field && lasting) ?? false;

const haveTargets = (fields: readonly Field[] | undefined): boolean =>
  fields?.some(({ name }) => name === 'targets') ?? false;

/** The lists of a block whose items may be restricted to some tools. */
export const listsWithTargets = (block: string): ReadonlySet<string> =>
  new Set(
    byName
      .get(block)
      ?.fields?.filter(({ fields }) => haveTargets(fields))
      .map(({ name }) => name),
  );

/** Whether items without a key in a block may be restricted to some tools. */
export const itemsHaveTargets = (block: string): boolean => haveTargets(byName.get(block)?.items);

/** Fields of the entries of a block that refer to entries of `referred`. */
export const fieldsReferring = (block: string, referred: string): readonly string[] =>
  (entryFieldsOf(block) ?? []).filter(({ refers }) => refers === referred).map(({ name }) => name);

/**
 * The name of the field that a front matter key refers to (`allowed-tools` is `allowedTools`); `undefined` if
 * there is none.
 */
export const fieldOfKey = (block: string, key: string): string | undefined => entryField(block, key)?.name;

/** The name of a field in the portable model: `applyTo` of a guard is `globs`. */
export const portableName = (block: string, key: string): string => entryField(block, key)?.as ?? key;

/** The name of a portable field in sources; the inverse of `portableName`. */
export function sourceName(block: string, name: string): string {
  const field = entryField(block, name);
  return field?.as === name ? field.name : name;
}

/** Whether the entries of a block have a field with that name in the portable model. */
export function isPortable(block: string, name: string): boolean {
  const field = entryField(block, name);
  return field !== undefined && (field.as ?? field.name) === name;
}

/** Whether a value is allowed for a field of an entry; any value is when the catalogue lists none. */
export const isKnownValue = (block: string, name: string, value: string): boolean =>
  namedField(block, name)?.values?.includes(value) ?? true;

/**
 * Whether tools expand variables in a field of an entry. Assumed for an unknown field, which belongs to some
 * tool.
 */
export function allowsReferences(block: string, key: string): boolean {
  const field = entryField(block, key);
  return field ? (field.variables ?? false) : true;
}

/** Whether a field of an entry accepts only text, so that brackets in front matter are part of the text. */
export const isTextField = (block: string, key: string): boolean =>
  entryField(block, key)?.types.every(type => type === 'text') ?? false;

/**
 * Whether items of a list may be objects. An object in place of the list contains overlays and is not an
 * item.
 */
export const allowsObjectItems = ({
  types,
  members,
  fields,
}: Pick<Field, 'types' | 'members' | 'fields'>): boolean =>
  (types.includes('object') && members !== 'entry') || (fields !== undefined && !types.includes('object'));

/** Fields that `sealed: true` protects. */
export const sealableFields: ReadonlySet<string> = new Set(
  (entryFieldsOf('skills') ?? []).filter(field => field.sealable).map(field => field.name),
);
