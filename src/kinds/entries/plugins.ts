import type { Data } from '../../model/model.ts';
import type { ImportedItem } from '../read/items.ts';
import type { PlaceRead } from './server-tools.ts';

/**
 * Bundles of others as the places of a file name them together: `formatter@acme-tools` in one, where `acme-tools` is in
 * another. A catalogue that no bundle comes from stays where it is, and so does
 * what names none.
 */
export function joinPlugins(reads: readonly PlaceRead[]): ImportedItem[] {
  const known = new Map(
    reads
      .filter(({ place }) => place.of === 'plugins' && place.key === 'marketplace')
      .flatMap(({ items }) => items.map(({ key, fields }) => [key, fields] as const)),
  );
  return reads.flatMap(({ place, items }) => {
    if (place.of !== 'plugins' || place.key === undefined) return items;
    return place.key === 'marketplace' ? [] : items.flatMap(item => fromMarketplace(item, known));
  });
}

function fromMarketplace(
  item: ImportedItem,
  known: ReadonlyMap<string, ReadonlyMap<string, Data>>,
): ImportedItem[] {
  const at = item.key.lastIndexOf('@');
  if (at <= 0) return [];
  const marketplace = item.key.slice(at + 1);
  const fields = new Map<string, Data>([
    ['marketplace', marketplace],
    ...(known.get(marketplace) ?? []),
    ...item.fields,
  ]);
  return [{ ...item, key: item.key.slice(0, at), fields }];
}
