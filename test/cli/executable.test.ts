/** The standalone executable needs neither Node nor other files, and behaves like the package. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { makeExecutable } from '../../scripts/build-sea.ts';
import { needing } from '../support/machine.ts';
import { environment, project, read, runProgram, tree } from './prs.ts';

const tests = suite('executable');
const test = needing(tests, 'Node that can carry a program');

const folder = mkdtempSync(join(tmpdir(), 'instr-executable-'));
const executable = join(folder, process.platform === 'win32' ? 'prs.exe' : 'prs');
const env = environment({ INSTR_CACHE_DIR: join(folder, 'cache'), PATH: '' });
const run = (cwd: string, ...args: string[]) => spawnSync(executable, args, { cwd, env, encoding: 'utf8' });
const packaged = (cwd: string, ...args: string[]) => runProgram({ cwd, args, environment: env });

tests.after(() => rmSync(folder, { recursive: true, force: true }));

const sources = {
  'instr.yaml': 'id: demo\nsyntax: "1.5.0"\ntargets: [claude, cursor]\nformatting: { proseWrap: always, printWidth: 30 }\n',
  '.instr/project.prs':
    '@meta { id: "demo" syntax: "1.5.0" }\n@identity { "You maintain a shop that sells bicycles to everybody." }\n',
};

test('is built and reports the version of the package', async () => {
  await makeExecutable(executable);
  for (const args of [['--version'], ['--help'], ['compile', '--help'], ['help', 'start'], ['explain', '@guards'], ['targets'], ['nonsense']]) {
    const [own, other] = [run(folder, ...args), packaged(folder, ...args)];
    assert.is(own.stdout, other.stdout, args.join(' '));
    assert.is(own.stderr, other.stderr, args.join(' '));
    assert.is(own.status, other.status, args.join(' '));
  }
});

test('compiles and formats with byte-identical results', () => {
  const [own, other] = [project(sources), project(sources)];
  assert.is(run(own, 'compile').status, 0);
  assert.is(packaged(other, 'compile').status, 0);
  const [found, expected] = [own, other].map(at => tree(at).filter(path => !path.includes('/runs/')));
  assert.equal(found, expected);
  for (const path of ['CLAUDE.md', '.cursor/rules/project.mdc']) assert.is(read(own, path), read(other, path));
  assert.ok(read(own, 'CLAUDE.md').includes('sells\nbicycles'), 'the formatter must run');
  assert.is(run(own, 'compile', '--check').status, 0);
});

test('works as its own merge driver', () => {
  const own = project(sources);
  spawnSync('git', ['init', '--quiet'], { cwd: own });
  spawnSync(executable, ['hook', 'install'], { cwd: own });
  const config = readFileSync(join(own, '.git/config'), 'utf8');
  assert.is(config.split(executable).length, 2, config);
});

test('serves editors with its embedded schema', async () => {
  const own = project(sources);
  const child = spawn(executable, ['lsp', '--stdio'], { cwd: own, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  const uri = `file://${own}/instr.yaml`;
  const text = `${sources['instr.yaml']}form`;
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version: 1, text },
  });
  const found = await connection.sendRequest('textDocument/completion', {
    textDocument: { uri },
    position: { line: 4, character: 4 },
  });
  assert.ok(JSON.stringify(found).includes('"registries"'));
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  assert.is(await new Promise(resolve => child.once('close', resolve)), 0);
  connection.dispose();
});

tests.run();
