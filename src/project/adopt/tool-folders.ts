import type { FileSpec, TargetSpec } from '../../generated/types/target.ts';
import { bundleFolder, pathInBundle } from '../../spec/bundle-places.ts';
import { pathsOf } from '../../spec/item-places.ts';
import { compileGlobs } from '../../text/globs.ts';

/**
 * Whether a path lies in a folder that tools read instructions from: one that holds items, or one at the root that a tool
 * has in the home folder too, so that all of it is its own.
 */
export function toolFolders(specs: readonly TargetSpec[], universalDir: string): (path: string) => boolean {
  const globs = new Set<string>();
  for (const spec of specs) {
    const inBundles = (file: FileSpec) => file.kind === 'items' && file.of === 'plugins';
    const files = Object.values(spec.files).filter(file => !inBundles(file));
    const paths = files.flatMap(file => pathsOf(file, spec, universalDir));
    const places = [...paths, ...(spec.detect ?? []), ...(spec.legacy ?? []).map(({ path }) => path)];
    const ofUser = Object.values(spec.user?.files ?? {}).flatMap(file =>
      typeof file === 'object' ? pathsOf(file, spec, universalDir) : [],
    );
    const tops = new Set(ofUser.flatMap(topOf));
    for (const place of places) {
      const folder = /^\.(?:[^/*{]+\/)+(?=[^/]*[*{])/.exec(place)?.[0];
      if (folder !== undefined) globs.add(`${folder}**`);
      // `.tool/rules-*/**/*.md` is a folder for each name.
      const named = /^\.[^/]+\/[^/]*\*\//.exec(place)?.[0];
      if (named !== undefined) globs.add(`${named}**`);
      for (const top of topOf(place)) if (tops.has(top)) globs.add(`${top}/**`);
    }
  }
  return compileGlobs([...globs]);
}

/** The folder at the root that holds a place; `.config` belongs to all programs. */
const topOf = (place: string): readonly string[] => /^\.(?!config\/)[^/*{]+(?=\/)/.exec(place) ?? [];

/** The reason why a path is not taken that belongs to a plug-in: plug-ins are published as they stand. */
export function pluginParts(
  specs: readonly TargetSpec[],
  paths: readonly string[],
): (path: string) => string | undefined {
  const bundles = specs.flatMap(({ files }) =>
    Object.values(files).flatMap(file => {
      if (file.kind !== 'items' || file.of !== 'plugins') return [];
      const manifest = file.path.slice(bundleFolder(file).length);
      const parts = Object.values(file.parts ?? {}).map(part => pathInBundle(part).split('/')[0]!);
      return manifest.includes('{')
        ? []
        : [{ manifest, firsts: new Set([...parts, manifest.split('/')[1]!]) }];
    }),
  );
  const found = bundles.flatMap(({ manifest, firsts }) =>
    paths.flatMap(path => {
      const whole = `/${path}`;
      return whole.endsWith(manifest) ? [{ folder: whole.slice(1, -manifest.length + 1), firsts }] : [];
    }),
  );
  // The folder of a manifest may be one of a bundle that has another manifest.
  found.sort((a, b) => a.folder.length - b.folder.length);
  return path => {
    const bundle = found.find(
      ({ folder, firsts }) => path.startsWith(folder) && firsts.has(path.slice(folder.length).split('/')[0]!),
    );
    return (
      bundle &&
      `it is a part of the plug-in in ${bundle.folder || 'the root'}, which is published as it stands`
    );
  };
}
