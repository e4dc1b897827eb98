/** The dialogue of `prs init` in a real terminal. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { project, prs, read, tree } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

const tests = suite('init in a terminal');
const test = hasTerminal ? tests : tests.skip;

const config = (folder: string) => parse(read(folder, 'instr.yaml'));

test('accepting all defaults gives a project that compiles', async () => {
  const folder = project({ 'package.json': '{ "name": "web-app" }', '.prettierrc': '{}', 'opencode.json': '{}\n' });
  const screen = await openScreen(folder);
  screen.type('prs init', 'Enter');
  assert.match(await screen.shows(/What is the id/), /web-app/);
  screen.type('Enter');
  assert.match(await screen.shows(/Which assistants\?/), /those in use are selected[\s\S]*◼ OpenCode/);
  screen.type('Enter');
  await screen.shows(/A registry to share/);
  screen.type('https://git.example.org/acme/instructions.git', 'Enter');
  await screen.shows(/Format generated files/);
  screen.type('Enter');
  assert.match(await screen.shows(/^\[0\]$/m), /Made:[\s\S]*^ {2}instr\.yaml[\s\S]*then run `prs compile`/m);
  assert.equal(config(folder), { id: 'web-app', syntax: '1.6.0', targets: ['opencode'], output: { layout: 'once' }, formatting: { formatter: true }, registries: { '@acme': 'https://git.example.org/acme/instructions.git' } });
  assert.is(prs(folder, ['compile']).status, 0);
  assert.is(prs(folder, ['validate', '--strict']).status, 0);

  screen.type('clear; prs init', 'Enter');
  const again = await screen.shows(/^\[1\]$/m);
  assert.match(again, /instr\.yaml` exists already/);
  assert.not.match(again, /What is the id/, 'must fail before the first question');
  assert.is(config(folder).id, 'web-app');
  screen.close();
});

test('Ctrl-C at any question exits with 130 and writes nothing', async () => {
  for (const answered of [0, 1, 2, 3]) {
    const files = { '.prettierrc': '{}', 'CLAUDE.md': '# Mine\n' };
    const folder = project(files);
    const screen = await openScreen(folder);
    const questions = [/What is the id/, /Which assistants/, /A registry to share/, /What becomes of them/];
    screen.type('prs init', 'Enter');
    for (const question of questions.slice(0, answered)) {
      await screen.shows(question);
      screen.type('Enter');
    }
    await screen.shows(questions[answered]!);
    screen.type('C-c');
    assert.match(await screen.shows(/^\[130\]$/m), /Nothing was written/);
    assert.equal(tree(folder), Object.keys(files).sort());
    screen.close();
  }
});

const choices: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ['kept', ['Enter']],
  ['left', ['Down', 'Enter']],
];

for (const [name, keys] of choices) {
  test(`existing instructions: ${name}`, async () => {
    const folder = project({ 'CLAUDE.md': '# Mine\n\nUse tabs.\n' });
    const screen = await openScreen(folder);
    screen.type('prs init', 'Enter');
    await screen.shows(/What is the id/);
    screen.type('C-u', 'sample', 'Enter');
    await screen.shows(/Which assistants/);
    screen.type('Enter');
    await screen.shows(/A registry to share/);
    screen.type('Enter');
    await screen.shows(/already: CLAUDE\.md/);
    screen.type(...keys);
    const output = await screen.shows(/^\[0\]$/m);
    assert.is(config(folder).id, 'sample');
    assert.is(read(folder, 'CLAUDE.md'), '# Mine\n\nUse tabs.\n');
    assert.match(output, /prs compile\b/, 'the next step must be named');
    assert.is(tree(folder).includes('.instr/documents/project-claude.md') || tree(folder).includes('.instr/project.md'), name === 'kept');
    assert.is(prs(folder, ['validate', '--strict']).status, 0);
    assert.is(prs(folder, ['compile']).status, name === 'left' ? 1 : 0);
    assert.is(read(folder, 'CLAUDE.md'), '# Mine\n\nUse tabs.\n');
    screen.close();
  });
}

test('asks again after an invalid id', async () => {
  const folder = project({});
  const screen = await openScreen(folder);
  screen.type('prs init', 'Enter');
  await screen.shows(/What is the id/);
  screen.type('C-u', '../x', 'Enter');
  await screen.shows(/Use letters, digits/);
  screen.type('C-c');
  await screen.shows(/^\[130\]$/m);
  screen.close();
});

tests.run();
