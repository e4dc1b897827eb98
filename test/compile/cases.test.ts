/** Whole projects: what their configuration and their sources lead to, file by file. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cases, expectedOf, runCase } from './cases.ts';

const tests = suite('compile: cases');

for (const name of cases()) {
  tests(name, async () => {
    const found = await runCase(name);
    const expected = expectedOf(name);
    assert.equal(Object.keys(found).sort(), Object.keys(expected).sort());
    for (const [path, text] of Object.entries(expected)) assert.fixture(found[path]!, text, path);
  });
}

tests.run();
