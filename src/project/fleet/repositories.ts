import { isAbsolute, join, resolve } from 'node:path';
import type { Disk } from '../../host/host.ts';
import { isAddress, repositoryAtAddress } from './addresses.ts';
import type { Repository } from './repository.ts';

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
