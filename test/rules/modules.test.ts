/** Which modules a command loads. Only the commands that need a heavy package load it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from '../../scripts/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const metafile = await build();
const folder = mkdtempSync(join(tmpdir(), 'prs-modules-'));
cpSync(join(root, 'test/projects/minimal'), folder, { recursive: true });
const listener = join(folder, 'listener.cjs');
writeFileSync(
  listener,
  "process.on('exit', () => require('node:fs').writeSync(3, Object.keys(require.cache).join('\\n')));\n",
);

/** Packages and folders of `src` whose code a run loads. */
function load(...args: readonly string[]): { readonly packages: string[]; readonly folders: string[] } {
  const program = join(root, 'dist/prs.cjs');
  const { status, output, stderr } = spawnSync(process.execPath, ['--require', listener, program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, INSTR_STAMP: '0' },
  });
  assert.is(status, 0, stderr);
  const chunks = output[3]!
    .split('\n')
    .filter(path => path !== listener)
    .map(path => relative(root, path).split(sep).join('/'));
  const inputs = chunks.flatMap(chunk => {
    const found = metafile.outputs[chunk];
    assert.ok(found, `${chunk} was built`);
    return Object.entries(found.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  });
  const named = (pattern: RegExp) => [...new Set(inputs.flatMap(path => pattern.exec(path)?.[1] ?? []))].sort();
  return {
    packages: named(/^node_modules\/((?:@[^/]+\/)?[^/]+)/),
    folders: named(/^src\/([^/]+)\//),
  };
}

const tests = suite('modules');

tests('--version loads only the entry', () => {
  const { packages, folders } = load('--version');
  assert.equal(packages, []);
  assert.equal(folders, ['cli', 'host', 'text']);
});

/** Packages for prompts, watch mode, differences, import, the network, Git and editors. */
const heavyPackages = [
  '@clack/prompts',
  'chokidar',
  'diff',
  'mdast-util-from-markdown',
  'node-fetch',
  'simple-git',
  'vscode-languageserver',
];
const heavyFolders = ['lsp'];

for (const command of ['compile', 'validate'])
  tests(`${command} loads nothing that only other commands need`, () => {
    const { packages, folders } = load(command);
    assert.ok(folders.includes('project'));
    assert.equal(
      packages.filter(name => heavyPackages.includes(name)),
      [],
    );
    assert.equal(
      folders.filter(name => heavyFolders.includes(name)),
      [],
    );
  });

tests.after(() => rmSync(folder, { recursive: true, force: true }));
tests.run();
