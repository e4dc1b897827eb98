import { findBlock } from '../resolve/catalogue.ts';

/** The only values that mean something in a field of the entries of a block. */
export function allowedValues(block: string, field: string): readonly string[] {
  return findBlock(block)?.entry?.fields.find(one => one.name === field)?.values ?? [];
}
