/**
 * Bundles tests into files that Node runs directly. With tsx, every process would compile and load the same sources
 * again. Bundles also allow Node versions that tsx does not support.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { root } from '../generate.ts';

/** The variable that replaces `import.meta.url` in a bundle. Each source file declares its own. */
const ownAddress = 'ownAddress__';

/** Keeps `import.meta.url` pointing to the source file, because tests look for test data next to it. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const start = `const ${ownAddress} = ${JSON.stringify(pathToFileURL(path).href)};`;
      // Added without a line break, so that line numbers do not change.
      return {
        contents: text.startsWith('#!') ? text.replace('\n', `\n${start}`) : start + text,
        loader: 'ts',
      };
    });
  },
};

/**
 * Bundles tests into a folder.
 *
 * @param tests - absolute paths
 * @returns for each test its path from the root, and the path of its bundle
 */
export async function bundleTests(
  tests: readonly string[],
  folder: string,
): Promise<(readonly [name: string, bundle: string])[]> {
  await build({
    entryPoints: [...tests],
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    sourcemap: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    // Some bundled packages call `require`.
    banner: {
      js: "import { createRequire as requireOf__ } from 'node:module'; globalThis.require ??= requireOf__(import.meta.url);",
    },
    define: { 'import.meta.url': ownAddress },
    external: ['esbuild', 'typescript', 'playwright-core'],
    plugins: [ownPlaces],
    logLevel: 'error',
  });
  return tests.map(file => {
    const name = relative(root, file);
    return [name, join(folder, name.replace(/\.ts$/, '.mjs'))];
  });
}
