import {
  credentialsNeedHttps,
  gitFailed,
  gitMissing,
  hostKeyChanged,
  hostKeyUnknown,
  registryAccessRefused,
  registryBadAnswer,
  registryNotFound,
  registryRedirectRefused,
  registryTimeout,
  registryUnreachable,
} from '../generated/diagnostics.ts';
import type { Diagnostic, DiagnosticPlace } from '../text/diagnostics/diagnostic.ts';
import { replacingIn } from '../text/diagnostics/fixes.ts';
import type { Address } from './address.ts';

/** Why a registry request failed. Failures with different remedies have different kinds. */
export interface Failure {
  readonly kind:
    | 'access'
    | 'missing'
    | 'host-key-unknown'
    | 'host-key-changed'
    | 'timeout'
    | 'network'
    | 'busy'
    | 'no-git'
    | 'plain-http'
    | 'redirect'
    | 'object'
    | 'other';
  /** One line for people, without credentials. */
  readonly reason: string;
  /** The target of a refused redirect. */
  readonly destination?: string;
}

/** Whether the connection failed rather than the request, so that an older cached copy may be used. */
export const isUnavailable = ({ kind }: Failure): boolean =>
  kind === 'network' || kind === 'timeout' || kind === 'busy';

/** Messages of Git and ssh with `LC_ALL=C`, the most specific first. */
const SIGNS: readonly (readonly [RegExp, Failure['kind']])[] = [
  [/REMOTE HOST IDENTIFICATION HAS CHANGED|host key for .* has changed/i, 'host-key-changed'],
  [/Host key verification failed|No \S+ host key is known/i, 'host-key-unknown'],
  [/transport '.*' not allowed|protocol .* (?:not supported|disabled)|unsupported protocol/i, 'redirect'],
  [/access denied or repository not exported/i, 'missing'],
  [/repository .{0,400}not found|does not appear to be a git repository|returned error: 404/i, 'missing'],
  [
    /does not exist or you do not have permission|The project you were looking for could not be found/i,
    'missing',
  ],
  [/Authentication failed|could not read (?:Username|Password)|terminal prompts disabled/i, 'access'],
  [/returned error: 40[13]|Access denied|Permission denied|Too many authentication failures/i, 'access'],
  [
    /Invalid (?:username|credentials)|no supported authentication|authentication methods available/i,
    'access',
  ],
  [/not our ref|unadvertised object|couldn't find remote ref|no such remote ref/i, 'object'],
  [/bad object|shallow capabilities|does not support (?:shallow|--depth)/i, 'object'],
  [/timed out|Operation too slow|time-?out/i, 'timeout'],
  [/Could not resolve|Name or service not known|Temporary failure in name/i, 'network'],
  [/Connection (?:refused|reset|closed)|Failed to connect|Couldn't connect|unable to connect/i, 'network'],
  [
    /unreachable|early EOF|hung up|RPC failed|Recv failure|returned error: 5\d\d|No route to host/i,
    'network',
  ],
];

/** The last informative line of Git's error output. */
function informativeLine(message: string): string {
  const lines = message
    .split(/\r?\n/)
    .map(line => line.replace(/^(?:fatal|error|remote|ssh|warning):\s*/i, '').trim())
    .filter(
      line =>
        line && !/^(?:Please make sure|and the repository exists|Could not read from remote)/.test(line),
    );
  return (lines.find(line => !/^(?:@@@|Cloning into|Warning: Permanently)/.test(line)) ?? 'no reason given')
    .replace(/[.\s]+$/, '')
    .slice(0, 300);
}

/** Classifies Git's error output. `message` is already redacted. */
export function readGitFailure(message: string): Failure {
  const kind = SIGNS.find(([sign]) => sign.test(message))?.[1] ?? 'other';
  return { kind, reason: informativeLine(message) };
}

/** What explaining a failure needs to know about the request. */
export interface FailureContext {
  readonly address: Address;
  /** Shown instead of the address of the registry: the URL of the requested file. */
  readonly url?: string;
  readonly fallback?: Address | undefined;
  /** The requested addresses; by default the one that is shown. */
  readonly tried?: readonly string[];
  readonly hasToken?: boolean;
  /** The setting that can hold a token for this registry; absent when there is none. */
  readonly auth?: string;
  readonly hasKey?: boolean;
  /** The time limit of the request. */
  readonly seconds?: number;
  readonly isHttp?: boolean;
}

/** Converts a failure to a diagnostic: what happened, where, and what to do about it. */
export function explainFailure(
  failure: Failure,
  request: FailureContext,
  where: DiagnosticPlace,
): Diagnostic {
  const { address, url = address.shown, tried = [url], seconds = 0, isHttp } = request;
  const holes = { address: url, reason: failure.reason };
  switch (failure.kind) {
    case 'access': {
      const advice = adviceFor(request);
      return registryAccessRefused({ ...holes, address: tried.join(' and '), advice }, where);
    }
    case 'missing':
      return registryNotFound({ tried: tried.join(' and ') }, where);
    case 'host-key-unknown':
      return hostKeyUnknown({ ...holes, user: `${address.user ?? 'git'}@${address.host ?? ''}` }, where);
    case 'host-key-changed':
      return hostKeyChanged({ ...holes, host: address.host ?? '' }, where);
    case 'timeout':
      return registryTimeout({ ...holes, seconds }, where);
    case 'network':
    case 'busy':
      return registryUnreachable(holes, where);
    case 'no-git':
      return gitMissing(holes, where);
    case 'plain-http': {
      const fixes = replacingIn(address.span, 'Use https', 'http://', 'https://');
      return credentialsNeedHttps(holes, { ...where, fixes });
    }
    case 'redirect': {
      const { destination = 'another address' } = failure;
      return registryRedirectRefused({ ...holes, destination }, where);
    }
    case 'object': {
      const hint = 'The commit is no longer in the repository. Name another version, or run `prs update`.';
      return gitFailed(holes, { ...where, hint });
    }
    case 'other':
      return (isHttp ? registryBadAnswer : gitFailed)(holes, where);
  }
}

function adviceFor(request: FailureContext): string {
  const { address, hasKey, isHttp, fallback } = request;
  const ssh = address.protocol === 'ssh' || fallback?.protocol === 'ssh';
  const web = tokenAdvice(request);
  if (isHttp) return web;
  const key = hasKey
    ? 'Check that the server knows the public key that belongs to `sshKeyPath`.'
    : 'Add your SSH key to the server and to your agent, or set `sshKeyPath`.';
  if (address.protocol !== 'ssh' && ssh) return `${web} ${key}`;
  return ssh ? key : web;
}

function tokenAdvice({ hasToken, auth, isHttp }: FailureContext): string {
  const what = isHttp ? 'registry' : 'repository';
  if (auth === undefined)
    return hasToken
      ? `Check that the password in the address is still valid and may read the ${what}.`
      : 'Sign in with a credential helper of git, or configure this repository as `registry.git`, which can have a token.';
  if (hasToken) return `Check that the token of \`${auth}\` is still valid and may read the ${what}.`;
  const helper = isHttp ? '' : ', or sign in with a credential helper of git';
  return `Set \`${auth}\` with \`type\` and \`tokenEnvVar\`, and set the environment variable that it names${helper}.`;
}
