import { join } from 'node:path';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { recognise } from '../../import/recognise.ts';
import { compileGlobs, globBase } from '../../text/globs.ts';

/** Folders that hold other people's files. */
const ignored = new Set(['node_modules', '.git']);

/** A pattern is a trace, not a search: deeper than this, or in larger folders, nothing is looked for. */
const maximumDepth = 4;
const maximumEntries = 2000;

/** Whether one of the paths or globs leads to something below the directory. */
export function matchesAny(disk: Disk, directory: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern => {
    const { base, isGlob } = globBase(pattern);
    if (!isGlob) return disk.lstat(join(directory, pattern)) !== undefined;
    const matches = compileGlobs([pattern]);
    let left = maximumEntries;
    const search = (folder: string, depth: number): boolean =>
      (disk.list(join(directory, folder)) ?? []).some(({ name, kind }) => {
        if (left-- <= 0 || ignored.has(name)) return false;
        const path = folder ? `${folder}/${name}` : name;
        return matches(path) || (kind === 'directory' && depth < maximumDepth && search(path, depth + 1));
      });
    return search(base, 0);
  });
}

/**
 * The tools that left traces in the directory. An open format counts where one of its files is there that none of
 * them writes.
 */
export function toolsInUse(disk: Disk, directory: string, specs: readonly TargetSpec[]): TargetSpec[] {
  const left = (spec: TargetSpec, patterns = spec.detect ?? []) => matchesAny(disk, directory, patterns);
  const used = new Set(specs.filter(spec => !spec.open && left(spec)));
  const writes = (spec: TargetSpec, pattern: string) => {
    const file = recognise(pattern.replace('*', 'any'), [spec])?.file;
    return file !== undefined && (file.versions?.includes(spec.defaultVersion) ?? true);
  };
  const unclaimed = ({ detect = [] }: TargetSpec) =>
    detect.filter(pattern => ![...used].some(tool => writes(tool, pattern)));
  return specs.filter(spec => used.has(spec) || (spec.open && left(spec, unclaimed(spec))));
}
