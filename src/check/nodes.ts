import { fieldsOf } from '../resolve/draft.ts';
import type { Node, ObjectNode, Program, ResolvedBlock, ScalarNode } from '../resolve/program.ts';
import type { Span } from '../text/source.ts';

/** A named entry of a block such as `@skills`. */
interface NamedEntry {
  readonly name: string;
  readonly node: Node;
}

/** The named entries of a block; empty when the program does not have the block. */
export function namedEntries(program: Program, block: string): NamedEntry[] {
  return fieldsOf(program.blocks.get(block)).map(([name, node]) => ({ name, node }));
}

export function objectEntries(program: Program, block: string): { name: string; node: ObjectNode }[] {
  return namedEntries(program, block).flatMap(({ name, node }) =>
    node.kind === 'object' ? [{ name, node }] : [],
  );
}

export function fieldOf(node: Node | undefined, key: string): Node | undefined {
  return node?.kind === 'object' ? node.fields.get(key) : undefined;
}

/** The text of a scalar; `undefined` for lists, objects and null. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
}

/** The scalars of a list, or the scalar itself, for fields that accept one or many. */
export function scalarsOf(node: Node | undefined): ScalarNode[] {
  if (node?.kind === 'scalar') return [node];
  return node?.kind === 'list' ? node.items.flatMap(item => (item.kind === 'scalar' ? [item] : [])) : [];
}

/** All scalars at any depth, with their paths. */
export function deepScalars(node: Node): { readonly node: ScalarNode; readonly path: readonly string[] }[] {
  const found: { readonly node: ScalarNode; readonly path: readonly string[] }[] = [];
  const add = (inner: Node, path: readonly string[]): void => {
    if (inner.kind === 'scalar') found.push({ node: inner, path });
    else if (inner.kind === 'list')
      for (const [index, item] of inner.items.entries()) add(item, [...path, String(index)]);
    else for (const [key, value] of inner.fields) add(value, [...path, key]);
  };
  add(node, []);
  return found;
}

/** The span of the last declaration that contributed to a value. */
export function lastSpan(node: Node | ResolvedBlock | undefined): Span | undefined {
  return node?.steps.at(-1)?.span;
}

/** The span of a value in its source, including quotes; `undefined` when it was not written as a string. */
export const literalOf = (node: ScalarNode | undefined): Span | undefined => node?.literal?.span;

/** The span of the first declaration of a value. */
export function firstSpan(node: Node | ResolvedBlock | undefined): Span | undefined {
  return node?.steps[0]?.span;
}
