/** Runs the rules on the fixture projects, and checks rule names and severities. */
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

test('every rule with its own check reports a finding in at least one case', () => {
  const found = cases.names.map(name => readFileSync(join(cases.folder, name, 'expected.txt'), 'utf8')).join('');
  for (const { name, check } of rules) if (check) assert.ok(found.includes(`[${name}]`), name);
});

test('rule names are unique and sorted, and every rule has a help sentence', () => {
  const names = rules.map(rule => rule.name);
  assert.equal(names, [...new Set(names)].sort());
  for (const { name, help } of rules) assert.match(help, /^[A-Z].*\.$/, name);
});

test('a disabled rule reports nothing, and a configured severity applies to every finding', () => {
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

test('a script path must not contain characters that are special to a shell', () => {
  const codes = (path: string) =>
    findingsIn(`@meta { id: "x" syntax: "1.5.0" }\n@hooks { one: { event: "stop" script: { path: ${JSON.stringify(path)} } } }`).map(
      one => one.code,
    );
  assert.equal(codes('scripts/a-b_c.1.sh'), []);
  for (const character of ' $`"\'\\;&|<>*?') assert.equal(codes(`a${character}b.sh`), ['PRS4025'], character);
});

test('the key of a section must match its first words completely', () => {
  const unknown = (heading: string) =>
    findingsIn(`@meta { id: "x" syntax: "1.5.0" }\n@knowledge {\n@header post "After"\n"""\n## ${heading}\n\nText.\n"""\n}`).map(one => one.code);
  assert.equal(unknown('Post'), []);
  assert.equal(unknown('Post the letters'), []);
  assert.is(unknown('Poster').length, 1);
  assert.is(unknown('Before post').length, 1);
});

test('limits the findings for a file with many hidden characters', () => {
  const text = `@meta { id: "x" syntax: "1.5.0" }\n@context { "${'a\u200b'.repeat(50)}" }`;
  assert.is(findingsIn(text).length, 20);
});

test('the examples of every page produce what the page states', () => {
  for (const page of Object.values(pages).filter(({ code }) => code.startsWith('PRS4'))) {
    const [wrong, right] = ['Wrong', 'Right'].map(
      title => new RegExp(`## ${title}\n\`\`\`prs\n([^]*?)\n\`\`\``).exec(page.page)?.[1],
    );
    const targets = { names: ['claude'], isTarget: (name: string) => name === 'claude' };
    const kindOf = (path: string) => (page.page.includes(` file=${path}\n`) ? ('file' as const) : undefined);
    const repository = { kindOf, scripts: () => new Set(['test']), makeTargets: () => undefined };
    const codes = (text: string) => findingsIn(text, { targets, repository }).map(one => one.code);
    if (wrong !== undefined) assert.ok(codes(wrong).includes(page.code), `${page.code}: wrong example`);
    // The scripts that the right examples name do not exist here.
    const rest = right === undefined ? [] : codes(right).filter(code => code !== 'PRS4025');
    assert.equal(rest, [], `${page.code}: right example`);
  }
});

test.run();
