/** The exit codes of all commands: 0 success, 1 findings, 2 nothing to run, a signal if interrupted, 70 an internal error. */
import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCommands } from '../../src/cli/help.ts';
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
/** A lock file that pins a source on a server that does not answer. */
const pinnedNowhere: Files = {
  ...minimal,
  'instr.lock': `version: 1\nsources:\n  "@acme":\n    git: http://127.0.0.1:9/acme.git\n    commit: ${'0'.repeat(40)}\n    files: {}\n`,
};
const newer: Files = { ...minimal, '.instr/project.prs': entry.replace('1.5.0', '9.0.0') };
const foreign: Files = { ...minimal, 'CLAUDE.md': '# Mine\n\nUse tabs.\n' };
const empty: Files = {};
/** The files that make Git accept a folder as a repository. */
const repository: Files = { ...minimal, '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/none': '', '.git/refs/none': '' };

type Run = readonly [args: string, files: Files];

/**
 * For every command: a run that succeeds, one with findings, and one that cannot run. Some commands cannot fail in one of these
 * ways.
 */
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
  // Exit codes of a serving process are tested with the language server.
  lsp: { 2: ['--no-such-option', empty] },
  mcp: { 2: ['--no-such-option', empty] },
  eject: { 0: ['--force --dry-run', minimal], 1: ['', minimal], 2: ['', empty] },
  undo: { 0: ['', minimal], 1: ['', minimal], 2: ['--cwd no-such-directory', minimal] },
  completion: { 0: ['bash', empty], 2: ['fihs', empty] },
};

const tests = suite('exit codes');

tests('every command has a case', async () => {
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
      assert.not.match(stdout + stderr, /\x1b/, 'output to a pipe must not have colours');
      const printed = prs(code === 0 ? project(files) : folder, [command, ...args.split(' ').filter(Boolean), '--json']).stdout;
      // A fleet plan prints one line per repository before its report.
      const again = JSON.parse(command === 'fleet' ? printed.trim().split('\n').at(-1)! : printed);
      if (!(command === 'undo' && code === 0)) assert.is(again.exitCode, code);
    });
  }
}

/** A registry that accepts requests and never answers. */
async function silentRegistry(): Promise<{ url: string; requests: () => number; close: () => void }> {
  let requests = 0;
  const server = createServer(() => void requests++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A failed test must not wait for the registry.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const command of ['compile', 'validate', 'diff', 'lock', 'update']) {
  tests(`SIGINT: ${command} while it waits for a registry`, async () => {
    const registry = await silentRegistry();
    const folder = project(withRegistry(registry.url));
    const before = tree(folder);
    const { child, ended, output } = startPrs(folder, [command]);
    await until(() => registry.requests() > 0, `a request arrives: ${output.stderr}`);
    child.kill('SIGINT');
    assert.equal(await ended, { code: null, signal: 'SIGINT' });
    registry.close();
    assert.is(output.stdout, '');
    assert.is(output.stderr, '');
    assert.equal(tree(folder), before);
  });
}

tests('1: reports a full disk on stderr', () => {
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

tests('the next run recovers a run that was stopped while writing', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const folder = project(minimal);
    // The signal arrives after the first file is renamed.
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

tests('70: an internal error is reported with a stack trace and not as a finding', () => {
  const copy = project({});
  cpSync(dirname(program), join(copy, 'dist'), { recursive: true });
  write(copy, 'package.json', '{ "type": "module" }');
  symlinkSync(join(dirname(program), '../node_modules'), join(copy, 'node_modules'));
  // Breaks the chunks that less common commands load.
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
