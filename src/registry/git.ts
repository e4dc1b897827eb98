import { join } from 'node:path';
import { sha256 } from '../host/hash.ts';
import { HostError } from '../host/host.ts';
import { oneAtATime, readRecord, removeFolder, workFolder, writeRecord } from '../host/records.ts';
import { type GitCall, type GitResult, runGit } from '../host/repository.ts';
import { type Address, labelOf, parseAddress, redact } from './address.ts';
import { type Failure, readGitFailure } from './failure.ts';
import { FILE_LIMIT } from './local.ts';
import { innerPath, megabytes } from './path.ts';
import type { Snapshot, SnapshotFile, SnapshotHeader } from './snapshot.ts';
import {
  type Choice,
  chooseVersion,
  isCommit,
  isShortCommit,
  nearestNames,
  type Refs,
  readRefs,
} from './version.ts';

/** How long git may be silent, and how long it may take altogether; milliseconds. */
export interface GitLimits {
  readonly silence: number;
  readonly total: number;
}

/** A repository as the configuration describes it. */
export interface Repository {
  readonly address: Address;
  readonly fallback?: Address;
  readonly token?: string;
  readonly keyFile?: string;
}

export interface GitContext {
  /** Root of the cache. */
  readonly cacheDir: string;
  /** Milliseconds that a list of refs counts as fresh. */
  readonly ttl: number;
  readonly offline: boolean;
  readonly limits: GitLimits;
  readonly now: () => number;
  readonly env: (name: string) => string | undefined;
  readonly progress: (text: string) => void;
}

/** A commit of a repository, ready to be read. `stale`: the network failed, an older answer was used. */
export interface Checkout {
  readonly snapshot: Snapshot;
  readonly choice: Choice;
  readonly stale?: Failure;
  readonly fallback?: Failure;
}

export type GitProblem =
  | { readonly failure: Failure; readonly at?: Address }
  | { readonly unknownVersion: true; readonly nearest: readonly string[] }
  | { readonly noRoot: true };

interface StoredRefs {
  readonly fetched: number;
  readonly refs: Refs;
}

type Answer<T> =
  | { readonly value: T; readonly fallback?: Failure }
  | { readonly failure: Failure; readonly at?: Address };

/** All blobs of a snapshot together; more than this is no collection of instructions. */
const TOTAL_LIMIT = 256_000_000;
/** Blobs are read from git in portions, so that memory holds no more than one of them twice. */
const PORTION = 32_000_000;

const folderOf = (context: GitContext, address: Address): string =>
  join(
    context.cacheDir,
    'git',
    `${labelOf(address)
      .split('/')
      .at(-1)!
      .replace(/[^\w-]/g, '')
      .slice(0, 40)}-${sha256(Buffer.from(address.url)).slice(0, 20)}`,
  );

const snapshotPath = (folder: string, commit: string, root: string): string =>
  join(folder, root === '' ? commit : `${commit}-${sha256(Buffer.from(root)).slice(0, 12)}`);

/**
 * Opens a repository at a version: from the cache while that is fresh, else through git. `root` is the directory of
 * the repository to read, `pinned` the commit that the lock demands. Without a version the configured ref counts.
 */
export function openRepository(
  repository: Repository,
  version: string,
  root: string,
  pinned: Choice | undefined,
  context: GitContext,
): Promise<Checkout | GitProblem> {
  return onFullDisk(() => openUnguarded(repository, version, root, pinned, context));
}

/** A disk that takes no more is a failure like those of the network. */
async function onFullDisk(work: () => Promise<Checkout | GitProblem>): Promise<Checkout | GitProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HostError)
      return { failure: { kind: 'other', reason: error.message.replace(/\.$/, '') } };
    throw error;
  }
}

async function openUnguarded(
  repository: Repository,
  version: string,
  root: string,
  pinned: Choice | undefined,
  context: GitContext,
): Promise<Checkout | GitProblem> {
  const folder = folderOf(context, repository.address);
  if (pinned) return snapshotOf(repository, pinned, root, folder, context);
  if (isCommit(version))
    return snapshotOf(repository, { commit: version, name: version }, root, folder, context);

  const path = join(folder, 'refs');
  const stored = readRecord<StoredRefs>(path)?.header;
  const age = stored ? context.now() - stored.fetched : Number.POSITIVE_INFINITY;
  let refs = stored && age >= 0 && age < context.ttl ? stored.refs : undefined;
  let choice = refs && (await chooseVersion(version, refs));
  let stale: Failure | undefined;
  let fallback: Failure | undefined;
  if (!choice) {
    const answer = await askRefs(repository, context);
    if ('value' in answer) {
      refs = answer.value;
      fallback = answer.fallback;
      writeRecord(path, { fetched: context.now(), refs } satisfies StoredRefs, []);
    } else if (stored && isAway(answer.failure)) {
      refs = stored.refs;
      stale = answer.failure;
    } else return answer;
    choice = await chooseVersion(version, refs);
  }
  if (!choice && isShortCommit(version)) {
    const commit = await completeCommit(repository, version, folder, context);
    if (typeof commit !== 'string') return commit ?? { unknownVersion: true, nearest: [] };
    choice = { commit, name: commit };
  }
  if (!choice || !refs)
    return { unknownVersion: true, nearest: refs ? await nearestNames(version, refs) : [] };
  const result = await snapshotOf(repository, choice, root, folder, context);
  return 'snapshot' in result
    ? { ...result, ...(stale && { stale }), ...(fallback && { fallback }) }
    : result;
}

