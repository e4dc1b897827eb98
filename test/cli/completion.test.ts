/** Completion in the shells themselves, where they are installed: what somebody gets who presses the tab key. */
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandTable } from '../../src/generated/command-table.ts';
import { environment, program, project, prs, write } from './prs.ts';

const folder = project({});
for (const shell of ['bash', 'zsh', 'fish']) write(folder, `prs.${shell}`, prs(folder, ['completion', shell]).stdout);
const powershell = prs(folder, ['completion', 'powershell']).stdout;
write(folder, 'prs.ps1', powershell);
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
  ['prs validate --format sar', 'sarif'],
  ['prs completion fi', 'fish'],
  ['prs completion power', 'powershell'],
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

check('pwsh', line => {
  const script = `. ./prs.ps1; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
  return run('pwsh', '-NoProfile', '-NonInteractive', '-Command', script).stdout;
});

/** The texts of the script, and what is left of it: a text ends at a single quote that is not doubled, curly or not. */
function takeApart(script: string): { texts: string[]; rest: string } {
  const texts: string[] = [];
  const rest = script
    .replace(/^#.*$/gm, '')
    .replace(/"[^"\n]*"|['\u2018-\u201b]((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)['\u2018-\u201b]/g, (whole, text) => {
      if (!whole.startsWith('"')) texts.push(text.replace(/(['\u2018-\u201b])\1/g, '$1'));
      return 'TEXT';
    });
  return { texts, rest };
}

/** The lines of a table of the script, by the name that they begin with. */
function tableOf(name: string): ReadonlyMap<string, string> {
  const [, body = ''] = new RegExp(`^  \\$${name} = (?:\\[ordered\\])?@\\{\\n([\\s\\S]*?)^  \\}$`, 'm').exec(powershell) ?? [];
  const entries = body.matchAll(/^ {4}'([^']*)' = ([\s\S]*?)(?=\n {4}'|\n$)/gm);
  return new Map([...entries].map(([, key, value]) => [key!, value!]));
}

tests('powershell: every command, option and value of the table is in the script', () => {
  const [commands, options, values, words] = ['commands', 'options', 'values', 'arguments'].map(tableOf);
  assert.equal([...commands!.keys()], commandTable.map(({ name }) => name));
  assert.equal([...words!.keys()], commandTable.map(({ name }) => name));
  for (const command of commandTable) {
    const listed = [...options!.get(command.name)!.matchAll(/^ {6}'(-[^']*)' = /gm)].map(([, name]) => name);
    assert.equal(listed, [...command.options.flatMap(({ names }) => names), '-h', '--help', '-v', '--version']);
    for (const { names, takesValue } of command.options)
      for (const name of names) assert.is(values!.has(`${command.name} ${name}`), takesValue, `${command.name} ${name}`);
  }
  assert.is(values!.get('validate --format'), "@('text', 'github', 'sarif')");
  assert.is(values!.get('compile --format'), "@('text', 'github')");
  assert.is(values!.get(' --cwd'), "'directories'");
  assert.match(values!.get('compile --target')!, "'junie'");
  assert.is(words!.get('completion'), "@('bash', 'fish', 'powershell', 'zsh')");
  assert.is(words!.get('validate'), "'files'");
});

tests('powershell: descriptions stay what they are, and every bracket is closed', () => {
  const { texts, rest } = takeApart(powershell);
  for (const { description, options } of commandTable)
    for (const text of [description, ...options.map(option => option.description)]) assert.ok(texts.includes(text), text);
  const open: string[] = [];
  const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
  for (const sign of rest.replace(/[^()[\]{}]/g, '')) {
    if (sign in closers) assert.is(open.pop(), closers[sign]);
    else open.push(sign);
  }
  assert.equal(open, []);
  assert.not.match(rest, /['\u2018-\u201b]/);
});

tests.run();
