import {
  lockIncomplete,
  lockOutdated,
  registryAddressRefused,
  registryCacheUnusable,
} from '../generated/diagnostics.ts';
import type { Disk } from '../host/host.ts';
import { temporaryFolder, unwritableReason } from '../host/records.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { DataPath } from '../text/yaml.ts';
import { type Address, parseAddress } from './address.ts';
import type { GitContext, GitLimits } from './git-transport.ts';
import type { Lock, LockEntry } from './lock.ts';
import type { RegistryOverrides } from './overrides.ts';
import type { HttpLimits } from './request.ts';
import type { RegistrySettings } from './settings.ts';

/** What the registries of a project are opened with. */
export interface RegistryOptions {
  readonly config: RegistrySettings;
  /** Where the configuration file has a value; absent where there is no file. */
  readonly spanOf?: ((path: DataPath) => Span | undefined) | undefined;
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
  readonly registryOverrides?: RegistryOverrides | undefined;
  readonly progress?: ((text: string) => void) | undefined;
  readonly now: () => number;
  readonly limits?: Partial<GitLimits & HttpLimits>;
}

/** What all sources of a run are opened with. */
export interface SourceContext {
  readonly options: RegistryOptions;
  readonly report: Report;
  readonly limits: GitLimits & HttpLimits;
  readonly hasLock: boolean;
  readonly locked: ReadonlyMap<string, LockEntry>;
  /** Absolute paths of what was read of directories. */
  readonly files: Set<string>;
  /** The cache and what Git is called with; the first reference that needs it prepares the cache. */
  contextAt(at: Span): Promise<GitContext>;
  /** The address that stands at a path of the configuration; `undefined` after a report when it is refused. */
  addressOf(text: string, path: DataPath, registry: string, at: Span): Address | undefined;
  /** The entry of the lock while the configuration still says the same; `false`: a frozen run may not go on. */
  pinOf(facts: Pick<LockEntry, 'source' | 'kind' | 'url' | 'root'>, at: Span): LockEntry | undefined | false;
}

const LIMITS: GitLimits & HttpLimits = {
  silence: 60_000,
  total: 600_000,
  request: 30_000,
  pause: 500,
  longestPause: 30_000,
};

/** Milliseconds for which a copy in the cache is fresh unless the configuration says otherwise: an hour. */
const TTL = 3_600_000;

/** Prepares for the sources of one run; touches neither disk nor network. */
export function createSourceContext(options: RegistryOptions, report: Report): SourceContext {
  const hasLock = options.lock !== undefined && !options.locking;
  const limits = { ...LIMITS, ...options.limits };
  const locked = new Map(options.lock?.entries.map(entry => [entry.source, entry]));
  let context: Promise<GitContext> | undefined;
  return {
    options,
    report,
    limits,
    hasLock,
    locked,
    files: new Set(),
    contextAt: at => {
      context ??= createContext(options, limits, report, at);
      return context;
    },
    addressOf: (text, path, registry, at) => {
      const parsed = parseAddress(text, options.root);
      const span = options.spanOf?.(path);
      if (!('refused' in parsed)) return { ...parsed, ...(span && { span }) };
      const address = text.replace(/\/\/[^/@]*@/, '//***@');
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

async function createContext(
  options: RegistryOptions,
  limits: GitLimits,
  report: Report,
  at: Span,
): Promise<GitContext> {
  const { enabled, ttl } = options.config.registry?.cache ?? {};
  const { since, given } = options.registryOverrides ?? {};
  const fresh = since === undefined ? 0 : options.now() - since;
  return {
    cacheDir: await prepareCache(options, enabled !== false, report, at),
    ttl: options.locking ? fresh : (ttl ?? TTL),
    offline: options.offline === true,
    limits,
    now: options.now,
    env: options.env,
    progress: options.progress ?? (() => {}),
    ...(given && { given }),
  };
}

/** The folder of the cache: a temporary one when the cache is disabled or cannot be written. */
async function prepareCache(
  options: RegistryOptions,
  enabled: boolean,
  report: Report,
  at: Span,
): Promise<string> {
  if (!enabled) return temporaryFolder();
  const { cacheDir } = options;
  const reason = unwritableReason(cacheDir);
  if (reason === undefined) return cacheDir;
  report(registryCacheUnusable({ path: cacheDir, reason }, { span: at }));
  return temporaryFolder();
}
