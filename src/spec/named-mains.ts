import type { Reads, TargetSpec } from '../generated/types/target.ts';
import { readablePaths } from './reads.ts';
import type { LoadedSpec } from './spec.ts';

/** Where a project names the main files of a tool in settings of that tool. */
export type NamedMains = NonNullable<Reads['named']>;

const made = new WeakMap<LoadedSpec, Map<string, LoadedSpec>>();

/**
 * The spec of a tool for which settings of a project name the main files. The same names give the same spec, so that
 * what was made of it stands. Names that are no paths inside the project are not the project's files.
 */
export function withNamedMains(loaded: LoadedSpec, names: readonly string[]): LoadedSpec {
  const paths = [...new Set(names.map(name => name.trim().replace(/^(?:\.\/)+/, '')))].filter(isInside);
  if (paths.length === 0) return loaded;
  const known = made.get(loaded) ?? new Map<string, LoadedSpec>();
  made.set(loaded, known);
  const key = JSON.stringify(paths);
  const spec = known.get(key) ?? { ...loaded, spec: adapted(loaded.spec, paths) };
  known.set(key, spec);
  return spec;
}

const isInside = (path: string): boolean =>
  path !== '' && !/^(?:\/|~|[A-Za-z]:)|\\/.test(path) && !path.split('/').includes('..');

function adapted(spec: TargetSpec, paths: readonly string[]): TargetSpec {
  return spec.reads!.named!.after
    ? withFurther(spec, spec.reads!, paths)
    : withOther(spec, spec.reads!, paths);
}

/** The tool looks for the names after its own. */
function withFurther(spec: TargetSpec, reads: Reads, paths: readonly string[]): TargetSpec {
  const own = new Set(readablePaths(reads));
  const further = paths.filter(path => !own.has(path));
  const nested = reads.nested?.files && [...reads.nested.files, ...further];
  return {
    ...spec,
    reads: {
      ...reads,
      files: [...reads.files, ...further],
      places: [...(reads.places ?? []), ...further],
      ...(nested && { nested: { ...reads.nested!, files: nested } }),
    },
  };
}

/** The names stand for those of the tool. */
function withOther(spec: TargetSpec, reads: Reads, paths: readonly string[]): TargetSpec {
  const kept = reads.named?.keeps ?? [];
  const files = [...paths, ...kept.filter(path => !paths.includes(path))];
  const nested = reads.nested?.files && [
    ...paths,
    ...kept.filter(name => reads.nested!.files!.includes(name)),
  ];
  return {
    ...spec,
    files: Object.fromEntries(
      Object.entries(spec.files).map(([name, file]) => {
        const isMain = file.kind === 'document' && file.of === 'instructions' && !files.includes(file.path);
        return [name, isMain ? { ...file, path: paths[0]! } : file];
      }),
    ),
    reads: {
      ...reads,
      mode: 'all',
      files,
      places: [...paths],
      ...(nested && { nested: { ...reads.nested!, files: [...new Set(nested)] } }),
    },
  };
}
