/** The help of the program and of every command. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs } from './prs.ts';

const folder = project({});
const commands = readdirSync(fileURLToPath(new URL('../../src/cli/commands', import.meta.url))).map(name =>
  name.replace(/\.ts$/, ''),
);

const tests = suite('help');

tests('--version and -v print the version alone', () => {
  for (const flag of ['--version', '-v']) {
    const { status, stdout, stderr } = prs(folder, [flag]);
    assert.is(status, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.is(stderr, '');
  }
  assert.match(prs(folder, ['compile', '--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});

tests('general help names every command', () => {
  for (const args of [[], ['--help'], ['-h'], ['help']]) {
    const { status, stdout, stderr } = prs(folder, args);
    assert.is(status, 0);
    assert.is(stderr, '');
    for (const command of commands) assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
  }
});

tests('every command has help with examples, within eighty columns', () => {
  for (const command of commands) {
    const { status, stdout, stderr } = prs(folder, [command, '--help']);
    assert.is(status, 0, command);
    assert.is(stderr, '');
    assert.match(stdout, new RegExp(`^Usage\\n {2}prs ${command}\\b`, 'm'));
    assert.match(stdout, new RegExp(`\\$ .*prs ${command}`));
    assert.not.match(stdout, /<target>,|undefined|\$0/);
    for (const line of stdout.split('\n')) if (!line.includes('$ ')) assert.ok(line.length <= 80, `${command}: ${line}`);
    assert.is(prs(folder, ['help', command]).stdout, stdout);
    assert.is(prs(folder, [command, '-h', '--json']).stdout, stdout);
  }
});

tests('options of every command are those that each command has', () => {
  const optionsIn = (text: string, heading: string): string[] =>
    (text.split(`\n${heading}\n`)[1] ?? '').split('\n\n')[0]!.match(/^ {2}--?[a-z-]+/gm) ?? [];
  const shared = optionsIn(prs(folder, ['--help']).stdout, 'Options of every command');
  assert.ok(shared.includes('  --cwd'));
  for (const command of commands) {
    const text = prs(folder, [command, '--help']).stdout;
    assert.equal(optionsIn(text, 'Options of every command'), shared, command);
    assert.not.ok(optionsIn(text, 'Options').some(option => shared.includes(option)), command);
  }
});

tests('completion scripts know every command and are valid', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = prs(folder, ['completion', shell]);
    assert.is(status, 0);
    for (const command of commands) assert.match(stdout, new RegExp(`\\b${command}\\b`));
    assert.match(stdout, shell === 'fish' ? /-l dry-run/ : /--dry-run/);
  }
  const script = prs(folder, ['completion', 'bash']).stdout;
  const complete = (line: string) => {
    const words = line.split(' ');
    const run = `${script}\nCOMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _prs; echo "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', run], { encoding: 'utf8' });
    assert.is(status, 0, stderr);
    return stdout.trim();
  };
  assert.is(complete('prs comp'), 'compile completion');
  assert.is(complete('prs compile --dr'), '--dry-run');
  assert.is(complete('prs --json validate --str'), '--strict');
});

tests('an unknown shell is a wrong command line', () => {
  const { status, stdout, stderr } = prs(folder, ['completion', 'constructor']);
  assert.is(status, 2);
  assert.is(stdout, '');
  assert.match(stderr, /bash, zsh, fish/);
});

tests.run();
