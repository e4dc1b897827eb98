import { blockOf } from '../../model/collections.ts';
import type { Collection, Item } from '../../model/model.ts';
import { itemText } from '../../model/sourced.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import type { Draft } from '../draft.ts';
import { derived } from '../items/plan.ts';
import { type Omissions, textOf } from '../omissions.ts';
import type { Json, KeyEdit } from '../output.ts';
import { documentPath, fill } from '../paths.ts';
import type { EntriesFile, Place, ScriptFiles, SettingsFile } from '../places.ts';
import type { TargetRequest } from '../request.ts';
import { hookScript } from '../scripts/script.ts';
import type { Literal } from '../write/convention.ts';
import { ItemFields } from '../write/fields.ts';
import { nativeHooks } from '../write/hooks.ts';
import { specPlace } from '../write/layouts.ts';
import { fillShape, leavesOf, type Slot } from '../write/shape.ts';

export function entriesDrafts(
  place: Place<EntriesFile>,
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  omissions: Omissions,
): Draft[] {
  const { file } = place;
  const at = file.at ?? [];
  const natives = file.hooks
    ? nativeHooks(items, file.hooks, request, omissions)
    : items.map(item => ({ item, event: '' }));
  const edits: KeyEdit[] = [];
  for (const { item, event } of natives) {
    const fields = new ItemFields(item, request.options, new Map());
    const shape = file.by === undefined ? file.entry : variantOf(file, fields);
    const slots: Slot[] | undefined = item.origins && [];
    const value = shape === undefined ? undefined : fillShape(shape, fields, slots);
    if (value === undefined) {
      const forms = shape === undefined ? Object.keys(file.variants ?? {}) : [];
      const kind = kindOf(item, file);
      const advice =
        forms.length > 0 && kind !== ''
          ? omissions.adviceForForm(collection, file.by!, kind, forms)
          : undefined;
      // An entry that fills no slot, or has a form that nobody knows, is what rules report.
      const known = file.by === undefined || isKnownValue(blockOf(collection), file.by, kindOf(item, file));
      omissions.item(item, collection, advice, shape !== undefined || !known);
      continue;
    }
    const made = edit(file, at, item.name, event, value as Json);
    const by = specPlace(request, `files.${place.name}`);
    edits.push(
      slots ? { ...made, origins: { by, name: item.origins!.name, slots: inGroup(file, slots) } } : made,
    );
    omissions.fields(fields, collection, derived(fields), false);
  }
  if (edits.length === 0) return [];
  const root: KeyEdit[] = Object.entries(file.root ?? {}).map(([key, value]) => ({
    kind: 'set',
    path: [key],
    value: value as Json,
    ...(items.some(({ origins }) => origins) && {
      origins: { by: specPlace(request, `files.${place.name}.root`), slots: [] },
    }),
  }));
  return [sharedDraft(place, request, [...root, ...edits], false)];
}

/** Edits of the one structured file that a place names. */
function sharedDraft(
  { name, file }: Place<EntriesFile | SettingsFile>,
  request: TargetRequest,
  edits: readonly KeyEdit[],
  isPrivate: boolean,
): Draft {
  const path = documentPath(fill(file.path, request), request, true);
  return { kind: 'entries', path, request, place: name, format: file.format, edits, private: isPrivate };
}

/** Groups hold a list around each value. */
const inGroup = ({ collect }: EntriesFile, slots: readonly Slot[]): readonly Slot[] =>
  collect === 'groups' ? slots.map(slot => ({ ...slot, path: [0, ...slot.path] })) : slots;

const kindOf = (item: Item, { by = '' }: EntriesFile): string => String(item.fields.get(by) ?? '');

function variantOf(file: EntriesFile, fields: ItemFields): unknown {
  const value = fields.get(file.by!);
  const key = value === undefined ? '' : String(value);
  return file.variants && Object.hasOwn(file.variants, key) ? file.variants[key] : undefined;
}

function edit(file: EntriesFile, at: readonly string[], name: string, event: string, value: Json): KeyEdit {
  switch (file.collect) {
    case 'map':
      return { kind: 'set', path: [...at, name], value };
    case 'list':
      return { kind: 'element', path: at, value };
    case 'events':
      return { kind: 'element', path: [...at, event], value };
    case 'groups':
      return { kind: 'set', path: [...at, name, event], value: [value] };
  }
}

export function settingsDrafts(
  place: Place<SettingsFile>,
  request: TargetRequest,
  literal: Literal,
): Draft[] {
  const { file } = place;
  const source = {
    get: () => undefined,
    option: (name: string) => request.options.get(name),
    refuse: () => {},
  };
  const filled = fillShape(file.entry, source);
  if (filled === undefined) return [];
  const edits: KeyEdit[] = leavesOf(filled, file.at ?? []).flatMap(({ path, value }): KeyEdit[] =>
    Array.isArray(value)
      ? value.map(element => ({ kind: 'element' as const, path, value: element as Json }))
      : [{ kind: 'set' as const, path, value: value as Json }],
  );
  const origins = { by: specPlace(request, `files.${place.name}`), slots: [] };
  const made = literal ? edits.map(one => ({ ...one, origins })) : edits;
  return [sharedDraft(place, request, made, file.private ?? false)];
}

export function scriptDrafts(
  place: Place<ScriptFiles>,
  items: readonly Item[],
  request: TargetRequest,
  literal: Literal,
  omissions: Omissions,
): Draft[] {
  const { file } = place;
  const byEvent = new Map<string, Item[]>();
  for (const { event, item } of nativeHooks(items, file.hooks, request, omissions)) {
    const others = byEvent.get(event);
    if (others) others.push(item);
    else byEvent.set(event, [item]);
    for (const field of ['matcher', 'statusMessage', 'timeoutMs', 'continueOnFailure', 'description']) {
      const value = item.fields.get(field);
      if (value !== undefined && !item.computed.has(field))
        omissions.add(`${item.path}.${field}`, textOf(value), omissions.adviceFor('hooks', field, value));
    }
  }
  return [...byEvent].map(([event, hooks]) => ({
    kind: 'content',
    path: documentPath(fill(file.path, request).replaceAll('{event}', event), request, true),
    request,
    place: place.name,
    body: hookScript(
      hooks.map(hook => itemText(hook, 'shell', String(hook.fields.get('shell')))),
      words => literal?.(words, specPlace(request, `files.${place.name}`)) ?? words,
    ),
    format: 'script',
    executable: true,
  }));
}
