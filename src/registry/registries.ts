import { resolve } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { renaming } from '../diagnostics/fixes.ts';
import {
  invalidRegistryReference,
  invalidVersion,
  lockIncomplete,
  lockOutdated,
  registryAddressRefused,
  registryCacheUnusable,
  registryDirectoryMissing,
  unknownRegistry,
} from '../generated/diagnostics.ts';
import type { Disk } from '../host/host.ts';
import type { Layer } from '../resolve/program.ts';
import { innerPath } from '../text/paths.ts';
import type { Span } from '../text/source.ts';
import { type Address, parseAddress } from './address.ts';
import { gitCredentials, httpAuthorization } from './credentials.ts';
import { explainFailure } from './explain.ts';
import type { GitContext, GitLimits, Repository } from './git-transport.ts';
import { localTree } from './local.ts';
import type { Lock, LockEntry } from './lock.ts';
import { type Destination, splitReference } from './reference.ts';
import type { HttpLimits } from './request.ts';
import type { RegistrySettings } from './settings.ts';
import type { Located, OpenSource, Registries } from './tree.ts';
import { whyNoVersion } from './version.ts';

export interface RegistryOptions {
  readonly config: RegistrySettings;
  /** Root of the project: relative paths of the configuration start here. */
  readonly root: string;
  readonly disk: Disk;
  readonly env: (name: string) => string | undefined;
  readonly cacheDir: string;
  readonly offline?: boolean | undefined;
  /** Whether a reference may be followed at all; reports why not. Absent: every one. */
  readonly admits?: ((reference: string, at: Span) => boolean) | undefined;
  readonly lock?: Lock | undefined;
  /** Read nothing that the lock does not pin. */
  readonly frozen: boolean;
  /**
   * The lock is about to be written: what it pins stays, what it lacks is asked for anew whatever the cache says,
   * and is no finding.
   */
  readonly locking?: boolean | undefined;
  readonly progress?: ((text: string) => void) | undefined;
  readonly now: () => number;
  readonly limits?: Partial<GitLimits & HttpLimits>;
}

/** Registries that know what was read through them. */
export interface TrackedRegistries extends Registries {
  /** Every remote source that was opened in this run, sorted: what `prs lock` writes. */
  used(): LockEntry[];
}

const LIMITS: GitLimits & HttpLimits = {
  silence: 60_000,
  total: 600_000,
  request: 30_000,
  pause: 500,
  longestPause: 30_000,
};

/** Decisions: a copy in the cache is fresh for an hour. */
const TTL = 3_600_000;

/** Name of the configuration's `registry` in the lock and in unit ids. */
const REGISTRY = 'registry';

const withVersion = (name: string, version: string | undefined): string =>
  version === undefined ? name : `${name}@${version}`;

/**
 * Opens the registries of a configuration. Nothing is touched, neither disk nor network, before the first reference
 * is located. All failures go to `report`, once for each source, at the first reference that needs it.
 */
