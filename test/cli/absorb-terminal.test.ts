/** `prs absorb` in a terminal asks where to apply an ambiguous edit. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, write } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

const tests = suite('absorb in a terminal');
const test = hasTerminal ? tests : tests.skip;

const files = {
  'instr.yaml': 'id: shop\nsyntax: "1.5.0"\nincludeInstrSkill: false\ntargets: [claude]\n',
  '.instr/project.prs': '@meta { id: "shop" syntax: "1.5.0" }\n@use ./one.md\n@use ./two.md\n',
  '.instr/one.md': 'One.\n',
  '.instr/two.md': 'Two.\n',
};

test('applies the edit at the chosen place, and changes nothing if the prompt is cancelled', async () => {
  for (const isStopped of [true, false]) {
    const folder = project(files);
    assert.is(prs(folder, ['compile']).status, 0);
    write(folder, 'CLAUDE.md', read(folder, 'CLAUDE.md').replace('One.\n', 'One.\n\nBetween.\n'));
    const screen = await openScreen(folder);
    screen.type('prs absorb', 'Enter');
    assert.match(await screen.shows(/Leave it where it is/), /Where does this edit of CLAUDE\.md:\d+ go\?[\s\S]*\+ Between\.[\s\S]*one\.md[\s\S]*two\.md/);
    if (isStopped) screen.type('C-c');
    else screen.type('Down', 'Enter');
    await screen.shows(isStopped ? /^\[1\]$/m : /^\[0\]$/m);
    assert.is(read(folder, '.instr/one.md'), 'One.\n');
    assert.is(read(folder, '.instr/two.md').includes('Between.'), !isStopped);
    screen.close();
  }
});

tests.run();
