/** The published schema knows the options of every built-in spec, and allows any option for a tool of the project. */
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packagedSchemas } from '../../scripts/build/schemas.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';

const tests = suite('published schema of the configuration');

const root = fileURLToPath(new URL('../..', import.meta.url));
const builtin = builtinIds().map(id => builtinSpec(id)!.spec);
const { label, aliases, ...model } = builtin[0]!;
const lantern: TargetSpec = {
  ...model,
  id: 'lantern',
  title: 'Lantern',
  options: { wick: { type: 'enum', values: ['short', 'long'], help: 'How it burns.' } },
};
const schema = packagedSchemas(root, [...builtin, lantern]).get('config.schema.json')!;
const validate = new Ajv({ strict: false }).compile(JSON.parse(schema));
const takes = (target: string, settings: object): boolean =>
  validate({ id: 'x', syntax: '1.5.0', targets: [{ [target]: settings }] });

tests('knows the options of a spec and their values', () => {
  assert.ok(takes('lantern', { wick: 'long', guardsAsSkills: false }));
  assert.not.ok(takes('lantern', { wick: 'log' }));
  assert.not.ok(takes('lantern', { wik: 'long' }));
  assert.ok(takes('t11', { maxThreads: 2 }));
  assert.not.ok(takes('t11', { maxThreads: 0 }));
  assert.not.ok(takes('t02', { maxThreads: 2 }), 'an option of another tool must be rejected');
});

tests('allows any option for a tool of the project', () => {
  assert.ok(takes('my-tool', { wick: 'long', bright: true, version: 'full' }));
  assert.not.ok(takes('my-tool', { enabled: 'yes' }), 'the fields that every tool has must be checked');
  assert.not.ok(takes('my-tool', { wick: { long: true } }));
});

tests.run();
