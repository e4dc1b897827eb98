/**
 * Tests as files that Node runs as they are: one build for all, where tsx would compile and load the same sources again
 * in every process, and for a Node beside which tsx cannot run.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../generate.ts';

/** What a bundle says instead of `import.meta.url`: each of its parts declares it for itself. */
const ownAddress = 'ownAddress__';

/** A bundle lies elsewhere than its parts, which look for test data beside themselves. */
const ownPlaces = (addressOf: (path: string) => string): Plugin => ({
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const start = `const ${ownAddress} = ${JSON.stringify(addressOf(path))};`;
      // The first line keeps its number.
      return {
        contents: text.startsWith('#!') ? text.replace('\n', `\n${start}`) : start + text,
        loader: 'ts',
      };
    });
  },
});

/**
 * Bundles tests into a folder.
 *
 * @param tests - absolute paths
 * @param addressOf - what `import.meta.url` is in a source, for the Node that will run it
 * @returns for each test its path from the root, and the path of its bundle
 */
export async function bundleTests(
  tests: readonly string[],
  folder: string,
  addressOf: (path: string) => string,
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
    // Parts of it are written for `require`.
    banner: {
      js: "import { createRequire as requireOf__ } from 'node:module'; globalThis.require ??= requireOf__(import.meta.url);",
    },
    define: { 'import.meta.url': ownAddress },
    external: ['esbuild', 'typescript', 'playwright-core'],
    plugins: [ownPlaces(addressOf)],
    logLevel: 'error',
  });
  return tests.map(file => {
    const name = relative(root, file);
    return [name, join(folder, name.replace(/\.ts$/, '.mjs'))];
  });
}
