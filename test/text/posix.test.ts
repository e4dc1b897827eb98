/** The path functions give the same results as those of Node. */
import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dirname, join, normalize, relative } from '../../src/text/posix.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('posix');

const name = fc.constantFrom('', '.', '..', 'a', 'b', '.instr', 'ab', 'c.md');
const path = fc
  .tuple(fc.constantFrom('', '/'), fc.array(name, { maxLength: 6 }))
  .map(([start, names]) => start + names.join('/'));

tests('with one path', () => {
  const one = (given: string) => {
    assert.is(normalize(given), posix.normalize(given), given);
    assert.is(dirname(given), posix.dirname(given), given);
  };
  fc.assert(fc.property(path, one), { numRuns: runs(2000) });
});

tests('with several paths', () => {
  const two = (first: string, second: string) => {
    assert.is(join(first, second), posix.join(first, second), `${first} ${second}`);
    assert.is(relative(`/${first}`, second && `/${second}`), posix.relative(`/${first}`, `/${second}`), `${first} ${second}`);
  };
  fc.assert(fc.property(path, path, two), { numRuns: runs(2000) });
});

tests.run();
