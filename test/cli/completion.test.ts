/** Completion in real shells, if they are installed: the result of pressing the Tab key. */
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCommands } from '../../src/cli/help.ts';
import { sample } from '../support/depth.ts';
import { environment, program, project, prs, write } from './prs.ts';

const folder = project({});
for (const shell of ['bash', 'zsh', 'fish']) write(folder, `prs.${shell}`, prs(folder, ['completion', shell]).stdout);
write(folder, 'prs.ps1', prs(folder, ['completion', 'powershell']).stdout);
write(folder, 'bin/.keep', '');
chmodSync(program, 0o755);
symlinkSync(program, join(folder, 'bin/prs'));
const env = environment({ PATH: join(folder, 'bin') + delimiter + process.env.PATH, TERM: 'dumb', HOME: folder });

const run = (shell: string, ...args: string[]) =>
  spawnSync(shell, args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });

const isInstalled = (shell: string) => run(shell, '--version').status === 0;

/** The typed line, and a completion that must be offered. */
const expected: readonly (readonly [line: string, offer: string])[] = [
  ['prs compl', 'completion'],
  ['prs compile --dr', '--dry-run'],
  ['prs --json valid', 'validate'],
  ['prs --cwd . valid', 'validate'],
  ['prs validate --str', '--strict'],
  ['prs compile --target juni', 'junie'],
  ['prs init --targets juni', 'junie'],
  ['prs import --format juni', 'junie'],
  ['prs validate --format gith', 'github'],
  ['prs targets juni', 'junie'],
  ['prs validate --format sar', 'sarif'],
  ['prs completion fi', 'fish'],
  ['prs completion power', 'powershell'],
  ['prs diff --cwd bi', 'bin'],
];

const shells = ['bash', 'zsh', 'fish', 'pwsh'];

const tests = suite('completion');

function check(shell: string, complete: (line: string) => string): void {
  if (!isInstalled(shell)) {
    tests.skip(`${shell} is not installed here`);
    return;
  }
  // The offers do not depend on the shell, so each shell tests another part of the lines.
  for (const [line, offer] of sample(expected, shells.indexOf(shell))) {
    tests(`${shell}: ${line}`, () => {
      const offered = complete(line);
      assert.ok(offered.includes(offer), offered);
    });
  }
}

check('bash', line => {
  // Splits the line as bash does.
  const words = line.split(/ |(=)/).filter(Boolean).map(word => `'${word}'`);
  const script = `source prs.bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _prs; echo "\${COMPREPLY[@]}"`;
  return run('bash', '--norc', '-c', script).stdout;
});

check('fish', line => run('fish', '-c', `source prs.fish; complete -C '${line}'`).stdout);

/** zsh completes only on a terminal. It gets a pseudo-terminal, which is read until the completed line appears. */
check('zsh', line => {
  const script = `
    zmodload zsh/zpty
    zpty -b shell zsh -f
    zpty -w shell 'PROMPT=; stty columns 200; autoload -U compinit; compinit -D -u; source prs.zsh; print rea$((1))dy'
    zpty -r shell before '*rea1dy*'
    zpty -n -w shell '${line}'$'\\t'
    zpty -r shell after '*${expected.find(([typed]) => typed === line)![1]}*'
    print -r -- "$after"`;
  return run('zsh', '-f', '-c', script).stdout;
});

check('pwsh', line => {
  const script = `. ./prs.ps1; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
  return run('pwsh', '-NoProfile', '-NonInteractive', '-Command', script).stdout;
});

const offered = (line: string): string[] => {
  const words = line.split(' ');
  const { status, stdout } = prs(folder, ['complete', `--current=${words.at(-1)}`, '--', ...words.slice(1, -1)]);
  assert.is(status, 0);
  return stdout.split('\n').filter(Boolean);
};

tests('offers every command and every option with its description', async () => {
  const commands = await describeCommands();
  assert.equal(offered('prs '), commands.map(({ name, description }) => `${name}\t${description}`));
  for (const { name, options } of commands.slice(0, 4)) {
    const lines = offered(`prs ${name} -`);
    for (const { names, description } of options) for (const one of names) assert.ok(lines.includes(`${one}\t${description}`), `${name} ${one}`);
    assert.ok(lines.some(line => line.startsWith('--help\t')));
  }
});

tests('offers known values and lets the shell complete paths', () => {
  assert.equal(offered('prs validate --format '), ['text', 'github', 'sarif']);
  assert.equal(offered('prs completion '), ['bash', 'zsh', 'fish', 'powershell']);
  assert.equal(offered('prs compile --cwd '), [':directories']);
  assert.equal(offered('prs validate src'), [':files']);
  assert.equal(offered('prs migrate --files '), [], 'a glob cannot be completed');
});

tests.run();
