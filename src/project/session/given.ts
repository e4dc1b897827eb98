import { type MemoryFile, memoryDisk } from '../../host/memory.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { CompileContext } from './world.ts';

/** Texts by their paths, as files of such a world. */
export const textFiles = (texts: Readonly<Record<string, string>>): (readonly [string, MemoryFile])[] =>
  Object.entries(texts).map(([path, content]) => [path, { content }]);

/** A world of given files, by their paths below `root`: no machine, no network, no variables, and always the same time. */
export const virtualContext = (
  root: string,
  files: Iterable<readonly [string, MemoryFile]>,
  report: Report,
): CompileContext => ({
  disk: memoryDisk(root, new Map(files)),
  isolated: true,
  clock: () => new Date(0),
  cwd: root,
  environment: {},
  report,
  progress: () => {},
});
