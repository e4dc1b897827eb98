import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { labelOf, parseAddress } from './address.ts';
import {
  REGISTRY,
  type RegistrySetting,
  type RegistrySettings,
  settingAt,
  settingOf,
  splitReference,
} from './reference.ts';

/** Returns the names by which a policy may know a source, the best first. */
type ReferenceNames = (reference: string) => readonly string[];

/**
 * Converts references of a project to the names in the configuration of a policy, by the addresses that they
 * resolve to, so that a project cannot evade a policy by giving a name another address. `own` are the
 * registry settings of the project, `theirs` those of the policy's configuration. Names unknown there may be
 * defined by the project.
 */
export function referenceNamer(
  own: RegistrySettings,
  theirs: RegistrySettings,
  root: string,
): ReferenceNames {
  const bases = basesOf(theirs, root);
  return reference => namesOf(reference, placesOf(reference, own, root), bases, theirs);
}

/** A name in a configuration, and all addresses that it may stand for. */
interface Base {
  /** The prefix of references: an alias with its slash, or empty. */
  readonly start: string;
  readonly places: readonly string[];
}

const basesOf = (settings: RegistrySettings, root: string): Base[] =>
  [...Object.keys(settings.registries ?? {}), REGISTRY].map(name => ({
    start: name === REGISTRY ? '' : `${name}/`,
    places: settingPlaces(settingOf(name, settings), root),
  }));

function namesOf(
  reference: string,
  places: readonly string[],
  bases: readonly Base[],
  theirs: RegistrySettings,
): readonly string[] {
  if (places.length === 0) return [reference];
  const called = bases.flatMap(({ start, places: theirPlaces }) => {
    const rests = places.map(place => restAfter(theirPlaces, place));
    return rests.includes(undefined) ? [] : [`${start}${rests[0]}`.replace(/\/$/, '')];
  });
  const isTheirs = splitReference(reference, theirs).kind === 'registry';
  return [...new Set([...called, ...places, ...(isTheirs ? [] : [reference])])].sort(
    (a, b) => Number(b === reference) - Number(a === reference),
  );
}

/** The rest of a place after one of the bases; the longest base wins. */
function restAfter(bases: readonly string[], place: string): string | undefined {
  const base = bases
    .filter(one => place === one || place.startsWith(`${one}/`))
    .sort((a, b) => b.length - a.length)[0];
  return base === undefined ? undefined : place.slice(base.length + 1);
}

/**
 * The places from which a reference may be read: host, repository and path in it as one path, or the path of
 * a directory. Several when a fallback is configured; empty when no setting applies.
 */
function placesOf(reference: string, settings: RegistrySettings, root: string): readonly string[] {
  const destination = splitReference(reference, settings);
  if (destination.kind !== 'registry' && destination.kind !== 'host') return [];
  const places = settingPlaces(settingAt(destination, settings), root);
  return places.map(place => joined(place, destination.path));
}

function settingPlaces(setting: RegistrySetting | undefined, root: string): readonly string[] {
  switch (setting?.kind) {
    case 'folder':
      return [directoryPlace(setting.path, root)];
    case 'web':
      return addressPlaces([setting.url], root);
    case 'git': {
      const { url, fallbackUrl, root: inner } = setting;
      return addressPlaces([url, fallbackUrl], root).map(place => joined(place, inner));
    }
    case undefined:
      return [];
  }
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

const withLowerHost = (place: string): string => place.replace(/^[^/]*/, host => host.toLowerCase());

const joined = (...parts: readonly string[]): string =>
  parts
    .map(part => part.replace(/^(?:\.?\/)+|\/+$/g, '') || '')
    .filter(part => part !== '' && part !== '.')
    .join('/')
    .replace(/^file:\/+/, 'file:///');
