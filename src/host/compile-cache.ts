import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './cache-dir.ts';

/** Node 22 has it. It checks what it reads, and leaves the cache alone while `NODE_DISABLE_COMPILE_CACHE` is set. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };

/**
 * Lets Node keep compiled code of this program in the cache of the user. Not in a folder that others own or may write to,
 * nor on machines of continuous integration, which throw it away.
 */
export function keepCompiledCode(): void {
  if (!enableCompileCache || process.env.CI) return;
  const folder = join(cacheDirectory(process.env), 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn = !process.getuid || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
    if (found.isDirectory() && isOwn) enableCompileCache(folder);
  } catch {
    // Without a cache the code is compiled each time.
  }
}
