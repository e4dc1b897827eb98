import { sameData } from '../text/equal.ts';
import { itemsOfEach } from './collections.ts';
import type { Item, Model } from './model.ts';

/**
 * The model with its items replaced by those of an earlier one wherever they say the same: what was made from them
 * then can be found again by asking for the same object.
 */
export function keepItems(model: Model, earlier: Model): Model {
  const items = itemsOfEach(collection => {
    const known = new Map(earlier.items[collection].map(item => [item.path, item]));
    return model.items[collection].map((item): Item => {
      const before = known.get(item.path);
      return before && sameData(before, item) ? before : item;
    });
  });
  return { ...model, items };
}
