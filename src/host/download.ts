import type { Agent } from 'node:http';

/** One GET request of the network, with its limits. Redirects and statuses are values; the caller decides. */

/** A GET request with its limits. */
export interface HttpCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for the whole request, the body included. */
  readonly limit: number;
  /** Most bytes of a body. */
  readonly size: number;
}

/** The answer to a request, or why there is none. */
export type HttpResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: ReadonlyMap<string, string>;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large' }
  /** The connection ended before the body did. */
  | { readonly kind: 'truncated'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Sends one request. It never throws and follows no redirect. */
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
      // Asks for the plain bytes, so that the limit holds for what is really held in memory.
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
 * The agent that sends a request through the proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name,
 * in either case of letters. Requests to this machine never go through a proxy.
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
  // Its password must not reach a message.
  if (!URL.canParse(proxy)) throw new Error('the proxy that the environment names is no address');
  return protocol === 'http:'
    ? new (named(await import('http-proxy-agent')).HttpProxyAgent)(proxy)
    : new (named(await import('https-proxy-agent')).HttpsProxyAgent)(proxy);
}

/** What a CommonJS module exports: bundled, its names stand below `default`. */
const named = <T extends object>(module: T): T => ('default' in module ? (module.default as T) : module);
