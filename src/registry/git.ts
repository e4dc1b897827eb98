import { join } from 'node:path';
import { batchContents, type TreeEntry, treeEntries } from '../host/git.ts';
import { sha256 } from '../host/hash.ts';
import { readRecord, withWorkFolder, writeRecord } from '../host/records.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { megabyte, megabytes, sourceLimit } from '../text/sizes.ts';
import { type Address, labelOf } from './address.ts';
import { type Failure, isUnavailable } from './failure.ts';
import {
  type Answer,
  askLocalGit,
  failureIn,
  fetchInto,
  type GitContext,
  GitError,
  type GitSource,
  localOutput,
  otherFailure,
  outputOf,
  type Repository,
  runLocalGit,
  runWithFallback,
} from './git-transport.ts';
import type { Snapshot, SnapshotFile, SnapshotHeader } from './snapshot.ts';
import { type Choice, chooseVersion, isCommit, nearestNames, type Refs, readRefs } from './version.ts';

/**
 * A commit of a repository, ready to be read. `stale` means that the network failed and a cached answer was
 * used.
 */
export interface Checkout {
  readonly snapshot: Snapshot;
  readonly choice: Choice;
  readonly stale?: Failure | undefined;
  readonly usesFallback?: boolean;
}

/** Refs of a repository, and how they were obtained. */
interface ListedRefs extends Pick<Checkout, 'stale' | 'usesFallback'> {
  readonly refs: Refs;
}

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

const storedRefs = (context: Pick<GitContext, 'cacheDir'>, address: Address): StoredRefs | undefined =>
  readRecord<StoredRefs>(join(folderOf(context, address), 'refs'))?.header;

/**
 * Opens a repository at a version: from the cache while it is fresh, else with Git. `pinned` is the commit that
 * the lock file requires. Throws `GitError`.
 */
export async function openRepository(
  source: Omit<GitSource, 'source' | 'name'>,
  pinned: Choice | undefined,
  context: GitContext,
): Promise<Checkout> {
  const { repository, version } = source;
  if (pinned) return snapshotOf(source, pinned, context);
  if (isCommit(version)) return snapshotOf(source, { commit: version, name: version }, context);

  const stored = storedRefs(context, repository.address);
  const age = stored ? context.now() - stored.fetched : Number.POSITIVE_INFINITY;
  const fresh = stored && age >= 0 && age < context.ttl ? stored.refs : undefined;
  const known = fresh && (await chooseVersion(version, fresh));
  if (known) return snapshotOf(source, known, context);
  const { refs, stale, usesFallback = false } = await currentRefs(repository, stored?.refs, context);
  const choice = await chooseVersion(version, refs);
  if (!choice) {
    const nearest = await nearestNames(version, refs);
    throw new GitError({ unknownVersion: true, nearest, defaultBranch: refs.defaultBranch });
  }
  const checkout = await snapshotOf(source, choice, context);
  return { ...checkout, stale, usesFallback: usesFallback || checkout.usesFallback === true };
}

/** Requests the refs of a repository and stores them. Returns older ones when the network fails. */
async function currentRefs(
  repository: Repository,
  older: Refs | undefined,
  context: GitContext,
): Promise<ListedRefs> {
  try {
    const answer = await askRefs(repository, context);
    const stored: StoredRefs = { fetched: context.now(), refs: answer.refs };
    writeRecord(join(folderOf(context, repository.address), 'refs'), stored, []);
    return answer;
  } catch (error) {
    const stale = failureIn(error);
    if (!older || !stale || !isUnavailable(stale)) throw error;
    return { refs: older, stale };
  }
}

/** Runs `work` with a temporary folder in the cache. */
export const withGitWorkFolder = <T>(context: GitContext, work: (folder: string) => Promise<T>): Promise<T> =>
  withWorkFolder(join(context.cacheDir, 'git'), work);

/** Requests the current refs of a repository. Throws `GitError`. */
export async function askRefs(repository: Repository, context: GitContext): Promise<ListedRefs> {
  const args = (address: Address) => ['ls-remote', '--symref', '--', address.url];
  const answer = await withGitWorkFolder(context, work => runWithFallback(repository, work, args, context));
  return { refs: readRefs(answer.output.toString('utf8')), usesFallback: answer.usesFallback };
}

/** Fetches a commit into the cache, unless it is there, and opens it. */
async function snapshotOf(
  { repository, root }: Pick<GitSource, 'repository' | 'root'>,
  choice: Choice,
  context: GitContext,
): Promise<Checkout> {
  const given = context.localSnapshot?.(choice.commit, root);
  if (given) return { snapshot: given, choice };
  const path = snapshotPath(folderOf(context, repository.address), choice.commit, root);
  const stored = readRecord<SnapshotHeader>(path);
  if (stored) return { snapshot: stored, choice };
  return withGitWorkFolder(context, async work => {
    const { folder, usesFallback } = await fetchCommit(repository, choice, work, context);
    const { files, body } = await readBlobs(folder, choice.commit, root, context);
    const header = { commit: choice.commit, files };
    writeRecord(path, header, body);
    return { snapshot: { header, body: Buffer.concat(body) }, choice, usesFallback };
  });
}