/** Whether a failure says nothing about the repository, only about the way to it. */
export const isAway = (failure: Failure): boolean => failure.kind === 'network' || failure.kind === 'timeout';

/** Whether the cache can tell the refs of a repository without the network. */
export function hasFreshRefs(address: Address, context: GitContext): boolean {
  const stored = readRecord<StoredRefs>(join(folderOf(context, address), 'refs'))?.header;
  return stored !== undefined && (context.offline || context.now() - stored.fetched < context.ttl);
}

async function askRefs(repository: Repository, context: GitContext): Promise<Answer<Refs>> {
  const answer = await ask(repository, context, address => ({
    folder: workFolder(join(context.cacheDir, 'git')),
    args: ['ls-remote', '--symref', '--', address.url],
  }));
  return 'value' in answer ? { ...answer, value: readRefs(answer.value.toString('utf8')) } : answer;
}

/** Fetches a commit into the cache, unless it is there, and opens it. */
async function snapshotOf(
  repository: Repository,
  choice: Choice,
  root: string,
  folder: string,
  context: GitContext,
): Promise<Checkout | GitProblem> {
  const path = snapshotPath(folder, choice.commit, root);
  const present = readRecord<SnapshotHeader>(path);
  if (present) return { snapshot: present, choice };
  return oneAtATime(`${path}.lock`, context.limits.total, async () => {
    const meanwhile = readRecord<SnapshotHeader>(path);
    if (meanwhile) return { snapshot: meanwhile, choice };
    return fetchSnapshot(repository, choice, root, path, context);
  });
}

/** Fetches a commit anew although the cache has it; for a copy that turned out to be damaged. */
export async function healSnapshot(
  repository: Repository,
  choice: Choice,
  root: string,
  context: GitContext,
): Promise<Snapshot | undefined> {
  const path = snapshotPath(folderOf(context, repository.address), choice.commit, root);
  const result = await onFullDisk(() => fetchSnapshot(repository, choice, root, path, context));
  return 'snapshot' in result ? result.snapshot : undefined;
}

async function fetchSnapshot(
  repository: Repository,
  choice: Choice,
  root: string,
  path: string,
  context: GitContext,
): Promise<Checkout | GitProblem> {
  const work = workFolder(join(context.cacheDir, 'git'));
  try {
    const fetched = await fetchCommit(repository, choice, work, context);
    if ('failure' in fetched) return fetched;
    const blobs = await readBlobs(work, choice.commit, root, context);
    if ('failure' in blobs || 'noRoot' in blobs) return blobs;
    writeRecord(path, { commit: choice.commit, files: blobs.files } satisfies SnapshotHeader, blobs.body);
    const snapshot = readRecord<SnapshotHeader>(path);
    if (!snapshot)
      return { failure: { kind: 'other', reason: 'the cache did not keep what was written to it' } };
    return { snapshot, choice, ...(fetched.fallback && { fallback: fetched.fallback }) };
  } finally {
    removeFolder(work);
  }
}

/** Gets one commit, shallow where the server can, with the whole history where it cannot. */
async function fetchCommit(
  repository: Repository,
  choice: Choice,
  work: string,
  context: GitContext,
): Promise<Answer<true>> {
  const format = choice.commit.length === 64 ? 'sha256' : 'sha1';
  const made = await local(work, ['init', '--quiet', '--bare', `--object-format=${format}`], context);
  if (made.kind !== 'done') return { failure: failureOf(made, [], context) };
  let last: Failure = { kind: 'object', reason: `the commit ${choice.commit} is gone` };
  const attempts = [
    ['--depth=1', choice.commit],
    ...(choice.ref ? [['--depth=1', choice.ref]] : []),
    ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
  ];
  for (const attempt of attempts) {
    const options = attempt.filter(part => part.startsWith('--'));
    const wanted = attempt.filter(part => !part.startsWith('--'));
    const answer = await ask(repository, context, address => ({
      folder: work,
      args: [
        'fetch',
        '--progress',
        '--no-tags',
        '--no-write-fetch-head',
        ...options,
        '--',
        address.url,
        ...wanted,
      ],
    }));
    if ('value' in answer) {
      const there = await local(work, ['cat-file', '-e', `${choice.commit}^{commit}`], context);
      if (there.kind === 'done')
        return { value: true, ...(answer.fallback && { fallback: answer.fallback }) };
    } else if (answer.failure.kind === 'object' || answer.failure.kind === 'other') last = answer.failure;
    else return answer;
  }
  return { failure: last };
}

