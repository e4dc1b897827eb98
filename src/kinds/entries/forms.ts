import type { EntriesFile } from '../../generated/types/target.ts';
import type { Item } from '../../model/model.ts';
import { isOtherPlace } from '../../spec/item-places.ts';
import { groupBy } from '../../text/group.ts';
import type { PlaceContext } from '../kind.ts';
import type { TargetRequest } from '../request.ts';

/** The default form of a place, which has no name, and the further forms in its spec. */
export const formsOf = (
  file: EntriesFile,
): readonly { readonly name?: string; readonly file: EntriesFile }[] => [
  { file },
  ...Object.keys(file.forms ?? {}).map(name => ({ name, file: placeInForm(file, name)! })),
];

/** A place in one of its forms; `undefined` when it does not have the form. */
export function placeInForm(file: EntriesFile, name: string | undefined): EntriesFile | undefined {
  if (name === undefined) return file;
  const form = file.forms && Object.hasOwn(file.forms, name) ? file.forms[name] : undefined;
  if (!form || !file.hooks) return undefined;
  const { events = file.hooks.events, entry } = form;
  return { ...file, hooks: { ...file.hooks, events }, entry };
}

/** The forms of a place with the items that use them; an item with an unknown form is an omission. */
export function itemsByForm(
  file: EntriesFile,
  { items, omissions }: PlaceContext,
): { readonly file: EntriesFile; readonly items: readonly Item[] }[] {
  if (!file.forms) return [{ file, items }];
  const forms = formsOf(file);
  const byForm = groupBy(items, ({ fields }) => String(fields.get('form') ?? ''));
  const known = forms.map(({ name = '' }) => name);
  for (const [name, others] of byForm)
    for (const item of known.includes(name) ? [] : others)
      omissions.item(
        item,
        'hooks',
        `${omissions.title} has no form \`${name}\` for hooks; it has ${Object.keys(file.forms).join(', ')}.`,
      );
  return forms.map(({ name = '', file }) => ({ file, items: byForm.get(name) ?? [] }));
}

/** Whether a place supports a hook event, by the native name of the event. */
export const knowsEvent = ({ hooks }: EntriesFile, event: string): boolean =>
  Object.values(hooks?.events ?? {}).some(natives => natives.some(({ name }) => name === event));

/**
 * Whether an item is written to a file: it names the file (`into`), or it names none of this tool and this is
 * the default file.
 */
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

/** The file of a place, and the further files of the same form that items name. */
export function filesOf(file: EntriesFile, items: readonly Item[]): readonly EntriesFile[] {
  if (file.others === undefined) return [file];
  const named = items.flatMap(({ keptAt = [] }) => keptAt.filter(path => isOtherPlace(file, path)));
  return [file, ...[...new Set(named)].map(path => ({ ...file, path }))];
}
