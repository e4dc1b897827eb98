import type { DataPath } from '../text/yaml.ts';
import type {
  Entry,
  ListNode,
  Node,
  ObjectNode,
  Parameter,
  ProvenanceStep,
  ResolvedBlock,
  ScalarNode,
  SkillOrigin,
} from './program.ts';

/** A block during merging. Nodes are immutable: a change replaces a node of the block. */
export interface BlockDraft extends ResolvedBlock {
  entries: Entry[];
  steps: ProvenanceStep[];
  readonly headers: Map<string, ScalarNode>;
  /** Index in `entries` by field name. */
  readonly places: Map<string, number>;
  /** Keys (`keyOf`) of the texts and items without a key, computed when another declaration adds some. */
  unkeyed?: Set<string>;
  /** Whether the block came from a discovered file. It moves to the end when a source file declares it. */
  early?: boolean;
}

/** A declared parameter, and whether a text uses it. */
export interface ParameterDraft extends Parameter {
  used: boolean;
}

/** The result of resolving a file with everything that it inherits and imports. */
export interface Draft {
  readonly blocks: Map<string, BlockDraft>;
  readonly skills: Map<string, SkillOrigin>;
  readonly found: Set<string>;
  /** Parameters that `@params` declares in the file and in the files merged into it. */
  readonly parameters: Map<string, ParameterDraft>;
}

/** Creates an empty draft. */
export const newDraft = (): Draft => ({
  blocks: new Map(),
  skills: new Map(),
  found: new Set(),
  parameters: new Map(),
});

/** Copies a draft, so that the copy can be changed. */
export const copyDraft = ({ blocks, skills, found, parameters }: Draft): Draft => ({
  blocks: new Map([...blocks].map(([name, block]) => [name, withEntries(block)])),
  skills: new Map(skills),
  found: new Set(found),
  parameters: new Map(parameters),
});

/** Creates an empty block that is declared by `steps`. */
export const newBlock = (name: string, steps: readonly ProvenanceStep[]): BlockDraft => ({
  name,
  entries: [],
  headers: new Map(),
  steps: [...steps],
  places: new Map(),
});

/** A copy of the block that can be changed, with its own entries or others. */
export function withEntries(from: BlockDraft, entries: readonly Entry[] = from.entries): BlockDraft {
  const block: BlockDraft = { ...newBlock(from.name, from.steps), headers: new Map(from.headers) };
  for (const entry of entries) {
    if (entry.kind === 'field') setField(block, entry.key, entry.node);
    else block.entries.push(entry);
  }
  return block;
}

export function draftOfEntry(block: string, name: string, node: Node): Draft {
  const draft = newDraft();
  draft.blocks.set(block, withEntries(newBlock(block, node.steps), [{ kind: 'field', key: name, node }]));
  return draft;
}

/** A scalar node; `text` marks a multi-line text. */
export const scalar = (
  value: ScalarNode['value'],
  text: boolean,
  steps: readonly ProvenanceStep[],
  more: Pick<ScalarNode, 'literal' | 'raw' | 'resource'> = {},
): ScalarNode => ({ kind: 'scalar', value, text, steps, ...more });

/** A list of nodes. */
export const list = (items: readonly Node[], steps: readonly ProvenanceStep[]): ListNode => ({
  kind: 'list',
  items,
  steps,
});

/** An object of nodes by key. */
export const object = (
  fields: Iterable<readonly [string, Node]>,
  steps: readonly ProvenanceStep[],
): ObjectNode => ({
  kind: 'object',
  fields: new Map(fields),
  steps,
});

/** A copy of the object with one field replaced. */
export const withField = (node: ObjectNode, key: string, value: Node): ObjectNode => ({
  ...node,
  fields: new Map(node.fields).set(key, value),
});

/** The items of a list; any other node counts as its own single item. */
export const itemsOf = (node: Node | undefined): readonly Node[] =>
  node === undefined ? [] : node.kind === 'list' ? node.items : [node];

