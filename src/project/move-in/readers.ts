import { basename, dirname, join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { recognise } from '../../migrate/import/recognise.ts';
import type { UnreplacedFile } from '../../migrate/takeover.ts';
import { loadsPath, readsOrReadMain } from '../../spec/loading/load.ts';
import type { WithDisk } from '../session/world.ts';

/** The tools that take a file: as a main file that they load, or for its place. `has` says which files there are. */
export const readersOf = (
  path: string,
  specs: readonly TargetSpec[],
  has: (path: string) => boolean,
): TargetSpec[] => specs.filter(spec => loadsPath(spec, path, has) || isPlaceOf(spec, path));

/** Whether a file lies in a place of a tool. */
export const isPlaceOf = (spec: TargetSpec, path: string): boolean => recognise(path, [spec])?.spec === spec;

/** A file that stays in use although nothing replaces it. */
export interface StillRead extends UnreplacedFile {
  /** A tool reads it as its main file, at the root or of a folder. */
  readonly isMain: boolean;
}

/** Files that no output replaces, with the tools that go on reading them. */
export function stillRead(
  paths: readonly string[],
  planned: ReadonlySet<string>,
  used: readonly TargetSpec[],
  root: string,
  { disk }: WithDisk,
): StillRead[] {
  const real = (path: string) => disk.realpath(join(root, path)) ?? join(root, path);
  // A link is replaced by what is written in its place, and what it leads to stays; folders that are links stay.
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

/** Where a file lies or would lie, by the links of its folders; with `follow` a link in its place is followed, too. */
export function resolvePlace(path: string, follow: boolean, disk: Disk): string {
  const real = follow ? disk.realpath(path) : undefined;
  const folder = disk.realpath(dirname(path));
  return real ?? (folder === undefined ? path : join(folder, basename(path)));
}
