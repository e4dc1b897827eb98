import { type MemoryFile, memoryDisk } from '../../host/overlay.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { CompileContext } from './world.ts';

/** Files of a virtual project from their texts. */
export const textFiles = (texts: Readonly<Record<string, string>>): (readonly [string, MemoryFile])[] =>
  Object.entries(texts).map(([path, content]) => [path, { content }]);

/** An isolated context with given files below `root`, without variables and with a constant time. */
export const virtualContext = (
  root: string,
  files: Iterable<readonly [string, MemoryFile]>,
  report: Report,
): CompileContext => ({
  disk: memoryDisk(root, files),
  isolated: true,
  clock: () => new Date(0),
  cwd: root,
  environment: {},
  report,
  progress: () => {},
});
