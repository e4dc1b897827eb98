import { sameData } from '../text/equal.ts';
import { itemsOfEach } from './collections.ts';
import type { Item, Model } from './model.ts';

/**
 * The model with the items of an earlier one in the place of equal ones, so that a session finds in its caches what it
 * made of them. Without this, an editor plans every item for every target again after each edit.
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
