/** What every command ends with: 0 done, 1 findings, 2 nothing to run, a signal where one stopped it, 70 a bug of the program. */
import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCommands } from '../../src/cli/command-info.ts';
import { environment, type Files, minimal, program, project, prs, startPrs, tree, until, write } from './prs.ts';

const config = minimal['instr.yaml'] as string;
const entry = minimal['.instr/project.prs'] as string;
const broken: Files = { ...minimal, '.instr/project.prs': `${entry}@context {` };
const withRegistry = (url: string): Files => ({
  'instr.yaml': `${config}registry: { url: "${url}", cache: { enabled: false } }\n`,
  '.instr/project.prs': `${entry}@use @acme/base\n`,
});
const nobody = withRegistry('http://127.0.0.1:9/');
const withFolder: Files = {
  ...minimal,
  'instr.yaml': `${config}registries: { "@shared": { path: shared } }\n`,
  'shared/base.prs': '@meta { id: "base" syntax: "1.5.0" }\n@standards { shared: ["Shared"] }\n',
};
/** A lock whose repository nobody answers for. */
const pinnedNowhere: Files = {
  ...minimal,
  'instr.lock': `version: 1\nsources:\n  "@acme":\n    git: http://127.0.0.1:9/acme.git\n    commit: ${'0'.repeat(40)}\n    files: {}\n`,
};
const newer: Files = { ...minimal, '.instr/project.prs': entry.replace('1.5.0', '9.0.0') };
const foreign: Files = { ...minimal, 'CLAUDE.md': '# Mine\n\nUse tabs.\n' };
const empty: Files = {};
/** What git needs to take a folder for a repository. */
const repository: Files = { ...minimal, '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/none': '', '.git/refs/none': '' };

type Run = readonly [args: string, files: Files];

/** For every command a run that is done, one with findings, one that cannot be run; some cannot fail in one way. */
const runs: Readonly<Record<string, { readonly 0?: Run; readonly 1?: Run; readonly 2: Run }>> = {
  init: { 0: ['--yes', empty], 1: ['--yes', minimal], 2: ['--yes --targets no-such-tool', empty] },
  compile: { 0: ['', minimal], 1: ['', foreign], 2: ['', empty] },
  diff: { 0: ['', minimal], 1: ['--exit-code', minimal], 2: ['', empty] },
  validate: { 0: ['', minimal], 1: ['', broken], 2: ['', empty] },
  import: { 0: ['CLAUDE.md', foreign], 1: ['none.md', minimal], 2: ['CLAUDE.md --format no-such-tool', foreign] },
  migrate: { 0: ['--static', foreign], 1: ['--static', minimal], 2: ['--static --llm', foreign] },
  upgrade: { 0: ['', minimal], 1: ['', newer], 2: ['', empty] },
  targets: { 0: ['', empty], 2: ['no-such-tool', empty] },
  explain: { 0: ['PRS1001', empty], 1: ['standards.none', minimal], 2: ['standards.none', empty] },
  lock: { 0: ['', minimal], 1: ['', nobody], 2: ['', empty] },
  update: { 0: ['', minimal], 1: ['no-such-source', minimal], 2: ['', empty] },
  add: { 0: ['@shared/base', withFolder], 1: ['@shared/none', withFolder], 2: ['@shared/base', empty] },
  remove: { 0: ['@shared/base', { ...withFolder, '.instr/project.prs': `${entry}@use @shared/base\n` }], 1: ['@shared/base', withFolder], 2: ['@shared/base', empty] },
  status: { 0: ['', minimal], 1: ['--outdated', pinnedNowhere], 2: ['', empty] },
  view: { 0: ['', minimal], 1: ['--as claude', broken], 2: ['--at src', minimal] },
  doctor: { 0: ['', minimal], 1: ['', broken], 2: ['--config none.yaml', minimal] },
  fleet: { 0: ['plan', minimal], 1: ['plan --change @none@v1.0.0', minimal], 2: ['plan --repos none', minimal] },
  absorb: { 0: ['', minimal], 1: ['', broken], 2: ['', empty] },
  format: { 0: ['', minimal], 1: ['', broken], 2: ['--no-such-option', empty] },
  hook: { 0: ['install', repository], 1: ['install', minimal], 2: ['instal', repository] },
  'merge-driver': { 0: ['a b c .instr/manifest.json', minimal], 2: ['a b c', minimal] },
  // What it serves says how it ends: see the tests of the language server.
  lsp: { 2: ['--no-such-option', empty] },
  mcp: { 2: ['--no-such-option', empty] },
  eject: { 0: ['--force --dry-run', minimal], 1: ['', minimal], 2: ['', empty] },
  undo: { 0: ['', minimal], 1: ['', minimal], 2: ['--cwd no-such-directory', minimal] },
  completion: { 0: ['bash', empty], 2: ['fihs', empty] },
};

