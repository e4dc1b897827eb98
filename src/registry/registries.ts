import {
  invalidRegistryReference,
  invalidVersion,
  lockIncomplete,
  lockOutdated,
  unknownRegistry,
} from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { renameFix } from '../text/diagnostics/fixes.ts';
import type { Layer } from '../text/layer.ts';
import type { Span } from '../text/source.ts';
import { parseAddress } from './address.ts';
import type { Failure } from './failure.ts';
import { hasFreshRefs } from './git.ts';
import { openGitSource, reportGitProblem } from './git-source.ts';
import type { GitProblem, GitSource } from './git-transport.ts';
import type { LockEntry } from './lock.ts';
import { openPackage, openRegistry, withVersion } from './open.ts';
import { type Candidate, type Destination, settingOf, splitReference } from './reference.ts';
import { createSourceContext, type RegistryOptions, type SourceContext } from './source-context.ts';
import type { Located, OpenSource, Registries } from './tree.ts';
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
  const opening = createSourceContext(options, report);
  const openHost = createHostSources(opening);
  const opened = new Map<string, Promise<OpenSource | undefined>>();

  const once = (
    key: string,
    open: () => Promise<OpenSource | undefined>,
  ): Promise<OpenSource | undefined> => {
    const source = opened.get(key) ?? open();
    opened.set(key, source);
    return source;
  };

  const open = async (
    place: Exclude<Destination, { kind: 'invalid' | 'unknown' }>,
    version: string | undefined,
    at: Span,
  ): Promise<{ readonly source: OpenSource | undefined; readonly path: string } | undefined> => {
    if (place.kind === 'host') return openHost(place.candidates, version, at);
    const { kind, name, path } = place;
    if (kind === 'package')
      return { source: await once(`npm:${name}`, async () => openPackage(name, opening, at)), path };
    const setting = settingOf(name, config)!;
    const wanted = setting.kind === 'git' ? version : undefined;
    const source = once(withVersion(name, wanted), () => openRegistry(name, wanted, opening, at));
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

interface Attempt {
  readonly candidate: Candidate;
  readonly source: GitSource;
}

/**
 * Opens references that begin with a host. Each repository is requested once per run, and each failure is
 * reported once.
 */
function createHostSources(opening: SourceContext) {
  const { options, locked, hasLock, report } = opening;
  const { root, frozen } = options;
  const opened = new Map<string, Promise<OpenSource | GitProblem>>();
  const reported = new Set<string>();

  const once = (key: string, action: () => void): undefined => {
    if (!reported.has(key)) action();
    reported.add(key);
    return undefined;
  };

  /**
   * The locked repository, else the first candidate that exists; candidates with fresh cached refs are tried
   * first. `undefined` after a report when none exists.
   */
  return async (
    candidates: readonly Candidate[],
    version: string | undefined,
    at: Span,
  ): Promise<{ readonly source: OpenSource; readonly path: string } | undefined> => {
    const context = opening.contextAt(at);
    const tries = candidates.flatMap(candidate => triesOf(candidate, version, root));
    const pinned = tries.find(
      ({ source }) => locked.get(source.source)?.url === source.repository.address.shown,
    );
    const [first] = tries;
    if (!first) return undefined;
    const what = `\`${first.source.source}\``;
    if (!pinned && frozen) return once(what, () => report(lockOutdated({ what }, { span: at })));

    const fresh = tries.filter(({ source }) => hasFreshRefs(source.repository.address, context));
    const order = pinned ? [pinned] : [...fresh, ...tries.filter(one => !fresh.includes(one))];
    let worst: { readonly failure: Failure; readonly source: GitSource } | undefined;
    for (const { candidate, source } of order) {
      const key = `${source.source} ${source.repository.address.url}`;
      const result =
        opened.get(key) ?? openGitSource(source, pinned && locked.get(source.source), opening, at);
      opened.set(key, result);
      const found = await result;
      if ('tree' in found) {
        if (!pinned && hasLock) {
          once(source.source, () => report(lockIncomplete({ what: `\`${source.source}\`` }, { span: at })));
        }
        return { source: found, path: candidate.path };
      }
      // A server that hides private repositories refuses access to repositories that do not exist.
      if (!('failure' in found) || !['missing', 'access'].includes(found.failure.kind)) {
        return once(key, () => reportGitProblem(found, source, opening, at));
      }
      const isWorse = found.failure.kind === 'access' && worst?.failure.kind !== 'access';
      if (!worst || isWorse) worst = { failure: found.failure, source };
    }
    if (!worst) return undefined;
    const { failure, source } = worst;
    const tried = order.map(one => one.source.repository.address.shown);
    return once(what, () => reportGitProblem({ failure }, source, opening, at, tried));
  };
}

function triesOf(candidate: Candidate, version: string | undefined, root: string): Attempt[] {
  return candidate.urls.flatMap(url => {
    const address = parseAddress(url, root);
    if ('refused' in address) return [];
    const { name } = candidate;
    const source = withVersion(name, version);
    return [
      { candidate, source: { source, name, repository: { address }, version: version ?? 'HEAD', root: '' } },
    ];
  });
}
