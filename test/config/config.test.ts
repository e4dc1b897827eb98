/** Reading `instr.yaml`: defaults, `extends`, findings with their locations, and secrets. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { joinPolicies, type Layer } from '../../src/project/config/chain.ts';
import { targetEntries } from '../../src/project/config/targets.ts';
import { renderGithub } from '../../src/text/diagnostics/render-github.ts';
import { renderJson } from '../../src/text/diagnostics/render-json.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { positionAt } from '../../src/text/source.ts';
import { addCases } from '../support/cases.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';
import { cases, load, memory } from './cases.ts';

const base = 'id: shop\nsyntax: "1.5.0"\ntargets: [alpha]\n';

const caseTest = suite('configuration cases');
addCases(caseTest, cases);
caseTest.run();

const find = suite('configuration lookup');

find('uses the nearest file, searching upwards to the root of the repository', async () => {
  const files = { '/r/.git/HEAD': '', '/r/instr.yaml': base, '/r/a/instr.yml': base, '/r/a/b/x': '' };
  assert.is((await load(memory(files), '/r/a/b')).loaded?.path, '/r/a/instr.yml');
  assert.is((await load(memory(files), '/r/a/b')).loaded?.root, '/r/a');
  assert.is((await load(memory(files), '/r')).loaded?.path, '/r/instr.yaml');
});

find('reads nothing above the root of the repository', async () => {
  const files = { '/instr.yaml': base, '/r/.git/HEAD': '', '/r/a/x': '' };
  const { loaded, diagnostics } = await load(memory(files), '/r/a');
  assert.is(loaded, undefined);
  assert.equal(
    diagnostics.map(one => one.code),
    ['PRS3001'],
  );
});

find('prefers instr.yaml to instr.yml', async () => {
  assert.is((await load(memory({ '/p/instr.yml': base, '/p/instr.yaml': base }), '/p')).loaded?.path, '/p/instr.yaml');
});

find('resolves an explicit path against the working directory', async () => {
  const files = { '/p/instr.yaml': base, '/p/ci/other.yaml': base.replace('shop', 'other') };
  assert.is((await load(memory(files), '/p', 'ci/other.yaml')).loaded?.config.id, 'other');
  assert.is((await load(memory(files), '/x', '/p/ci/other.yaml')).loaded?.root, '/p/ci');
  assert.equal(
    (await load(memory(files), '/p', 'gone.yaml')).diagnostics.map(one => [one.code, one.file]),
    [['PRS3002', 'gone.yaml']],
  );
});

find.run();

const content = suite('configuration content');

content('reports binary files and files that are too large', async () => {
  const bytes = async (data: Uint8Array) =>
    (await load(memory({ '/p/instr.yaml': data }), '/p')).diagnostics.map(one => one.code);
  assert.equal(await bytes(new Uint8Array([0x69, 0xff, 0xfe])), ['PRS3003']);
  assert.equal(await bytes(new Uint8Array([0x69, 0x00])), ['PRS3003']);
  assert.equal(await bytes(new Uint8Array(256 * 1024 + 1).fill(0x20)), ['PRS3004']);
});

content('no output format shows a secret', async () => {
  const secrets = ['tok-41-with-no-shape', 'hunter22', 'ghp_Zk3mQ9xT7bV1nR5wY8sL2dF6hJ4pC0aE9uXq'];
  const text = `${base}registry:
  url: "https://u:${secrets[1]}@h.example.com"
  auth: { type: 3, token: ${secrets[0]} }
  typo: ${secrets[2]}
registries: { bad: "https://u:${secrets[1]}@h.example.com", "@x": { root: ${secrets[2]} } }
`;
  for (const variant of [text, `${text}\t- x`, text.replace('type: 3', 'type: bearer').replace(/ {2}typo.*\n/, '')]) {
    const { diagnostics } = await load(memory({ '/p/instr.yaml': variant }), '/p');
    assert.ok(diagnostics.length > 0);
    const output = renderText(diagnostics) + JSON.stringify(renderJson(diagnostics)) + renderGithub(diagnostics);
    for (const secret of secrets) assert.not.ok(output.includes(secret), output);
  }
});

content('locates a value in the file it comes from, in flow, block, alias and merged form', async () => {
  const files = {
    '/p/instr.yaml': 'extends: ../b.yaml\nid: shop\noutput: { header: near }\n',
    '/b.yaml': 'syntax: "1.5.0"\noutput: &o\n  baseDir: far\ntargets:\n  - alpha: { <<: *x }\n'.replace(
      '*x',
      '{ version: full }',
    ),
  };
  const { loaded } = await load(memory(files), '/p');
  const at = (...path: (string | number)[]) => {
    const span = loaded!.spanOf(path)!;
    const { line } = positionAt(span.source, span.start);
    return `${span.source.name}:${line} ${span.source.text.slice(span.start, span.end)}`;
  };
  assert.is(at('output', 'header'), 'instr.yaml:3 near');
  assert.is(at('output', 'baseDir'), '../b.yaml:3 far');
  assert.is(at('targets', 0, 'alpha', 'version'), '../b.yaml:5 full');
  assert.is(at('output', 'overwrite'), 'instr.yaml:3 output');
});

content('expands an object of targets to several targets, in order', async () => {
  const text = 'id: a\nsyntax: "1.5.0"\ntargets:\n  - one\n  - two: { version: full }\n    three: {}\n';
  const { loaded } = await load(memory({ '/p/instr.yaml': text }), '/p');
  assert.equal(
    targetEntries(loaded!.config).map(({ name, config, path }) => [name, config.version, path.join('.')]),
    [
      ['one', undefined, 'targets.0'],
      ['two', 'full', 'targets.1.two'],
      ['three', undefined, 'targets.1.three'],
    ],
  );
});

content('any file gives a configuration, or an error with a location', async () => {
  const value = fc.letrec(tie => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('alpha', '1.5.0', '@a', '../x', 'true', ''),
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('id', 'syntax', 'targets', 'output', 'policies', 'kind', 'registry', 'auth', '__proto__', 'x'),
        tie('any'),
        { maxKeys: 4 },
      ),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(value, async data => {
      const { loaded, diagnostics } = await load(memory({ '/p/instr.yaml': JSON.stringify(data) }), '/p');
      const errors = diagnostics.filter(one => one.severity === 'error');
      assert.is(loaded === undefined, errors.length > 0);
      for (const error of errors) assert.ok(error.span, error.message);
    }),
    { numRuns: runs(300) },
  );
});

content('adapts an inherited policy of the same kind and replaces one of another kind', async () => {
  const [far, near, other] = [
    { kind: 'a', name: 'one', severity: 'error', allowed: ['x'] },
    { kind: 'a', name: 'one', severity: 'warning' },
    { kind: 'b', name: 'one', layers: [] },
  ];
  const joined = (...lists: object[]) => {
    const chain = lists.map(policy => ({ data: { policies: [policy] } })) as unknown as Layer[];
    const all = joinPolicies(chain).map(({ policy, origins }) => ({
      policy: { ...(policy as object) },
      origins: origins.map(({ layer, index }) => [chain.indexOf(layer), index]),
    }));
    return all;
  };
  const origins = [[0, 0], [1, 0]];
  assert.equal(joined(near!, far!), [{ policy: { kind: 'a', name: 'one', severity: 'warning', allowed: ['x'] }, origins }]);
  assert.equal(joined(other!, far!), [{ policy: other, origins }]);
});

content.run();
