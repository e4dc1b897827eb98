import type { FileSpec, Reads, TargetSpec } from '../generated/types/target.ts';
import { memoize, memoizeByObject } from '../text/memo.ts';
import { readablePaths } from './reads.ts';
import { type LoadedSpec, partOf } from './spec.ts';
import { allAdvice } from './vocabulary.ts';

/**
 * The spec of a tool for the files that it reads for a user in every project, with paths relative to the home
 * folder. `undefined` when the spec does not describe any. `sources` is the folder of the sources, relative
 * to the home folder or absolute.
 */
export function userSpec(
  { spec, templates }: LoadedSpec,
  sources: string | undefined,
): LoadedSpec | undefined {
  if (!spec.user) return undefined;
  const files: Record<string, FileSpec> = {};
  for (const [name, place] of Object.entries(spec.user.files)) {
    const entry = typeof place === 'string' ? spec.files[name] : place;
    if (entry)
      files[name] = inSourceFolder(typeof place === 'string' ? placedAt(entry, place) : entry, sources);
  }
  const main = Object.values(files).find(file => partOf(file) === 'instructions')?.path;
  const { legacy: _legacy, detect: _detect, proof: _proof, limits, reads, ...rest } = spec;
  const own: TargetSpec = {
    ...rest,
    files,
    omits: { ...allAdvice(spec), ...withoutPlace(spec, files) },
    reads: {
      mode: 'all',
      files: main === undefined ? [] : [main],
      ...(reads?.imports && { imports: reads.imports }),
    } as TargetSpec['reads'],
    detect: [],
    ...(limits && { limits: limits.filter(({ file }) => Object.hasOwn(files, file)) }),
  } as TargetSpec;
  return { spec: own, templates };
}

const placedAt = (file: FileSpec, place: string): FileSpec =>
  'dir' in file && file.dir !== undefined ? { ...file, dir: place } : { ...file, path: place };

/** User hooks run in every project, so their scripts lie below the home folder and start there. */
function inSourceFolder(file: FileSpec, sources: string | undefined): FileSpec {
  if (!('hooks' in file) || !file.hooks) return file;
  const hooks = { ...file.hooks, root: { env: 'HOME' }, ...(sources !== undefined && { sources }) };
  return { ...file, hooks } as FileSpec;
}

/** Omission advice for entries that the tool has in projects but, as far as is known, not for a user. */
function withoutPlace(spec: TargetSpec, files: Readonly<Record<string, FileSpec>>): Record<string, string> {
  const has = new Set(Object.values(files).map(partOf));
  const parts = new Set(Object.values(spec.files).map(partOf));
  return Object.fromEntries(
    [...parts].flatMap(part =>
      part === undefined || has.has(part)
        ? []
        : [[part, `${spec.title} is not known to read these for a user; have them in the projects.`]],
    ),
  );
}

const specsByPaths = memoizeByObject((loaded: LoadedSpec) =>
  memoize((paths: string): LoadedSpec => ({ ...loaded, spec: withMains(loaded.spec, JSON.parse(paths)) })),
);

/**
 * The spec of a tool whose settings name the main files of the project. The same names give the same object.
 */
export function withNamedMains(loaded: LoadedSpec, names: readonly string[]): LoadedSpec {
  const paths = [...new Set(names.map(name => name.trim().replace(/^(?:\.\/)+/, '')))].filter(isInside);
  return paths.length === 0 ? loaded : specsByPaths(loaded)(JSON.stringify(paths));
}

const isInside = (path: string): boolean =>
  path !== '' && !/^(?:\/|~|[A-Za-z]:)|\\/.test(path) && !path.split('/').includes('..');

/** The tool looks for these names after its own (`after`), or instead of them. */
function withMains(spec: TargetSpec, paths: readonly string[]): TargetSpec {
  const reads = spec.reads!;
  const { after, keeps = [] } = reads.named!;
  const own = new Set(readablePaths(reads));
  const further = paths.filter(path => !own.has(path));
  const filesOf = (files: Reads['files'], kept: readonly string[]) =>
    after ? [...files, ...further] : [...new Set([...paths, ...kept])];
  const files = filesOf(reads.files, keeps);
  const below = reads.nested?.files;
  const nested =
    below &&
    filesOf(
      below,
      keeps.filter(name => below.includes(name)),
    );
  const isReplaced = (file: FileSpec) =>
    !after && file.kind === 'document' && file.of === 'instructions' && !files.includes(file.path);
  return {
    ...spec,
    files: Object.fromEntries(
      Object.entries(spec.files).map(([name, file]) => [
        name,
        isReplaced(file) ? ({ ...file, path: paths[0]! } as FileSpec) : file,
      ]),
    ),
    reads: {
      ...reads,
      mode: after ? reads.mode : 'all',
      files,
      places: after ? [...(reads.places ?? []), ...further] : [...paths],
      ...(nested && { nested: { ...reads.nested!, files: nested } }),
    },
  };
}
