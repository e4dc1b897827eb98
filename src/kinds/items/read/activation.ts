import type { ItemFiles, Row } from '../../../generated/types/target.ts';
import type { Activation } from '../../../model/guards.ts';
import type { Data } from '../../../model/model.ts';
import { sameUnordered } from '../../../text/equal.ts';
import { listOf } from '../../../text/front-matter.ts';

/**
 * When a rule of a tool is read, by the keys that its spec would write: the first way whose rows fit them all.
 * Nothing where the tool has no keys that say it, or the file none of them.
 */
export function activationIn(
  place: ItemFiles,
  rows: readonly Row[],
  keys: ReadonlyMap<string, Data>,
): Activation | undefined {
  const telling = rows.filter(row => row.from === 'activation' || (row.activation && row.from === undefined));
  if (!place.activation || !telling.some(({ key }) => keys.has(key))) return undefined;
  return place.activation.find(activation => fits(activation, rows, keys));
}

function fits(activation: Activation, rows: readonly Row[], keys: ReadonlyMap<string, Data>): boolean {
  return rows.every(row => {
    const value = keys.get(row.key);
    const filled = value !== undefined && value !== null && listOf(value).length > 0;
    if (row.from === 'activation') return sameUnordered(row.map?.[activation], value ?? false);
    if (row.activation && row.from === undefined) {
      return sameUnordered(row.value, value) === row.activation.includes(activation);
    }
    if (row.from === 'globs') return activation !== 'scoped' || filled;
    if (row.from === 'description' && activation === 'description') return filled;
    return !filled || row.activation === undefined || row.activation.includes(activation);
  });
}
