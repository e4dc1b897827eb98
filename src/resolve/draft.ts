import type {
  LineOf,
  ListNode,
  Literal,
  ObjectNode,
  Parameter,
  ResolvedBlock,
  ScalarNode,
  SkillOrigin,
  Step,
} from './program.ts';

/**
 * Programs grow in drafts. Every part of a draft has an owner; its owner changes it in place, any other draft copies
 * that one part first. So a file that one other file uses is never copied, a file that many use is shared, and
 * merging stays linear however deep files inherit.
 */
export type Owner = object;

/** A scalar that may still be changed by its owner. */
export interface ScalarDraft extends ScalarNode {
  value: ScalarNode['value'];
  steps: Step[];
  owner: Owner;
  literal?: Literal;
  parts?: ScalarNode[];
  lines?: readonly (LineOf | undefined)[];
  /** The texts it was put together from, when there is more than one. */
  fragments?: Set<string>;
}

/** A list that may still be changed by its owner. */
export interface ListDraft extends ListNode {
  items: NodeDraft[];
  steps: Step[];
  owner: Owner;
  /** Keys of the items, made when something is appended. */
  seen?: Set<string>;
}

/** An object that may still be changed by its owner. */
export interface ObjectDraft extends ObjectNode {
  fields: Map<string, NodeDraft>;
  steps: Step[];
  owner: Owner;
}

/** A value that may still be changed by its owner. */
export type NodeDraft = ScalarDraft | ListDraft | ObjectDraft;

/** A field, a text or a list item of a block. */
export type EntryDraft =
  | { readonly kind: 'field'; readonly key: string; readonly node: NodeDraft }
  | { readonly kind: 'text'; readonly node: ScalarDraft }
  | { readonly kind: 'item'; readonly node: NodeDraft };

/** A block that may still be changed by its owner. */
export interface BlockDraft extends ResolvedBlock {
  entries: EntryDraft[];
  headers: Map<string, ScalarDraft>;
  steps: Step[];
  owner: Owner;
  /** Where each field stands in `entries`. */
  places: Map<string, number>;
  /** What the loose texts and list items say, made when another declaration adds some. */
  texts?: Set<string>;
  items?: Set<string>;
  /** Came from a discovered file; its place among the blocks is where a source file first names it. */
  early?: boolean;
}

/** A declared parameter, with whether a text uses it. */
export interface ParameterDraft extends Parameter {
  used: boolean;
}

/** The result of a file with everything that it inherits and uses. */
export interface Draft {
  owner: Owner;
  /** A shared draft belongs to several files that use it: its parts must not be taken over. */
  shared: boolean;
  readonly blocks: Map<string, BlockDraft>;
  readonly skills: Map<string, SkillOrigin>;
  /** Entries that were found in their folders (`skills.review`) and that no source has named yet. */
  readonly found: Set<string>;
  /** What `@params` of the file and of those it merged declare. */
  readonly parameters: Map<string, ParameterDraft>;
}

/** A draft without anything in it, with an owner of its own. */
export const newDraft = (): Draft => ({
  owner: {},
  shared: false,
  blocks: new Map(),
  skills: new Map(),
  found: new Set(),
  parameters: new Map(),
});

/** A block without entries. */
export const newBlock = (name: string, owner: Owner): BlockDraft => ({
  name,
  entries: [],
  headers: new Map(),
  steps: [],
  owner,
  places: new Map(),
});

/** A scalar; `text`: it was written between triple quotes. */
export const scalar = (
  value: ScalarNode['value'],
  text: boolean,
  steps: Step[],
  owner: Owner,
): ScalarDraft => ({
  kind: 'scalar',
  value,
  text,
  steps,
  owner,
});

/** A list of nodes. */
export const list = (items: NodeDraft[], steps: Step[], owner: Owner): ListDraft => ({
  kind: 'list',
  items,
  steps,
  owner,
});

/** An object of nodes by key. */
export const object = (fields: Map<string, NodeDraft>, steps: Step[], owner: Owner): ObjectDraft => ({
  kind: 'object',
  fields,
  steps,
  owner,
});

/** Makes a draft shared: each part gets a new owner, so that every user copies it before a change. */
export function share(draft: Draft): void {
  draft.shared = true;
  draft.owner = {};
}

/** The node itself when it belongs to `owner`, else a copy of this one level. */
export function own<T extends NodeDraft>(node: T, owner: Owner): T {
  if (node.owner === owner) return node;
  const steps = [...node.steps];
  const copy: NodeDraft =
    node.kind === 'scalar'
      ? {
          ...node,
          steps,
          owner,
          ...(node.fragments && { fragments: new Set(node.fragments) }),
          ...(node.parts && { parts: [...node.parts] }),
        }
      : node.kind === 'list'
        ? { kind: 'list', items: [...node.items], steps, owner }
        : { kind: 'object', fields: new Map(node.fields), steps, owner };
  return copy as T;
}

/** A block of a draft that may be changed, or `undefined` when there is none. */
export function ownBlock(draft: Draft, name: string): BlockDraft | undefined {
  const block = draft.blocks.get(name);
  if (!block || block.owner === draft.owner) return block;
  const copy: BlockDraft = {
    ...newBlock(name, draft.owner),
    entries: [...block.entries],
    headers: new Map(block.headers),
    steps: [...block.steps],
    places: new Map(block.places),
    ...(block.early && { early: true }),
  };
  draft.blocks.set(name, copy);
  return copy;
}

/** The node of a field of a block. */
export function fieldOf(block: BlockDraft, key: string): NodeDraft | undefined {
  const place = block.places.get(key);
  return place === undefined ? undefined : block.entries[place]!.node;
}

/** Sets a field of an owned block; it keeps its place, a new one comes last. */
export function setField(block: BlockDraft, key: string, node: NodeDraft): void {
  const place = block.places.get(key);
  if (place !== undefined) block.entries[place] = { kind: 'field', key, node };
  else {
    block.places.set(key, block.entries.length);
    block.entries.push({ kind: 'field', key, node });
  }
}

/** Adds a loose text or a list item to an owned block, whatever it already holds. */
export function addEntry(block: BlockDraft, entry: Exclude<EntryDraft, { kind: 'field' }>): void {
  block.entries.push(entry);
}

/** A text by which equal values are equal: type and value of scalars, the structure of everything else. */
export function keyOf(node: NodeDraft): string {
  if (node.kind === 'scalar') return `${typeof node.value}:${node.value}`;
  const parts =
    node.kind === 'list'
      ? node.items.map(keyOf)
      : [...node.fields].flatMap(([key, value]) => [key, keyOf(value)]);
  return `${node.kind}:${parts.map(part => `${part.length}:${part}`).join('')}`;
}

/** Whether two nodes have the same value, regardless of their declarations. */
export function sameValue(a: NodeDraft, b: NodeDraft): boolean {
  if (a === b) return true;
  if (a.kind === 'scalar') return b.kind === 'scalar' && a.value === b.value;
  if (a.kind === 'list') {
    return (
      b.kind === 'list' &&
      a.items.length === b.items.length &&
      a.items.every((item, index) => sameValue(item, b.items[index]!))
    );
  }
  if (b.kind !== 'object' || a.fields.size !== b.fields.size) return false;
  for (const [key, value] of a.fields) {
    const other = b.fields.get(key);
    if (!other || !sameValue(value, other)) return false;
  }
  return true;
}
