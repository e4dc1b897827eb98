import {
  lockIncomplete,
  lockOutdated,
  registryAddressRefused,
  registryCacheUnusable,
} from '../generated/diagnostics.ts';
import type { Environment } from '../host/home.ts';
import { cacheDirectory } from '../host/home.ts';
import type { Clock, Disk } from '../host/host.ts';
import { temporaryFolder, unwritableReason } from '../host/records.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { DataPath } from '../text/yaml.ts';
import { type Address, parseAddress, withoutUser } from './address.ts';
import type { GitContext, GitLimits, GitSource } from './git-transport.ts';
import type { Lock, LockEntry } from './lock.ts';
import type { RegistrySettings } from './reference.ts';
import type { Choice } from './version.ts';

/** Time limits of a request and its retries. */
export interface HttpLimits {
  /** Milliseconds for one request. */
  readonly request: number;
  /** Milliseconds before the first retry; doubled each time. */
  readonly pause: number;
  /** Maximum pause in milliseconds, even when the server requests a longer one. */
  readonly longestPause: number;
}

/** Changes how a run resolves its registries. */
export interface RegistryOverrides {
  /**
   * Returns the version that replaces the locked one of a source; `undefined` keeps it. Throws `GitError` when
   * it cannot be resolved.
   */
  readonly moves?: (source: GitSource, context: GitContext) => Promise<Choice | undefined>;
  /** Returns commits that are in no repository. */
  readonly localSnapshot?: GitContext['localSnapshot'];
  /** Time in milliseconds; refs that were cached after it are not requested again. */
  readonly since?: number;
}

/** Options for opening the registries of a project. */
export interface RegistryOptions {
  readonly config: RegistrySettings;
  /** Returns the span of a value in the configuration; absent when there is no configuration file. */
  readonly spanOf?: ((path: DataPath) => Span | undefined) | undefined;
  /** Root of the project, against which relative paths of the configuration are resolved. */
  readonly root: string;
  readonly disk: Disk;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly progress: (text: string) => void;
  /** By default the cache folder of the user. */
  readonly cacheDir?: string;
  /** Whether a reference may be followed at all; reports why not. Absent means always. */
  readonly isAllowed?: ((reference: string, at: Span) => boolean) | undefined;
  readonly lock?: Lock | undefined;
  /** Whether sources that are not in the lock file are errors. */
  readonly frozen: boolean;
  /**
   * Set when the lock file will be written: its entries are kept, and a source that is not in it is requested
   * regardless of the cache and not reported.
   */
  readonly locking?: boolean | undefined;
  readonly registryOverrides?: RegistryOverrides | undefined;
  readonly limits?: Partial<GitLimits & HttpLimits>;
}

/** The context for opening the sources of a run. */
export interface SourceContext {
  readonly options: RegistryOptions;
  readonly report: Report;
  readonly limits: GitLimits & HttpLimits;
  /**
   * Whether there is a lock file to compare with. Without one a source that is not locked is not reported.
   */
  readonly hasLock: boolean;
  /** Absolute paths of files that were read from directories. */
  readonly files: Set<string>;
  /** The future lock entry of each source that was opened. */
  readonly used: Map<string, LockEntry>;
  /** Returns the cache and the settings for Git; the cache is prepared on first use. */
  contextAt(at: Span): GitContext;
  /** The address at a path of the configuration; `undefined` after a report when it is refused. */
  addressOf(text: string, path: DataPath, registry: string, at: Span): Address | undefined;
  /**
   * The lock entry, if the configuration has not changed since; `false` when a frozen run must not continue.
   */
  pinOf(facts: Pick<LockEntry, 'source' | 'kind' | 'url' | 'root'>, at: Span): LockEntry | undefined | false;
}

const LIMITS: GitLimits & HttpLimits = {
  silence: 60_000,
  limit: 600_000,
  request: 30_000,
  pause: 500,
  longestPause: 30_000,
};

/** Milliseconds for which a cached copy is fresh by default: an hour. */
const TTL = 3_600_000;

/** Creates the context for the sources of one run; uses neither disk nor network. */
export function createSourceContext(options: RegistryOptions, report: Report): SourceContext {
  const hasLock = options.lock !== undefined && !options.locking;
  const limits = { ...LIMITS, ...options.limits };
  const locked = new Map(options.lock?.entries.map(entry => [entry.source, entry]));
  let context: GitContext | undefined;
  return {
    options,
    report,
    limits,
    hasLock,
    files: new Set(),
    used: new Map(),
    contextAt: at => {
      context ??= createContext(options, limits, report, at);
      return context;
    },
    addressOf: (text, path, registry, at) => {
      const parsed = parseAddress(text, options.root);
      const span = options.spanOf?.(path);
      if (!('refused' in parsed)) return { ...parsed, ...(span && { span }) };
      const address = withoutUser(text);
      report(registryAddressRefused({ address, registry, reason: parsed.refused }, { span: at }));
      return undefined;
    },
    pinOf: (facts, at) => {
      const entry = locked.get(facts.source);
      const same =
        entry?.kind === facts.kind && entry.url === facts.url && (entry.root ?? '') === (facts.root ?? '');
      if (same) return entry;
      const what = `\`${facts.source}\` (${facts.url})`;
      if (options.frozen) report(lockOutdated({ what }, { span: at }));
      else if (hasLock) report(lockIncomplete({ what }, { span: at }));
      return options.frozen ? false : undefined;
    },
  };
}

function createContext(options: RegistryOptions, limits: GitLimits, report: Report, at: Span): GitContext {
  const { enabled, ttl } = options.config.registry?.cache ?? {};
  const { since, localSnapshot } = options.registryOverrides ?? {};
  const now = () => options.clock().getTime();
  const fresh = since === undefined ? 0 : now() - since;
  return {
    cacheDir: enabled === false ? temporaryFolder() : prepareCache(options, report, at),
    ttl: options.locking ? fresh : (ttl ?? TTL),
    limits,
    now,
    environment: options.environment,
    progress: options.progress,
    ...(localSnapshot && { localSnapshot }),
  };
}

/** The cache folder: a temporary one when it is not writable. */
function prepareCache(options: RegistryOptions, report: Report, at: Span): string {
  const { cacheDir = cacheDirectory(options.environment) } = options;
  const reason = unwritableReason(cacheDir);
  if (reason === undefined) return cacheDir;
  report(registryCacheUnusable({ path: cacheDir, reason }, { span: at }));
  return temporaryFolder();
}
