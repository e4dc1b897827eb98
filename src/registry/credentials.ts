import { join } from 'node:path';
import { sshKeyMissing, tokenVariableUnset } from '../generated/diagnostics.ts';
import type { GitAuth, HttpAuth } from '../generated/types/config.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { Address } from './address.ts';
import type { SourceContext } from './source-context.ts';

/** A token, and the finding about the environment variable that should hold it. */
interface Token {
  readonly token?: string;
  /** To be reported unless access is refused: that error names the variable. */
  readonly unset?: Diagnostic;
}

/** The token from the environment variable if it is set, else the literal one. */
function tokenOf(
  auth: { readonly token?: string; readonly tokenEnvVar?: string },
  address: Address,
  { options: { environment } }: SourceContext,
  at: Span,
): Token {
  const value = auth.tokenEnvVar === undefined ? undefined : environment[auth.tokenEnvVar]?.trim();
  if (value) return { token: value };
  const { token: literal, tokenEnvVar: variable } = auth;
  if (variable !== undefined && literal === undefined)
    return { unset: tokenVariableUnset({ variable, address: address.shown }, { span: at }) };
  const token = literal?.trim();
  return token ? { token } : {};
}

/**
 * Token and key file for a repository. Returns `undefined` after a report when the configured key file does
 * not exist.
 */
export function gitCredentials(
  auth: GitAuth | undefined,
  address: Address,
  opening: SourceContext,
  at: Span,
): (Token & { readonly keyFile?: string }) | undefined {
  if (!auth) return {};
  const token = auth.type === 'token' ? tokenOf(auth, address, opening, at) : {};
  const { disk, environment } = opening.options;
  const home = environment.HOME ?? environment.USERPROFILE ?? '';
  const named = auth.sshKeyPath;
  if (auth.type === 'token' && named === undefined) return token;
  const keyFile = (named ?? '~/.ssh/id_rsa').replace(/^~(?=[/\\])/, () => join(home));
  if (disk.stat(keyFile)?.kind === 'file') return { ...token, keyFile };
  if (named === undefined) return {};
  opening.report(sshKeyMissing({ path: named }, { span: at }));
  return undefined;
}

/** The complete value of the `Authorization` header. */
export type HttpCredentials = Pick<Token, 'unset'> & { readonly header?: string };

/** The `Authorization` header for an HTTP registry. Credentials in its URL are used when `auth` has none. */
export function httpAuthorization(
  auth: HttpAuth | undefined,
  address: Address,
  opening: SourceContext,
  at: Span,
): HttpCredentials {
  const { token, unset } = auth ? tokenOf(auth, address, opening, at) : {};
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  if (token !== undefined) return { header: auth!.type === 'bearer' ? `Bearer ${token}` : basic(token) };
  return {
    ...(unset && { unset }),
    ...(address.password !== undefined && { header: basic(`${address.user ?? ''}:${address.password}`) }),
  };
}
