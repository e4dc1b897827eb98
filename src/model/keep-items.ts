import { sameData } from '../text/equal.ts';
import { collections } from './collections.ts';
import type { Item, Model } from './model.ts';

/**
 * The model with its items replaced by those of an earlier one wherever they say the same: what was made from them
 * then can be found again by asking for the same object.
 */
export function keepItems(model: Model, earlier: Model): Model {
  const items = collections.map(collection => {
    const known = new Map(earlier.items[collection].map(item => [item.path, item]));
    const kept = model.items[collection].map((item): Item => {
      const before = known.get(item.path);
      return before && sameData(before, item) ? before : item;
    });
    return [collection, kept] as const;
  });
  return { ...model, items: Object.fromEntries(items) as unknown as Model['items'] };
}
