/** Completion in the shells themselves, where they are installed: what somebody gets who presses the tab key. */
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, program, project, prs, write } from './prs.ts';

const folder = project({});
for (const shell of ['bash', 'zsh', 'fish']) write(folder, `prs.${shell}`, prs(folder, ['completion', shell]).stdout);
write(folder, 'bin/.keep', '');
chmodSync(program, 0o755);
symlinkSync(program, join(folder, 'bin/prs'));
const env = environment({ PATH: join(folder, 'bin') + delimiter + process.env.PATH, TERM: 'dumb', HOME: folder });

const run = (shell: string, ...args: string[]) =>
  spawnSync(shell, args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });

const isInstalled = (shell: string) => run(shell, '--version').status === 0;

/** What is typed, and what completing it must offer. */
const expected: readonly (readonly [line: string, offer: string])[] = [
  ['prs compl', 'completion'],
  ['prs compile --dr', '--dry-run'],
  ['prs --json valid', 'validate'],
  ['prs --cwd . valid', 'validate'],
  ['prs validate --str', '--strict'],
  ['prs compile --target juni', 'junie'],
  ['prs compile --target=juni', 'junie'],
  ['prs init --targets juni', 'junie'],
  ['prs import --format juni', 'junie'],
  ['prs validate --format gith', 'github'],
  ['prs targets juni', 'junie'],
  ['prs completion fi', 'fish'],
  ['prs diff --cwd bi', 'bin'],
];

const tests = suite('completion');

function check(shell: string, complete: (line: string) => string): void {
  if (!isInstalled(shell)) {
    tests.skip(`${shell} is not installed here`);
    return;
  }
  for (const [line, offer] of expected) {
    tests(`${shell}: ${line}`, () => assert.ok(complete(line).includes(offer), complete(line)));
  }
}

check('bash', line => {
  // As bash itself takes a line apart.
  const words = line.split(/ |(=)/).filter(Boolean).map(word => `'${word}'`);
  const script = `source prs.bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _prs; echo "\${COMPREPLY[@]}"`;
  return run('bash', '--norc', '-c', script).stdout;
});

check('fish', line => run('fish', '-c', `source prs.fish; complete -C '${line}'`).stdout);

/** zsh completes on a terminal only: it gets one of its own, and is asked there until the line is whole. */
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

tests.run();
