import type { Entry, Node, Program, ResolvedBlock, ScalarNode } from '../resolve/program.ts';
import { traced } from '../text/traced.ts';
import { scalarText } from './data.ts';
import type { Origin, Text } from './model.ts';
import { nameOrigin, pathSegment } from './origin.ts';

/** Converts values and names of declarations to texts, with or without origins. */
export interface TextBuilder {
  readonly text: (node: ScalarNode) => Text;
  /** Text made from the name of the declaration whose value the node is. */
  readonly name: (words: string, node: Pick<Node, 'steps'>) => Text;
  readonly traced: boolean;
}

/** Builds texts without origins, for a compile. */
export const plainTextBuilder: TextBuilder = {
  text: scalarText,
  name: words => words,
  traced: false,
};

/** Builds texts with the origins of all values of a program. */
export function tracedTextBuilder(program: Program): TextBuilder {
  // A node is identified by its steps, which its copies share.
  const places = new Map<object, { readonly path: string; readonly name: string }>();
  const see = (node: Node, path: string, name: string): void => {
    if (!places.has(node.steps)) places.set(node.steps, { path, name });
    if (node.kind === 'list') {
      node.items.forEach((item, index) => {
        see(item, `${path}[${index}]`, name);
      });
    } else if (node.kind === 'object') {
      for (const [key, inner] of node.fields) see(inner, `${path}.${pathSegment(key)}`, key);
    }
  };
  for (const [key, node] of program.meta) see(node, `meta.${pathSegment(key)}`, key);
  for (const { name, value } of program.parameters) if (value) see(value, `params.${name}`, name);
  for (const block of program.blocks.values()) {
    places.set(block.steps, { path: block.name, name: `@${block.name}` });
    for (const title of block.headers.values()) see(title, block.name, '@header');
    for (const [entry, path] of entryPaths(block))
      see(entry.node, path, entry.kind === 'field' ? entry.key : '');
  }
  return {
    text: node => {
      const place = places.get(node.steps);
      const text = scalarText(node);
      return place ? traced<Origin>(text, { kind: 'value', path: place.path, node }, true) : text;
    },
    name: (words, node) => {
      const place = places.get(node.steps);
      return place ? traced<Origin>(words, nameOrigin(place.path, place.name, node)) : words;
    },
    traced: true,
  };
}

/**
 * The entries of a block with their paths. List items and texts without a key are counted separately, as in
 * paths that users write.
 */
function entryPaths(block: ResolvedBlock): (readonly [Entry, string])[] {
  const count = { text: 0, item: 0 };
  return block.entries.map(entry => [
    entry,
    entry.kind === 'field'
      ? `${block.name}.${pathSegment(entry.key)}`
      : `${block.name}[${count[entry.kind]++}]`,
  ]);
}
