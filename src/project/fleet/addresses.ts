import { join } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import type { WritableDisk } from '../../host/host.ts';
import { labelOf, parseAddress } from '../../registry/address.ts';
import type { Repository } from './repository.ts';

/** Whether a line of a list is the address of a repository: `https://…`, `ssh://…`, `git@host:owner/name`. */
export const isAddress = (line: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(line) || /^[^/:@\s]+@[^/:@\s]+:/.test(line);

/** A repository behind an address; it lies in the cache once it was cloned. */
export function repositoryAtAddress(line: string, cache: string): Repository {
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

/** Removes clones that no plan has asked for since a time, in milliseconds. */
export function dropOldClones(cache: string, before: number, disk: WritableDisk): void {
  for (const { name, kind } of disk.list(cache) ?? []) {
    const asked = disk.stat(join(cache, name, '.git', 'FETCH_HEAD'))?.mtimeMs;
    if (kind === 'directory' && asked !== undefined && asked < before) disk.removeTree(join(cache, name));
  }
}
