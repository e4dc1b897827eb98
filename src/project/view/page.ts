import { join } from 'node:path';
import { cacheDirectory } from '../../host/cache-dir.ts';
import { sha256 } from '../../host/hash.ts';
import { writeAtomically } from '../../host/records.ts';

/** Keeps a page about a project in the cache of its user, instead of the one before; gives its path. */
export function keepPage(root: string, page: string, environment: NodeJS.ProcessEnv): string {
  const path = join(cacheDirectory(environment), 'view', `${sha256(Buffer.from(root)).slice(0, 16)}.html`);
  writeAtomically(path, [Buffer.from(page)]);
  return path;
}
