import { findBlock, portableName, sourceName } from '../../resolve/catalogue.ts';
import type { Change } from './changes.ts';
import { isFields } from './data.ts';
import type { Entry } from './source-values.ts';

/**
 * What an entry may say of when tools read it, where fields of a file say something else of it now: the files that it is
 * about went, or a word of the tool stands for it. `after` are the fields: without a description none can say when it fits.
 */
export function activated({ block }: Entry, changes: readonly Change[], after: unknown): Change[][] {
  const { values = [] } = findBlock(block)?.fields?.find(({ name }) => name === 'activation') ?? {};
  const isGone = changes.some(
    ({ path, value }) => value === undefined && portableName(block, String(path[0])) === 'globs',
  );
  const files = { path: [sourceName(block, 'globs')], value: undefined };
  const isDescribed = isFields(after) && Object.hasOwn(after, 'description');
  const fits = values.filter(value => isDescribed || value !== 'description');
  return fits.map(value => [...(isGone ? [files] : []), { path: ['activation'], value }]);
}
