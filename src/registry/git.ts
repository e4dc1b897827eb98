import { join } from 'node:path';
import { sha256 } from '../host/hash.ts';
import { HostError } from '../host/host.ts';
import { readRecord, withRecordLock, withWorkFolder, writeRecord } from '../host/records.ts';
import { type Address, labelOf } from './address.ts';
import { type Failure, isUnavailable } from './failure.ts';
import { readBlobs } from './git-objects.ts';
import {
  type Answer,
  askLocalGit,
  fetchInto,
  type GitContext,
  type Repository,
  runWithFallback,
} from './git-transport.ts';
import type { Snapshot, SnapshotHeader } from './snapshot.ts';
import {
  type Choice,
  chooseVersion,
  isCommit,
  isShortCommit,
  nearestNames,
  type Refs,
  readRefs,
} from './version.ts';

/**
 * A commit of a repository, ready to be read. `stale` means that the network failed and a cached answer was
 * used.
 */
export interface Checkout {
  readonly snapshot: Snapshot;
  readonly choice: Choice;
  readonly stale?: Failure;
  readonly fallback?: Failure;
}

/** Why a repository cannot be opened at a version. */
export type GitProblem =
  | { readonly failure: Failure; readonly at?: Address }
  | {
      readonly unknownVersion: true;
      readonly nearest: readonly string[];
      readonly defaultBranch?: string | undefined;
    }
  | { readonly noRoot: true }
  /** What is wrong with its tag, as the end of a sentence. */
  | { readonly unsigned: string };

interface StoredRefs {
  readonly fetched: number;
  readonly refs: Refs;
}

/** The cache folder of a repository. */
export const folderOf = (context: Pick<GitContext, 'cacheDir'>, address: Address): string =>
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
 * Opens a repository at a version: from the cache while it is fresh, else with Git. `root` is the directory
 * of the repository to read, `pinned` the commit that the lock file requires. Without a version the
 * configured ref is used.
 */
export function openRepository(
  repository: Repository,
  version: string,
  root: string,
  pinned: Choice | undefined,
  context: GitContext,
): Promise<Checkout | GitProblem> {
  return catchFullDisk(() => openUnguarded(repository, version, root, pinned, context));
}

/** Converts a full disk to a failure, like those of the network. */
export async function catchFullDisk<T>(work: () => Promise<T>): Promise<T | { readonly failure: Failure }> {
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
    } else if (stored && isUnavailable(answer.failure)) {
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
    return {
      unknownVersion: true,
      nearest: refs ? await nearestNames(version, refs) : [],
      defaultBranch: refs?.defaultBranch,
    };
  const result = await snapshotOf(repository, choice, root, folder, context);
  return 'snapshot' in result
    ? { ...result, ...(stale && { stale }), ...(fallback && { fallback }) }
    : result;
}

/** Whether the cache has fresh refs of a repository. */
export function hasFreshRefs(address: Address, context: GitContext): boolean {
  const stored = readRecord<StoredRefs>(join(folderOf(context, address), 'refs'))?.header;
  return stored !== undefined && (context.offline || context.now() - stored.fetched < context.ttl);
}

/** Runs `work` with a temporary folder in the cache. */
export const withGitWorkFolder = <T>(context: GitContext, work: (folder: string) => Promise<T>): Promise<T> =>
  withWorkFolder(join(context.cacheDir, 'git'), work);

/** The current refs of a repository. */
export const refsOf = (repository: Repository, context: GitContext): Promise<Answer<Refs>> =>
  catchFullDisk(() => askRefs(repository, context));

async function askRefs(repository: Repository, context: GitContext): Promise<Answer<Refs>> {
  const args = (address: Address) => ['ls-remote', '--symref', '--', address.url];
  const answer = await withGitWorkFolder(context, work => runWithFallback(repository, work, args, context));
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
  const given = context.localSnapshot?.(choice.commit, root);
  if (given) return { snapshot: given, choice };
  const path = snapshotPath(folder, choice.commit, root);
  const present = readRecord<SnapshotHeader>(path);
  if (present) return { snapshot: present, choice };
  return withRecordLock(`${path}.lock`, context.limits.total, async () => {
    const meanwhile = readRecord<SnapshotHeader>(path);
    if (meanwhile) return { snapshot: meanwhile, choice };
    return fetchSnapshot(repository, choice, root, path, context);
  });
}

