import { findBlock } from '../resolve/catalogue.ts';

/** The allowed values of a field in the entries of a block. */
export function allowedValues(block: string, field: string): readonly string[] {
  return findBlock(block)?.entry?.fields.find(one => one.name === field)?.values ?? [];
}
