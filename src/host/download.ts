import type { Agent } from 'node:http';
import { megabytes } from '../text/sizes.ts';

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

/** The response to a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Why there is no response, as a line for people. */
interface NoAnswer {
  readonly failure: { readonly kind: 'timeout' | 'network' | 'other'; readonly reason: string };
}

const failed = (kind: NoAnswer['failure']['kind'], reason: string): NoAnswer => ({
  failure: { kind, reason },
});

/** Sends one request. Never throws, and does not follow redirects. */
export async function httpGet(call: HttpCall): Promise<HttpAnswer | NoAnswer> {
  const { default: fetch } = await import('node-fetch');
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), call.limit);
  const tooLarge = failed('other', `the file has more than ${megabytes(call.size)}`);
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
      return tooLarge;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > call.size) {
        stop.abort();
        return tooLarge;
      }
      chunks.push(chunk as Uint8Array);
    }
    if (response.status !== 304 && announced >= 0 && announced !== size) {
      return failed('other', `${announced} bytes were announced and ${size} came`);
    }
    return { status: response.status, headers, body: Buffer.concat(chunks) };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // The name of the error is not that of its class in a minified bundle.
    if (stop.signal.aborted)
      return failed('timeout', `no answer within ${Math.ceil(call.limit / 1000)} seconds`);
    if (answered) return failed('other', 'the connection ended in the middle of the answer');
    return failed('network', code ?? message);
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
