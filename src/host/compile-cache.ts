import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './home.ts';

/**
 * Available from Node 22. Node validates the cached code, and does not use the cache when
 * `NODE_DISABLE_COMPILE_CACHE` is set.
 */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };

/**
 * Lets Node cache the compiled code of this program in the user's cache folder. Does nothing when another
 * user owns or can write to the folder, or in CI, where the cache is discarded.
 */
export function cacheCompiledCode(): void {
  if (!enableCompileCache || process.env.CI) return;
  const folder = join(cacheDirectory(process.env), 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn = !process.getuid || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
    if (found.isDirectory() && isOwn) enableCompileCache(folder);
  } catch {
    // Without a cache the code is compiled on each run.
  }
}
