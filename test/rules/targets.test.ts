/** No code and no schema knows a tool: ids, labels and file names of tools stand in targets/ alone. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSpecs } from '../../scripts/specs.ts';
import { mentionsIn, toolWords } from '../../scripts/targets/code-words.ts';
import { root } from '../support/compile.ts';

const words = toolWords(readSpecs(root));
const { ids, labels, pathWords, find } = words;

const tests = suite('targets in code');

tests('there are specs to take the words from', () => {
  assert.ok(ids.length >= 10, `${ids.length} specs`);
  assert.ok(pathWords.length >= 10, pathWords.join(' '));
});

tests('a disguised name would be found', () => {
  const [id] = ids;
  const name = id!.replace(/-.*/, '');
  assert.equal(find(`const x = '${id}';`).length, 1);
  assert.equal(find(`if (${name}Rules) {}`).length, ids.includes(name) ? 1 : 0);
  assert.equal(find(`'${labels[0]}'`).length, 1);
  assert.equal(find('the universal directory `.agents`'), []);
});

for (const folder of ['src', 'schema'] as const)
  tests(`${folder} knows no target`, () => {
    assert.equal(mentionsIn(folder, words), []);
  });

tests.run();
