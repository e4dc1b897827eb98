import type { EntriesFile } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import { isOtherPlace } from '../../spec/item-places.ts';
import type { TargetRequest } from '../request.ts';

/** Whether an item names files of this tool (`into`), and this is none of them. */
export function standsElsewhere({ stands }: Item, file: EntriesFile, { spec }: TargetRequest): boolean {
  if (!stands || stands.includes(file.path)) return false;
  return Object.values(spec.files).some(
    other =>
      other.kind === 'entries' &&
      other.of === file.of &&
      stands.some(path => path === other.path || isOtherPlace(other, path)),
  );
}

/** The file of a place, and those further ones of its form that items name. */
export function filesOf(file: EntriesFile, items: readonly Item[]): readonly EntriesFile[] {
  if (file.others === undefined) return [file];
  const named = items.flatMap(({ stands = [] }) => stands.filter(path => isOtherPlace(file, path)));
  return [file, ...[...new Set(named)].map(path => ({ ...file, path }))];
}
