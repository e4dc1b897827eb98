import { join } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { registryCopyOutdated } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import { HostError } from '../host/host.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import { innerPath } from '../text/paths.ts';
import type { Span } from '../text/source.ts';
import type { Address } from './address.ts';
import { type Failure, isAway } from './failure.ts';
import type { Ledger } from './ledger.ts';
import { type HttpLimits, requestFile } from './request.ts';
import type { Tree } from './tree.ts';

/** What files are fetched with: the cache, the limits, the environment. */
export interface HttpContext {
  readonly cacheDir: string;
  /** Milliseconds that a file counts as fresh. */
  readonly ttl: number;
  readonly offline: boolean;
  /** Only files that the lock pins may be asked for. */
  readonly frozen: boolean;
  readonly limits: HttpLimits;
  readonly now: () => number;
  readonly progress: (text: string) => void;
}

/** A registry over HTTP with what it is asked and recorded by. */
export interface HttpRegistry extends HttpContext {
  readonly id: string;
  readonly address: Address;
  /** The whole value of the `Authorization` header. */
  readonly authorization?: string;
  readonly ledger: Ledger;
  /** Tells the user about a failure; knows what credentials were used. */
  readonly explain: (failure: Failure, url: string, at: Span) => void;
}

/** An entity as the cache keeps it; the body of the record is its bytes. */
interface StoredEntity {
  readonly url: string;
  readonly etag?: string;
  readonly sha256: string;
  readonly size: number;
  readonly fetched: number;
}

/** Opens an HTTP registry; the trees it gives differ only in the place that failures are reported at. */
export function openHttp(registry: HttpRegistry, report: Report): (at: Span) => Tree {
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  const told = new Set<string>();
  const state: State = {
    away: registry.offline ? { kind: 'network', reason: 'working offline' } : undefined,
    failed: new Set(),
    once(what, tell) {
      if (!told.has(what)) tell();
      told.add(what);
    },
  };
  return at => ({
    id: registry.id,
    read(path) {
      const inner = innerPath(path);
      if (inner === undefined || inner === '') return undefined;
      let bytes = known.get(inner);
      if (!bytes) {
        bytes = readFile(registry, inner, state, report, at);
        known.set(inner, bytes);
      }
      return bytes;
    },
    list: () => undefined,
    failed: path => state.failed.has(innerPath(path) ?? ''),
  });
}

/** What the files of one registry share in a run. */
interface State {
  /**
   * Why the server is not asked any more in this run: one that does not answer costs its time limit for every file.
   */
  away: Failure | undefined;
  /** Paths that could not be read, and were not just missing. */
  readonly failed: Set<string>;
  /** Reports a finding once, however many files it concerns. */
  readonly once: (what: string, tell: () => void) => void;
}

/** The address of a file. Each part of the path is escaped: `?`, `#` and `%` in it are letters. */
function urlOf(address: Address, path: string): string {
  const escaped = path.split('/').map(part => encodeURIComponent(part).replace(/%40/g, '@'));
  return `${address.url.replace(/\/+$/, '')}/${escaped.join('/')}`;
}

async function readFile(
  registry: HttpRegistry,
  path: string,
  state: State,
  report: Report,
  at: Span,
): Promise<Uint8Array | undefined> {
  const url = urlOf(registry.address, path);
  const place = join(registry.cacheDir, 'http', sha256(Buffer.from(url)));
  const pinned = registry.ledger.pinned(path);
  const stored = readIntact(place);
  const admit = (bytes: Uint8Array, hash: string) => {
    if (registry.ledger.admit(path, hash, at)) return bytes;
    state.failed.add(path);
    return undefined;
  };
  if (stored) {
    const age = registry.now() - stored.header.fetched;
    const fresh = pinned === undefined ? age >= 0 && age < registry.ttl : stored.header.sha256 === pinned;
    if (fresh) return admit(stored.bytes, stored.header.sha256);
  }
  if (registry.frozen && pinned === undefined) return undefined;
  if (state.away) return withoutNetwork(state.away);

  registry.progress(`Asking ${url}`);
  const etag = pinned === undefined ? stored?.header.etag : undefined;
  const reply = await requestFile(url, registry.authorization, etag, registry.limits, registry.now);
  if (reply === 'missing') return undefined;
  if (reply !== 'unchanged' && 'failure' in reply) {
    const { kind } = reply.failure;
    if (kind === 'network' || kind === 'timeout') state.away = reply.failure;
    return withoutNetwork(reply.failure);
  }
  const fetched = registry.now();
  if (reply === 'unchanged') {
    keep(place, { ...stored!.header, fetched }, stored!.bytes);
    return admit(stored!.bytes, stored!.header.sha256);
  }
  const { body, etag: tag } = reply;
  const header: StoredEntity = {
    url,
    sha256: sha256(body),
    size: body.length,
    fetched,
    ...(tag && { etag: tag }),
  };
  keep(place, header, body);
  return admit(body, header.sha256);

  /** Uses the cached file when the network fails, unless the lock pins other bytes. */
  function withoutNetwork(failure: Failure): Uint8Array | undefined {
    if (stored && pinned === undefined && isAway(failure)) {
      const { reason } = failure;
      const address = registry.address.shown;
      state.once('outdated', () => report(registryCopyOutdated({ address, reason }, { span: at })));
      return admit(stored.bytes, stored.header.sha256);
    }
    const general = failure.kind === 'access' || isAway(failure);
    state.failed.add(path);
    state.once(general ? failure.kind : `${failure.kind} ${url}`, () => registry.explain(failure, url, at));
    return undefined;
  }
}

/** Stores a file in the cache. A failure only costs a request the next time. */
function keep(place: string, header: StoredEntity, body: Uint8Array): void {
  try {
    writeRecord(place, header, [body]);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
  }
}

function readIntact(
  place: string,
): { readonly header: StoredEntity; readonly bytes: Uint8Array } | undefined {
  const record = readRecord<StoredEntity>(place);
  const bytes = record?.body(0, record.header.size);
  return record && bytes && sha256(bytes) === record.header.sha256
    ? { header: record.header, bytes }
    : undefined;
}
