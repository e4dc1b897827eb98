import type { Agent } from 'node:http';

/**
 * One HTTP GET request with limits. Redirects and status codes are returned as values; the caller decides.
 */

/** A GET request with its limits. */
export interface HttpCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit in milliseconds for the whole request including the body. */
  readonly limit: number;
  /** Maximum size of the body in bytes. */
  readonly size: number;
}

/** The response to a request, or the reason why there is none. */
export type HttpResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: ReadonlyMap<string, string>;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large' }
  /** The connection ended before the end of the body. */
  | { readonly kind: 'truncated'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Sends one request. Never throws, and does not follow redirects. */
export async function httpGet(call: HttpCall): Promise<HttpResult> {
  const { default: fetch } = await import('node-fetch');
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), call.limit);
  let answered = false;
  try {
    const agent = await proxyAgent(call.url);
    const response = await fetch(call.url, {
      headers: { ...call.headers },
      redirect: 'manual',
      ...(agent && { agent }),
      // Requests an uncompressed body, so that the size limit applies to the memory used.
      compress: false,
      signal: stop.signal,
    });
    answered = true;
    const headers = new Map<string, string>(response.headers);
    const announced = Number(headers.get('content-length') ?? Number.NaN);
    if (announced > call.size) {
      stop.abort();
      return { kind: 'too-large' };
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > call.size) {
        stop.abort();
        return { kind: 'too-large' };
      }
      chunks.push(chunk as Uint8Array);
    }
    if (response.status !== 304 && announced >= 0 && announced !== size) {
      return { kind: 'truncated', reason: `${announced} bytes were announced and ${size} came` };
    }
    return { kind: 'answer', status: response.status, headers, body: Buffer.concat(chunks) };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    if (name === 'AbortError') return { kind: 'timeout' };
    if (answered) return { kind: 'truncated', reason: 'the connection ended in the middle of the answer' };
    return { kind: 'unreachable', reason: code ?? message };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The agent for the proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` select, in upper or
 * lower case. Requests to this machine never use a proxy.
 */
async function proxyAgent(url: string): Promise<Agent | undefined> {
  const { hostname, protocol } = new URL(url);
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)) return undefined;
  if (!Object.keys(process.env).some(name => /^(?:https?|all|npm_config_https?)_proxy$/i.test(name))) {
    return undefined;
  }
  const { getProxyForUrl } = await import('proxy-from-env');
  const proxy = getProxyForUrl(url);
  if (proxy === '') return undefined;
  // The value may contain a password, which must not appear in a message.
  if (!URL.canParse(proxy)) throw new Error('the proxy that the environment names is no address');
  return protocol === 'http:'
    ? new (named(await import('http-proxy-agent')).HttpProxyAgent)(proxy)
    : new (named(await import('https-proxy-agent')).HttpsProxyAgent)(proxy);
}

/** The exports of a CommonJS module. In the bundle they are below `default`. */
const named = <T extends object>(module: T): T => ('default' in module ? (module.default as T) : module);
