import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockOutdated, registryCopyOutdated } from '../generated/diagnostics.ts';
import { type HttpAnswer, httpGet } from '../host/download.ts';
import { sha256 } from '../host/hash.ts';
import { ignoreHostErrors } from '../host/host.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import { isLoopback } from '../text/addresses.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { megabyte } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
import { type Address, labelOf } from './address.ts';
import { explainFailure, type Failure, isUnavailable } from './failure.ts';
import type { GitContext } from './git-transport.ts';
import { type LockEntry, type LockRecorder, openLockRecorder } from './lock.ts';
import { REGISTRY } from './reference.ts';
import type { HttpLimits, SourceContext } from './source-context.ts';
import type { OpenSource } from './tree.ts';

/** The state of an HTTP registry in one run. */
interface HttpRegistry {
  readonly address: Address;
  /** The value of the `Authorization` header. */
  readonly authorization: string | undefined;
  readonly recorder: LockRecorder;
  readonly opening: SourceContext;
  readonly context: GitContext;
  /**
   * Set when no more requests are sent in this run: an unresponsive server would cost the time limit for
   * every file.
   */
  unreachable: Failure | undefined;
  /** Paths that could not be read for a reason other than being missing. */
  readonly failed: Set<string>;
  /** What was reported already, of a file or of all files. */
  readonly reported: Set<string>;
}

/** A cached entity; its bytes are the body of the record. */
interface StoredEntity {
  readonly etag?: string;
  readonly sha256: string;
  readonly fetched: number;
}

/** Opens an HTTP registry. Nothing is requested before the first file is read. */
export function openHttpSource(
  address: Address,
  authorization: string | undefined,
  pin: LockEntry | undefined,
  opening: SourceContext,
  at: Span,
): OpenSource {
  const { options, report } = opening;
  const { frozen } = options;
  const facts = { source: REGISTRY, kind: 'http', url: address.shown } as const;
  const context = opening.contextAt(at);
  const registry: HttpRegistry = {
    address,
    authorization,
    recorder: openLockRecorder(facts, pin, opening),
    opening,
    context,
    unreachable: undefined,
    failed: new Set(),
    reported: new Set(),
  };
  const read = new Map<string, Promise<Uint8Array | undefined>>();
  const pinned = [...(pin?.files.keys() ?? [])];
  return {
    layer: { registry: address.shown },
    tree: place => ({
      id: labelOf(address),
      read(path) {
        const inner = normalizeInnerPath(path);
        if (inner === undefined || inner === '') return undefined;
        const bytes = read.get(inner) ?? readFile(registry, inner, place);
        read.set(inner, bytes);
        return bytes;
      },
      list: () => undefined,
      failed: path => registry.failed.has(normalizeInnerPath(path) ?? ''),
    }),
    allows(path, place) {
      if (!frozen) return true;
      if (pinned.some(file => file === path || file === `${path}.prs` || file.startsWith(`${path}/`)))
        return true;
      report(lockOutdated({ what: `\`${path}\` of ${REGISTRY}` }, { span: place }));
      return false;
    },
  };
}

/** The URL of a file. Path segments are escaped, because `?`, `#` and `%` in file names are literal. */
function urlOf(address: Address, path: string): string {
  const escaped = path.split('/').map(part => encodeURIComponent(part).replace(/%40/g, '@'));
  return `${address.url.replace(/\/+$/, '')}/${escaped.join('/')}`;
}

