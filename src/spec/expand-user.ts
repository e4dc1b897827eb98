/** What a tool reads of a user, below the home folder: entries of `files` at another place, and some that only a user has. */
import { expandEntry, likeEntry, type Setting } from './expand-entry.ts';
import { inVersions } from './expand-versions.ts';
import { reportUnknown } from './fault.ts';
import { type Plain, plain, textOf } from './merge-stanza.ts';

/** `files` are the entries of the spec, `versions` those that it has. */
export function expandUser(
  written: unknown,
  files: Plain,
  setting: Setting,
  versions: readonly string[] | undefined,
): unknown {
  const user = plain(written);
  if (!user) return written;
  const { folder: said, same = [], files: own, ...more } = user;
  if (own !== undefined && !plain(own)) return written;
  const folder = typeof said === 'string' ? said : setting.folder;
  const likeOf = (name: string) => atHome(plain(files[name]), setting.folder, folder);
  const there = [same].flat().map((one, index) => {
    const name = textOf(one);
    const entry = likeOf(name);
    if (!entry)
      reportUnknown(setting.fault, ['user', 'same', index], 'entry of `files`', name, Object.keys(files));
    return [name, entry?.permissions === plain(files[name])?.permissions ? placeOf(entry) : entry] as const;
  });
  const elsewhere = Object.entries(plain(own) ?? {}).map(([name, value]) => {
    const entry = likeEntry(value, likeOf(name));
    const whole = expandEntry(entry, ['user', 'files', name], { ...setting, folder });
    return [name, inVersions(whole, plain(entry), versions)] as const;
  });
  return { ...more, files: Object.fromEntries([...there, ...elsewhere]) };
}

const placeOf = (entry: Plain | undefined): string => textOf(entry?.dir ?? entry?.path);

/** An entry in the folder of a user, by the path that it has in the one of a project, or in a shared one. */
function atHome(entry: Plain | undefined, own: string, home: string): Plain | undefined {
  if (!entry) return undefined;
  const place = placeOf(entry);
  const inside = place.startsWith(`${own}/`) ? place.slice(own.length + 1) : place.replace(/^\.[^/]+\//, '');
  const permissions = plain(entry.permissions);
  return {
    ...entry,
    [entry.dir === undefined ? 'path' : 'dir']: `${home}/${inside}`,
    ...(permissions && { permissions: everywhere(permissions) }),
  };
}

/**
 * Permissions for all projects. A path from `/` is one beside the settings there, and no project: it is refused wherever it
 * lies, and nothing is allowed by it.
 */
function everywhere(permissions: Plain): Plain {
  const wider = (form: unknown): unknown => {
    const { text, ...facts } = plain(form) ?? {};
    if (facts.as !== 'rooted' || typeof text !== 'string') return form;
    const said = text.replace('{pattern}', '**/{pattern}');
    return { text: said, ...facts, as: 'here', only: ['ask', 'deny'], wider: true };
  };
  const isRooted = (forms: unknown) =>
    Array.isArray(forms) && forms.some(form => plain(form)?.as === 'rooted');
  const kinds = ['read', 'write'].filter(kind => isRooted(permissions[kind]));
  if (kinds.length === 0) return permissions;
  return {
    ...permissions,
    ...Object.fromEntries(kinds.map(kind => [kind, (permissions[kind] as unknown[]).map(wider)])),
  };
}
