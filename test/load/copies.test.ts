/** targets/COPIES.md: what it says of every set of the most used tools is what compiling them gives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copiesPage, countSet, mostUsed } from '../../scripts/copies.ts';
import { root } from '../../scripts/generate.ts';

const tests = suite('copies');

tests('the page says what the compiler does', async () => {
  assert.fixture(readFileSync(join(root, 'targets/COPIES.md'), 'utf8'), await copiesPage(), 'run `npm run copies`');
});

tests('a set is counted in both layouts', async () => {
  const { overlaps } = await countSet(['claude', 'codex', 'cursor', 'github']);
  assert.equal(
    overlaps.map(({ target, copies, once }) => [target, copies, once]),
    [['claude', 1, 1], ['codex', 1, 1], ['cursor', 3, 1], ['github', 3, 1]],
  );
  assert.is(mostUsed.length, 8);
});

tests('an error of the compile is no count', async () => {
  try {
    await countSet(['claude', 'nobody']);
  } catch (error) {
    assert.match(String(error), 'nobody');
    return;
  }
  assert.unreachable('an unknown tool was counted');
});

tests.run();
