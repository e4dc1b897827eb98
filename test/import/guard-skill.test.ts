/** A skill generated from a guard is imported as a guard. A skill with similar wording stays a skill. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { guardInSkill } from '../../src/kinds/items/read.ts';
import type { Data } from '../../src/model/model.ts';

const test = suite('guards in skills');

const read = (description: Data, more: Readonly<Record<string, Data>> = {}, unknown: Readonly<Record<string, Data>> = {}) => {
  const fields = new Map<string, Data>(Object.entries({ description, content: 'Check every input.', ...more }));
  const guard = guardInSkill({ block: 'skills', key: 'api', fields, unknown: new Map(Object.entries(unknown)) });
  return guard && [guard.block, guard.key, Object.fromEntries(guard.fields)];
};

test('with and without a description', () => {
  const content = 'Check every input.';
  assert.equal(read('Rules for api/**, !api/old/*'), ['guards', 'api', { applyTo: ['api/**', '!api/old/*'], content }]);
  assert.equal(read('The api. Applies to: src/**/*.{ts,tsx}'), [
    'guards',
    'api',
    { applyTo: ['src/**/*.{ts,tsx}'], description: 'The api', content },
  ]);
});

test('a skill with similar wording is not a guard', () => {
  assert.is(read('Rules for reviews of a change'), undefined);
  assert.is(read('Rules for everybody'), undefined);
  assert.is(read('Rules for api/**\nand more'), undefined);
  assert.is(read('Reads the api/** folder'), undefined);
  assert.is(read(7), undefined);
});

test('content that a guard cannot hold is not lost', () => {
  assert.is(read('Rules for api/**', { allowedTools: ['Read'] }), undefined);
  assert.is(read('Rules for api/**', {}, { mood: 'calm' }), undefined);
});

test.run();
