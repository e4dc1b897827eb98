/** Checks of a spec beyond the schema: each mistake is reported, and a valid spec has none. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { lintSpec } from '../../src/kinds/lint/spec.ts';

const tests = suite('spec lint');

const good = `id: lantern
title: Lantern
homepage: https://example.com
evidence: [{ url: https://example.com, checked: 2026-03-01 }]
versions: { simple: One file., full: Everything. }
defaultVersion: full
files:
  instructions: { kind: document, of: instructions, path: LANTERN.md }
  rules:
    kind: items
    of: guards
    versions: [full]
    path: .lantern/rules/{name}.md
    frontmatter: [{ key: match, from: globs }, { key: mode, value: auto, when: { option: profile, is: [team] } }, { key: mode, value: calm, when: { option: profile, is: [shared] } }]
    body: content
  mcp: { kind: entries, of: mcpServers, path: ".lantern/{profile}.json", format: json, at: [servers], entry: { run: { from: argv } } }
  hooks:
    kind: entries
    of: hooks
    path: .lantern/hooks.json
    format: json
    at: [hooks]
    hooks: { events: { stop: [{ name: Stop }] }, timeoutUnit: seconds }
    entry: { command: { from: shell } }
options:
  profile: { type: enum, values: [shared, team], default: shared, help: Which file. }
limits: [{ file: instructions, max: 10, unit: lines, then: cut }]
legacy: [{ path: OLD.md, as: instructions }]
`;

async function problems(text: string, fileName = 'lantern'): Promise<string[]> {
  const found: string[] = [];
  lintSpec(parse(text) as TargetSpec, fileName, () => undefined, ({ message }) => found.push(message));
  return found;
}

tests('a valid spec has no problem', async () => {
  assert.equal(await problems(good), []);
});

const mistakes: readonly (readonly [from: string, to: string, problem: string])[] = [
  ['id: lantern', 'id: lamp', 'the id is "lamp" but the file is lantern.yaml'],
  ['body: content', 'entry: { text: { from: content } }', 'the rows beside `entry` are not written'],
  ['defaultVersion: full', 'defaultVersion: ful', 'there is no version "ful"'],
  ['versions: [full]', 'versions: [ful]', 'there is no version "ful"'],
  ['path: .lantern/rules/{name}.md', 'path: .lantern/rules.md', 'every item would get the same path'],
  ['rules/{name}.md', 'rules/{name}-{nme}.md', 'there is no placeholder "nme"'],
  ['from: globs', 'from: glob', 'there is no field "glob"'],
  ['from: globs', 'as: list', 'the row "match" needs `from` or `value`'],
  ['value: auto, when: { option: profile, is: [team] }', 'value: auto, when: { option: profil }', 'there is no option "profil"'],
  ['is: [team]', 'is: [teem]', 'there is no value of profile "teem"'],
  ['key: mode, value: auto, when: { option: profile, is: [team] }', 'key: match, value: auto', 'the key "match" is written twice'],
  ['body: content', 'body: nothing', 'there is no body "nothing"'],
  ['run: { from: argv }', 'run: { from: arg }', 'there is no field "arg"'],
  ['run: { from: argv }', 'run: [{ option: nothing }]', 'there is no option "nothing"'],
  ['entry: { run: { from: argv } }', 'by: transport, entry: {}', 'an entry needs either `entry`, or `by` with `variants`'],
  ['events: { stop:', 'events: { stopp:', 'there is no event "stopp"'],
  ['{ name: Stop }', '{ name: Stop, shape: other }', 'there is no variant "other"'],
  ['timeoutUnit: seconds }', 'timeoutUnit: seconds }\n    forms: { other: { events: { stopp: [{ name: Stop }] }, entry: { run: { from: shell } } } }', 'there is no event "stopp"'],
  ['timeoutUnit: seconds }', 'timeoutUnit: seconds }\n    forms: { other: { entry: { run: { from: shel } } } }', 'there is no field "shel"'],
  ['file: instructions, max', 'file: instruction, max', 'there is no entry of `files` "instruction"'],
  ['file: instructions, max', 'file: rules, field: contents, max', 'there is no field "contents"'],
  ['as: instructions', 'as: instruction', 'there is no entry of `files` "instruction"'],
];

for (const [from, to, problem] of mistakes) {
  tests(`${from} → ${to}`, async () => {
    assert.ok(good.includes(from));
    const found = await problems(good.replace(from, to));
    assert.ok(found.some(text => text.includes(problem)), found.join('\n') || 'nothing is found');
  });
}

tests.run();
