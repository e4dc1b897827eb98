import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { type ProjectTexts, wholeTexts } from '../../load/load.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { FoundFiles } from './scan.ts';

/** A tool that would always load more than before, and the file that brings it. */
export interface Grown {
  readonly tool: string;
  readonly path: string;
  readonly before: number;
  readonly after: number;
}

/** The first tool in use for which a compile would make larger what it always loads. */
export function findGrowth(
  specs: readonly TargetSpec[],
  entries: readonly PlanEntry[],
  found: FoundFiles,
  root: string,
  disk: Disk,
): Grown | undefined {
  const written = new Map(
    entries.flatMap(({ path, action, content }) =>
      action === 'write' && content ? [[path, new TextDecoder().decode(content)] as const] : [],
    ),
  );
  const isFile = (path: string) => disk.stat(join(root, path))?.kind === 'file';
  const now: ProjectTexts = {
    has: isFile,
    get: path => new TextDecoder().decode(disk.readBytes(join(root, path))),
  };
  const then: ProjectTexts = {
    has: path => written.has(path) || isFile(path),
    get: path => written.get(path) ?? now.get(path),
  };
  // A session that reads a file in every folder with a main file.
  const read = [...new Set(found.files.map(({ path }) => path.replace(/[^/]*$/, 'file')))];
  for (const spec of specs) {
    const [was, is] = [now, then].map(texts => wholeTexts(spec, texts, { at: '', read }));
    const size = (parts: typeof was) =>
      parts!.reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0);
    if (size(is) <= size(was)) continue;
    const known = new Map(was!.map(({ path, text }) => [path, text]));
    const cause = is!.find(({ path, text }) => known.get(path) !== text) ?? is![0]!;
    return { tool: spec.title, path: cause.path, before: size(was), after: size(is) };
  }
  return undefined;
}
