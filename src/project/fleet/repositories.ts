import { isAbsolute, join, resolve } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import type { Disk, WritableDisk } from '../../host/host.ts';
import { type Address, labelOf, parseAddress } from '../../registry/address.ts';
import { explainFailure, type Failure } from '../../registry/failure.ts';
import { failureIn, type GitContext, localOutput, runWithFallback } from '../../registry/git-transport.ts';
import { configNames } from '../../text/places.ts';
import type { CompileContext } from '../session/world.ts';

/** A repository of a fleet. */
export interface Repository {
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
  /** Whether it was named explicitly, so that a missing project is an error. */
  readonly named?: boolean;
  /** The address to clone it from. */
  readonly address?: Address;
  /** Why it cannot be read. */
  readonly error?: string;
}

const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** The maximum depth of repositories: host/group/group/repository. */
const deepest = 5;

/**
 * The repositories in a folder of clones, or in a file with one path or address per line; empty lines and lines with
 * `#` are skipped. Addresses are cloned into `clones`. `undefined` if the folder or file does not exist.
 */
export function findRepositories(
  path: string,
  cwd: string,
  clones: string,
  disk: Disk,
): Repository[] | undefined {
  const place = resolve(cwd, path);
  const kind = disk.stat(place)?.kind;
  if (kind === 'directory') return below(place, disk);
  const bytes = kind === 'file' ? disk.readBytes(place) : undefined;
  return bytes && listed(new TextDecoder().decode(bytes), join(place, '..'), clones);
}

/** Parses the file. Relative paths are relative to it. */
function listed(text: string, folder: string, clones: string): Repository[] {
  const names = text.split('\n').map(line => line.trim());
  return [...new Set(names)]
    .filter(name => name !== '' && !name.startsWith('#'))
    .map(name =>
      isAddress(name)
        ? repositoryAtAddress(name, clones)
        : { name, root: isAbsolute(name) ? name : join(folder, name), named: true },
    );
}

function below(folder: string, disk: Disk): Repository[] {
  const found: Repository[] = [];
  const look = (name: string, depth: number) => {
    const root = join(folder, name);
    const entries = disk.list(root) ?? [];
    const isRepository = entries.some(entry => ['.git', ...configNames].includes(entry.name));
    if (isRepository) found.push({ name: name || '.', root });
    else if (depth < deepest)
      for (const entry of entries)
        if (entry.kind === 'directory' && !skipped.has(entry.name))
          look(name === '' ? entry.name : `${name}/${entry.name}`, depth + 1);
  };
  look('', 0);
  return found;
}

/** Whether a line is an address: `https://…`, `ssh://…` or `git@host:owner/name`. */
const isAddress = (line: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(line) || /^[^/:@\s]+@[^/:@\s]+:/.test(line);

/** A repository with an address; its clone is in the cache. */
function repositoryAtAddress(line: string, cache: string): Repository {
  const address = parseAddress(line, cache);
  if ('refused' in address) {
    const name = line.replace(/\/\/[^/@]*@/, '//***@');
    return { name, root: cache, named: true, error: `The address cannot be used: ${address.refused}.` };
  }
  const name = labelOf(address).replace(/\/+$/, '');
  const last = name
    .split('/')
    .at(-1)!
    .replace(/[^\w.-]/g, '')
    .slice(0, 40);
  const root = join(cache, `${last}-${sha256(Buffer.from(address.url)).slice(0, 20)}`);
  return { name, root, named: true, address };
}

/** Removes clones that were not fetched since a time in milliseconds. */
export function dropOldClones(cache: string, before: number, disk: WritableDisk): void {
  for (const { name, kind } of disk.list(cache) ?? []) {
    const asked = disk.stat(join(cache, name, '.git', 'FETCH_HEAD'))?.mtimeMs;
    if (kind === 'directory' && asked !== undefined && asked < before) disk.removeTree(join(cache, name));
  }
}

/** The number of parallel fetches. */
const atOnce = 8;

/** Timeouts of a Git call in milliseconds: without output, and in total. */
const limits = { silence: 60_000, total: 1_800_000 };

/**
 * Fetches the repositories of a list as shallow clones of the default branch. A repository that cannot be fetched gets
 * an error.
 */
export async function prepareClones(
  repositories: readonly Repository[],
  { clock, environment, disk, progress }: CompileContext,
): Promise<readonly Repository[]> {
  const now = () => clock().getTime();
  const waiting = [...repositories.keys()].filter(at => repositories[at]!.address);
  if (waiting.length === 0) return repositories;
  const prepared = [...repositories];
  const { length } = waiting;
  let count = 0;
  const work = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      const one = repositories[at]!;
      const context = {
        cacheDir: one.root,
        ttl: 0,
        offline: false,
        limits,
        now,
        environment,
        progress: () => {},
      };
      const failure = await renew(one.root, one.address!, disk, context);
      if (failure) prepared[at] = { ...one, error: inWords(failure, one.address!) };
      progress(`${++count} of ${length} repositories fetched`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, length) }, work));
  return prepared;
}

const inWords = (failure: Failure, address: Address): string =>
  explainFailure(failure, { address, seconds: limits.silence / 1000 }, {}).message;

/** Fetches and checks out the default branch. An incomplete clone is created again. */
async function renew(
  root: string,
  address: Address,
  disk: WritableDisk,
  context: GitContext,
): Promise<Failure | undefined> {
  const isThere = disk.stat(join(root, '.git')) !== undefined;
  const first = await fetchHead(root, address, disk, context);
  if (first?.kind !== 'other' || !isThere) return first;
  disk.removeTree(root);
  return fetchHead(root, address, disk, context);
}

/** Returns why it failed. */
async function fetchHead(
  root: string,
  address: Address,
  disk: WritableDisk,
  context: GitContext,
): Promise<Failure | undefined> {
  const run = (...args: string[]) => localOutput(root, args, context);
  const fetch = ['fetch', '--depth=1', '--no-tags', '--progress'];
  try {
    if (!isClone(root, disk)) {
      disk.makeDirectory(root);
      await run('init', '--quiet');
      await run('config', 'remote.origin.url', address.url);
    }
    await runWithFallback({ address }, root, ({ url }) => [...fetch, '--', url, 'HEAD'], context);
    await run('checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD');
    await run('clean', '--quiet', '-ffdx');
    return undefined;
  } catch (error) {
    const failure = failureIn(error);
    if (!failure) throw error;
    return failure;
  }
}

const isClone = (root: string, disk: Disk): boolean => disk.stat(join(root, '.git', 'config')) !== undefined;