/**
 * Fetches one commit: by its id, or with the complete history where the server does not allow that. Returns the folder of the repository that contains it.
 */
async function fetchCommit(
  repository: Repository,
  { commit }: Choice,
  work: string,
  context: GitContext,
): Promise<Pick<Answer, 'usesFallback'> & { readonly folder: string }> {
  let last: Failure = { kind: 'object', reason: `the commit ${commit} is gone` };
  const attempts = [
    { refs: [commit], shallow: true },
    { refs: ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'], shallow: false },
  ];
  for (const [index, attempt] of attempts.entries()) {
    const folder = join(work, String(index));
    try {
      const answer = await fetchInto(folder, repository, { commit, ...attempt }, context);
      const found = await askLocalGit(folder, ['cat-file', '-e', `${commit}^{commit}`], context);
      if (found !== undefined) return { ...answer, folder };
    } catch (error) {
      const failure = failureIn(error);
      if (!isRefRefused(failure)) throw error;
      last = failure;
    }
  }
  throw new GitError({ failure: last });
}

/** Whether a request failed because the server does not give a ref or commit. */
export const isRefRefused = (failure: Failure | undefined): failure is Failure =>
  failure?.kind === 'object' || failure?.kind === 'other';

/** The maximum total size of the blobs of a snapshot, in bytes. */
const TOTAL_LIMIT = 256 * megabyte;
/** Blobs are read from Git in portions of this many bytes, so that at most one portion is in memory twice. */
const PORTION = 32 * megabyte;

/**
 * Reads the files of a commit from the object store. Nothing is checked out, so filters, hooks and attributes
 * of the repository or the user do not run, and its file names are not created on disk.
 */
async function readBlobs(
  work: string,
  commit: string,
  root: string,
  context: GitContext,
): Promise<{ readonly files: SnapshotFile[]; readonly body: Uint8Array[] }> {
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', `${commit}:${root}`];
  const listed = await runLocalGit(work, args, context);
  if (listed.kind === 'failed') throw new GitError({ noRoot: true });
  const entries = treeEntries(outputOf(listed, [], context))
    .filter(({ path }) => normalizeInnerPath(path) === path)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const small = entries.filter(({ size }) => size <= sourceLimit);
  if (small.reduce((total, { size }) => total + size, 0) > TOTAL_LIMIT)
    throw new GitError(otherFailure(`its files have more than ${megabytes(TOTAL_LIMIT)} together`));
  const places = new Map<string, Pick<SnapshotFile, 'offset' | 'sha256'>>();
  const body: Uint8Array[] = [];
  let offset = 0;
  for (const portion of portionsOf(small)) {
    const input = `${portion.map(({ blob }) => blob).join('\n')}\n`;
    const output = await localOutput(work, ['cat-file', '--batch'], context, { input });
    for (const [index, bytes] of batchContents(output, portion).entries()) {
      const { blob, size } = portion[index]!;
      if (!bytes) throw new GitError(otherFailure(`git did not give all of object ${blob}`));
      body.push(bytes);
      places.set(blob, { offset, sha256: sha256(bytes) });
      offset += size;
    }
  }
  const files = entries.map(({ path, kind, blob, size }) => ({
    path,
    kind: size > sourceLimit ? ('large' as const) : kind,
    sha256: '',
    offset: 0,
    size,
    ...places.get(blob),
  }));
  return { files, body };
}

/** Groups blobs, without duplicates, by portions. */
function portionsOf(entries: readonly TreeEntry[]): TreeEntry[][] {
  const portions: TreeEntry[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const entry of new Map(entries.map(one => [one.blob, one])).values()) {
    if (total + entry.size > PORTION) {
      portions.push([]);
      total = 0;
    }
    portions.at(-1)!.push(entry);
    total += entry.size;
  }
  return portions;
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
  const refs = storedRefs({ cacheDir }, address)?.refs;
  if (!refs) return { files: [] };
  const wanted = version === undefined ? undefined : await chooseVersion(version, refs);
  const tags = [...refs.tags].reverse().map(([, commit]) => commit);
  for (const commit of [wanted?.commit, refs.head, ...tags]) {
    const header = commit && readRecord<SnapshotHeader>(snapshotPath(folder, commit, root))?.header;
    if (header) return { refs, files: header.files.map(({ path }) => path) };
  }
  return { refs, files: [] };
}
