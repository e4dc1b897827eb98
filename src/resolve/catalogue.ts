import type { Block, Field } from '../generated/blocks.ts';
import { catalogue } from '../generated/blocks.ts';
import type { Feature } from '../generated/types/blocks.ts';
import { perName } from '../text/memo.ts';

const byName = new Map<string, Block>(
  catalogue.blocks.flatMap(block =>
    [block.name, ...(block.aliases ?? [])].map(name => [name, block] as const),
  ),
);

const features = new Map<string, Feature>(catalogue.features.map(feature => [feature.name, feature]));

/** Every name a block may be written with, aliases included. */
export const blockNames: readonly string[] = [...byName.keys()];

/** The catalogue's entry of a block by any of its names; `undefined` for a block of the user's own. */
export const findBlock = (name: string): Block | undefined => byName.get(name);

/** `commands` is `shortcuts`; every other name stays as it is. */
export const canonicalBlock = (name: string): string => byName.get(name)?.name ?? name;

/** What the catalogue says about a feature of the language, such as since when there is one. */
export const featureOf = (name: Feature['name']): Feature => features.get(name)!;

/** How two values of one place meet; `default` is later wins, lists append, texts concatenate, objects merge. */
export type Strategy = 'default' | NonNullable<Field['merge']>;

/** What is asked of a block again and again, by the names of its fields and of the keys that mean them. */
interface Index {
  readonly strategies: ReadonlyMap<string, Strategy>;
  readonly spellings: ReadonlyMap<string, string>;
  readonly portable: ReadonlyMap<string, string>;
  /** Fields beside the entries whose items stay, and those whose items may be for some tools only. */
  readonly lasting: ReadonlySet<string>;
  readonly forSome: ReadonlySet<string>;
  readonly looseForSome: boolean;
}

/** Of a block by its own name, when it is first asked about: a project has a few of them. */
const indexOf = perName((block): Index => {
  const found = byName.get(block);
  const { entry, fields: besides = [], items = [] } = found && found.name === block ? found : nothing;
  const strategies = new Map<string, Strategy>();
  const spellings = new Map<string, string>();
  const portable = new Map<string, string>();
  for (const { name, merge, as, keys = [] } of entry?.fields ?? []) {
    if (merge) strategies.set(name, merge);
    for (const word of [name, ...keys]) {
      spellings.set(word, name);
      if (as !== undefined) portable.set(word, as);
    }
  }
  const lasting = new Set<string>();
  const forSome = new Set<string>();
  for (const { name, lasting: stays, fields = [] } of besides) {
    if (stays) lasting.add(name);
    if (fields.some(({ name }) => name === 'targets')) forSome.add(name);
  }
  const looseForSome = items.some(({ name }) => name === 'targets');
  return { strategies, spellings, portable, lasting, forSome, looseForSome };
});

const nothing: Partial<Block> = {};

/** The strategy for a field of an entry of a block, such as `skills`, `content`. */
export const strategyOf = (block: string, field: string): Strategy =>
  indexOf(block).strategies.get(field) ?? 'default';

/** Whether items of a list that stands directly in a block stay, whatever another file says. */
export const isLasting = (block: string | undefined, field: string | undefined): boolean =>
  block !== undefined && field !== undefined && indexOf(block).lasting.has(field);

/** The lists of a block whose items may be for some tools only. */
export const listsForSome = (block: string): ReadonlySet<string> => indexOf(block).forSome;

/** Whether loose items of a block may be for some tools only. */
export const looseForSome = (block: string): boolean => indexOf(block).looseForSome;

/** Fields of the entries of a block that name entries of `referred`. */
export const fieldsReferring = (block: string, referred: string): readonly string[] =>
  (entryFieldsOf(block) ?? []).filter(({ refers }) => refers === referred).map(({ name }) => name);

/** The field that a front matter key stands for (`allowed-tools` is `allowedTools`); `undefined` when it is none. */
export const fieldSpelled = (block: string, key: string): string | undefined =>
  indexOf(block).spellings.get(key);

/** What the portable model calls a field of an entry, however the source spells it: `applyTo` of a guard is `globs`. */
export const portableName = (block: string, key: string): string => indexOf(block).portable.get(key) ?? key;

/** The name in sources of a field that the portable model calls otherwise: the way back from `portableName`. */
export const sourceName = (block: string, name: string): string =>
  byName.get(block)?.entry?.fields.find(field => field.as === name)?.name ?? name;

/** Whether the portable model has a field of that name in the entries of a block. */
export const isPortable = (block: string, name: string): boolean =>
  (byName.get(block)?.entry?.fields ?? []).some(field => (field.as ?? field.name) === name);

/** Whether a field of an entry may have a value; where the catalogue lists none, any. */
export const isKnownValue = (block: string, name: string, value: string): boolean =>
  byName
    .get(block)
    ?.entry?.fields.find(field => field.name === name)
    ?.values?.includes(value) ?? true;

/** The fields of the entries of a block. */
export const entryFieldsOf = (block: string): readonly Field[] | undefined =>
  byName.get(block)?.entry?.fields;

/** Whether tools fill in variables in a field of an entry; one that nobody knows is a tool's own and may be filled in. */
export const takesReferences = (block: string, key: string): boolean =>
  entryFieldsOf(block)?.find(field => fieldNamed(field, key))?.variables ?? !fieldKnown(block, key);

const fieldKnown = (block: string, key: string): boolean =>
  entryFieldsOf(block)?.some(field => fieldNamed(field, key)) ?? false;

/** Whether a key means a field, by its name, another spelling or the word of the portable model. */
export const fieldNamed = ({ name, keys, as }: Field, key: string): boolean =>
  name === key || as === key || (keys?.includes(key) ?? false);

/** Whether a field of an entry takes a text and nothing else: then brackets in front matter are part of it. */
export const isTextField = (block: string, key: string): boolean =>
  entryFieldsOf(block)
    ?.find(field => fieldNamed(field, key))
    ?.types.every(type => type === 'text') ?? false;

/** Whether items of a list may be objects; one that stands for a whole field (changes for single tools) is no item. */
export const takesObjectItems = ({
  types,
  members,
  fields,
}: Pick<Field, 'types' | 'members' | 'fields'>): boolean =>
  (types.includes('object') && members !== 'entry') || (fields !== undefined && !types.includes('object'));

/** Fields that `sealed: true` protects. */
export const sealableFields: ReadonlySet<string> = new Set(
  (byName.get('skills')?.entry?.fields ?? []).filter(field => field.sealable).map(field => field.name),
);
