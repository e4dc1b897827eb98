import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import { recognise } from '../../import/recognise.ts';
import { loadsPath } from '../../load/load.ts';
import { type ImportedFile, pointedAt } from '../../migrate/migration.ts';
import type { WithDisk } from '../../session/world.ts';

/** The files of a project, and the other names that links give them. */
export interface FoundPaths {
  readonly root: string;
  readonly found: readonly ImportedFile[];
  readonly links: readonly string[];
}

/**
 * Says for whom a file is: the tools of the project that load it under one of its names, or through a file that only
 * points to it, else those whose place it lies in. Nothing when it is for all of them, or for none that is in use.
 */
export function readersIn(
  { root, found, links }: FoundPaths,
  specs: readonly TargetSpec[],
  { disk }: WithDisk,
): (file: ImportedFile) => { readonly targets?: readonly string[] } {
  const paths = new Set([...found.map(({ path }) => path), ...links]);
  const has = (path: string) => paths.has(path);
  const real = (path: string) => disk.realpath(join(root, path));
  const reals = new Map(links.map(path => [path, real(path)]));
  const pointers = new Map(found.flatMap(file => pointer(file, paths)));
  const loads = (spec: TargetSpec, path: string) => loadsPath(spec, path, has);
  return ({ path }) => {
    const own = real(path);
    const names = [path, ...links.filter(link => reals.get(link) === own)];
    names.push(...[...pointers].filter(([, to]) => names.includes(to)).map(([from]) => from));
    const loaders = specs.filter(spec => names.some(name => loads(spec, name)));
    const owners = specs.filter(spec => names.some(name => isPlaceOf(spec, name)));
    const readers = loaders.length > 0 ? loaders : owners;
    if (readers.length === 0 || readers.length === specs.length) return {};
    return { targets: readers.map(({ id }) => id) };
  };
}

function pointer({ path, imported: { body } }: ImportedFile, paths: ReadonlySet<string>): [string, string][] {
  const to = pointedAt(body, path, paths);
  return to === undefined ? [] : [[path, to]];
}

const isPlaceOf = (spec: TargetSpec, path: string): boolean => recognise(path, [spec])?.spec === spec;
