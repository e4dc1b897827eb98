/** Invalid command lines: exit code 2, a message on stderr, nothing on stdout, no written files. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, prs, tree } from './prs.ts';

const folder = project(minimal);
const before = tree(folder);

const tests = suite('command line');

const wrong: readonly (readonly [args: string, expected: RegExp])[] = [
  ['complie', /no command `complie`[\s\S]*`prs compile`/],
  ['frobnicate', /no command `frobnicate`[\s\S]*prs --help/],
  ['constructor', /no command `constructor`/],
  ['__proto__', /no command `__proto__`/],
  ['complie --help', /no command `complie`/],
  ['compile --dry-rnu', /no option `--dry-rnu`[\s\S]*`--dry-run`/],
  ['compile --dry', /no option `--dry`[\s\S]*`--dry-run`/],
  ['compile --strict', /no option `--strict`[\s\S]*prs validate/],
  ['compile -x', /no option `-x`/],
  ['--nope', /`prs` has no option `--nope`[\s\S]*`prs --help`/],
  ['-x', /`prs` has no option `-x`/],
  ['--jsn', /`prs` has no option `--jsn`[\s\S]*`--json`/],
  ['--check', /`prs` has no option `--check`[\s\S]*`prs compile`/],
  ['--json=yes', /no option/],
  ['--cwd', /`--cwd` needs a value/],
  ['--nope compile', /`prs compile` has no option `--nope`/],
  ['-', /no command `-`/],
  ['compile --target', /`--target` needs a value/],
  ['compile --config', /`--config` needs a value/],
  ['compile sources.prs', /does not take the argument `sources.prs`/],
  ['undo everything now', /`everything`/],
  ['completion', /needs <shell>/],
  ['explain', /needs <code-file-or-value>/],
  ['explain PRS0', /nothing named `PRS0`/],
  ['explain no.such.value', /nothing named `no.such.value`/],
  ['targets no-such-tool', /no target `no-such-tool`/],
  ['compile --watch --check', /`--watch` and `--check`/],
  ['compile --build a --all-builds', /`--build` and `--all-builds`/],
  ['compile --format html', /`--format` does not take `html`/],
  ['validate --format html', /`--format` does not take `html`/],
  ['compile --build documentaton', /no build profile `documentaton`/],
  ['compile --target no-such-tool', /`no-such-tool` is not enabled/],
  ['diff --target no-such-tool', /`no-such-tool` is not enabled/],
  ['compile --config missing.yaml', /missing\.yaml/],
  ['compile --cwd no-such-directory', /no-such-directory/],
  ['compile --cwd instr.yaml', /instr\.yaml/],
  ['init --yes --targets no-such-tool', /no target `no-such-tool`/],
];

for (const [line, expected] of wrong) {
  tests(line, () => {
    const args = line.split(' ');
    const plain = prs(folder, args);
    assert.match(plain.stderr, expected);
    assert.match(plain.stderr, /help: /, 'the message must have a hint');
    assert.not.match(plain.stderr, /\n {4}at /, 'the output must not have a stack trace');
    assert.is(plain.stdout, '');
    assert.is(plain.status, line.startsWith('explain no.such') ? 1 : 2);
    const json = prs(folder, [...args.slice(0, 1), '--json', ...args.slice(1)]);
    if (line === 'compile --target' || line === 'compile --config') return;
    if (line.includes('--help')) return;
    const report = JSON.parse(json.stdout);
    assert.is(report.ok, false);
    assert.is(report.exitCode, plain.status);
    assert.is(json.status, plain.status);
    assert.ok(report.diagnostics.length > 0);
    assert.is(json.stderr, '');
  });
}

tests('no invalid command line writes a file', () => {
  assert.equal(tree(folder), before);
});

tests('options may precede the command and take values after =', () => {
  const { status, stdout } = prs(project({}), ['--cwd', folder, '--json', 'compile', '--dry-run', '--config=instr.yaml']);
  assert.is(status, 0);
  assert.is(JSON.parse(stdout).command, 'compile');
});

tests('reports only what is invalid: option values, negated switches and arguments after `--` are accepted', () => {
  const unknownOptions = (...args: string[]) => {
    const { diagnostics } = JSON.parse(prs(folder, [...args, '--json']).stdout);
    return diagnostics.map(({ message }: { message: string }) => /`--[^`]+`/.exec(message)?.[0]);
  };
  assert.equal(unknownOptions('compile', '--target', 'claude', '--frozn'), ['`--frozn`']);
  assert.equal(unknownOptions('compile', '--target=claude', '--no-color', '--frozn'), ['`--frozn`']);
  assert.equal(unknownOptions('compile', '--no-colour'), ['`--no-colour`']);
  assert.match(prs(folder, ['explain', '--json', '--frozn', '--', 'PRS1001']).stdout, /--frozn/);
  const { diagnostics } = JSON.parse(prs(folder, ['import', '--frozn', '--json', '--', 'CLAUDE.md']).stdout);
  assert.equal(diagnostics.map(({ code }: { code: string }) => code), ['PRS9702'], 'the file must exist');
});

tests('follows the color options, even if the command line is invalid', () => {
  assert.match(prs(folder, ['compile', '--frozn', '--color']).stderr, /\x1b\[31m/);
  assert.not.match(prs(folder, ['compile', '--frozn', '--no-color'], { FORCE_COLOR: '1' }).stderr, /\x1b/);
});

tests.run();
