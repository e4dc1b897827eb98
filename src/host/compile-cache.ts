import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './home.ts';
import { isOwn } from './own-file.ts';

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
    if (found.isDirectory() && isOwn(found)) enableCompileCache(folder);
  } catch {
    // Without a cache the code is compiled on each run.
  }
}
