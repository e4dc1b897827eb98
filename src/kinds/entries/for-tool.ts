import type { EntriesFile } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import { isOtherPlace } from '../../spec/item-places.ts';
import type { TargetRequest } from '../request.ts';

/** Whether an item is written to a file: it names the file (`into`), or it names none of this tool and this is the usual one. */
export function isPlacedIn(
  { keptAt }: Item,
  file: EntriesFile,
  usual: EntriesFile,
  { spec }: TargetRequest,
): boolean {
  if (keptAt?.includes(file.path)) return true;
  if (file.path !== usual.path || !keptAt) return file.path === usual.path;
  return !Object.values(spec.files).some(
    other =>
      other.kind === 'entries' &&
      other.of === file.of &&
      keptAt.some(path => path === other.path || isOtherPlace(other, path)),
  );
}

/** The file of a place, and those further ones of its form that items name. */
export function filesOf(file: EntriesFile, items: readonly Item[]): readonly EntriesFile[] {
  if (file.others === undefined) return [file];
  const named = items.flatMap(({ keptAt = [] }) => keptAt.filter(path => isOtherPlace(file, path)));
  return [file, ...[...new Set(named)].map(path => ({ ...file, path }))];
}
