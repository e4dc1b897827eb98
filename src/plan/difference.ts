import type { Json } from '../kinds/output.ts';
import { readFrontMatter } from '../text/front-matter.ts';
import { loadFormat } from './load-format.ts';
import type { Difference, KeyChange } from './plan.ts';
import { type Compared, isImplied, textOf } from './same-meaning.ts';
import { isFields } from './shared-format.ts';

/**
 * How an existing file with another meaning differs from the planned one: the fields that the planned one
 * lacks.
 */
export async function findDifference(
  present: Uint8Array,
  planned: Uint8Array,
  { format, implied = [] }: Compared,
): Promise<Difference> {
  const [now, wanted] = [textOf(present), textOf(planned)];
  if (now === undefined || wanted === undefined) return { kind: 'content', lostFields: [] };
  if (format === 'script' || format === 'other') return { kind: 'content', lostFields: [] };
  if (format !== 'markdown') {
    const { parse } = await loadFormat(format);
    const [a, b] = [parse(now), parse(wanted)];
    const lost = 'value' in a && 'value' in b ? lostFields(a.value, b.value) : [];
    return { kind: 'content', lostFields: lost };
  }
  const [head, other] = [readFrontMatter(now), readFrontMatter(wanted)];
  const lost = [...head.fields].flatMap(([key, value]) => {
    if (key === 'name' || value === '' || isImplied(key, value, false, implied)) return [];
    return other.fields.has(key) ? lostFields(value, other.fields.get(key)!, key) : [key];
  });
  return { kind: 'content', lostFields: lost };
}

/** Fields in existing values of shared keys that the planned values lack. */
export const lostKeys = (changes: readonly KeyChange[]): string[] =>
  changes.flatMap(({ kind, path, before, after }) =>
    kind === 'set' && before !== undefined && after !== undefined
      ? lostFields(before, after, path.join('.'))
      : [],
  );

/** Paths of the fields that are in the first value but not in the second; list items do not count. */
function lostFields(now: Json, wanted: Json, path = ''): string[] {
  if (!isFields(now) || !isFields(wanted)) return [];
  return Object.keys(now).flatMap(key => {
    const below = path === '' ? key : `${path}.${key}`;
    return Object.hasOwn(wanted, key) ? lostFields(now[key]!, wanted[key]!, below) : [below];
  });
}
