/** What a tool reads of a user, below the home folder: entries of `files` at another place, and some that only a user has. */
import { expandEntry, likeEntry, type Setting } from './expand-entry.ts';
import { inVersions } from './expand-versions.ts';
import { reportUnknown } from './fault.ts';
import { type Plain, plain } from './merge-stanza.ts';

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
  const home = (name: string) => homePlace(plain(files[name]), setting.folder, folder);
  const there = [same].flat().map((one, index) => {
    const name = String(one);
    const at = ['user', 'same', index];
    const place = home(name);
    if (!Object.hasOwn(files, name))
      reportUnknown(setting.fault, at, 'entry of `files`', name, Object.keys(files));
    else if (place === undefined)
      setting.fault(at, 'there is no `folder` for it', 'Say where it lies, under `files`.');
    return [name, place ?? '.'] as const;
  });
  const elsewhere = Object.entries(plain(own) ?? {}).map(([name, value]) => {
    const entry = likeEntry(value, moved(plain(files[name]), home(name)));
    const whole = expandEntry(entry, ['user', 'files', name], { ...setting, folder });
    return [name, inVersions(whole, plain(entry), versions)] as const;
  });
  return { ...more, files: Object.fromEntries([...there, ...elsewhere]) };
}

/** Where an entry lies for a user: in the folder there by the path that it has in the one of a project, or in a shared one. */
function homePlace(
  entry: Plain | undefined,
  own: string | undefined,
  home: string | undefined,
): string | undefined {
  const place = String(entry?.dir ?? entry?.path);
  if (home === undefined) return undefined;
  return `${home}/${place.startsWith(`${own}/`) ? place.slice(own!.length + 1) : place.replace(/^\.[^/]+\//, '')}`;
}

/** The entry at that place. */
const moved = (entry: Plain | undefined, place: string | undefined): Plain | undefined =>
  entry && place !== undefined ? { ...entry, [entry.dir === undefined ? 'path' : 'dir']: place } : entry;
