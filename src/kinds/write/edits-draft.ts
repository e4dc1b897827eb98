import type { EntriesFile, SettingsFile } from '../../generated/types/target.ts';
import type { EntriesDraft } from '../draft.ts';
import type { KeyEdit } from '../output.ts';
import { documentPath, fill } from '../paths.ts';
import type { Place } from '../places.ts';
import type { TargetRequest } from '../request.ts';

/** Edits of the one structured file that a place names. */
export function editsDraft(
  { name, file }: Place<EntriesFile | SettingsFile>,
  request: TargetRequest,
  edits: readonly KeyEdit[],
  isPrivate: boolean,
): EntriesDraft {
  const path = documentPath(fill(file.path, request), request, true);
  return { kind: 'entries', path, request, place: name, format: file.format, edits, private: isPrivate };
}
