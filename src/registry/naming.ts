import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { labelOf, parseAddress } from './address.ts';
import { splitReference } from './reference.ts';
import type { RegistrySettings } from './settings.ts';

/** The names by which a policy may know a source, the best first. */
export type ReferenceNames = (reference: string) => readonly string[];

/**
 * How references of a project are called where a policy is declared: by the addresses that they lead to, so that a
 * project gains nothing by giving a name another address. `own` is what the project says about registries, `theirs`
 * what the configuration of the policy says. A name that this one does not know is the project's to define.
 */
export function referenceNamer(
  own: RegistrySettings,
  theirs: RegistrySettings,
  root: string,
): ReferenceNames {
  const bases = basesOf(theirs, root);
  return reference => namesOf(reference, placesOf(reference, own, root), bases, theirs);
}

/** A name that a configuration gives, and every place that it may stand for. */
interface Base {
  /** What stands before the rest of a path: an alias with its slash, or nothing. */
  readonly start: string;
  readonly places: readonly string[];
}

function basesOf(settings: RegistrySettings, root: string): Base[] {
  const aliases = Object.keys(settings.registries ?? {}).map(alias => ({
    start: `${alias}/`,
    places: placesOf(alias, settings, root),
  }));
  const registry = settings.registry ? [{ start: '', places: registryPlaces(settings, root) }] : [];
  return [...aliases, ...registry];
}

function namesOf(
  reference: string,
  places: readonly string[],
  bases: readonly Base[],
  theirs: RegistrySettings,
): readonly string[] {
  if (places.length === 0) return [reference];
  const called = bases.flatMap(({ start, places: theirPlaces }) => {
    const rests = places.map(place => restBehind(theirPlaces, place));
    return rests.includes(undefined) ? [] : [`${start}${rests[0]}`.replace(/\/$/, '')];
  });
  const { kind } = splitReference(reference, theirs);
  const isTheirs = kind === 'alias' || kind === 'registry';
  return [...new Set([...called, ...places, ...(isTheirs ? [] : [reference])])].sort(
    (a, b) => Number(b === reference) - Number(a === reference),
  );
}

/** What follows one of the bases in a place; the longest base decides. */
function restBehind(bases: readonly string[], place: string): string | undefined {
  const base = bases
    .filter(one => place === one || place.startsWith(`${one}/`))
    .sort((a, b) => b.length - a.length)[0];
  return base === undefined ? undefined : place.slice(base.length + 1);
}

/**
 * Where a reference may be read from: host, repository and path in it as one path, or the path of a directory. More
 * than one where a fallback is configured; none for what no setting explains.
 */
export function placesOf(reference: string, settings: RegistrySettings, root: string): readonly string[] {
  const destination = splitReference(reference, settings);
  switch (destination.kind) {
    case 'alias': {
      const setting = settings.registries![destination.alias]!;
      if (typeof setting === 'object' && 'path' in setting)
        return [joined(directoryPlace(setting.path, root), destination.path)];
      const {
        url,
        fallbackUrl,
        root: inner = '',
      } = typeof setting === 'string' ? ({ url: setting } as const) : setting;
      return addressPlaces([url, fallbackUrl], root).map(place => joined(place, inner, destination.path));
    }
    case 'registry':
      return registryPlaces(settings, root).map(place => joined(place, destination.path));
    case 'host':
      return [hostPlace(reference)];
    default:
      return [];
  }
}

function registryPlaces({ registry = {} }: RegistrySettings, root: string): readonly string[] {
  const { git, path, url } = registry;
  if (git) return addressPlaces([git.url, git.fallbackUrl], root).map(place => joined(place, git.path ?? ''));
  if (path !== undefined) return [directoryPlace(path, root)];
  return addressPlaces([url], root);
}

const directoryPlace = (path: string, root: string): string =>
  pathToFileURL(resolve(root, path)).href.replace(/\/+$/, '');

const addressPlaces = (urls: readonly (string | undefined)[], root: string): readonly string[] => [
  ...new Set(
    urls.flatMap(url => {
      const address = url === undefined ? undefined : parseAddress(url, root);
      if (!address || 'refused' in address) return [];
      return [
        address.protocol === 'file'
          ? address.url.replace(/(?:\.git)?\/*$/, '')
          : withLowerHost(labelOf(address)),
      ];
    }),
  ),
];

/** A reference that begins with a host, or with `git@host:`, as the path that an address of it would give. */
export const hostPlace = (reference: string): string =>
  withLowerHost(reference.replace(/^[^/@:\s]+@([^/:@\s]+):/, '$1/').replace(/\.git(?=\/|$)/, '')).replace(
    /\/+$/,
    '',
  );

const withLowerHost = (place: string): string => place.replace(/^[^/]*/, host => host.toLowerCase());

const joined = (...parts: readonly string[]): string =>
  parts
    .map(part => part.replace(/^(?:\.?\/)+|\/+$/g, '') || '')
    .filter(part => part !== '' && part !== '.')
    .join('/')
    .replace(/^file:\/+/, 'file:///');
