/**
 * Runs the tests that tell machines apart on every Node that the program supports: unit tests, and a few that start the
 * built program. A Node comes from the npm registry into `.cache/nodes`; one that cannot be had is named and left out,
 * and so is what is not begun when the time of a Node is up.
 * It closes with `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './generate.ts';
import { findTests, startsPrograms } from './test/find.ts';

/** The oldest that package.json allows, and every line with long support since. */
const supported = ['20', '22', '24'];

/** What a user does in a first hour: compile, check, diff, undo, take over files. */
const smoke = [
  'test/cli/outcome',
  'test/cli/diff',
  'test/takeover/takeover',
  'test/plan/undo',
  'test/plan/busy',
];

/** Thousands of values for functions that use nothing of Node: they take long, and other tests call the same functions. */
const repeating = [
  'test/compile/line-map',
  'test/compile/odd-configuration',
  'test/compile/odd-files',
  'test/import/roundtrip',
  'test/targets/safety',
];

/** Seconds for the tests of one Node, and for one file of them. */
const budget = 600;
const limit = 300;

/** Milliseconds for an installation. */
const patience = 180_000;

const { values: options } = parseArgs({
  /** Where Nodes are installed. */
  options: { nodes: { type: 'string', default: join(root, '.cache/nodes') } },
});
const { nodes } = options;

/** The program of a Node of this line, installed if need be. */
function nodeOf(line: string): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(nodes, line, 'node_modules', name, 'bin/node');
  if (runs(program)) return program;
  const folder = join(nodes, line);
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  spawnSync('npm', [...args, `${name}@${line}`], { stdio: 'ignore', timeout: patience });
  return runs(program) ? program : undefined;
}

const runs = (program: string): boolean =>
  existsSync(program) && spawnSync(program, ['-e', '0'], { timeout: patience }).status === 0;

const unit = findTests(join(root, 'test'))
  .filter(file => !startsPrograms(file))
  .map(file => relative(root, file))
  .filter(name => !repeating.some(part => name.includes(part)));

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Runs some tests on a Node and shows what they print. */
function runTests(node: string, chosen: readonly string[]): Counts {
  const args = [
    '--import',
    'tsx',
    'scripts/test.ts',
    '--node',
    node,
    '--budget',
    String(budget),
    '--limit',
    String(limit),
    ...chosen,
  ];
  const { stdout, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = stdout.trimEnd().split('\n');
  // The whole of what passed is in the ordinary run; here, what differs counts.
  console.log(
    lines
      .filter(line => !line.startsWith(' ok '))
      .slice(0, -1)
      .join('\n'),
  );
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1)!) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return { passed: Number(passed), failed: Math.max(Number(failed), status === 0 ? 0 : 1) };
}

const total = { passed: 0, failed: 0 };
const own = process.versions.node.split('.')[0]!;
for (const line of supported.filter(line => line !== own)) {
  const node = nodeOf(line);
  if (!node) {
    console.log(`Node ${line} is left out: it could not be installed from the npm registry`);
    continue;
  }
  console.log(`Node ${line}: ${node.slice(root.length + 1)}`);
  const { passed, failed } = runTests(node, [...unit, ...smoke]);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed ? 1 : 0;