async function readFile(registry: HttpRegistry, path: string, at: Span): Promise<Uint8Array | undefined> {
  const { recorder, context, opening } = registry;
  const url = urlOf(registry.address, path);
  const place = join(context.cacheDir, 'http', sha256(Buffer.from(url)));
  const pinned = recorder.pinned(path);
  const stored = readRecord<StoredEntity>(place);
  const admit = (bytes: Uint8Array, hash: string) => {
    if (recorder.admit(path, hash, at)) return bytes;
    registry.failed.add(path);
    return undefined;
  };
  if (stored) {
    const age = context.now() - stored.header.fetched;
    const isFresh = pinned === undefined ? age >= 0 && age < context.ttl : stored.header.sha256 === pinned;
    if (isFresh) return admit(stored.body, stored.header.sha256);
  }
  if (opening.options.frozen && pinned === undefined) return undefined;
  /** Uses the cached file when the network fails, unless the lock file pins other bytes. */
  const useCached = (failure: Failure): Uint8Array | undefined => {
    if (!stored || pinned !== undefined || !isUnavailable(failure)) {
      registry.failed.add(path);
      reportFailure(registry, failure, url, at);
      return undefined;
    }
    const holes = { address: registry.address.shown, reason: failure.reason };
    reportOnce(registry, 'outdated', registryCopyOutdated(holes, { span: at }));
    return admit(stored.body, stored.header.sha256);
  };
  if (registry.unreachable) return useCached(registry.unreachable);

  context.progress(`Asking ${url}`);
  const etag = pinned === undefined ? stored?.header.etag : undefined;
  const reply = await requestFile(url, registry.authorization, etag, opening.limits, context.now);
  if (reply === 'missing') return undefined;
  if (reply !== 'unchanged' && 'failure' in reply) {
    const { kind } = reply.failure;
    if (kind === 'network' || kind === 'timeout') registry.unreachable = reply.failure;
    return useCached(reply.failure);
  }
  const fetched = context.now();
  if (reply === 'unchanged') {
    keep(place, { ...stored!.header, fetched }, stored!.body);
    return admit(stored!.body, stored!.header.sha256);
  }
  const { body, etag: tag } = reply;
  const hash = sha256(body);
  keep(place, { sha256: hash, fetched, ...(tag && { etag: tag }) }, body);
  return admit(body, hash);
}

/** Reports a failure: once per file, or once per registry when it affects all files. */
function reportFailure(registry: HttpRegistry, failure: Failure, url: string, at: Span): void {
  const { address, authorization, opening } = registry;
  const isGeneral = failure.kind === 'access' || isUnavailable(failure);
  const advice =
    authorization === undefined
      ? 'Set `registry.auth` with `type` and `tokenEnvVar`, and set the environment variable that it names.'
      : 'Check that the token of `registry.auth` is still valid and may read the registry.';
  const seconds = Math.ceil(opening.limits.request / 1000);
  const request = { address, tried: [url], advice, seconds, isHttp: true };
  const finding = explainFailure(failure, request, { span: at });
  reportOnce(registry, isGeneral ? failure.kind : `${failure.kind} ${url}`, finding);
}

function reportOnce({ reported, opening }: HttpRegistry, key: string, finding: Diagnostic): void {
  if (!reported.has(key)) opening.report(finding);
  reported.add(key);
}

/** Stores a file in the cache. An error is ignored, because it only costs a request in the next run. */
function keep(place: string, header: StoredEntity, body: Uint8Array): void {
  ignoreHostErrors(() => writeRecord(place, header, [body]));
}

/** The maximum size of a file over HTTP: 5 MB. */
const HTTP_FILE_LIMIT = 5 * megabyte;

/** The response body of a server. */
interface Entity {
  readonly body: Uint8Array;
  readonly etag?: string;
}

/** The result of a conditional request; `unchanged` means that the cached copy is current. */
type Reply = Entity | 'missing' | 'unchanged' | { readonly failure: Failure };

const RETRIES = 3;
const REDIRECTS = 5;

/**
 * Requests one file. Credentials are sent to the origin of `url` only, requests are repeated while the server
 * is busy, and redirects are checked before they are followed. With `etag` the result may be `unchanged`.
 */
