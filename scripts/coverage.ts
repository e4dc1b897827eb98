/**
 * Measures the coverage of src/ by the tests, in their own processes and in the programs that they start, and writes
 * coverage/index.html. Arguments select test files, as for `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './generate.ts';
import { findTests } from './test/find.ts';

const bin = (name: string) => join(root, 'node_modules/.bin', name);
const raw = join(root, 'coverage/raw');

/** Tests of the structure of dist/, which is different in a coverage build. */
const structureTests = ['test/rules/modules.test.ts'];

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): boolean {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}

// The compile cache is disabled, because V8 reports cached functions as covered.
const measured = { ...process.env, NODE_V8_COVERAGE: raw, NODE_DISABLE_COMPILE_CACHE: '1' };
rmSync(join(root, 'coverage'), { recursive: true, force: true });
if (!run(bin('tsx'), ['scripts/build.ts'], measured)) process.exit(1);
// Coverage from the build itself does not count.
rmSync(raw, { recursive: true, force: true });
const files = findTests(join(root, 'test'))
  .map(file => file.slice(root.length + 1))
  .filter(file => !structureTests.includes(file));
const filters = process.argv.slice(2);
const chosen = files.filter(file => filters.length === 0 || filters.some(filter => file.includes(filter)));
const passed = run(bin('tsx'), ['scripts/test.ts', ...chosen], measured);
const options = [
  '--src=src',
  '--include=src/**',
  '--exclude=src/generated/**',
  '--exclude-after-remap',
  '--merge-async',
];
const folders = [`--temp-directory=${raw}`, '--reports-dir=coverage'];
const reported = run(bin('c8'), ['report', ...folders, ...options, '--reporter=text', '--reporter=html']);
// Restores the ordinary dist/, which everything else expects.
process.exitCode = run(bin('tsx'), ['scripts/build.ts']) && passed && reported ? 0 : 1;
