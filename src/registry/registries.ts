import { invalidRegistryReference, invalidVersion, unknownRegistry } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { renameFix } from '../text/diagnostics/fixes.ts';
import type { Layer } from '../text/layer.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';
import { openHost, openPackage, openRegistry, withVersion } from './open.ts';
import { type Destination, settingOf, splitReference } from './reference.ts';
import { createSourceContext, type RegistryOptions } from './source-context.ts';
import type { Located, OpenSource, Registries } from './tree.ts';
import { whyNoVersion } from './version.ts';

/** Registries that record what was read from them. */
export interface TrackedRegistries extends Registries {
  /** Every remote source that was opened in this run, sorted: the content of the lock file. */
  used(): LockEntry[];
  /** Absolute paths of the files that were read from local directories, including packages. */
  files(): Iterable<string>;
}

type Opening = Promise<OpenSource | undefined>;

/** An opened source, and the path of a reference in it. */
interface Opened {
  readonly source: OpenSource | undefined;
  readonly path: string;
}

/**
 * Opens the registries of a configuration. Neither disk nor network are used before the first reference is
 * located. All failures go to `report`, once per source, at the first reference that needs it.
 */
export function createRegistries(options: RegistryOptions, report: Report): TrackedRegistries {
  const { config } = options;
  const opening = createSourceContext(options, report);
  const opened = new Map<string, Opening>();

  const openOnce = (key: string, open: () => Opening): Opening => {
    const source = opened.get(key) ?? open();
    opened.set(key, source);
    return source;
  };

  const open = async (
    place: Exclude<Destination, { kind: 'invalid' | 'unknown' }>,
    version: string | undefined,
    at: Span,
  ): Promise<Opened | undefined> => {
    const { kind, name, path } = place;
    if (kind === 'host') {
      const open = () => openHost(name, place.url, version, opening, at);
      return { source: await openOnce(withVersion(name, version), open), path };
    }
    if (kind === 'package')
      return { source: await openOnce(`npm:${name}`, async () => openPackage(name, opening, at)), path };
    const setting = settingOf(name, config)!;
    const wanted = setting.kind === 'git' ? version : undefined;
    const source = openOnce(withVersion(name, wanted), () => openRegistry(name, wanted, opening, at));
    // The version of plain HTTP files is part of their names; a local directory has none.
    const isNamed = setting.kind === 'web' && version !== undefined;
    return { source: await source, path: isNamed ? `${path}@${version}` : path };
  };

  return {
    async locate(reference, version, at) {
      const place = splitReference(reference, config);
      if (place.kind === 'invalid' || place.kind === 'unknown')
        return refuse(reference, place, Object.keys(config.registries ?? {}), at, report);
      if (options.isAllowed?.(reference, at) === false) return undefined;
      const reason =
        version === undefined
          ? undefined
          : place.kind === 'package'
            ? 'the version of a package is the one that is installed'
            : whyNoVersion(version);
      if (reason !== undefined) {
        report(invalidVersion({ version: version!, reference, reason }, { span: at }));
        return undefined;
      }
      const found = await open(place, version, at);
      return found?.source && toLocated(found.source, found.path, reference, version, at);
    },
    files: () => opening.files,
    used: () => [...opening.used.values()].sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}

/** A path of an opened source with the layer of its files; `undefined` when a frozen run must not read it. */
function toLocated(
  source: OpenSource,
  path: string,
  reference: string,
  version: string | undefined,
  at: Span,
): Located | undefined {
  if (source.allows?.(path, at) === false) return undefined;
  const layer: Layer = {
    reference,
    remote: true,
    ...source.layer,
    ...(version !== undefined && { version }),
  };
  return { tree: source.tree(at), path, layer };
}

/** Reports a reference that does not refer to a registry. */
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
  const fixes = renameFix(at, reference.split('/')[0]!, sorted);
  report(unknownRegistry({ reference, known }, { span: at, fixes }));
}
