import { join } from 'node:path';
import { sshKeyMissing, tokenVariableUnset } from '../generated/diagnostics.ts';
import type { GitAuth, HttpAuth } from '../generated/types/config.ts';
import type { Span } from '../text/source.ts';
import type { Address } from './address.ts';
import type { Repository } from './git-transport.ts';
import type { SourceContext } from './source-context.ts';

/** The token from the environment variable if it is set, else the literal one. A variable that is not set is reported. */
function tokenOf(
  auth: { readonly token?: string; readonly tokenEnvVar?: string },
  address: Address,
  { options: { environment }, report }: SourceContext,
  at: Span,
): string | undefined {
  const { token, tokenEnvVar: variable } = auth;
  const value = variable === undefined ? undefined : environment[variable]?.trim();
  if (!value && variable !== undefined && token === undefined)
    report(tokenVariableUnset({ variable, address: address.shown }, { span: at }));
  return value || token?.trim() || undefined;
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
): Pick<Repository, 'token' | 'keyFile'> | undefined {
  if (!auth) return {};
  const { sshKeyPath } = auth;
  const token = auth.type === 'token' ? tokenOf(auth, address, opening, at) : undefined;
  if (auth.type === 'token' && sshKeyPath === undefined) return { token };
  const { disk, environment } = opening.options;
  const home = environment.HOME ?? environment.USERPROFILE ?? '';
  const keyFile = (sshKeyPath ?? '~/.ssh/id_rsa').replace(/^~(?=[/\\])/, () => join(home));
  if (disk.stat(keyFile)?.kind === 'file') return { token, keyFile };
  if (sshKeyPath === undefined) return {};
  opening.report(sshKeyMissing({ path: sshKeyPath }, { span: at }));
  return undefined;
}

/**
 * The value of the `Authorization` header for an HTTP registry. Credentials in its URL are used when `auth` has none.
 */
export function httpAuthorization(
  auth: HttpAuth | undefined,
  address: Address,
  opening: SourceContext,
  at: Span,
): string | undefined {
  const token = auth && tokenOf(auth, address, opening, at);
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  if (token !== undefined) return auth!.type === 'bearer' ? `Bearer ${token}` : basic(token);
  return address.password === undefined ? undefined : basic(`${address.user ?? ''}:${address.password}`);
}
