import { basename, dirname, join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { recognise } from '../../migrate/import/recognise.ts';
import type { UnreplacedFile } from '../../migrate/takeover.ts';
import { loadsPath, readsOrReadMain } from '../../spec/loading/load.ts';
import type { WithDisk } from '../session/world.ts';

/**
 * The tools that read a file: as a main file, or because it lies in one of their places. `has` tests whether a file
 * exists.
 */
export const readersOf = (
  path: string,
  specs: readonly TargetSpec[],
  has: (path: string) => boolean,
): TargetSpec[] => specs.filter(spec => loadsPath(spec, path, has) || isPlaceOf(spec, path));

/** Whether a file lies in a place of a tool. */
export const isPlaceOf = (spec: TargetSpec, path: string): boolean => recognise(path, [spec])?.spec === spec;

/** A file that is still read, because no output replaces it. */
export interface StillRead extends UnreplacedFile {
  /** A tool reads it as a main file, at the root or in a folder. */
  readonly isMain: boolean;
}

/** Files that no output replaces, with the tools that continue to read them. */
export function stillRead(
  paths: readonly string[],
  planned: ReadonlySet<string>,
  used: readonly TargetSpec[],
  root: string,
  { disk }: WithDisk,
): StillRead[] {
  const real = (path: string) => disk.realpath(join(root, path)) ?? join(root, path);
  // An output replaces a link, and the file that the link leads to stays; folders that are links stay.
  const written = new Set([...planned].map(path => resolvePlace(join(root, path), false, disk)));
  const has = (path: string) => disk.stat(join(root, path))?.kind === 'file';
  return paths.flatMap(path => {
    if (written.has(real(path))) return [];
    const tools = readersOf(path, used, has).map(({ title }) => title);
    return tools.length > 0
      ? [{ path, tools, isMain: used.some(spec => readsOrReadMain(spec, path, has)) }]
      : [];
  });
}

/**
 * The real path of a file that exists or will exist: links in its folders are resolved; with `follow`, a link at the
 * path itself is resolved, too.
 */
export function resolvePlace(path: string, follow: boolean, disk: Disk): string {
  const real = follow ? disk.realpath(path) : undefined;
  const folder = disk.realpath(dirname(path));
  return real ?? (folder === undefined ? path : join(folder, basename(path)));
}
