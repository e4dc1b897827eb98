import { join } from 'node:path';
import type { Disk } from '../../host/host.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { ProjectTexts } from '../../spec/loading/load.ts';

/** The files of the project after a compile: planned ones as planned, everything else as it is. */
export function projectTexts(root: string, entries: readonly PlanEntry[], disk: Disk): ProjectTexts {
  const planned = new Map(entries.map(entry => [entry.path, entry]));
  const known = new Map<string, string | undefined>();
  const decoder = new TextDecoder();
  const read = (path: string): string | undefined => {
    const entry = planned.get(path);
    if (entry?.action === 'delete') return undefined;
    if (entry?.content) return decoder.decode(entry.content);
    const bytes = disk.stat(join(root, path))?.kind === 'file' ? disk.readBytes(join(root, path)) : undefined;
    return bytes && decoder.decode(bytes);
  };
  const get = (path: string): string | undefined => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
  const isLink = (path: string) => disk.lstat(join(root, path))?.kind === 'link';
  return { has: path => get(path) !== undefined, get, isLink };
}
