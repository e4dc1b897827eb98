import type { SettingsFile } from '../../generated/types/target.ts';
import type { EntriesDraft } from '../draft.ts';
import type { Planning } from '../kind.ts';
import { fillShape, leavesOf } from '../native/shape.ts';
import { optionSource } from '../native/slots.ts';
import type { KeyEdit } from '../output.ts';
import type { Place } from '../places.ts';
import { editsDraft } from '../write/edits.ts';
import { specPlace } from '../write/layouts.ts';

/** The options of the configuration as keys of a settings file; nothing when none of them is set. */
export function planSettings(
  place: Place<SettingsFile>,
  { request, context }: Pick<Planning, 'request' | 'context'>,
): EntriesDraft[] {
  const { name, file } = place;
  const filled = fillShape(file.entry, optionSource(request.options));
  if (filled === undefined) return [];
  const edits = leavesOf(filled, file.at ?? []).flatMap(({ path, value }): KeyEdit[] =>
    Array.isArray(value)
      ? value.map(element => ({ kind: 'element', path, value: element }))
      : [{ kind: 'set', path, value }],
  );
  const origins = { by: specPlace(request, `files.${name}`), slots: [] };
  const made = context.literal ? edits.map(one => ({ ...one, origins })) : edits;
  return [editsDraft(place, request, made, file.private ?? false)];
}
