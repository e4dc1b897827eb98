/** `prs compile --force` in a terminal asks before it removes originals of a migration that nothing replaces. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

const tests = suite('originals in a terminal');
const test = hasTerminal ? tests : tests.skip;

const deep = '.cursor/rules/area/deep.mdc';

test('keeps the originals after no or Ctrl-C, and removes them after yes', async () => {
  const folder = project({ [deep]: '---\nglobs: src/deep/**\nalwaysApply: false\n---\n\nMeasure the depth first.\n' });
  assert.is(prs(folder, ['migrate', '--static']).status, 0);
  for (const [key, stays] of [['n', true], ['C-c', true], ['Enter', false]] as const) {
    const screen = await openScreen(folder);
    screen.type('prs compile --force', 'Enter');
    assert.match(await screen.shows(/Remove them\?/), /deep\.mdc/);
    screen.type(key);
    await screen.shows(/^\[0\]$/m);
    assert.is(existsSync(join(folder, deep)), stays, key);
    screen.close();
  }
});

tests.run();