/** The whole hash for the beginning of one, looked up in the history. */
async function completeCommit(
  repository: Repository,
  short: string,
  folder: string,
  context: GitContext,
): Promise<string | { readonly failure: Failure } | undefined> {
  const path = join(folder, `short-${short}`);
  const known = readRecord<{ readonly commit: string }>(path)?.header.commit;
  if (known) return known;
  const work = workFolder(join(context.cacheDir, 'git'));
  try {
    const made = await local(work, ['init', '--quiet', '--bare'], context);
    if (made.kind !== 'done') return { failure: failureOf(made, [], context) };
    const answer = await ask(repository, context, address => ({
      folder: work,
      args: [
        'fetch',
        '--progress',
        '--',
        address.url,
        '+refs/heads/*:refs/heads/*',
        '+refs/tags/*:refs/tags/*',
      ],
    }));
    if ('failure' in answer) return answer;
    const found = await local(work, ['rev-parse', '--verify', '--quiet', `${short}^{commit}`], context);
    const commit = found.kind === 'done' ? found.output.toString('latin1').trim() : '';
    if (!isCommit(commit)) return undefined;
    writeRecord(path, { commit }, []);
    return commit;
  } finally {
    removeFolder(work);
  }
}

interface Blobs {
  readonly files: SnapshotFile[];
  readonly body: Uint8Array[];
}

/**
 * Reads the files of a commit from the object store. Nothing is checked out, so no filter, hook or attribute of
 * the repository or of the user takes part, and no name in it touches the disk.
 */
async function readBlobs(
  work: string,
  commit: string,
  root: string,
  context: GitContext,
): Promise<Blobs | { readonly failure: Failure } | { readonly noRoot: true }> {
  const listed = await local(
    work,
    ['ls-tree', '-r', '-z', '-l', '--full-tree', `${commit}:${root}`],
    context,
  );
  if (listed.kind === 'failed') return { noRoot: true };
  if (listed.kind !== 'done') return { failure: failureOf(listed, [], context) };
  const files: (SnapshotFile & { readonly oid: string })[] = [];
  let total = 0;
  for (const line of listed.output.toString('utf8').split('\0')) {
    const match = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t([\s\S]*)$/.exec(line);
    if (!match) continue;
    const [, mode, oid, digits, path] = match as unknown as [string, string, string, string, string];
    if (innerPath(path) !== path) continue;
    const size = Number(digits);
    const large = size > FILE_LIMIT;
    const kind = large ? 'large' : mode === '120000' ? 'link' : mode === '100755' ? 'script' : 'file';
    if (!large) total += size;
    files.push({ path, kind, sha256: '', offset: 0, size, oid });
  }
  if (total > TOTAL_LIMIT) {
    return {
      failure: { kind: 'other', reason: `its files have more than ${megabytes(TOTAL_LIMIT)} together` },
    };
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = new Map(files.filter(file => file.kind !== 'large').map(file => [file.oid, file.size]));
  const places = new Map<string, { readonly offset: number; readonly sha256: string }>();
  const body: Uint8Array[] = [];
  let offset = 0;
  for (const portion of portionsOf(wanted)) {
    const input = `${portion.join('\n')}\n`;
    const read = await runGit({ folder: work, args: ['cat-file', '--batch'], input, ...timesOf(context) });
    if (read.kind !== 'done') return { failure: failureOf(read, [], context) };
    let at = 0;
    for (const oid of portion) {
      const size = wanted.get(oid)!;
      const start = read.output.indexOf(10, at) + 1;
      const bytes = read.output.subarray(start, start + size);
      if (start === 0 || bytes.length !== size) {
        return { failure: { kind: 'other', reason: `git did not give all of object ${oid}` } };
      }
      body.push(bytes);
      places.set(oid, { offset, sha256: sha256(bytes) });
      offset += size;
      at = start + size + 1;
    }
  }
  return { files: files.map(({ oid, ...file }) => ({ ...file, ...places.get(oid) })), body };
}

function portionsOf(wanted: ReadonlyMap<string, number>): string[][] {
  const portions: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const [oid, bytes] of wanted) {
    if (size + bytes > PORTION) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)!.push(oid);
    size += bytes;
  }
  return portions;
}

