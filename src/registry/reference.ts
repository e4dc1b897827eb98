import type { Config, GitRegistry, RegistryAliasEntry } from '../generated/types/config.ts';
import { normalizeInnerPath } from '../text/paths.ts';

/** The settings of a configuration about registries. */
export type RegistrySettings = Pick<Config, 'registry' | 'registries'>;

/** Name of the configured `registry` in the lock file and in unit ids. */
export const REGISTRY = 'registry';

/** The settings of a repository. */
export interface GitSetting
  extends Pick<RegistryAliasEntry, 'url' | 'fallbackUrl' | 'signers'>,
    Pick<GitRegistry, 'auth'> {
  /** The version of references without one. */
  readonly ref: string;
  /** Directory of the repository that is the root of the registry, as configured. */
  readonly root: string;
}

/** Where the files of a registry are. */
export type RegistrySetting =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'web'; readonly url: string }
  | ({ readonly kind: 'git' } & GitSetting);

/** The settings of an alias, or of `registry`. */
export function settingOf(
  name: string,
  { registries = {}, registry = {} }: RegistrySettings,
): RegistrySetting | undefined {
  if (name === REGISTRY) {
    const { git, path, url } = registry;
    if (git) return { ...git, kind: 'git', ref: git.ref ?? 'main', root: git.path ?? '' };
    if (path) return { kind: 'folder', path };
    return url ? { kind: 'web', url } : undefined;
  }
  const alias = Object.hasOwn(registries, name) ? registries[name] : undefined;
  if (alias === undefined) return undefined;
  if (typeof alias === 'string') return { kind: 'git', url: alias, ref: 'HEAD', root: '' };
  if ('path' in alias) return { kind: 'folder', path: alias.path };
  return { ...alias, kind: 'git', ref: 'HEAD', root: alias.root ?? '' };
}

/** A place that a reference leads to: a registry, or a repository named by its host. */
export type RegistryPlace = Extract<Destination, { kind: 'registry' | 'host' }>;

/** The settings of a place. */
export const settingAt = (place: RegistryPlace, settings: RegistrySettings): RegistrySetting =>
  place.kind === 'host'
    ? { kind: 'git', url: place.url, ref: 'HEAD', root: '' }
    : settingOf(place.name, settings)!;

/** What a reference refers to: a configured or implied repository, and a path in it. */
export type Destination =
  /** `name` is an alias of `registries`, or `registry`. */
  | { readonly kind: 'registry'; readonly name: string; readonly path: string }
  /** `name` is the repository in the lock file and in messages. */
  | { readonly kind: 'host'; readonly name: string; readonly url: string; readonly path: string }
  /** A package that a package manager has installed for the project. */
  | { readonly kind: 'package'; readonly name: string; readonly path: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Resolves a reference (without its version) by the configuration. Aliases take precedence. */
export function splitReference(reference: string, settings: RegistrySettings): Destination {
  if (
    normalizeInnerPath(reference) !== reference.replace(/\/+$/, '') ||
    reference.split('/').includes('..')
  ) {
    return { kind: 'invalid', reason: 'it has empty parts, `.`, `..` or a backslash' };
  }
  const packaged = /^npm:((?:@[^/]+\/)?[^/@]+)(?:\/(.*))?$/.exec(reference);
  if (packaged) return { kind: 'package', name: packaged[1]!, path: packaged[2] ?? '' };
  const alias = Object.keys(settings.registries ?? {})
    .filter(name => reference === name || reference.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (alias !== undefined) return { kind: 'registry', name: alias, path: reference.slice(alias.length + 1) };
  if (reference.startsWith('@'))
    return settingOf(REGISTRY, settings)
      ? { kind: 'registry', name: REGISTRY, path: reference }
      : { kind: 'unknown' };
  const short = /^([^/:@\s]+@[^/:@\s]+):(.+)$/.exec(reference);
  if (short) {
    const [, host, rest] = short as unknown as [string, string, string];
    return repositoryIn(`${host}:`, `${host}:`, rest.split('/'), 1);
  }
  const [host, ...rest] = reference.split('/');
  if (!host || !/^[a-z0-9](?:[a-z0-9-]*\.)+[a-z0-9-]+(?::\d+)?$|^localhost(?::\d+)?$/i.test(host)) {
    return { kind: 'unknown' };
  }
  return repositoryIn(`${host}/`, `https://${host}/`, rest, 2);
}

/**
 * The first two segments are organisation and repository. A repository in nested groups ends before a segment that begins
 * with `@`, or with a segment that ends with `.git`.
 */
function repositoryIn(host: string, base: string, parts: readonly string[], shortest: number): Destination {
  const marked = parts.findIndex(part => part.endsWith('.git'));
  const stop = parts.findIndex((part, index) => index > 0 && part.startsWith('@'));
  const length = marked !== -1 ? marked + 1 : stop !== -1 ? stop : Math.min(parts.length, 2);
  if (length < shortest || parts[0] === '')
    return { kind: 'invalid', reason: 'it needs a host, an organisation and a repository' };
  const repository = parts
    .slice(0, length)
    .join('/')
    .replace(/\.git$/, '');
  return {
    kind: 'host',
    name: host + repository,
    url: `${base}${repository}.git`,
    path: parts.slice(length).join('/'),
  };
}
