/** Tests as files that Node for Windows can run: without tsx, whose esbuild is a program of this system. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../generate.ts';
import { countResults } from '../test/count.ts';
import { findTests } from '../test/find.ts';
import { createSurroundings } from '../test/surroundings.ts';
import type { Round } from './results.ts';
import { chosen } from './tests.ts';
import { cache, runNode, windowsPath } from './wine.ts';

const folder = join(cache, 'unit');

/** So many run beside one another: most of the time each waits for Wine. */
const atOnce = 2;

/** Seconds after which a file counts as hung. The slowest takes a tenth of it. */
const limit = 300;

/** A bundle lies elsewhere than its parts, which look for test data beside themselves. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      // Generated modules hold data, in which these words are text.
      if (path.startsWith(join(root, 'src/generated'))) return undefined;
      const address = JSON.stringify(new URL(`file:///${windowsPath(path).replaceAll('\\', '/')}`).href);
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

/** Name of a test to its bundle. */
async function bundleTests(filters: readonly string[]): Promise<(readonly [string, string])[]> {
  const tests = findTests(join(root, 'test')).filter(file =>
    (filters.length > 0 ? filters : chosen).some(part => relative(root, file).includes(part)),
  );
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
  return tests.map(file => {
    const name = relative(root, file);
    return [name, join(folder, name.replace(/\.ts$/, '.mjs'))];
  });
}

/** Runs the chosen tests, or those with one of these parts in their path, until the time of the round is up. */
export async function runUnitTests(filters: readonly string[], round: Round): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const queue = await bundleTests(filters);
  const surroundings = createSurroundings();
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, file] = next;
      if (round.isOver()) round.leaveOut(name, 'the time of the round was up');
      else await runTest(name, file, surroundings.environment, round);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  surroundings.remove();
}

async function runTest(
  name: string,
  file: string,
  environment: NodeJS.ProcessEnv,
  round: Round,
): Promise<void> {
  const start = performance.now();
  let { status, text, hung } = await runNode(root, file, [], { environment, limit });
  // Now and then Wine ends a program before that has said a word.
  if (status !== 0 && !hung && text.trim() === '')
    ({ status, text, hung } = await runNode(root, file, [], { environment, limit }));
  const counts = countResults(text.replaceAll('\r\n', '\n'), status);
  const how = hung ? `It did not end within ${limit} s and was stopped.` : `It ended with ${status}.`;
  round.add(name, counts, `${text}\n${how}`, performance.now() - start);
}
