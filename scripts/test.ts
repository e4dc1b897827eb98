/**
 * Runs every test file in a process of its own, two at a time, and closes with `N passed, N failed`.
 * Arguments choose files by a part of their path.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './generate.ts';

export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
  readonly milliseconds: number;
}

/** A hung file must not hold up everything; nothing in the tests depends on time otherwise. */
const limit = 10 * 60_000;

/** All `*.test.ts` below a folder, sorted; folders of test data are not entered. */
export function findTests(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : findTests(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
}

const skipped = new Set(['golden', 'projects', 'cases', 'fixtures', 'node_modules']);

/** Counts come from the closing lines of uvu; a file that ran nothing, or that crashed, is a failure. */
export function countResults(output: string, exitCode: number | null): { passed: number; failed: number } {
  const sum = (word: string) =>
    [...output.matchAll(new RegExp(`^ +${word}: +(\\d+)`, 'gm'))].reduce(
      (n, [, digits]) => n + Number(digits),
      0,
    );
  const passed = sum('Passed');
  const failed = sum('Total') - passed - sum('Skipped');
  if (passed + failed === 0 || (exitCode !== 0 && failed === 0)) return { passed, failed: failed + 1 };
  return { passed, failed };
}

function runFile(file: string): Promise<FileResult> {
  return new Promise(resolve => {
    const start = performance.now();
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
      timeout: limit,
    });
    let output = '';
    child.stdout.on('data', data => {
      output += data;
    });
    child.stderr.on('data', data => {
      output += data;
    });
    child.on('close', code => {
      resolve({ file, ...countResults(output, code), output, milliseconds: performance.now() - start });
    });
  });
}

async function runAll(files: readonly string[]): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const queue = [...files];
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const result = await runFile(file);
      results.push(result);
      const name = relative(root, file);
      console.log(
        `${result.failed ? 'FAIL' : ' ok '} ${name}  ${result.passed} passed${result.failed ? `, ${result.failed} failed` : ''}  ${(result.milliseconds / 1000).toFixed(1)} s`,
      );
      if (result.failed) console.log(result.output.replace(/^/gm, '     '));
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const filters = process.argv.slice(2);
  const files = findTests(join(root, 'test')).filter(
    file => filters.length === 0 || filters.some(filter => relative(root, file).includes(filter)),
  );
  if (files.length === 0) console.log(`no test file matches ${filters.join(' ') || 'test/**/*.test.ts'}`);
  const results = await runAll(files);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0) + (files.length === 0 ? 1 : 0);
  for (const { file } of results.filter(result => result.failed))
    console.log(`failed: ${relative(root, file)}`);
  console.log(`${files.length} files`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
