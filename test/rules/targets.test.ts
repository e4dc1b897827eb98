/** No code and no schema refers to a specific tool: ids, labels and file names of tools are only in targets/. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSpecs } from '../../scripts/specs.ts';
import { mentionsIn, toolWords } from '../../scripts/targets/code-words.ts';
import { root } from '../support/compile.ts';

const words = toolWords(readSpecs(root));
const { ids, labels, pathWords, find } = words;

const tests = suite('targets in code');

tests('the specs provide names to search for', () => {
  assert.ok(ids.length >= 10, `${ids.length} specs`);
  assert.ok(pathWords.length >= 10, pathWords.join(' '));
});

tests('a name in another spelling is found', () => {
  const [id] = ids;
  const name = id!.replace(/-.*/, '');
  assert.equal(find(`const x = '${id}';`).length, 1);
  assert.equal(find(`if (${name}Rules) {}`).length, ids.includes(name) ? 1 : 0);
  assert.equal(find(`'${labels[0]}'`).length, 1);
  assert.equal(find('the universal directory `.agents`'), []);
});

for (const folder of ['src', 'schema'] as const)
  tests(`${folder} refers to no target`, () => {
    assert.equal(mentionsIn(folder, words), []);
  });

tests.run();
