/** src/generated/data/*: target specs, conventions, templates and the block catalogue, checked here and never again. */
import type { Generated } from '../generate.ts';

export async function generate(_root: string): Promise<Generated[]> {
  return [];
}
