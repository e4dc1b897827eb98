import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { ItemFields } from '../write/fields.ts';
import { fillShape, type Slot } from '../write/shape.ts';
import { listPlace } from '../write/tool-keys.ts';

/** A filled shape with what another item puts into its list. */
export function withListed(
  all: Data | undefined,
  other: ItemFields,
  shape: unknown,
  slots: Slot[] | undefined,
): Data | undefined {
  const list = listPlace(shape)!;
  const more: Slot[] = [];
  const filled = fillShape(shape, other, slots && more);
  if (!isDataObject(all) || !isDataObject(filled)) return all ?? filled;
  const [known, added] = [all[list], filled[list]];
  if (!Array.isArray(known) || !Array.isArray(added)) return all;
  for (const { path, origins } of more)
    if (path[0] === list)
      slots?.push({ path: [list, Number(path[1]) + known.length, ...path.slice(2)], origins });
  return { ...all, [list]: [...known, ...added] };
}
