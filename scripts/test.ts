/**
 * Runs every test file in its own process, with one process more than there are cores, longest first. The last line is
 * `N passed, N failed`. Arguments select files by a part of their path.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './generate.ts';
import { keepDurations, longestFirst, readDurations } from './test/durations.ts';
import { findTests, startsPrograms } from './test/find.ts';
import { type FileResult, runFile } from './test/run-file.ts';
import { createSurroundings } from './test/surroundings.ts';

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only files that need no build and start no programs. */
    unit: { type: 'boolean', default: false },
    /** Divisor for the number of cases of long property tests (test/support/depth.ts): 10 with `--unit`, otherwise 6. */
    depth: { type: 'string' },
    /** Seed of the property tests: a number, or `random`. */
    seed: { type: 'string', default: '1' },
    /** Prints the files in start order without running them. */
    list: { type: 'boolean', default: false },
    in: { type: 'string', default: join(root, 'test') },
    /** Timeout for a file, in seconds. No test depends on time otherwise. */
    limit: { type: 'string', default: '600' },
    durations: { type: 'string', default: join(root, '.cache/test-durations.json') },
  },
});

const nameOf = (file: string) => relative(root, file).split(sep).join('/');

function describe({ name, passed, failed, skipped, milliseconds, output }: FileResult): string {
  const counts = [`${passed} passed`];
  if (failed) counts.push(`${failed} failed`);
  if (skipped) counts.push(`${skipped} skipped`);
  const line = `${failed ? 'FAIL' : ' ok '} ${name}  ${counts.join(', ')}  ${(milliseconds / 1000).toFixed(1)} s`;
  return failed ? `${line}\n${output.replace(/^/gm, '     ')}` : line;
}

/** Number of files from which bundling all tests once is faster than loading the sources in each process. */
const worthBundling = 6;

/** Folder for the bundles. The process id keeps concurrent runs apart. */
const folder = join(root, `.cache/tests-${process.pid}`);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Maps names of tests to their bundles. */
async function bundlesOf(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  // Coverage is reported after the bundles are deleted, so coverage runs do not use bundles.
  if (files.length < worthBundling || process.env.NODE_V8_COVERAGE) return new Map();
  const { bundleTests } = await import('./test/bundle.ts');
  const paths = files.map(name => join(root, name));
  return new Map(await bundleTests(paths, folder));
}

async function runAll(files: readonly string[]): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const bundles = await bundlesOf(files);
  const queue = [...files];
  const surroundings = createSurroundings();
  const limit = Number(options.limit) * 1000;
  const depth = options.depth ?? (options.unit ? '10' : '6');
  const worker = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) {
      const bundle = bundles.get(name);
      const result = await runFile(name, {
        cwd: root,
        env: { ...surroundings.environment, TEST_DEPTH: depth, TEST_SEED: options.seed },
        limit,
        ...(bundle && { bundle }),
      });
      results.push(result);
      console.log(describe(result));
    }
  };
  // One more worker than cores, because one test usually waits for a timer, a server or a program.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
  surroundings.remove();
  return results;
}

const files = findTests(resolve(options.in))
  .filter(file => filters.length === 0 || filters.some(filter => nameOf(file).includes(filter)))
  .filter(file => !options.unit || !startsPrograms(file));
const durations = readDurations(options.durations);
const ordered = longestFirst(files, file => durations[nameOf(file)]).map(nameOf);

if (options.list) {
  console.log(ordered.join('\n'));
} else {
  if (files.length === 0) console.log(`no test file matches ${filters.join(' ') || 'test/**/*.test.ts'}`);
  const results = await runAll(ordered);
  keepDurations(options.durations, results);
  const slowest = results.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  const lines = slowest.map(
    ({ name, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${name}`,
  );
  if (results.length > slowest.length) console.log(`slowest:\n${lines.join('\n')}`);
  const sum = (of: (result: FileResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const failed = sum(result => result.failed) + (files.length === 0 ? 1 : 0);
  for (const { name } of results.filter(result => result.failed)) console.log(`failed: ${name}`);
  console.log(`${files.length} files, ${sum(result => result.skipped)} tests skipped`);
  console.log(`${sum(result => result.passed)} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
