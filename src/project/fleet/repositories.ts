import { isAbsolute, join, resolve } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import type { Disk, WritableDisk } from '../../host/host.ts';
import { type Address, labelOf, parseAddress } from '../../registry/address.ts';

/** A repository of a fleet: how it is called, and where it lies. */
export interface Repository {
  readonly name: string;
  /** Absolute. */
  readonly root: string;
  /** Somebody named it: then it is wrong that there is no project in it. */
  readonly named?: boolean;
  /** Where it is cloned from, when a list has its address. */
  readonly address?: Address;
  /** Why it cannot be read. */
  readonly error?: string;
}

const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Repositories lie so deep below a folder of clones at most: host/group/group/repository. */
const deepest = 5;

/**
 * The repositories of a folder of clones (or the one that the folder is), or of a file with a path or an address in each line;
 * empty lines and those that begin with `#` do not count. Clones of addresses lie in `clones`. `undefined`: there is no
 * such folder or file.
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

/** Paths and addresses as a list has them; relative paths start where the list lies. */
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
    const isRepository = entries.some(entry => entry.name === '.git' || /^instr\.ya?ml$/.test(entry.name));
    if (isRepository) found.push({ name: name || '.', root });
    else if (depth < deepest)
      for (const entry of entries)
        if (entry.kind === 'directory' && !skipped.has(entry.name))
          look(name === '' ? entry.name : `${name}/${entry.name}`, depth + 1);
  };
  look('', 0);
  return found;
}

/** Whether a line of a list is the address of a repository: `https://…`, `ssh://…`, `git@host:owner/name`. */
const isAddress = (line: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(line) || /^[^/:@\s]+@[^/:@\s]+:/.test(line);

/** A repository behind an address; it lies in the cache once it was cloned. */
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

/** Removes clones that no plan has asked for since a time, in milliseconds. */
export function dropOldClones(cache: string, before: number, disk: WritableDisk): void {
  for (const { name, kind } of disk.list(cache) ?? []) {
    const asked = disk.stat(join(cache, name, '.git', 'FETCH_HEAD'))?.mtimeMs;
    if (kind === 'directory' && asked !== undefined && asked < before) disk.removeTree(join(cache, name));
  }
}
