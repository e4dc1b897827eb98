/** The program with Node's permission model: it works without child processes, and reports missing permissions. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, minimal, program, project, write } from '../cli/prs.ts';
import { sample } from '../support/depth.ts';

const tests = suite('permission model');

const flag = Number(process.versions.node.split('.')[0]) < 23 ? '--experimental-permission' : '--permission';

function run(cwd: string, rights: readonly string[], args: readonly string[]) {
  const all = ['--no-warnings', flag, ...rights, program, ...args];
  const done = spawnSync(process.execPath, all, { cwd, env: environment(), encoding: 'utf8', input: '' });
  return { status: done.status, output: done.stdout + done.stderr };
}

const files = ['--allow-fs-read=*', '--allow-fs-write=*'];

tests('every command works with permissions for files', () => {
  const folder = project(minimal);
  for (const [args, expected] of [
    [['compile'], 0],
    [['compile', '--check'], 0],
    [['diff'], 0],
    [['validate'], 0],
    [['status'], 0],
    [['doctor'], 0],
    [['view', '--as', 'claude'], 0],
    [['view'], 0],
    [['explain', 'CLAUDE.md:1'], 0],
    [['absorb', '--dry-run'], 0],
    [['format'], 0],
    [['lock'], 0],
    [['update'], 0],
    [['targets'], 0],
    [['completion', 'bash'], 0],
    [['undo'], 0],
    [['hook', 'install'], 1],
  ] as const) {
    const { status, output } = run(folder, files, args);
    assert.is(status, expected, `${args.join(' ')}: ${output}`);
  }
});

tests('a registry that needs Git is an error that names the missing permission', () => {
  const folder = project(minimal);
  write(folder, 'instr.yaml', `${minimal['instr.yaml']}registries: { "@acme": "https://127.0.0.1:1/x.git" }\n`);
  write(folder, '.instr/project.prs', `${minimal['.instr/project.prs']}@use @acme/base\n`);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const { status, output } = run(folder, files, ['validate']);
  assert.is(status, 1);
  assert.match(output, /PRS9\d+: .*--allow-child-process/);
});

tests('without permission to read the project an error says so', () => {
  const folder = project(minimal);
  const own = `--allow-fs-read=${join(program, '..')}`;
  for (const args of sample([['compile'], ['validate'], ['diff'], ['status'], ['init', '--yes'], ['migrate', '--dry-run'], ['view'], ['doctor']])) {
    const { status, output } = run(folder, [own], args);
    assert.ok(status === 1 || status === 2, `${args.join(' ')}: ${status} ${output}`);
    assert.match(output, /error PRS\d+: .*permission model does not allow it/, args.join(' '));
  }
});

tests.run();