async function requestFile(
  url: string,
  authorization: string | undefined,
  etag: string | undefined,
  limits: HttpLimits,
  now: () => number,
): Promise<Reply> {
  const { origin } = new URL(url);
  let at = url;
  for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
    const own = new URL(at).origin === origin;
    const headers: Record<string, string> = {
      accept: 'text/plain, text/markdown, */*;q=0.1',
      'user-agent': 'prs',
    };
    if (own && authorization !== undefined) headers.authorization = authorization;
    if (etag !== undefined) headers['if-none-match'] = etag;
    const result = await requestWithRetries(at, headers, limits, now);
    if ('failure' in result) return result;
    const { status } = result;
    if (status >= 300 && status < 400 && status !== 304) {
      const next = redirectTarget(at, result.headers.get('location'));
      if ('failure' in next) return next;
      at = next.url;
      continue;
    }
    return readAnswer(result, etag);
  }
  return refused(new URL(at), 'it is the sixth redirect in a row');
}

const refused = ({ origin, pathname }: URL, reason: string): { failure: Failure } => ({
  failure: { kind: 'redirect', reason, destination: `${origin}${pathname}` },
});

/**
 * Whether an address reaches this machine without being a loopback address: `0.0.0.0`, and the same in IPv6.
 */
const reachesThisMachine = (host: string): boolean =>
  isLoopback(host) ||
  host === '0.0.0.0' ||
  host === '[::]' ||
  /^\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\]$/.test(host);

/** The target of a redirect, when it may be followed. */
export function redirectTarget(
  from: string,
  location: string | undefined,
): { url: string } | { failure: Failure } {
  const current = new URL(from);
  if (!location) return refused(current, 'the redirect names no destination');
  if (!URL.canParse(location, from)) return refused(current, 'its destination is not a valid address');
  const next = new URL(location, from);
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    return refused(next, `the protocol ${next.protocol}// is not http`);
  }
  if (current.protocol === 'https:' && next.protocol === 'http:') {
    return refused(next, 'it leads from https to plain http');
  }
  if (reachesThisMachine(next.hostname) && !isLoopback(current.hostname)) {
    return refused(next, 'it leads from a server of the network into this machine');
  }
  next.username = '';
  next.password = '';
  return { url: next.href };
}

const failed = (kind: Failure['kind'], reason: string): { failure: Failure } => ({
  failure: { kind, reason },
});

function readAnswer({ status, headers, body }: HttpAnswer, etag: string | undefined): Reply {
  if (status === 304 && etag !== undefined) return 'unchanged';
  if (status === 404 || status === 410) return 'missing';
  const refusal = `it answered with status ${status}`;
  if (status === 401 || status === 403) return failed('access', refusal);
  if (status !== 200) return failed('other', refusal);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    return failed('other', `the file came in the encoding ${encoding}, which was not asked for`);
  if (/^\s*text\/html\b/i.test(headers.get('content-type') ?? ''))
    return failed('other', 'it answered with a web page instead of a file');
  const tag = headers.get('etag');
  return { body, ...(tag !== undefined && { etag: tag }) };
}

/** Repeats a request, with pauses, while the server is busy or fails. */
async function requestWithRetries(
  url: string,
  headers: Record<string, string>,
  limits: HttpLimits,
  now: () => number,
): Promise<HttpAnswer | { readonly failure: Failure }> {
  for (let retry = 0; ; retry += 1) {
    const result = await httpGet({ url, headers, limit: limits.request, size: HTTP_FILE_LIMIT });
    if ('failure' in result) return result;
    const { status } = result;
    if (status !== 429 && status < 500) return result;
    const pause = pauseBefore(retry, result.headers.get('retry-after'), limits, now);
    if (retry === RETRIES || pause > limits.longestPause)
      return failed('busy', `it answered with status ${status}${retry > 0 ? ` ${retry + 1} times` : ''}`);
    await sleep(pause);
  }
}

/** `Retry-After` in seconds or as a date, else exponential back-off. */
function pauseBefore(
  retry: number,
  after: string | undefined,
  limits: HttpLimits,
  now: () => number,
): number {
  if (after !== undefined) {
    if (/^\d+$/.test(after.trim())) return Number(after) * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - now());
  }
  return Math.min(limits.pause * 2 ** retry, limits.longestPause);
}
