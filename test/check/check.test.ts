/** The rules on the projects of the cases, with their names and severities. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rules } from '../../src/check/rules.ts';
import { pages } from '../../src/generated/pages.ts';
import { addCases } from '../support/cases.ts';
import { cases, findingsIn } from './cases.ts';

const test = suite('rules');

addCases(test, cases);

test('every rule with a check of its own finds something in some case', () => {
  const found = cases.names.map(name => readFileSync(join(cases.folder, name, 'expected.txt'), 'utf8')).join('');
  for (const { name, check } of rules) if (check) assert.ok(found.includes(`[${name}]`), name);
});

test('names are unique and sorted, and each has a sentence', () => {
  const names = rules.map(rule => rule.name);
  assert.equal(names, [...new Set(names)].sort());
  for (const { name, help } of rules) assert.match(help, /^[A-Z].*\.$/, name);
});

test('a rule that is off finds nothing, and a severity holds for every finding', () => {
  const text = '@standards { }';
  assert.equal(
    findingsIn(text).map(one => [one.rule, one.severity]),
    [
      ['required-meta', 'error'],
      ['empty-block', 'warning'],
    ],
  );
  const rest = findingsIn(text, { rules: { 'required-meta': 'off', 'empty-block': 'error' } });
  assert.equal(
    rest.map(one => [one.rule, one.severity]),
    [['empty-block', 'error']],
  );
});

test('a script path holds nothing that a shell would read as its own', () => {
  const codes = (path: string) =>
    findingsIn(`@meta { id: "x" syntax: "1.5.0" }\n@hooks { one: { event: "stop" script: { path: ${JSON.stringify(path)} } } }`).map(
      one => one.code,
    );
  assert.equal(codes('scripts/a-b_c.1.sh'), []);
  for (const character of ' $`"\'\\;&|<>*?') assert.equal(codes(`a${character}b.sh`), ['PRS4025'], character);
});

test('a key of a section is the whole of its first words', () => {
  const unknown = (heading: string) =>
    findingsIn(`@meta { id: "x" syntax: "1.5.0" }\n@knowledge {\n@header post "After"\n"""\n## ${heading}\n\nText.\n"""\n}`).map(one => one.code);
  assert.equal(unknown('Post'), []);
  assert.equal(unknown('Post the letters'), []);
  assert.is(unknown('Poster').length, 1);
  assert.is(unknown('Before post').length, 1);
});

test('a file full of hidden characters is not a report full of them', () => {
  const text = `@meta { id: "x" syntax: "1.5.0" }\n@context { "${'a\u200b'.repeat(50)}" }`;
  assert.is(findingsIn(text).length, 20);
});

test('every page shows what it says', () => {
  for (const page of Object.values(pages).filter(({ code }) => code.startsWith('PRS4'))) {
    const [wrong, right] = ['Wrong', 'Right'].map(
      title => new RegExp(`## ${title}\n\`\`\`prs\n([^]*?)\n\`\`\``).exec(page.page)?.[1],
    );
    const targets = { names: ['claude'], isTarget: (name: string) => name === 'claude' };
    const kindOf = (path: string) => (page.page.includes(` file=${path}\n`) ? ('file' as const) : undefined);
    const repository = { kindOf, scripts: () => new Set(['test']), makeTargets: () => undefined };
    const codes = (text: string) => findingsIn(text, { fileExists: () => false, targets, repository }).map(one => one.code);
    if (wrong !== undefined) assert.ok(codes(wrong).includes(page.code), `${page.code}: wrong example`);
    // The scripts of the right examples stand in no project here.
    const rest = right === undefined ? [] : codes(right).filter(code => code !== 'PRS4025');
    assert.equal(rest, [], `${page.code}: right example`);
  }
});

test.run();
