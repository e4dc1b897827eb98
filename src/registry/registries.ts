import { invalidRegistryReference, invalidVersion, unknownRegistry } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { renameFix } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';
import { openSource, withVersion } from './open.ts';
import { type Destination, settingAt, splitReference } from './reference.ts';
import { createSourceContext, type RegistryOptions } from './source-context.ts';
import type { Registries } from './tree.ts';
import { whyNoVersion } from './version.ts';

/** Registries that record what was read from them. */
export interface TrackedRegistries extends Registries {
  /** Every remote source that was opened in this run, sorted: the content of the lock file. */
  used(): LockEntry[];
  /** Absolute paths of the files that were read from local directories, including packages. */
  files(): Iterable<string>;
}

/**
 * Opens the registries of a configuration. Neither disk nor network are used before the first reference is
 * located. All failures go to `report`, once per source, at the first reference that needs it.
 */
export function createRegistries(options: RegistryOptions, report: Report): TrackedRegistries {
  const { config } = options;
  const context = createSourceContext(options, report);
  const opened = new Map<string, ReturnType<typeof openSource>>();
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
      const setting = place.kind === 'package' ? undefined : settingAt(place, config);
      // Only a repository is opened once for each version. The version of plain HTTP files is part of their
      // names, and a directory has none.
      const sourceVersion = setting?.kind === 'git' ? version : undefined;
      const path = setting?.kind === 'web' ? withVersion(place.path, version) : place.path;
      const key = `${place.kind} ${withVersion(place.name, sourceVersion)}`;
      const opening = opened.get(key) ?? openSource(place, sourceVersion, context, at);
      opened.set(key, opening);
      const source = await opening;
      if (!source || source.allows?.(path, at) === false) return undefined;
      const layer = { reference, remote: true, ...source.layer, ...(version !== undefined && { version }) };
      return { tree: source.tree(at), path, layer };
    },
    files: () => context.files,
    used: () => [...context.used.values()].sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
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
