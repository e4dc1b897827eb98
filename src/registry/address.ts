import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLoopback } from '../text/addresses.ts';
import type { Span } from '../text/source.ts';

export type Protocol = 'https' | 'http' | 'ssh' | 'git' | 'file';

/** The address of a repository or an HTTP registry. */
export interface Address {
  readonly protocol: Protocol;
  /** The URL for Git or the HTTP client, without a password. */
  readonly url: string;
  /** The URL for messages and files: without a password, and without a path of this machine. */
  readonly shown: string;
  /** `https://host:port`; for http and https only. */
  readonly origin?: string;
  readonly host?: string;
  readonly user?: string;
  /** A password that was part of the address. */
  readonly password?: string;
  /** Whether the server is this machine. */
  readonly loopback: boolean;
  /** The span in the configuration. */
  readonly span?: Span;
}

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'https:': 'https',
  'http:': 'http',
  'ssh:': 'ssh',
  'git+ssh:': 'ssh',
  'git:': 'git',
  'file:': 'file',
};

/**
 * Parses an address of the configuration. Relative paths are resolved against `root`. Returns the reason when
 * the address would make Git run a command, would be parsed as an option, or has an unknown protocol.
 */
export function parseAddress(text: string, root: string): Address | { readonly refused: string } {
  if (text === '') return { refused: 'it is empty' };
  if (text.startsWith('-')) return { refused: 'it begins with `-`, which git would read as an option' };
  if (/[\s\u0000-\u001f\u007f]/.test(text))
    return { refused: 'it contains white space or control characters' };
  if (/^[a-z0-9+.-]+::/i.test(text)) return { refused: 'it names a transport that runs a command' };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return parseUrl(text);
  const short = /^([^/:@\s]+)@([^/:@\s]+):(.*)$/.exec(text);
  if (short) return parseShort(short[1]!, short[2]!, short[3]!);
  if (/^\.{0,2}[/\\]/.test(text) || text === '.' || text === '..' || isAbsolute(text)) {
    return { protocol: 'file', url: pathToFileURL(resolve(root, text)).href, shown: text, loopback: true };
  }
  return { refused: 'it is neither a URL nor of the form git@host:org/repo' };
}

/** `git@host:org/repo` */
function parseShort(user: string, host: string, path: string): Address | { readonly refused: string } {
  if ([user, host, path].some(part => part.startsWith('-'))) {
    return { refused: 'a part of it begins with `-`, which ssh would read as an option' };
  }
  const url = `${user}@${host}:${path}`;
  return { protocol: 'ssh', url, shown: url, host, user, loopback: isLoopback(host) };
}

function parseUrl(text: string): Address | { readonly refused: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { refused: 'it is not a valid URL' };
  }
  const protocol = PROTOCOLS[url.protocol];
  if (!protocol)
    return { refused: `the protocol ${url.protocol}// is not one of https, http, ssh, git and file` };
  if (
    url.hostname.startsWith('-') ||
    decoded(url.username).startsWith('-') ||
    url.pathname.startsWith('/-')
  ) {
    return { refused: 'a part of it begins with `-`, which git or ssh would read as an option' };
  }
  if (url.search || url.hash) return { refused: 'a repository has no `?` or `#` in its address' };
  const password = decoded(url.password);
  const user = decoded(url.username);
  url.password = '';
  const web = protocol === 'https' || protocol === 'http';
  // A user name without a password in a web URL is often a token, so it is removed; ssh needs the user.
  if (web) url.username = '';
  return {
    protocol,
    url: url.href,
    shown: url.href,
    loopback: protocol === 'file' || isLoopback(url.hostname),
    ...(url.hostname && { host: url.hostname }),
    ...(web && { origin: `${protocol}://${url.host}` }),
    ...(user && { user }),
    ...(password && { password }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A short name for messages and unit ids: `host/path`, without protocol, user and `.git`. */
export function labelOf(address: Address): string {
  return address.shown
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(':', '/')
    .replace(/(?:\.git)?\/*$/, '');
}

/** Hides the user and password of an address that may be invalid. */
export const withoutUser = (address: string): string => address.replace(/\/\/[^/@]*@/, '//***@');

/** Removes secrets, and anything that looks like credentials in a URL or a header, from text for people. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length < 3) continue;
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      result = result.replaceAll(form, '***');
    }
  }
  return result
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi, '$1***@')
    .replace(/(authorization:\s*\w+\s+)\S+/gi, '$1***');
}
