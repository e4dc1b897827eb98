import type { TargetSpec } from '../generated/types/target.ts';

/** A target with the main files it writes in the version at hand. */
export interface MainFiles {
  readonly spec: TargetSpec;
  readonly paths: readonly string[];
}

/** What one target's files do to another one. */
export type Overlap =
  | {
      /** `target` stops at `file`, which `by` writes, and never reads its own `own`. */
      readonly kind: 'shadowed';
      readonly target: string;
      readonly own: string;
      readonly file: string;
      readonly by: readonly string[];
    }
  | {
      /** `target` reads `file`, which `by` writes, beside its own `own`: the same text twice. */
      readonly kind: 'doubled';
      readonly target: string;
      readonly own: string;
      readonly file: string;
      readonly by: readonly string[];
    };

/**
 * Which targets would read files of others instead of, or beside, their own: computed from `reads` of the specs.
 * Targets that share one file are no overlap.
 */
export function findOverlaps(targets: readonly MainFiles[]): Overlap[] {
  const writers = new Map<string, string[]>();
  for (const { spec, paths } of targets) {
    for (const path of paths) writers.set(path, [...(writers.get(path) ?? []), spec.id]);
  }
  return targets.flatMap(({ spec, paths }) => {
    const [own] = paths;
    if (!spec.reads || own === undefined) return [];
    const others = spec.reads.files.filter(file => !paths.includes(file) && writers.has(file));
    const make = (kind: Overlap['kind'], file: string): Overlap => ({
      kind,
      target: spec.id,
      own,
      file,
      by: writers.get(file)!,
    });
    if (spec.reads.mode === 'all') return others.map(file => make('doubled', file));
    const place = spec.reads.files.indexOf(own);
    const before = others.filter(file => place === -1 || spec.reads!.files.indexOf(file) < place);
    return before.length > 0 ? [make('shadowed', before[0]!)] : [];
  });
}
