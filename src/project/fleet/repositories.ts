import { isAbsolute, join, resolve } from 'node:path';
import type { Disk } from '../../host/host.ts';
import { withoutUser } from '../../registry/address.ts';
import { configNames } from '../../text/places.ts';

/** A repository of a fleet. */
export interface Repository {
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
  /** Whether it was named explicitly, so that a missing project is an error. */
  readonly named?: boolean;
  /** Why it cannot be read. */
  readonly error?: string;
}

const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** The maximum depth of repositories: host/group/group/repository. */
const deepest = 5;

/**
 * The repositories in a folder of clones, or in a file with one path per line; empty lines and lines with `#` are skipped.
 * `undefined` if the folder or file does not exist.
 */
export function findRepositories(path: string, cwd: string, disk: Disk): Repository[] | undefined {
  const place = resolve(cwd, path);
  const kind = disk.stat(place)?.kind;
  if (kind === 'directory') return below(place, disk);
  const bytes = kind === 'file' ? disk.readBytes(place) : undefined;
  return bytes && listed(new TextDecoder().decode(bytes), join(place, '..'));
}

/** Parses the file. Relative paths are relative to it. An address is not cloned. */
function listed(text: string, folder: string): Repository[] {
  const names = text.split('\n').map(line => line.trim());
  return [...new Set(names)]
    .filter(name => name !== '' && !name.startsWith('#'))
    .map(name => {
      const root = isAbsolute(name) ? name : join(folder, name);
      if (!isAddress(name)) return { name, root, named: true };
      const error = 'It is an address; clone it, and list the path of the clone.';
      return { name: withoutUser(name), root, named: true, error };
    });
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
