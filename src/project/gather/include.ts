import { join } from 'node:path';
import type { Disk } from '../../host/host.ts';

/** Folders that hold other people's files, or nothing that is a source. */
const skipped = new Set(['node_modules', '.git', '.state']);

/**
 * Files of a project that `input.include` matches and `input.exclude` does not, in path order. Paths are relative to
 * the root and `/`-separated; links are not followed.
 */
export async function findIncluded(
  disk: Disk,
  root: string,
  {
    include = [],
    exclude = [],
  }: { readonly include?: readonly string[]; readonly exclude?: readonly string[] },
): Promise<readonly string[]> {
  if (include.length === 0) return [];
  const { default: picomatch } = await import('picomatch');
  const plain = (pattern: string) => pattern.replace(/^\.\//, '');
  const wanted = picomatch(include.map(plain), { dot: true });
  const unwanted = exclude.length > 0 ? picomatch(exclude.map(plain), { dot: true }) : () => false;
  const found = new Set<string>();
  const searched = new Set<string>();
  const search = (folder: string): void => {
    if (searched.has(folder)) return;
    searched.add(folder);
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      const path = folder ? `${folder}/${name}` : name;
      if (kind === 'directory' && !skipped.has(name)) search(path);
      else if (kind === 'file' && wanted(path) && !unwanted(path)) found.add(path);
    }
  };
  for (const pattern of include.map(plain)) {
    const { base, isGlob } = picomatch.scan(pattern);
    const start = isGlob ? base : base.split('/').slice(0, -1).join('/');
    search(start === '.' ? '' : start);
  }
  return [...found].sort();
}
