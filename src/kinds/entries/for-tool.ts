import type { EntriesFile } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import type { TargetRequest } from '../request.ts';

/** Whether an item names files of this tool (`into`), and this is none of them. */
export function standsElsewhere({ stands }: Item, file: EntriesFile, { spec }: TargetRequest): boolean {
  if (!stands || stands.includes(file.path)) return false;
  return Object.values(spec.files).some(
    other => other.kind === 'entries' && other.of === file.of && stands.includes(other.path),
  );
}
