import type { Report } from '../diagnostics/diagnostic.ts';
import { type MemoryFile, memoryDisk } from '../host/memory.ts';
import type { Compiling } from './world.ts';

/** A world of given files, by their paths below `root`: no machine, no network, no variables, and always the same time. */
export const givenWorld = (
  root: string,
  files: Iterable<readonly [string, MemoryFile]>,
  report: Report,
): Compiling => ({
  disk: memoryDisk(root, new Map(files)),
  detached: true,
  clock: () => new Date(0),
  cwd: root,
  environment: {},
  report,
  progress: () => {},
});
