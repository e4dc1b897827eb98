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
interface FailureContext {
  /** The address that failed. */
  readonly address: Address;
  /** The requested addresses or URLs; the last one failed. */
  readonly tried: readonly string[];
  /** What to do when access was refused. */
  readonly advice: string;
  /** The time limit of the request. */
  readonly seconds: number;
  /** Whether the failure is that of a server for plain files, not of a repository. */
  readonly isHttp?: boolean;
}

/** Converts a failure to a diagnostic: what happened, where, and what to do about it. */
export function explainFailure(
  failure: Failure,
  request: FailureContext,
  where: DiagnosticPlace,
): Diagnostic {
  const { address, tried, advice, seconds, isHttp } = request;
  const holes = { address: tried.at(-1)!, reason: failure.reason };
  switch (failure.kind) {
    case 'access':
      return registryAccessRefused({ ...holes, address: tried.join(' and '), advice }, where);
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
    case 'plain-http':
      return credentialsOverHttp(address, where);
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

/** The finding for credentials that would be sent without TLS. */
export function credentialsOverHttp({ shown, span }: Address, where: DiagnosticPlace): Diagnostic {
  const fixes = replacingIn(span, 'Use https', 'http://', 'https://');
  return credentialsNeedHttps({ address: shown }, { ...where, fixes });
}
