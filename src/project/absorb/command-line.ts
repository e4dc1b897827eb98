import type { KeyEdit } from '../../kinds/output.ts';
import type { Sourced } from '../../model/origin.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { Change, Key } from './changes.ts';
import { valueAt } from './owned.ts';

/** A change within a list that an entry owns, which was one value and is another one. */
interface ListChange {
  readonly edit: KeyEdit;
  readonly inside: readonly Key[];
  readonly was: unknown;
  readonly is: unknown;
}

/** A list that is made of a source's command line, which is one text, is that line with other words. */
export function commandLine({ edit: { origins }, inside, was, is }: ListChange): Change | undefined {
  const [key] = inside;
  const [had, has] = [valueAt(was, [key!]), valueAt(is, [key!])];
  if (!Array.isArray(had) || !Array.isArray(has) || ![...had, ...has].every(isWord)) return undefined;
  for (const slot of origins?.slots ?? []) {
    if (String(slot.path[0]) !== String(key)) continue;
    for (const origin of slot.origins) {
      const path = pathOf(origin);
      if (!path || !('node' in origin) || origin.node.kind !== 'scalar') continue;
      const words = String(origin.node.value).trim().split(/\s+/);
      const at = words.findIndex((_, from) => had.every((word, index) => words[from + index] === word));
      if (had.length === 0 || words.length === 1 || at === -1) continue;
      const next = [...words.slice(0, at), ...has, ...words.slice(at + had.length)];
      return { path, value: next.join(' ') };
    }
  }
  return undefined;
}

const isWord = (value: unknown): boolean => typeof value === 'string' && /^[^\s"'\\]+$/.test(value);

/** Where a value stands in the entry that it comes from. */
export const pathOf = (sourced: Sourced): Key[] | undefined => parseNodePath(sourced.path)?.slice(2);
