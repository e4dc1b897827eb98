/** The unit tests as files that Node for Windows can run: without tsx, whose esbuild is a program of this system. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../generate.ts';
import { findTests, startsPrograms } from '../test/find.ts';
import { cache, windowsPath } from './wine.ts';

const folder = join(cache, 'unit');

/** A bundle lies elsewhere than its parts, which look for test data beside themselves. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const address = JSON.stringify(new URL(`file:///${windowsPath(path).replaceAll('\\', '/')}`).href);
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

/** Name of a test to its bundle. */
export async function bundleUnitTests(): Promise<Map<string, string>> {
  const tests = findTests(join(root, 'test')).filter(file => !startsPrograms(file));
  await build({
    entryPoints: tests,
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    // Parts of it are written for `require`.
    banner: {
      js: "import { createRequire as requireOf__ } from 'node:module'; globalThis.require ??= requireOf__(import.meta.url);",
    },
    external: ['esbuild', 'typescript', 'prettier'],
    plugins: [ownPlaces],
    logLevel: 'error',
  });
  return new Map(
    tests.map(file => {
      const name = relative(root, file);
      return [name, join(folder, name.replace(/\.ts$/, '.mjs'))];
    }),
  );
}