const tests = suite('exit codes');

tests('every command is here', async () => {
  assert.equal(Object.keys(runs).sort(), (await describeCommands()).map(({ name }) => name).sort());
});

for (const [command, codes] of Object.entries(runs)) {
  for (const code of [0, 1, 2] as const) {
    const run = codes[code];
    if (!run) continue;
    const [args, files] = run;
    tests(`${code}: ${command} ${args}`, () => {
      const folder = project(files);
      if (command === 'undo' && code === 0) assert.is(prs(folder, ['compile']).status, 0);
      const { status, stdout, stderr } = prs(folder, [command, ...args.split(' ').filter(Boolean)]);
      assert.is(status, code, stderr + stdout);
      if (code === 2) assert.is(stdout, '');
      if (code > 0 && args !== '--exit-code') assert.match(stderr, /help: /);
      assert.not.match(stdout + stderr, /\x1b/, 'no colours for a pipe');
      const printed = prs(code === 0 ? project(files) : folder, [command, ...args.split(' ').filter(Boolean), '--json']).stdout;
      // A plan of a fleet has a line for each repository before its last.
      const again = JSON.parse(command === 'fleet' ? printed.trim().split('\n').at(-1)! : printed);
      if (!(command === 'undo' && code === 0)) assert.is(again.exitCode, code);
    });
  }
}

/** A registry that takes the question and never answers. */
async function silentRegistry(): Promise<{ url: string; asked: () => number; close: () => void }> {
  let asked = 0;
  const server = createServer(() => void asked++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A test that failed half-way is not kept waiting for its registry.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const command of ['compile', 'validate', 'diff', 'lock', 'update']) {
  tests(`SIGINT: ${command} while a registry keeps it waiting`, async () => {
    const registry = await silentRegistry();
    const folder = project(withRegistry(registry.url));
    const before = tree(folder);
    const { child, ended, output } = startPrs(folder, [command]);
    await until(() => registry.asked() > 0, `it asks: ${output.stderr}`);
    child.kill('SIGINT');
    assert.equal(await ended, { code: null, signal: 'SIGINT' });
    registry.close();
    assert.is(output.stdout, '');
    assert.is(output.stderr, '');
    assert.equal(tree(folder), before);
  });
}

tests('1: what cannot be written to a full disk is said on the other stream', () => {
  if (!existsSync('/dev/full')) return;
  const folder = project(minimal);
  for (const args of ['--version', 'targets', 'compile --json', 'compile']) {
    const full = openSync('/dev/full', 'w');
    const run = spawnSync(process.execPath, [program, ...args.split(' ')], {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    assert.is(run.status, 1, args);
    assert.match(run.stderr, /could not be written \(ENOSPC\)/, args);
  }
});

tests('a run that is stopped while it writes is recovered by the next one', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const folder = project(minimal);
    // The signal comes with the first file that is put in place.
    const preload = join(folder, 'preload.cjs');
    writeFileSync(
      preload,
      `const fs = require('node:fs'); const rename = fs.renameSync;
       fs.renameSync = (from, to) => { rename(from, to); if (/AGENTS|CLAUDE/.test(to)) process.kill(process.pid, '${signal}'); };`,
    );
    const run = spawnSync(process.execPath, ['--require', preload, program, 'compile'], {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
    });
    assert.is(run.signal, signal, run.stderr);
    assert.is(prs(folder, ['compile']).status, 0);
    assert.is(prs(folder, ['compile', '--check']).status, 0);
  }
});

tests('70: a bug says so, with a stack to report, and is never taken for a finding', () => {
  const copy = project({});
  cpSync(dirname(program), join(copy, 'dist'), { recursive: true });
  write(copy, 'package.json', '{ "type": "module" }');
  symlinkSync(join(dirname(program), '../node_modules'), join(copy, 'node_modules'));
  // What the commands that are not for every day run.
  for (const path of readdirSync(join(copy, 'dist/chunks')))
    if (path.startsWith('rest-')) write(copy, `dist/chunks/${path}`, 'throw new Error("broken on purpose");\n');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'dist/prs.cjs'), 'explain', 'PRS1001'], {
    env: environment(),
    encoding: 'utf8',
  });
  assert.is(status, 70);
  assert.is(stdout, '');
  assert.match(stderr, /hit a bug[\s\S]*report it[\s\S]*broken on purpose\n {4}at /);
});

tests.run();
