/** A compile ends with a result for any configuration, and every error has a location. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { root } from '../support/compile.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';
import { files, full, putAt, type Steps, stepsTo, strange, strangeKey, withKey } from './odd-values.ts';

const tests = suite('odd configurations');

const known = [...stepsTo(full)];

/** Yields the property names of all objects in the schema. Items of lists and maps are not properties. */
function* schemaProperties(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'examples') continue;
    // A policy has a field named `properties`.
    if (key === 'properties' && !('type' in (value as object))) yield* Object.keys(value as object);
    yield* schemaProperties(value);
  }
}

tests('the base configuration has every field of the schema', () => {
  const schema = JSON.parse(readFileSync(join(root, 'schema/config.schema.json'), 'utf8'));
  const used = new Set(known.map(steps => String(steps.at(-1))));
  assert.equal([...new Set(schemaProperties(schema))].filter(name => !used.has(name)), []);
});

async function judge(text: string): Promise<void> {
  const { ok, diagnostics } = await compile({ files: { ...files, 'instr.yaml': text } });
  for (const { code, severity, file, line, message } of diagnostics) {
    if (severity !== 'error') continue;
    assert.ok(file !== undefined, `${code} has no file: ${message}`);
    if (file === 'instr.yaml') assert.ok(line !== undefined, `${code} has no line: ${message}`);
  }
  assert.is(ok, diagnostics.every(({ severity }) => severity !== 'error'));
}

/** Leaves out network registries unless a registry setting is the one that is changed. */
const base = (steps: Steps) => (steps[0] === 'registry' ? full : { ...full, registry: undefined });

tests('accepts any odd value at every path', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...known), strange, (steps, value) =>
      judge(JSON.stringify(putAt(base(steps), steps, value)) ?? 'null'),
    ),
    { numRuns: runs(150) },
  );
});

tests('accepts names of built-in object members as keys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...known), strangeKey, strange, (steps, key, value) =>
      judge(withKey(base(steps), steps, key, value)),
    ),
    { numRuns: runs(60) },
  );
});

for (const [name, steps, value] of [
  ['a map where a severity is expected', ['validation', 'rules', 'empty-block'], { severity: 'error' }],
  ['a map where a word is expected', ['formatting', 'proseWrap'], {}],
  ['a map for a kind', ['policies', 0, 'kind'], {}],
  ['a map for a type', ['registry', 'git', 'auth', 'type'], {}],
  ['a pattern that is only the root', ['input', 'include'], ['./']],
  ['a pattern that is a dot', ['policies', 1, 'targetPattern'], '.'],
  ['a template that is never closed', ['customConventions', 'mine', 'section', 'start'], '{{'],
  ['an empty template', ['customConventions', 'mine', 'section', 'start'], ''],
  ['a path of 10 000 parts', ['output', 'baseDir'], 'a/'.repeat(10_000)],
  ['a path with a character that Windows does not allow', ['universalDir'], 'what?'],
] as const) {
  tests(name, () => judge(JSON.stringify(putAt(base(steps), steps, value))));
}

tests.run();