export function createRegistries(options: RegistryOptions, report: Report): TrackedRegistries {
  const { config, root, frozen, disk, env } = options;
  const hasLock = options.lock !== undefined && !options.locking;
  const limits = { ...LIMITS, ...options.limits };
  const section = config.registry ?? {};
  const locked = new Map(options.lock?.entries.map(entry => [entry.source, entry]));
  const opened = new Map<string, Promise<OpenSource | undefined>>();
  const entries = new Map<string, () => LockEntry>();
  const surroundings = { disk, env, report };
  let context: Promise<GitContext> | undefined;

  const contextAt = (at: Span): Promise<GitContext> => {
    context ??= prepareCache(options, section.cache?.enabled !== false, report, at).then(cacheDir => ({
      cacheDir,
      ttl: options.locking ? 0 : (section.cache?.ttl ?? TTL),
      offline: options.offline === true,
      limits,
      now: options.now,
      env,
      progress: options.progress ?? (() => {}),
    }));
    return context;
  };

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

  const addressOf = (text: string, registry: string, at: Span): Address | undefined => {
    const parsed = parseAddress(text, root);
    if (!('refused' in parsed)) return parsed;
    const address = text.replace(/\/\/[^/@]*@/, '//***@');
    report(registryAddressRefused({ address, registry, reason: parsed.refused }, { span: at }));
    return undefined;
  };

  /** The entry of the lock while the configuration still says the same; `false`: a frozen run may not go on. */
  const pinOf = (
    facts: Pick<LockEntry, 'source' | 'kind' | 'url' | 'root'>,
    at: Span,
  ): LockEntry | undefined | false => {
    const entry = locked.get(facts.source);
    const same =
      entry?.kind === facts.kind && entry.url === facts.url && (entry.root ?? '') === (facts.root ?? '');
    if (same) return entry;
    const what = `\`${facts.source}\` (${facts.url})`;
    if (frozen) report(lockOutdated({ what }, { span: at }));
    else if (hasLock) report(lockIncomplete({ what }, { span: at }));
    return frozen ? false : undefined;
  };

  const openGit = async (
    name: string,
    repository: Repository,
    version: string | undefined,
    wanted: string,
    inner: string,
    at: Span,
  ): Promise<OpenSource | undefined> => {
    const rootPath = innerPath(inner);
    if (rootPath === undefined) {
      report(registryDirectoryMissing({ path: inner }, { span: at }));
      return undefined;
    }
    const { factsOf, openGitSource, reportGitProblem } = await import('./git-source.ts');
    const source = withVersion(name, version);
    const asked = { source, name, repository, version: version ?? wanted, root: rootPath };
    const pin = pinOf(factsOf(asked), at);
    if (pin === false) return undefined;
    const around = { context: await contextAt(at), frozen, hasLock, report };
    const result = await openGitSource(asked, pin, around, at);
    if ('tree' in result) return result;
    const second = 'failure' in result ? result.at : undefined;
    const tried = [repository.address, ...(second ? [second] : [])].map(({ shown }) => shown);
    reportGitProblem(result, asked, tried, around, at);
    return undefined;
  };

  const openAlias = (alias: string, version: string | undefined, at: Span) =>
    once(withVersion(alias, version), async () => {
      const setting = config.registries![alias]!;
      const settings = typeof setting === 'string' ? { url: setting } : setting;
      const repository = repositoryOf(settings, `\`${alias}\``, at);
      return repository && openGit(alias, repository, version, 'HEAD', settings.root ?? '', at);
    });

  const repositoryOf = (
    { url, fallbackUrl }: { readonly url: string; readonly fallbackUrl?: string },
    registry: string,
    at: Span,
  ): Repository | undefined => {
    const address = addressOf(url, registry, at);
    const fallback = fallbackUrl === undefined ? undefined : addressOf(fallbackUrl, registry, at);
    if (!address || (fallbackUrl !== undefined && !fallback)) return undefined;
    return { address, ...(fallback && { fallback }) };
  };

  const openRegistry = (version: string | undefined, at: Span): Promise<OpenSource | undefined> => {
    const { git, path, url } = section;
    if (git) {
      return once(withVersion(REGISTRY, version), async () => {
        const repository = repositoryOf(git, '`registry.git`', at);
        const credentials = repository && gitCredentials(git.auth, repository.address, surroundings, at);
        if (!credentials) return undefined;
        return openGit(
          REGISTRY,
          { ...repository, ...credentials },
          version,
          git.ref ?? 'main',
          git.path ?? '',
          at,
        );
      });
    }
    return once(REGISTRY, async () => (path === undefined ? openWeb(url!, at) : openDirectory(path, at)));
  };

  const openDirectory = (path: string, at: Span): OpenSource | undefined => {
    const real = disk.realpath(resolve(root, path));
    if (real === undefined || disk.stat(real)?.kind !== 'directory') {
      report(registryDirectoryMissing({ path }, { span: at }));
      return undefined;
    }
    return { registry: path, tree: place => localTree(disk, real, REGISTRY, path, report, place) };
  };

  const openWeb = async (url: string, at: Span): Promise<OpenSource | undefined> => {
    const address = addressOf(url, '`registry`', at);
    if (!address) return undefined;
    if (address.origin === undefined) {
      const reason =
        'files over HTTP need an address with https:// (a repository belongs into `registry.git`)';
      report(
        registryAddressRefused({ address: address.shown, registry: '`registry`', reason }, { span: at }),
      );
      return undefined;
    }
    const authorization = httpAuthorization(section.auth, address, surroundings, at);
    if (authorization !== undefined && address.protocol === 'http' && !address.loopback) {
      const attempt = { address, tried: [], hasToken: true, hasKey: false, seconds: 0, http: true };
      report(explainFailure({ kind: 'plain-http', reason: '' }, attempt, { span: at }));
      return undefined;
    }
    const pin = pinOf({ source: REGISTRY, kind: 'http', url: address.shown }, at);
    if (pin === false) return undefined;
    const { openHttpSource } = await import('./http-source.ts');
    const around = { ...(await contextAt(at)), limits, frozen, hasLock };
    return openHttpSource(address, authorization, pin, around, report);
  };

  type Host = Extract<Destination, { kind: 'host' }>;
  let hosts: ReturnType<typeof import('./host-source.ts').createHostSources> | undefined;
  const openHost = async ({ candidates }: Host, version: string | undefined, at: Span) => {
    const { createHostSources } = await import('./host-source.ts');
    hosts ??= createHostSources(
      root,
      locked,
      (source, open) => open.entry && entries.set(source, open.entry),
      { frozen, hasLock, report },
    );
    return hosts(candidates, version, await contextAt(at), at);
  };

  const finish = (
    source: OpenSource | undefined,
    path: string,
    reference: string,
    version: string | undefined,
    at: Span,
  ): Located | undefined => {
    if (!source || source.allows?.(path, at) === false) return undefined;
    const chosen = source.entry?.().ref;
    const layer: Layer = {
      reference,
      remote: true,
      registry: source.registry,
      ...(chosen !== undefined && { chosen }),
      ...(!source.entry && { directory: true }),
      ...(version !== undefined && { version }),
    };
    return { tree: source.tree(at), path, layer };
  };

  /** Reports why a reference cannot be looked for at all. */
  const refuse = (
    reference: string,
    place: Extract<Destination, { kind: 'invalid' | 'unknown' }>,
    at: Span,
  ): undefined => {
    if (place.kind === 'invalid') {
      report(invalidRegistryReference({ reference, reason: place.reason }, { span: at }));
      return undefined;
    }
    const aliases = Object.keys(config.registries ?? {}).sort();
    const known = aliases.length > 0 ? `Known aliases: ${aliases.join(', ')}.` : 'There are no aliases yet.';
    const fixes = renaming(at, reference.split('/')[0]!, aliases);
    report(unknownRegistry({ reference, known }, { span: at, fixes }));
    return undefined;
  };

  return {
    async locate(reference, version, at) {
      const place = splitReference(reference, config);
      if (place.kind === 'invalid' || place.kind === 'unknown') return refuse(reference, place, at);
      if (options.admits?.(reference, at) === false) return undefined;
      const reason = version === undefined ? undefined : whyNoVersion(version);
      if (reason !== undefined) {
        report(invalidVersion({ version: version!, reference, reason }, { span: at }));
        return undefined;
      }
      switch (place.kind) {
        case 'alias':
          return finish(await openAlias(place.alias, version, at), place.path, reference, version, at);
        case 'host': {
          const found = await openHost(place, version, at);
          return found && finish(found.source, found.path, reference, version, at);
        }
        case 'registry': {
          // Plain files over HTTP carry their version in their name; a directory of this machine has none.
          const web = !section.git && section.path === undefined;
          const path = web && version !== undefined ? `${place.path}@${version}` : place.path;
          return finish(await openRegistry(section.git && version, at), path, reference, version, at);
        }
      }
    },
    used: () => [...entries.values()].map(entry => entry()).sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}

/** Where the cache is in this run: a passing folder when none is wanted, or when the real one cannot be written. */
async function prepareCache(
  options: RegistryOptions,
  enabled: boolean,
  report: Report,
  at: Span,
): Promise<string> {
  const { passingFolder, whyUnwritable } = await import('../host/records.ts');
  if (!enabled) return passingFolder();
  const reason = whyUnwritable(options.cacheDir);
  if (reason === undefined) return options.cacheDir;
  report(registryCacheUnusable({ path: options.cacheDir, reason }, { span: at }));
  return passingFolder();
}
