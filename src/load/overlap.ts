import type { TargetSpec } from '../generated/types/target.ts';
import { readablePaths } from '../spec/reads.ts';
import { loadTexts } from './load.ts';

/** A target with the main files it writes in the version at hand. */
export interface MainFiles {
  readonly spec: TargetSpec;
  readonly paths: readonly string[];
}

/** What one target's files do to another one. */
export interface Overlap {
  /**
   * `shadowed`: `target` loads `file`, which `by` writes, instead of its own `own`.
   * `doubled`: it loads `file` beside `own`: the same text twice.
   */
  readonly kind: 'shadowed' | 'doubled';
  readonly target: string;
  readonly own: string;
  readonly file: string;
  readonly by: readonly string[];
}

/**
 * Which targets would load files of others instead of, or beside, their own, by the load models of the specs.
 * `textOf` gives the content of a main file where it is known: some tools take equal files once.
 * Targets that share one file are no overlap.
 */
export function findOverlaps(
  targets: readonly MainFiles[],
  textOf: (path: string) => string | undefined = () => undefined,
): Overlap[] {
  const writers = new Map<string, string[]>();
  for (const { spec, paths } of targets) {
    for (const path of paths) writers.set(path, [...(writers.get(path) ?? []), spec.id]);
  }
  // Without contents every file counts as different, so that none is taken for a copy.
  const texts = new Map([...writers.keys()].map(path => [path, textOf(path) ?? path]));
  return targets.flatMap(({ spec, paths }) => {
    const [own] = paths;
    if (!spec.reads || own === undefined) return [];
    const loaded = loadTexts(spec, texts, { at: '', read: [] }).parts.map(({ path }) => path);
    const others = loaded.filter(path => !paths.includes(path));
    const kind: Overlap['kind'] = loaded.includes(own) ? 'doubled' : 'shadowed';
    // A tool whose own file is not in its `reads` loads it by rules that the spec does not describe.
    if (kind === 'shadowed' && !readablePaths(spec.reads).includes(own) && spec.reads.mode === 'all')
      return others.map(file => ({
        kind: 'doubled' as const,
        target: spec.id,
        own,
        file,
        by: writers.get(file)!,
      }));
    const told = kind === 'shadowed' ? others.slice(0, 1) : others;
    return told.map(file => ({ kind, target: spec.id, own, file, by: writers.get(file)! }));
  });
}
