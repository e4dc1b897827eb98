import { audienceWider } from '../../generated/diagnostics.ts';
import type { EntriesFile, SettingsFile } from '../../generated/types/target.ts';
import { sameData } from '../../text/equal.ts';
import { fewNames, fewQuoted } from '../../text/names.ts';
import { byTarget, type EntriesDraft } from '../draft.ts';
import type { Several } from '../kind.ts';
import type { Json, KeyEdit, OutputBase, SharedFile } from '../output.ts';
import { documentPath, fill } from '../paths.ts';
import type { Place } from '../places.ts';
import type { Rendering } from '../rendering.ts';
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

/** The entries of several targets in one file; the same place with different values is a disagreement. */
export function renderEdits(
  wanted: Several<EntriesDraft>,
  base: OutputBase,
  rendering: Rendering,
): SharedFile {
  const drafts = byTarget(wanted);
  return {
    kind: 'shared',
    ...base,
    format: drafts[0].format,
    edits: unite(drafts, base.path, rendering),
    ...(drafts.some(draft => draft.private) && { private: true }),
  };
}

function unite(drafts: readonly EntriesDraft[], path: string, { clashes, report }: Rendering): KeyEdit[] {
  const joined = new Map<string, { edit: KeyEdit; draft: EntriesDraft }>();
  for (const draft of drafts) {
    for (const edit of draft.edits) {
      const key = JSON.stringify(edit.kind === 'element' ? [edit.path, edit.value] : [edit.path]);
      const known = joined.get(key);
      if (!known) {
        joined.set(key, { edit, draft });
        continue;
      }
      const { value: united, differs } = uniteValues(known.edit.value, edit.value);
      if (differs)
        clashes.add(path, known.draft, draft, { key: [...edit.path, ...differs], about: edit.about });
      else joined.set(key, { edit: { ...known.edit, value: united }, draft: known.draft });
    }
  }
  reportAddedKeys(drafts, path, report);
  return [...joined.values()].map(({ edit }) => edit);
}

/** Keys that an entry adds for one tool are read by the others of the file, too, unless they have them themselves. */
function reportAddedKeys(drafts: readonly EntriesDraft[], path: string, report: Rendering['report']): void {
  for (const { edits, request } of drafts) {
    for (const edit of edits) {
      if (!edit.added || edit.about === undefined || edit.kind !== 'set') continue;
      const { added, about } = edit;
      const same = (other: KeyEdit) => other.path.join('\0') === edit.path.join('\0');
      const others = drafts.flatMap(draft => {
        const theirs = draft.request === request ? undefined : draft.edits.find(same);
        return theirs && !added.every(key => theirs.added?.includes(key)) ? [draft.request.spec.id] : [];
      });
      if (others.length === 0) continue;
      const holes = {
        path,
        entries: fewQuoted(added.map(key => `${about}.${key}`)),
        others: fewNames(others),
        verb: others.length === 1 ? 'reads' : 'read',
        meant: request.spec.id,
      };
      report(audienceWider(holes, { file: path, about, span: request.at }));
    }
  }
}

interface United {
  readonly value: Json;
  /** The first keys on the way to values that cannot both be there. */
  readonly differs?: readonly string[];
}

/** One value that holds all that both say, or where they disagree. Objects may each know keys of their own. */
function uniteValues(a: Json, b: Json): United {
  if (!isObject(a) || !isObject(b)) return sameData(a, b) ? { value: a } : { value: a, differs: [] };
  const united: Record<string, Json> = Object.assign(Object.create(null), a);
  for (const [key, value] of Object.entries(b)) {
    if (!Object.hasOwn(a, key)) {
      united[key] = value;
      continue;
    }
    const both = uniteValues(a[key]!, value);
    if (both.differs) return { value: a, differs: [key, ...both.differs] };
    united[key] = both.value;
  }
  return { value: united };
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
