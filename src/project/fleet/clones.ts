import { join } from 'node:path';
import type { Disk, WritableDisk } from '../../host/host.ts';
import { withRecordLock } from '../../host/records.ts';
import type { Address } from '../../registry/address.ts';
import { explainFailure } from '../../registry/explain.ts';
import type { Failure } from '../../registry/failure.ts';
import { failureOf, type GitContext, runLocalGit, runWithFallback } from '../../registry/git-transport.ts';
import type { CompileContext } from '../session/world.ts';
import type { Repository } from './repositories.ts';

/** So many servers are waited for at once. */
const atOnce = 8;

/** Milliseconds after which a call of Git is given up: without a sign of life, and altogether. */
const limits = { silence: 60_000, total: 1_800_000 };

/**
 * Brings the clones of a list to what their servers have now: shallow ones of the default branch, which nobody works
 * in. A repository that cannot be had keeps the reason.
 */
export async function prepareClones(
  repositories: readonly Repository[],
  { clock, environment, disk, progress }: CompileContext,
): Promise<readonly Repository[]> {
  const now = () => clock().getTime();
  const env = (name: string) => environment[name];
  const waiting = [...repositories.keys()].filter(at => repositories[at]!.address);
  if (waiting.length === 0) return repositories;
  const prepared = [...repositories];
  const { length } = waiting;
  let count = 0;
  const work = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const one = repositories[at]!;
      const context = { cacheDir: one.root, ttl: 0, offline: false, limits, now, env, progress: () => {} };
      const failure = await renew(one.root, one.address!, disk, context);
      if (failure) prepared[at] = { ...one, error: inWords(failure, one.address!) };
      progress(`${++count} of ${length} repositories fetched`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, length) }, work));
  return prepared;
}

const inWords = (failure: Failure, address: Address): string => {
  const tried = [address.shown];
  const facts = {
    address,
    tried,
    hasToken: false,
    hasKey: false,
    seconds: limits.silence / 1000,
    http: false,
  };
  return explainFailure(failure, facts, {}).message;
};

/** Fetches the default branch and checks it out; what a stopped run left half done is made anew. */
function renew(
  root: string,
  address: Address,
  disk: WritableDisk,
  context: GitContext,
): Promise<Failure | undefined> {
  return withRecordLock(`${root}.lock`, limits.total, async () => {
    const isThere = disk.stat(join(root, '.git')) !== undefined;
    const first = await fetchHead(root, address, disk, context);
    if (first?.kind !== 'other' || !isThere) return first;
    disk.removeTree(root);
    return fetchHead(root, address, disk, context);
  });
}

async function fetchHead(
  root: string,
  address: Address,
  disk: WritableDisk,
  context: GitContext,
): Promise<Failure | undefined> {
  const run = async (...args: string[]): Promise<Failure | undefined> => {
    const result = await runLocalGit(root, args, context);
    return result.kind === 'done' ? undefined : failureOf(result, [], context);
  };
  if (!isClone(root, disk)) {
    disk.makeDirectory(root);
    const failed = (await run('init', '--quiet')) ?? (await run('config', 'remote.origin.url', address.url));
    if (failed) return failed;
  }
  const fetch = ['fetch', '--depth=1', '--no-tags', '--progress'];
  const fetched = await runWithFallback(
    { address },
    root,
    ({ url }) => [...fetch, '--', url, 'HEAD'],
    context,
  );
  if ('failure' in fetched) return fetched.failure;
  return (
    (await run('checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD')) ??
    (await run('clean', '--quiet', '-ffdx'))
  );
}

const isClone = (root: string, disk: Disk): boolean => disk.stat(join(root, '.git', 'config')) !== undefined;
