import { basename, dirname, join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import { recognise } from '../../import/recognise.ts';
import { loadsPath, takesMain } from '../../load/load.ts';
import type { Unreplaced } from '../../migrate/takeover.ts';
import type { WithDisk } from '../../session/world.ts';

/** A file that stays in use beside what is written. */
export interface Beside extends Unreplaced {
  /** A tool reads it as its main file, at the root or of a folder. */
  readonly isMain: boolean;
}

/** Files that no output replaces, with the tools that go on reading them. */
export function unreplaced(
  files: readonly { readonly path: string }[],
  planned: ReadonlySet<string>,
  used: readonly TargetSpec[],
  root: string,
  { disk }: WithDisk,
): Beside[] {
  const real = (path: string) => disk.realpath(join(root, path)) ?? join(root, path);
  // A link is replaced by what is written in its place, and what it leads to stays; folders that are links stay.
  const written = new Set([...planned].map(path => placeOf(join(root, path), disk)));
  const has = (path: string) => disk.stat(join(root, path))?.kind === 'file';
  return files
    .filter(({ path }) => !written.has(real(path)))
    .map(({ path }) => ({
      path,
      tools: readersOf(path, used, has).map(({ title }) => title),
      isMain: used.some(spec => takesMain(spec, path, has)),
    }))
    .filter(({ tools }) => tools.length > 0);
}

/** Where a file lies, by the links of its folders. */
function placeOf(path: string, disk: WithDisk['disk']): string {
  const folder = disk.realpath(dirname(path));
  return folder === undefined ? path : join(folder, basename(path));
}

/** The tools that take a file: as a main file that they load, or for its place. `has` says which files there are. */
export const readersOf = (
  path: string,
  specs: readonly TargetSpec[],
  has: (path: string) => boolean,
): TargetSpec[] => specs.filter(spec => loadsPath(spec, path, has) || recognise(path, [spec])?.spec === spec);
