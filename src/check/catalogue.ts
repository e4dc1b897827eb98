import { catalogue } from '../generated/blocks.ts';
import type { Block } from '../generated/types/blocks.ts';

const byName = new Map<string, Block>(
  catalogue.blocks.flatMap(block =>
    [block.name, ...(block.aliases ?? [])].map(name => [name, block] as const),
  ),
);

/** Names and aliases of all blocks of the language. */
export const blockNames: readonly string[] = [...byName.keys()];

/** What the catalogue says about a block, by name or alias. */
export const blockNamed = (name: string): Block | undefined => byName.get(name);

/** The only values that mean something in a field of the entries of a block. */
export function allowedValues(block: string, field: string): readonly string[] {
  return byName.get(block)?.entry?.fields.find(one => one.name === field)?.values ?? [];
}
