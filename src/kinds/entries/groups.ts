import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { sameData } from '../../text/equal.ts';
import type { Json, KeyEdit } from '../output.ts';
import { listPlace } from '../write/tool-keys.ts';

/** An edit with the group that its hook is in. */
interface Grouped {
  readonly edit: KeyEdit;
  readonly group: Data | undefined;
}

/**
 * Entries of one group as one, where the tool has entries with a list of what runs: they stand in the same place and say
 * the same around that list.
 */
export function joinGroups(grouped: readonly Grouped[], shape: unknown): KeyEdit[] {
  const list = listPlace(shape);
  const joined: Grouped[] = [];
  for (const next of grouped) {
    const at = joined.findIndex(known => list !== undefined && areOne(known, next, list));
    if (at === -1) joined.push(next);
    else joined[at] = { ...next, edit: joinEdits(joined[at]!.edit, next.edit, list!) };
  }
  return joined.map(({ edit }) => edit);
}

function areOne(a: Grouped, b: Grouped, list: string): boolean {
  if (typeof a.group !== 'string' || a.group !== b.group || a.edit.kind !== 'element') return false;
  return (
    sameData(a.edit.path, b.edit.path) && sameData(around(a.edit.value, list), around(b.edit.value, list))
  );
}

/** An entry without its list. */
function around(value: Json, list: string): Json {
  return isDataObject(value) ? { ...value, [list]: [] } : value;
}

const listIn = (value: Json, list: string): readonly Json[] =>
  isDataObject(value) && Array.isArray(value[list]) ? (value[list] as readonly Json[]) : [];

function joinEdits(a: KeyEdit, b: KeyEdit, list: string): KeyEdit {
  const first = listIn(a.value, list);
  const value = { ...(a.value as object), [list]: [...first, ...listIn(b.value, list)] } as Json;
  const added = [...(a.added ?? []), ...(b.added ?? [])];
  const edit: KeyEdit = { ...a, value, ...(added.length > 0 && { added }) };
  if (!a.origins || !b.origins) return edit;
  const moved = b.origins.slots.map(slot => ({
    ...slot,
    path: slot.path.map((step, at) =>
      at === 1 && slot.path[0] === list ? Number(step) + first.length : step,
    ),
  }));
  return { ...edit, origins: { ...a.origins, slots: [...a.origins.slots, ...moved] } };
}