/** Fetches a commit again although it is in the cache, because the cached copy is damaged. */
export async function refetchSnapshot(
  repository: Repository,
  choice: Choice,
  root: string,
  context: GitContext,
): Promise<Snapshot | undefined> {
  const path = snapshotPath(folderOf(context, repository.address), choice.commit, root);
  const result = await catchFullDisk(() => fetchSnapshot(repository, choice, root, path, context));
  return 'snapshot' in result ? result.snapshot : undefined;
}

function fetchSnapshot(
  repository: Repository,
  choice: Choice,
  root: string,
  path: string,
  context: GitContext,
): Promise<Checkout | GitProblem> {
  return withGitWorkFolder(context, async work => {
    const fetched = await fetchCommit(repository, choice, work, context);
    if ('failure' in fetched) return fetched;
    const blobs = await readBlobs(fetched.value, choice.commit, root, context);
    if ('failure' in blobs || 'noRoot' in blobs) return blobs;
    writeRecord(path, { commit: choice.commit, files: blobs.files } satisfies SnapshotHeader, blobs.body);
    const snapshot = readRecord<SnapshotHeader>(path);
    if (!snapshot)
      return { failure: { kind: 'other', reason: 'the cache did not keep what was written to it' } };
    return { snapshot, choice, ...(fetched.fallback && { fallback: fetched.fallback }) };
  });
}

/**
 * Fetches one commit: by its id, by the ref that led to it, or with the complete history, depending on what
 * the server allows. Returns the repository that contains it.
 */
async function fetchCommit(
  repository: Repository,
  choice: Choice,
  work: string,
  context: GitContext,
): Promise<Answer<string>> {
  const { commit, ref } = choice;
  let last: Failure = { kind: 'object', reason: `the commit ${commit} is gone` };
  const attempts = [
    { refs: [commit], shallow: true },
    ...(ref ? [{ refs: [ref], shallow: true }] : []),
    { refs: EVERYTHING, shallow: false },
  ];
  for (const [index, attempt] of attempts.entries()) {
    const folder = join(work, String(index));
    const answer = await fetchInto(folder, repository, { commit, ...attempt }, context);
    if ('value' in answer) {
      const there = await askLocalGit(folder, ['cat-file', '-e', `${commit}^{commit}`], context);
      if (there !== undefined) return { ...answer, value: folder };
    } else if (answer.failure.kind === 'object' || answer.failure.kind === 'other') last = answer.failure;
    else return answer;
  }
  return { failure: last };
}

const EVERYTHING = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

/** Completes an abbreviated commit id by searching the history. */
async function completeCommit(
  repository: Repository,
  short: string,
  folder: string,
  context: GitContext,
): Promise<string | { readonly failure: Failure } | undefined> {
  const path = join(folder, `short-${short}`);
  const known = readRecord<{ readonly commit: string }>(path)?.header.commit;
  if (known) return known;
  return withGitWorkFolder(context, async work => {
    const all = join(work, 'all');
    const wanted = { commit: short, refs: EVERYTHING, shallow: false };
    const answer = await fetchInto(all, repository, wanted, context);
    if ('failure' in answer) return answer;
    const args = ['rev-parse', '--verify', '--quiet', `${short}^{commit}`];
    const commit = (await askLocalGit(all, args, context)) ?? '';
    if (!isCommit(commit)) return undefined;
    writeRecord(path, { commit }, []);
    return commit;
  });
}

/** What the cache contains of a repository; the network is not used. */
export interface CachedRepository {
  readonly refs?: Refs;
  /** Files of a version, or of the newest cached one. */
  readonly files: readonly string[];
}

/** Versions and files for completion of a reference. `root` is the directory that is the registry. */
export async function cachedRepository(
  address: Address,
  root: string,
  version: string | undefined,
  cacheDir: string,
): Promise<CachedRepository> {
  const folder = folderOf({ cacheDir }, address);
  const refs = readRecord<StoredRefs>(join(folder, 'refs'))?.header.refs;
  if (!refs) return { files: [] };
  const wanted = version === undefined ? undefined : await chooseVersion(version, refs);
  const tags = [...refs.tags].reverse().map(([, commit]) => commit);
  for (const commit of [wanted?.commit, refs.head, ...tags]) {
    const header = commit && readRecord<SnapshotHeader>(snapshotPath(folder, commit, root))?.header;
    if (header) return { refs, files: header.files.map(({ path }) => path) };
  }
  return { refs, files: [] };
}
