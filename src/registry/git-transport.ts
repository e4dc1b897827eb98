import { dirname } from 'node:path';
import type { Environment } from '../host/home.ts';
import type { GitCall, GitResult } from '../host/repository.ts';
import { runGit } from '../host/repository.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { posixWord } from '../text/shell.ts';
import { type Address, labelOf, parseAddress, redact } from './address.ts';
import { type Failure, readGitFailure } from './failure.ts';
import type { Snapshot } from './snapshot.ts';

/** Time limits for Git in milliseconds: without output, and in total. */
export interface GitLimits {
  readonly silence: number;
  readonly total: number;
}

/** A repository as configured. */
export interface Repository {
  readonly address: Address;
  readonly fallback?: Address;
  readonly token?: string;
  readonly keyFile?: string;
  /** The finding about the variable that should hold the token, unless access is refused. */
  readonly unset?: Diagnostic;
  /**
   * The allowed signers of its tags, as lines of an ssh allowed signers file; absent when signatures are not
   * required.
   */
  readonly signers?: readonly string[] | undefined;
}

/** The context for calling Git: cache, limits, environment. */
export interface GitContext {
  /** Root of the cache. */
  readonly cacheDir: string;
  /** Milliseconds for which a cached list of refs is fresh. */
  readonly ttl: number;
  readonly offline: boolean;
  readonly limits: GitLimits;
  readonly now: () => number;
  readonly environment: Environment;
  readonly progress: (text: string) => void;
  /** Returns commits that are in no repository, by id and requested directory. */
  readonly localSnapshot?: ((commit: string, root: string) => Snapshot | undefined) | undefined;
}

/** The answer of the repository or of its fallback; or the failure, with the address that failed last. */
export type Answer<T> =
  | { readonly value: T; readonly fallback?: Failure }
  | { readonly failure: Failure; readonly at?: Address };

/** The time limits of a call of Git, in milliseconds. */
const timeLimitsOf = (context: GitContext) => ({
  silence: context.limits.silence,
  limit: context.limits.total,
});

/** Runs Git in a local folder, without the network. */
export const runLocalGit = (
  folder: string,
  args: readonly string[],
  context: GitContext,
  more: Pick<GitCall, 'input' | 'config'> = {},
): Promise<GitResult> => runGit({ folder, args, ...more, ...timeLimitsOf(context) });

/** The output of a local call without blanks at its ends; `undefined` when Git reported an error. */
export async function askLocalGit(
  folder: string,
  args: readonly string[],
  context: GitContext,
): Promise<string | undefined> {
  const result = await runLocalGit(folder, args, context);
  return result.kind === 'done' ? result.output.toString('utf8').trim() : undefined;
}

/**
 * Fetches refs or commits into a new repository. `commit` is one of its commits, whose length tells the format
 * of the repository. Each attempt needs a new repository, because a shallow one would stay shallow.
 */
export async function fetchInto(
  folder: string,
  repository: Repository,
  { commit, refs, shallow }: { commit: string; refs: readonly string[]; shallow: boolean },
  context: GitContext,
): Promise<Answer<Buffer>> {
  const format = `--object-format=${commit.length > 40 ? 'sha256' : 'sha1'}`;
  const made = await runLocalGit(
    dirname(folder),
    ['init', '--quiet', '--bare', format, '--', folder],
    context,
  );
  if (made.kind !== 'done') return { failure: failureOf(made, [], context) };
  const options = ['--progress', '--no-tags', '--no-write-fetch-head', ...(shallow ? ['--depth=1'] : [])];
  const args = ({ url }: Address) => ['fetch', ...options, '--', url, ...refs];
  return runWithFallback(repository, folder, args, context);
}

type GitArguments = (address: Address) => readonly string[];

/** Repositories whose first address refused access in this run; it is not tried again. */
const refused = new WeakMap<Repository, Failure>();

/** Sends a request to the repository, or to its fallback when access was refused. Git runs in `folder`. */
export async function runWithFallback(
  repository: Repository,
  folder: string,
  question: GitArguments,
  context: GitContext,
): Promise<Answer<Buffer>> {
  if (context.offline) return { failure: { kind: 'network', reason: 'working offline' } };
  const { address, fallback } = repository;
  if (!fallback) return askOne(repository, address, folder, question, context);
  let failure = refused.get(repository);
  if (!failure) {
    const first = await askOne(repository, address, folder, question, context);
    if ('value' in first || first.failure.kind !== 'access') return first;
    failure = first.failure;
    refused.set(repository, failure);
  }
  const second = await askOne(repository, fallback, folder, question, context);
  return 'value' in second ? { ...second, fallback: failure } : { ...second, at: fallback };
}

