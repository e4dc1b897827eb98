import { findBlock } from '../resolve/catalogue.ts';

export function allowedValues(block: string, field: string): readonly string[] {
  return findBlock(block)?.entry?.fields.find(one => one.name === field)?.values ?? [];
}
