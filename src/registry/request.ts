import { setTimeout as sleep } from 'node:timers/promises';
import { httpGet } from '../host/download.ts';
import { isLoopback } from '../text/addresses.ts';
import { megabyte, megabytes } from '../text/sizes.ts';
import type { Failure } from './failure.ts';

/** The maximum size of a file over HTTP: 5 MB. */
const HTTP_FILE_LIMIT = 5 * megabyte;

/** Time limits of a request and its retries. */
export interface HttpLimits {
  /** Milliseconds for one request. */
  readonly request: number;
  /** Milliseconds before the first retry; doubled each time. */
  readonly pause: number;
  /** Maximum pause in milliseconds, even when the server requests a longer one. */
  readonly longestPause: number;
}

/** The response body of a server. */
export interface Entity {
  readonly body: Uint8Array;
  readonly etag?: string;
}

/** The result of a conditional request; `unchanged` means that the cached copy is current. */
export type Reply = Entity | 'missing' | 'unchanged' | { readonly failure: Failure };

const RETRIES = 3;
const REDIRECTS = 5;

/**
 * Requests one file. Credentials are sent to the origin of `url` only, requests are repeated while the server
 * is busy, and redirects are checked before they are followed. With `etag` the result may be `unchanged`.
 */
export async function requestFile(
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
  return refused(at, 'it is the sixth redirect in a row');
}

const refused = (destination: string, reason: string): { failure: Failure } => ({
  failure: { kind: 'redirect', reason, destination: withoutSecrets(destination) },
});

function withoutSecrets(text: string): string {
  try {
    const url = new URL(text);
    return `${url.origin}${url.pathname}`;
  } catch {
    return 'an address that is none';
  }
}

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
  let next: URL;
  try {
    next = new URL(location ?? '', from);
  } catch {
    return refused('', 'it is not a valid address');
  }
  if (!location) return refused(from, 'the redirect names no destination');
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    return refused(next.href, `the protocol ${next.protocol}// is not http`);
  }
  if (new URL(from).protocol === 'https:' && next.protocol === 'http:') {
    return refused(next.href, 'it leads from https to plain http');
  }
  if (reachesThisMachine(next.hostname) && !isLoopback(new URL(from).hostname)) {
    return refused(next.href, 'it leads from a server of the network into this machine');
  }
  next.username = '';
  next.password = '';
  return { url: next.href };
}

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

const failed = (kind: Failure['kind'], reason: string): { failure: Failure } => ({
  failure: { kind, reason },
});

function readAnswer({ status, headers, body }: Answer, etag: string | undefined): Reply {
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
): Promise<Answer | { readonly failure: Failure }> {
  for (let retry = 0; ; retry += 1) {
    const result = await httpGet({ url, headers, limit: limits.request, size: HTTP_FILE_LIMIT });
    if (result.kind === 'timeout')
      return failed('timeout', `no answer within ${Math.ceil(limits.request / 1000)} seconds`);
    if (result.kind === 'too-large')
      return failed('other', `the file has more than ${megabytes(HTTP_FILE_LIMIT)}`);
    if (result.kind === 'truncated') return failed('other', result.reason);
    if (result.kind === 'unreachable') return failed('network', result.reason);
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