async function askOne(
  repository: Repository,
  address: Address,
  folder: string,
  question: GitArguments,
  context: GitContext,
): Promise<Answer<Buffer>> {
  const way = await gitSettingsFor(repository, address, folder, context);
  if ('failure' in way) return way;
  const label = labelOf(address);
  context.progress(`Asking ${label}`);
  const result = await runGit({
    folder,
    args: question(address),
    ...way,
    ...timeLimitsOf(context),
    progress: (stage, percent) => context.progress(`${label}: ${stage.toLowerCase()} ${percent}%`),
  });
  if (result.kind === 'done') return { value: result.output };
  const secrets = [repository.token, address.password].filter(secret => secret !== undefined);
  return { failure: failureOf(result, secrets, context) };
}

/** The failure of a Git call; `secrets` are removed from its message. */
export function failureOf(
  result: Exclude<GitResult, { kind: 'done' }>,
  secrets: readonly string[],
  context: GitContext,
): Failure {
  if (result.kind === 'missing') return { kind: 'no-git', reason: 'git was not found' };
  if (result.kind === 'timeout') {
    return {
      kind: 'timeout',
      reason: `no answer within ${Math.ceil(context.limits.silence / 1000)} seconds`,
    };
  }
  return readGitFailure(redact(result.message, secrets));
}

/**
 * The Git configuration and environment for an address: the allowed protocol, and the credentials for its
 * origin. The user's `url.<base>.insteadOf` is applied first, so that the checks apply to the address that
 * Git really uses.
 */
async function gitSettingsFor(
  repository: Repository,
  address: Address,
  folder: string,
  context: GitContext,
): Promise<Pick<GitCall, 'config' | 'environment'> | { readonly failure: Failure }> {
  const rewritten = await runLocalGit(folder, ['ls-remote', '--get-url', '--', address.url], context);
  if (rewritten.kind !== 'done') return { failure: failureOf(rewritten, [], context) };
  const actual = parseAddress(rewritten.output.toString('utf8').trim(), folder);
  if ('refused' in actual)
    return { failure: { kind: 'redirect', reason: actual.refused, destination: 'another address' } };
  const { origin } = repository.address;
  // The token belongs to the server of the first address and is not sent to a fallback on another server.
  const own = address === repository.address || origin === undefined || origin === address.origin;
  const password = address.password ?? (own ? repository.token : undefined);
  const seconds = String(Math.max(1, Math.ceil(context.limits.silence / 1000)));
  const config: [string, string][] = [
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', seconds],
  ];
  const environment: Record<string, string> = { GIT_ALLOW_PROTOCOL: actual.protocol };
  if (password !== undefined && actual.origin !== undefined) {
    if (actual.protocol === 'http' && !actual.loopback) {
      return { failure: { kind: 'plain-http', reason: 'plain http shows credentials to everybody' } };
    }
    // A credential helper instead of a header: Git uses it only for this origin, so a redirect to another
    // server gets nothing. The empty helper before it disables the user's helpers, which would otherwise be
    // asked first, or store the token.
    config.push(
      [`credential.${actual.origin}.helper`, ''],
      [
        `credential.${actual.origin}.helper`,
        '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$INSTR_GIT_USER" "$INSTR_GIT_PASSWORD"; }; f',
      ],
    );
    environment.INSTR_GIT_USER = address.user ?? 'x-access-token';
    environment.INSTR_GIT_PASSWORD = password;
  }
  if (actual.protocol === 'ssh') {
    environment.GIT_SSH_COMMAND = await sshCommand(repository.keyFile, seconds, folder, context);
  }
  return { config, environment };
}

/** The user's ssh command, or ssh, with options that disable prompts and unknown hosts and set a timeout. */
async function sshCommand(
  keyFile: string | undefined,
  seconds: string,
  folder: string,
  context: GitContext,
): Promise<string> {
  const configured = await askLocalGit(folder, ['config', '--get', 'core.sshCommand'], context);
  const program = context.environment.GIT_SSH;
  const command = context.environment.GIT_SSH_COMMAND || configured || (program ? posixWord(program) : 'ssh');
  // Other programs, such as plink, do not support these options.
  if (!/(?:^|[/\\'"])ssh(?:\.exe)?['"]?(?:\s|$)/i.test(command)) return command;
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `ConnectTimeout=${seconds}`,
    'ServerAliveInterval=10',
    'ServerAliveCountMax=3',
    'PermitLocalCommand=no',
    'ClearAllForwardings=yes',
  ];
  if (keyFile !== undefined) {
    // ssh parses the value like a line of its configuration: it is quoted, and `%` is special.
    options.push(
      'IdentitiesOnly=yes',
      `IdentityFile="${keyFile.replace(/[\\"]/g, '\\$&').replace(/%/g, '%%')}"`,
    );
  }
  return `${command} ${options.map(option => `-o ${posixWord(option)}`).join(' ')}`;
}
