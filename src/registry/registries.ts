import type { Report } from '../diagnostics/diagnostic.ts';
import { renaming } from '../diagnostics/fixes.ts';
import { invalidRegistryReference, invalidVersion, unknownRegistry } from '../generated/diagnostics.ts';
import type { Layer } from '../resolve/program.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';
import {
  openAlias,
  openPackage,
  openRegistryDirectory,
  openRegistryGit,
  openRegistryWeb,
  REGISTRY,
  withVersion,
} from './open.ts';
import { createOpening, type RegistryOptions } from './opening.ts';
import type { Passage } from './passage.ts';
import { type Destination, splitReference } from './reference.ts';
import type { Located, OpenSource, Registries } from './tree.ts';
import { whyNoVersion } from './version.ts';

/** Registries that know what was read through them. */
export interface TrackedRegistries extends Registries {
  /** Every remote source that was opened in this run, sorted: what `prs lock` writes. */
  used(): LockEntry[];
  /** Absolute paths of the files that were read of directories of this machine, packages among them. */
  files(): Iterable<string>;
}

/**
 * Opens the registries of a configuration. Nothing is touched, neither disk nor network, before the first reference
 * is located. All failures go to `report`, once for each source, at the first reference that needs it.
 */
export function createRegistries(options: RegistryOptions, report: Report): TrackedRegistries {
  const { config, root, frozen } = options;
  const section = config.registry ?? {};
  const observe = options.passage?.observe;
  const opening = createOpening(options, report);
  const opened = new Map<string, Promise<OpenSource | undefined>>();
  const entries = new Map<string, () => LockEntry>();

  const once = (
    key: string,
    open: () => Promise<OpenSource | undefined>,
  ): Promise<OpenSource | undefined> => {
    let source = opened.get(key);
    if (!source) {
      source = open().then(result => {
        if (result?.entry) entries.set(key, result.entry);
        return result;
      });
      opened.set(key, source);
    }
    return source;
  };

  const openRegistry = (version: string | undefined, at: Span): Promise<OpenSource | undefined> => {
    const { git, path, url } = section;
    if (git) return once(withVersion(REGISTRY, version), () => openRegistryGit(version, opening, at));
    return once(REGISTRY, async () =>
      path === undefined ? openRegistryWeb(url!, opening, at) : openRegistryDirectory(path, opening, at),
    );
  };

  type Host = Extract<Destination, { kind: 'host' }>;
  let hosts: ReturnType<typeof import('./host-source.ts').createHostSources> | undefined;
  const openHost = async ({ candidates }: Host, version: string | undefined, at: Span) => {
    const { createHostSources } = await import('./host-source.ts');
    const { locked, hasLock } = opening;
    hosts ??= createHostSources(
      root,
      locked,
      (source, open) => open.entry && entries.set(source, open.entry),
      { frozen, hasLock, report, moves: options.passage?.moves },
    );
    return hosts(candidates, version, await opening.contextAt(at), at);
  };

  return {
    async locate(reference, version, at) {
      const place = splitReference(reference, config);
      if (place.kind === 'invalid' || place.kind === 'unknown')
        return refuse(reference, place, Object.keys(config.registries ?? {}), at, report);
      if (options.admits?.(reference, at) === false) return undefined;
      const isPackage = place.kind === 'package';
      const reason =
        version === undefined
          ? undefined
          : isPackage
            ? 'the version of a package is the one that is installed'
            : whyNoVersion(version);
      if (reason !== undefined) {
        report(invalidVersion({ version: version!, reference, reason }, { span: at }));
        return undefined;
      }
      switch (place.kind) {
        case 'alias': {
          const open = () =>
            once(withVersion(place.alias, version), () => openAlias(place.alias, version, opening, at));
          return finish(await open(), place.path, reference, version, at, observe);
        }
        case 'host': {
          const found = await openHost(place, version, at);
          return found && finish(found.source, found.path, reference, version, at, observe);
        }
        case 'package': {
          const open = async () => openPackage(place.name, opening, at);
          return finish(await once(`npm:${place.name}`, open), place.path, reference, version, at, observe);
        }
        case 'registry': {
          // Plain files over HTTP carry their version in their name; a directory of this machine has none.
          const web = !section.git && section.path === undefined;
          const path = web && version !== undefined ? `${place.path}@${version}` : place.path;
          const source = await openRegistry(section.git && version, at);
          return finish(source, path, reference, version, at, observe);
        }
      }
    },
    files: () => opening.files,
    used: () => [...entries.values()].map(entry => entry()).sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}

/** A path of an opened source, as the reference that leads there. */
function finish(
  source: OpenSource | undefined,
  path: string,
  reference: string,
  version: string | undefined,
  at: Span,
  observe: Passage['observe'],
): Located | undefined {
  if (!source || source.allows?.(path, at) === false) return undefined;
  const chosen = source.entry?.().ref;
  const layer: Layer = {
    reference,
    remote: true,
    registry: source.registry,
    ...(chosen !== undefined && { chosen }),
    // What a package brings is the same for all who install it, and is recorded like what a repository brings.
    ...(!source.entry && !source.registry.startsWith('npm:') && { directory: true }),
    ...(source.own && { own: true }),
    ...(version !== undefined && { version }),
  };
  const tree = source.tree(at);
  return { tree: source.place && observe ? observe(source.place, tree) : tree, path, layer };
}

/** Reports why a reference cannot be looked for at all. */
function refuse(
  reference: string,
  place: Extract<Destination, { kind: 'invalid' | 'unknown' }>,
  aliases: readonly string[],
  at: Span,
  report: Report,
): undefined {
  if (place.kind === 'invalid') {
    report(invalidRegistryReference({ reference, reason: place.reason }, { span: at }));
    return;
  }
  const sorted = [...aliases].sort();
  const known = sorted.length > 0 ? `Known aliases: ${sorted.join(', ')}.` : 'There are no aliases yet.';
  const fixes = renaming(at, reference.split('/')[0]!, sorted);
  report(unknownRegistry({ reference, known }, { span: at, fixes }));
}
