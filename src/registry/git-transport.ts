import { dirname } from 'node:path';
import type { Environment } from '../host/home.ts';
import { type GitCall, type GitResult, runGit } from '../host/repository.ts';
import { posixWord } from '../text/shell.ts';
import { type Address, labelOf, parseAddress, redact } from './address.ts';
import { type Failure, readGitFailure } from './failure.ts';
import type { Snapshot } from './snapshot.ts';

/** Time limits for a call of Git. */
export type GitLimits = Pick<GitCall, 'silence' | 'limit'>;

/** A repository as configured. */
export interface Repository {
  readonly address: Address;
  readonly fallback?: Address;
  readonly token?: string | undefined;
  readonly keyFile?: string;
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
  readonly limits: GitLimits;
  readonly now: () => number;
  readonly environment: Environment;
  readonly progress: (text: string) => void;
  /** Returns commits that are in no repository, by id and requested directory. */
  readonly localSnapshot?: ((commit: string, root: string) => Snapshot | undefined) | undefined;
}

/** A repository at a version, as a reference names it. */
export interface GitSource {
  /** Its name in the lock file, with the version. */
  readonly source: string;
  /** Its name in unit ids when its address is a path of this machine. */
  readonly name: string;
  readonly repository: Repository;
  readonly version: string;
  /** Directory of the repository that is the root of the registry; empty for all of it. */
  readonly root: string;
}

/** Why a repository cannot be read at a version. */
export type GitProblem =
  /** `at` is the address that failed. */
  | { readonly failure: Failure; readonly at?: Address }
  | {
      readonly unknownVersion: true;
      readonly nearest: readonly string[];
      readonly defaultBranch?: string | undefined;
    }
  | { readonly noRoot: true }
  /** What is wrong with its tag, as the end of a sentence. */
  | { readonly unsigned: string };

/** Ends the work on a repository. Only `reportGitErrors` catches it, and code that has an alternative. */
export class GitError extends Error {
  readonly problem: GitProblem;

  constructor(problem: GitProblem) {
    super('a repository cannot be read');
    this.problem = problem;
  }
}

/** The failure of a call that threw an error; `undefined` for any other error. */
export const failureIn = (error: unknown): Failure | undefined =>
  error instanceof GitError && 'failure' in error.problem ? error.problem.failure : undefined;

/** A failure without a remedy of its own. */
export const otherFailure = (reason: string): GitProblem => ({ failure: { kind: 'other', reason } });

/** Runs Git in a local folder, without the network. */
export const runLocalGit = (
  folder: string,
  args: readonly string[],
  context: GitContext,
  more: Pick<GitCall, 'input' | 'config'> = {},
): Promise<GitResult> => runGit({ folder, args, ...more, ...context.limits });

/** The output of a local call, which must succeed. */
export async function localOutput(...call: Parameters<typeof runLocalGit>): Promise<Buffer> {
  const result = await runLocalGit(...call);
  return outputOf(result, [], call[2]);
}

/** The output of a local call without blanks at its ends; `undefined` when Git reported an error. */
export async function askLocalGit(
  folder: string,
  args: readonly string[],
  context: GitContext,
): Promise<string | undefined> {
  const result = await runLocalGit(folder, args, context);
  return result.kind === 'done' ? result.output.toString('utf8').trim() : undefined;
}

/** The output of a server. */
export interface Answer {
  readonly output: Buffer;
  /** Whether it is that of the fallback, because the first address refused access. */
  readonly usesFallback: boolean;
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
): Promise<Answer> {
  const format = `--object-format=${commit.length > 40 ? 'sha256' : 'sha1'}`;
  await localOutput(dirname(folder), ['init', '--quiet', '--bare', format, '--', folder], context);
  const options = ['--progress', '--no-tags', '--no-write-fetch-head', ...(shallow ? ['--depth=1'] : [])];
  const args = ({ url }: Address) => ['fetch', ...options, '--', url, ...refs];
  return runWithFallback(repository, folder, args, context);
}

type GitArguments = (address: Address) => readonly string[];

/** Repositories whose first address refused access in this run; it is not tried again. */
const refused = new WeakSet<Repository>();

/** Sends a request to the repository, or to its fallback when access was refused. Git runs in `folder`. */
export async function runWithFallback(
  repository: Repository,
  folder: string,
  question: GitArguments,
  context: GitContext,
): Promise<Answer> {
  const { address, fallback } = repository;
  const ask = (at: Address) => askServer(repository, at, folder, question, context);
  if (!refused.has(repository)) {
    try {
      return { output: await ask(address), usesFallback: false };
    } catch (error) {
      if (!fallback || failureIn(error)?.kind !== 'access') throw error;
      refused.add(repository);
    }
  }
  return { output: await ask(fallback!), usesFallback: true };
}

async function askServer(
  repository: Repository,
  address: Address,
  folder: string,
  question: GitArguments,
  context: GitContext,
): Promise<Buffer> {
  const settings = await gitSettingsFor(repository, address, folder, context);
  const label = labelOf(address);
  context.progress(`Asking ${label}`);
  const result = await runGit({
    folder,
    args: question(address),
    ...settings,
    ...context.limits,
    progress: (stage, percent) => context.progress(`${label}: ${stage.toLowerCase()} ${percent}%`),
  });
  const secrets = [repository.token, address.password].filter(secret => secret !== undefined);
  return outputOf(result, secrets, context, address);
}

/** The output of a Git call that must succeed; `secrets` are removed from the message of a failure. */
export function outputOf(
  result: GitResult,
  secrets: readonly string[],
  { limits }: GitContext,
  at?: Address,
): Buffer {
  const fail = (failure: Failure) => new GitError({ failure, ...(at && { at }) });
  switch (result.kind) {
    case 'done':
      return result.output;
    case 'missing':
      throw fail({ kind: 'no-git', reason: 'git was not found' });
    case 'timeout': {
      const seconds = Math.ceil(limits.silence / 1000);
      throw fail({ kind: 'timeout', reason: `no answer within ${seconds} seconds` });
    }
    case 'failed':
      throw fail(readGitFailure(redact(result.message, secrets)));
  }
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
): Promise<Pick<GitCall, 'config' | 'environment'>> {
  const fail = (failure: Failure) => new GitError({ failure, at: address });
  const rewritten = await runLocalGit(folder, ['ls-remote', '--get-url', '--', address.url], context);
  const actual = parseAddress(outputOf(rewritten, [], context, address).toString('utf8').trim(), folder);
  if ('refused' in actual)
    throw fail({ kind: 'redirect', reason: actual.refused, destination: 'another address' });
  const { origin } = repository.address;
  // The token belongs to the server of the first address and is not sent to a fallback on another server.
  const isSameServer = address === repository.address || origin === undefined || origin === address.origin;
  const password = address.password ?? (isSameServer ? repository.token : undefined);
  const seconds = String(Math.max(1, Math.ceil(context.limits.silence / 1000)));
  const config: [string, string][] = [
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', seconds],
  ];
  const environment: Record<string, string> = { GIT_ALLOW_PROTOCOL: actual.protocol };
  if (password !== undefined && actual.origin !== undefined) {
    if (actual.protocol === 'http' && !actual.loopback)
      throw fail({ kind: 'plain-http', reason: 'plain http shows credentials to everybody' });
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
