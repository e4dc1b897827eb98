import { sameData } from '../../text/equal.ts';
import { byTarget, type EntriesDraft } from '../draft.ts';
import type { Several } from '../kind.ts';
import type { Json, KeyEdit, SharedFile } from '../output.ts';
import type { Rendering } from '../rendering.ts';

/** The entries of several targets in one file; the same place with different values is a disagreement. */
export function renderEdits(wanted: Several<EntriesDraft>, rendering: Rendering): SharedFile {
  const drafts = byTarget(wanted);
  return {
    kind: 'shared',
    ...rendering.base,
    format: drafts[0].format,
    edits: unite(drafts, rendering),
    ...(drafts.some(draft => draft.private) && { private: true }),
  };
}

function unite(drafts: readonly EntriesDraft[], { base, clash }: Rendering): KeyEdit[] {
  const joined = new Map<string, { edit: KeyEdit; draft: EntriesDraft }>();
  for (const draft of drafts) {
    for (const edit of draft.edits) {
      const value = JSON.stringify(edit.value);
      const key = JSON.stringify([edit.path, edit.kind === 'element' ? value : '']);
      const known = joined.get(key);
      const united = known && uniteValues(known.edit.value, edit.value);
      if (!known) joined.set(key, { edit, draft });
      else if (united === undefined) clash(`${base.path} (${edit.path.join('.')})`, known.draft, draft, 1);
      else joined.set(key, { edit: { ...known.edit, value: united }, draft: known.draft });
    }
  }
  return [...joined.values()].map(({ edit }) => edit);
}

/** One value that holds all that both say; `undefined` when they disagree. Objects may each know keys of their own. */
function uniteValues(a: Json, b: Json): Json | undefined {
  if (!isObject(a) || !isObject(b)) return sameData(a, b) ? a : undefined;
  const united: Record<string, Json> = Object.assign(Object.create(null), a);
  for (const [key, value] of Object.entries(b)) {
    const both = Object.hasOwn(a, key) ? uniteValues(a[key]!, value) : value;
    if (both === undefined) return undefined;
    united[key] = both;
  }
  return united;
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
