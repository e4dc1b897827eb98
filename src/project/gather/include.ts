import { join } from 'node:path';
import { includeUnmatched } from '../../generated/diagnostics.ts';
import type { Disk } from '../../host/host.ts';
import { placeInProject } from '../../host/relative-path.ts';
import { compileGlobs, globBase, isExclusion, normalizeGlob } from '../../text/globs.ts';
import { joinPath, leavesRoot, normalizePath } from '../../text/paths.ts';
import type { Project } from '../open/open.ts';
import type { WithDisk, WithReport } from '../session/world.ts';

/** Folders with third-party files, or without sources. */
const skipped = new Set(['node_modules', '.git', '.state']);

/** Milliseconds of search before the event loop runs, so that a user can stop the program. */
const stretch = 50;

/**
 * Files of a project that `input.include` matches and `input.exclude` does not, in path order. Paths are relative to
 * the root and `/`-separated; links are not followed. A pattern without a file is
 * reported: sources are missing.
 */
export async function findIncluded(
  { loaded, root }: Project,
  { disk, report }: WithDisk & WithReport,
): Promise<readonly string[]> {
  const { include = [], exclude = [] } = loaded.config.input;
  if (include.length === 0) return [];
  const wanted = include.map(pattern => ({ pattern, matches: compileGlobs([pattern]), found: 0 }));
  const excluded = compileGlobs([
    ...exclude,
    ...include.filter(isExclusion).map(pattern => pattern.slice(1)),
  ]);
  const found = new Set<string>();
  const searched = new Set<string>();
  let pause = performance.now() + stretch;
  const realRoot = disk.realpath(root) ?? root;
  const isInside = (folder: string) => {
    const real = folder === '' ? realRoot : disk.realpath(join(root, folder));
    return real !== undefined && placeInProject(realRoot, real) !== undefined;
  };
  const waiting = include
    .filter(pattern => !isExclusion(pattern))
    .flatMap(startOf)
    .filter(isInside);
  for (let at = 0; at < waiting.length; at++) {
    const folder = waiting[at]!;
    if (searched.has(folder)) continue;
    searched.add(folder);
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      if (performance.now() > pause) {
        await new Promise(setImmediate);
        pause = performance.now() + stretch;
      }
      const path = joinPath(folder, name);
      if (kind === 'directory' && !skipped.has(name)) waiting.push(path);
      else if (kind === 'file') {
        const matching = wanted.filter(({ matches }) => matches(path));
        for (const one of matching) one.found += 1;
        if (matching.length > 0 && !excluded(path)) found.add(path);
      }
    }
  }
  for (const [index, { pattern, found }] of wanted.entries()) {
    if (found > 0 || isExclusion(pattern)) continue;
    const span = loaded.spanOf(['input', 'include', index]);
    report(includeUnmatched({ pattern }, { span, hint: adviceFor(pattern, root, disk) }));
  }
  return [...found].sort();
}

/** The folder in which the search for a pattern starts; `undefined` when it is outside the project. */
function startOf(pattern: string): string[] {
  const { base } = globBase(pattern);
  return leavesRoot(base) || leavesRoot(normalizeGlob(pattern)) ? [] : [normalizePath(base)];
}

/** The advice for the path of a folder, which matches nothing; otherwise the general one. */
function adviceFor(pattern: string, root: string, disk: Disk): string | undefined {
  const path = normalizePath(pattern);
  if (leavesRoot(path) || disk.stat(join(root, path))?.kind !== 'directory') return undefined;
  return `That is a folder: write \`${path === '' ? '' : `${path}/`}**/*.prs\` for the sources in it.`;
}
