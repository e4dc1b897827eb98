import type { FileSpec, TargetSpec } from '../../generated/types/target.ts';
import { bundleFolder, pathInBundle, pathsOf } from '../../spec/item-places.ts';
import { compileGlobs } from '../../text/globs.ts';

/**
 * Whether a path lies in a folder from which tools read instructions: a folder of items, or a folder at the root that
 * contains both items and the settings of a tool, and therefore belongs to the tool.
 */
export function toolFolders(specs: readonly TargetSpec[], universalDir: string): (path: string) => boolean {
  const globs = new Set<string>();
  for (const spec of specs) {
    const files = Object.values(spec.files).filter(file => file.kind !== 'items' || file.of !== 'plugins');
    const placesOf = (isWanted: (file: FileSpec) => boolean) =>
      files.filter(isWanted).flatMap(file => pathsOf(file, spec, universalDir));
    const items = placesOf(({ kind }) => kind === 'items');
    const settings = placesOf(({ kind }) => kind === 'settings' || kind === 'entries');
    const tops = new Set(items.flatMap(place => /^\.[^/*{]+\//.exec(place) ?? []));
    for (const place of settings) {
      const top = /^\.[^/*{]+\/(?=[^/]+$)/.exec(place)?.[0];
      if (top !== undefined && tops.has(top)) globs.add(`${top}**`);
    }
    const legacy = (spec.legacy ?? []).map(({ path }) => path);
    for (const place of [...items, ...(spec.detect ?? []), ...legacy]) {
      const folder = /^\.(?:[^/*{]+\/)+(?=[^/]*[*{])/.exec(place)?.[0];
      if (folder !== undefined) globs.add(`${folder}**`);
      // `.tool/rules-**.md` stands for one folder per name.
      const named = /^\.[^/]+\/[^/]*\*\//.exec(place)?.[0];
      if (named !== undefined) globs.add(`${named}**`);
    }
  }
  return compileGlobs([...globs]);
}

/**
 * Finds the plug-ins in a project, and returns which files are parts of them. These are not adopted: plug-ins are
 * published as they are. `isBesideManifest`: in the folder of the manifest, which holds nothing else.
 */
export function pluginParts(specs: readonly TargetSpec[], paths: readonly string[]) {
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
      return whole.endsWith(manifest)
        ? [{ folder: whole.slice(1, -manifest.length + 1), manifest, firsts }]
        : [];
    }),
  );
  // The folder of a manifest may belong to a bundle with another manifest.
  found.sort((a, b) => a.folder.length - b.folder.length);
  return (path: string) => {
    const bundle = found.find(
      ({ folder, firsts }) => path.startsWith(folder) && firsts.has(path.slice(folder.length).split('/')[0]!),
    );
    if (!bundle) return undefined;
    const reason = `it is a part of the plug-in in ${bundle.folder || 'the root'}, which is published unchanged`;
    const [, own, ...inner] = bundle.manifest.split('/');
    return { reason, isBesideManifest: inner.length > 0 && path.startsWith(`${bundle.folder}${own}/`) };
  };
}
