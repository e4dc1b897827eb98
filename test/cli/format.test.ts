/** `prs format`: files, folders, standard input and `--check`. */
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, program, project, prs, read, write } from './prs.ts';

const crooked = '@meta{id:"sample",syntax:"1.6.0"}\n@identity{"You work here."} # why\n';
const straight =
  '@meta {\n  id: "sample"\n  syntax: "1.6.0"\n}\n\n@identity {\n  "You work here."\n} # why\n';
const configuration = 'id: sample\nsyntax: "1.6.0"\ntargets: [claude]\n';

const sample = (more: Record<string, string> = {}) =>
  project({ 'instr.yaml': configuration, '.instr/project.prs': crooked, ...more });

const tests = suite('format');

tests('formats every source of the project, and undo reverts it', () => {
  const folder = sample({ 'packages/a/team.prs': crooked, 'node_modules/x/y.prs': crooked });
  const { status, stdout } = prs(folder, ['format']);
  assert.is(status, 0);
  assert.is(stdout, '  changed .instr/project.prs\n  changed packages/a/team.prs\n2 source files checked, 2 changed.\n');
  assert.is(read(folder, '.instr/project.prs'), straight);
  assert.is(read(folder, 'node_modules/x/y.prs'), crooked);
  assert.is(prs(folder, ['format']).stdout, '2 source files checked, 0 changed.\n');
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read(folder, '.instr/project.prs'), crooked);
});

tests('--check writes nothing and fails if a file is not formatted', () => {
  const folder = sample();
  const { status, stdout } = prs(folder, ['format', '--check']);
  assert.is(status, 1);
  assert.is(stdout, '  would change .instr/project.prs\n1 source file checked, 1 to change.\n');
  assert.is(read(folder, '.instr/project.prs'), crooked);
  const { files, exitCode } = JSON.parse(prs(folder, ['format', '--check', '--json']).stdout);
  assert.equal([exitCode, files.map(({ path }: { path: string }) => path)], [1, ['.instr/project.prs']]);
  prs(folder, ['format']);
  assert.is(prs(folder, ['format', '--check']).status, 0);
});

tests('accepts files and folders relative to the working directory', () => {
  const folder = sample({ 'packages/a/team.prs': crooked, 'packages/b/team.prs': crooked, 'notes.md': '#  Notes\n' });
  assert.is(prs(folder, ['format', '--cwd', `${folder}/packages`, 'b']).status, 0);
  assert.is(read(folder, 'packages/b/team.prs'), straight);
  assert.is(read(folder, 'packages/a/team.prs'), crooked);
  assert.match(prs(folder, ['format', 'notes.md']).stderr, /PRS9452.*notes\.md/s);
  const { status, stderr } = prs(folder, ['format', 'gone.prs', 'packages/a/team.prs']);
  assert.is(status, 1);
  assert.match(stderr, /gone\.prs/);
  assert.is(read(folder, 'packages/a/team.prs'), straight);
});

tests('reports the location of a syntax error, skips the file and formats the others', () => {
  const broken = '@identity {\n';
  const folder = sample({ '.instr/more.prs': broken, 'test/fixture.prs': broken });
  const { status, stderr } = prs(folder, ['format']);
  assert.is(status, 1);
  assert.match(stderr, /\.instr\/more\.prs:1:/);
  assert.match(stderr, /warning PRS9451.*test\/fixture\.prs/s);
  assert.is(read(folder, '.instr/more.prs'), broken);
  assert.is(read(folder, '.instr/project.prs'), straight);
});

tests('keeps byte order marks and Windows line endings', () => {
  const folder = sample();
  write(folder, '.instr/project.prs', `\ufeff${crooked.replaceAll('\n', '\r\n')}`);
  assert.is(prs(folder, ['format']).status, 0);
  assert.is(read(folder, '.instr/project.prs'), `\ufeff${straight.replaceAll('\n', '\r\n')}`);
});

tests('formats standard input to standard output', () => {
  const folder = project({});
  const run = (input: string, ...more: string[]) =>
    spawnSync(process.execPath, [program, 'format', '--stdin-file-path', 'a/b.prs', ...more], {
      cwd: folder,
      env: environment(),
      input,
      encoding: 'utf8',
    });
  assert.equal([run(crooked).status, run(crooked).stdout], [0, straight]);
  assert.equal([run(crooked, '--check').status, run(crooked, '--check').stdout], [1, '']);
  assert.is(run(straight, '--check').status, 0);
  assert.is(JSON.parse(run(crooked, '--json').stdout).source, straight);
  const { status, stdout, stderr } = run('@identity {\n');
  assert.equal([status, stdout], [1, '']);
  assert.match(stderr, /a\/b\.prs:1:/);
});

tests.run();