/** The nodes directly in a node. */
export const childrenOf = (node: Node): readonly Node[] =>
  node.kind === 'object' ? [...node.fields.values()] : node.kind === 'list' ? node.items : [];

export const fieldIn = (node: Node | undefined, key: string): Node | undefined =>
  node?.kind === 'object' ? node.fields.get(key) : undefined;

/** The text of an entry, which is an object with `content`, or only the text. */
export const contentOf = (node: Node | undefined): Node | undefined =>
  node?.kind === 'object' ? node.fields.get('content') : node;

/** The value of a field of a block. */
export function fieldOf(block: BlockDraft | undefined, key: string): Node | undefined {
  const place = block?.places.get(key);
  return place === undefined ? undefined : block!.entries[place]!.node;
}

/** The fields of a block in order. */
export const fieldsOf = (block: ResolvedBlock | undefined): (readonly [string, Node])[] =>
  (block?.entries ?? []).flatMap(entry => (entry.kind === 'field' ? [[entry.key, entry.node] as const] : []));

/** Sets a field of a block. An existing field keeps its position; a new one is appended. */
export function setField(block: BlockDraft, key: string, node: Node): void {
  const place = block.places.get(key) ?? block.entries.length;
  block.places.set(key, place);
  block.entries[place] = { kind: 'field', key, node };
}

/** A key that is equal for equal values: type and value of scalars, the structure of other nodes. */
export function keyOf(node: Node): string {
  if (node.kind === 'scalar') return `${typeof node.value}:${node.value}`;
  const parts =
    node.kind === 'list'
      ? node.items.map(keyOf)
      : [...node.fields].flatMap(([key, value]) => [key, keyOf(value)]);
  return `${node.kind}:${parts.map(part => `${part.length}:${part}`).join('')}`;
}

/** Whether two nodes have the same value, regardless of their provenance. */
export function sameValue(a: Node | undefined, b: Node | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  if (a.kind === 'scalar') return b.kind === 'scalar' && a.value === b.value;
  if (a.kind === 'list')
    return (
      b.kind === 'list' &&
      a.items.length === b.items.length &&
      a.items.every((item, index) => sameValue(item, b.items[index]))
    );
  return (
    b.kind === 'object' &&
    a.fields.size === b.fields.size &&
    [...a.fields].every(([key, value]) => sameValue(value, b.fields.get(key)))
  );
}

export function mapScalars(node: Node, change: (scalar: ScalarNode) => ScalarNode): Node {
  if (node.kind === 'scalar') return change(node);
  if (node.kind === 'list') return { ...node, items: node.items.map(item => mapScalars(item, change)) };
  return mapFields(node, value => mapScalars(value, change));
}

export const mapFields = (node: ObjectNode, change: (value: Node, key: string) => Node): ObjectNode => ({
  ...node,
  fields: new Map([...node.fields].map(([key, value]) => [key, change(value, key)])),
});

/** How YAML or JSON data is converted to nodes. */
export interface DataReading {
  readonly stepsAt: (path: DataPath) => readonly ProvenanceStep[];
  readonly scalarAt: (value: unknown, path: DataPath, steps: readonly ProvenanceStep[]) => ScalarNode;
  /** The field that a key of an object refers to. */
  readonly fieldAt?: (key: string, path: DataPath) => string;
}

/** Converts data to a node; each value gets its own steps. */
export function dataNode(value: unknown, path: DataPath, reading: DataReading): Node {
  const steps = reading.stepsAt(path);
  if (typeof value !== 'object' || value === null) return reading.scalarAt(value, path, steps);
  const below = (key: string | number, inner: unknown) => dataNode(inner, [...path, key], reading);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => below(index, item));
    return list(items, steps);
  }
  const fields = Object.entries(value).map(
    ([key, inner]) => [reading.fieldAt?.(key, path) ?? key, below(key, inner)] as const,
  );
  return object(fields, steps);
}
