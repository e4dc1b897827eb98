/** Deeply nested files of tools are read as far as possible, or refused with a reason. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseMarkdown } from '../../src/kinds/document/read/markdown.ts';
import { parseData } from '../../src/kinds/read/parse-data.ts';

const tests = suite('hostile files');

tests('quotes and lists after column 200 are text', async () => {
  for (const mark of ['>', '> - ', '1. ', '- ']) {
    const { lines, nodes } = await parseMarkdown(`Above.\n\n${mark.repeat(20_000)}word\n\nBelow.\n`);
    assert.is(nodes.length, 3, mark);
    assert.is(nodes[2]!.position!.start.line, 5);
    assert.ok(lines[2]!.endsWith(`${mark}word`), 'lines are unchanged');
  }
});

tests('JSON with more than 1000 open brackets is refused with its line', async () => {
  for (const open of ['[', '{"a":']) {
    assert.equal(await parseData(`\n${open.repeat(100_000)}`, 'jsonc'), {
      problem: 'its brackets go deeper than 1000 levels',
      line: 2,
    });
  }
  assert.equal(await parseData(`["${'['.repeat(5000)}"]`, 'json'), { data: ['['.repeat(5000)] });
});

tests.run();
