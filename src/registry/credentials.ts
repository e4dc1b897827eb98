import { join } from 'node:path';
import { sshKeyMissing, tokenVariableUnset } from '../generated/diagnostics.ts';
import type { Disk } from '../host/host.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { Address } from './address.ts';
import type { GitAuth, HttpAuth } from './settings.ts';

interface CredentialContext {
  readonly disk: Disk;
  readonly env: (name: string) => string | undefined;
  readonly report: Report;
}

/**
 * The token from the environment variable if it is set, else the literal one. Without both, the unset
 * variable is reported.
 */
function tokenOf(
  auth: { readonly token?: string; readonly tokenEnvVar?: string },
  address: Address,
  { env, report }: CredentialContext,
  at: Span,
): string | undefined {
  const value = auth.tokenEnvVar === undefined ? undefined : env(auth.tokenEnvVar)?.trim();
  if (value) return value;
  if (auth.tokenEnvVar !== undefined && auth.token === undefined) {
    report(tokenVariableUnset({ variable: auth.tokenEnvVar, address: address.shown }, { span: at }));
  }
  return auth.token?.trim() || undefined;
}

/**
 * Token and key file for a repository. Returns `undefined` after a report when the configured key file does
 * not exist.
 */
export function gitCredentials(
  auth: GitAuth | undefined,
  address: Address,
  context: CredentialContext,
  at: Span,
): { readonly token?: string; readonly keyFile?: string } | undefined {
  if (!auth) return {};
  const token = auth.type === 'token' ? tokenOf(auth, address, context, at) : undefined;
  const home = context.env('HOME') ?? context.env('USERPROFILE') ?? '';
  const named = auth.sshKeyPath;
  if (auth.type === 'token' && named === undefined) return { ...(token !== undefined && { token }) };
  const keyFile = (named ?? '~/.ssh/id_rsa').replace(/^~(?=[/\\])/, () => join(home));
  if (context.disk.stat(keyFile)?.kind === 'file') return { ...(token !== undefined && { token }), keyFile };
  if (named === undefined) return {};
  context.report(sshKeyMissing({ path: named }, { span: at }));
  return undefined;
}

/** The `Authorization` header for an HTTP registry. Credentials in its URL are used when `auth` has none. */
export function httpAuthorization(
  auth: HttpAuth | undefined,
  address: Address,
  context: CredentialContext,
  at: Span,
): string | undefined {
  const token = auth && tokenOf(auth, address, context, at);
  if (auth && token !== undefined) {
    return auth.type === 'bearer' ? `Bearer ${token}` : `Basic ${Buffer.from(token).toString('base64')}`;
  }
  if (address.password === undefined) return undefined;
  return `Basic ${Buffer.from(`${address.user ?? ''}:${address.password}`).toString('base64')}`;
}