const timesOf = (context: GitContext) => ({ silence: context.limits.silence, limit: context.limits.total });

const local = (folder: string, args: readonly string[], context: GitContext): Promise<GitResult> =>
  runGit({ folder, args, ...timesOf(context) });

/** Puts a question to the repository, and to its fallback when access was refused. */
async function ask(
  repository: Repository,
  context: GitContext,
  question: (address: Address) => Pick<GitCall, 'folder' | 'args'>,
): Promise<Answer<Buffer>> {
  if (context.offline) return { failure: { kind: 'network', reason: 'working offline' } };
  const { address, fallback } = repository;
  const known = refused.get(repository);
  if (known && fallback)
    return answered(await askOne(repository, fallback, context, question), fallback, known);
  const first = await askOne(repository, address, context, question);
  if ('value' in first || first.failure.kind !== 'access' || !fallback) return first;
  refused.set(repository, first.failure);
  return answered(await askOne(repository, fallback, context, question), fallback, first.failure);
}

/** Repositories whose first address refused access in this run: it is not asked for every single thing again. */
const refused = new WeakMap<Repository, Failure>();

const answered = (answer: Answer<Buffer>, by: Address, fallback: Failure): Answer<Buffer> =>
  'value' in answer ? { ...answer, fallback } : { ...answer, at: by };

async function askOne(
  repository: Repository,
  address: Address,
  context: GitContext,
  question: (address: Address) => Pick<GitCall, 'folder' | 'args'>,
): Promise<Answer<Buffer>> {
  const call = question(address);
  const passing = !call.args.includes('fetch');
  try {
    const way = await wayTo(repository, address, call.folder, context);
    if ('failure' in way) return way;
    const label = labelOf(address);
    context.progress(`Asking ${label}`);
    const result = await runGit({
      ...call,
      ...way,
      ...timesOf(context),
      progress: (stage, percent) => context.progress(`${label}: ${stage.toLowerCase()} ${percent}%`),
    });
    if (result.kind === 'done') return { value: result.output };
    const secrets = [repository.token, address.password].filter(secret => secret !== undefined);
    return { failure: failureOf(result, secrets, context) };
  } finally {
    if (passing) removeFolder(call.folder);
  }
}

function failureOf(
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
 * How git reaches an address: which protocol it may speak, which credentials it may show and to whom.
 * `url.<base>.insteadOf` of the user counts: what is judged is the address that git will really call.
 */
async function wayTo(
  repository: Repository,
  address: Address,
  folder: string,
  context: GitContext,
): Promise<Pick<GitCall, 'config' | 'environment'> | { readonly failure: Failure }> {
  const rewritten = await local(folder, ['ls-remote', '--get-url', '--', address.url], context);
  if (rewritten.kind !== 'done') return { failure: failureOf(rewritten, [], context) };
  const actual = parseAddress(rewritten.output.toString('utf8').trim(), folder);
  if ('refused' in actual)
    return { failure: { kind: 'redirect', reason: actual.refused, destination: 'another address' } };
  const { origin } = repository.address;
  // The token belongs to the server of the first address; a fallback elsewhere gets none of it.
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
    // A helper, not a header: git asks it only for this origin, so a redirect elsewhere gets nothing. The empty
    // one before it drops the user's helpers, which would otherwise be asked first, or store our token.
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

const quote = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`;

/** The user's own ssh command, or ssh, that never asks, never accepts an unknown host, and gives up in time. */
async function sshCommand(
  keyFile: string | undefined,
  seconds: string,
  folder: string,
  context: GitContext,
): Promise<string> {
  const configured = await local(folder, ['config', '--get', 'core.sshCommand'], context);
  const program = context.env('GIT_SSH');
  const command =
    context.env('GIT_SSH_COMMAND') ||
    (configured.kind === 'done' && configured.output.toString('utf8').trim()) ||
    (program ? quote(program) : 'ssh');
  // Programs such as plink know none of these options.
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
    // The value is read like a line of ssh's configuration: quoted, and with `%` meaning something.
    options.push(
      'IdentitiesOnly=yes',
      `IdentityFile="${keyFile.replace(/[\\"]/g, '\\$&').replace(/%/g, '%%')}"`,
    );
  }
  return `${command} ${options.map(option => `-o ${quote(option)}`).join(' ')}`;
}
