/** Converts patterns of a `.gitignore` to globs from the root, and back. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ignoredGlobs, ignorePatterns } from '../../src/text/permissions/patterns.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const test = suite('ignored');

test('globs are converted only to patterns with the same meaning', () => {
  const back = (...globs: string[]) => ignorePatterns(globs);
  assert.equal(back('**/dist/**', '**/*.snap', '**/*.snap/**'), { patterns: ['dist/', '*.snap'], others: [] });
  assert.equal(back('reports/raw', 'reports/raw/**', 'x', 'x/**'), { patterns: ['/reports/raw', '/x'], others: [] });
  // The pattern would also exclude a folder of that name.
  assert.equal(back('**/.env*'), { patterns: [], others: ['**/.env*'] });
  assert.equal(back('.env', 'a/**'), { patterns: ['/a/'], others: ['.env'] });
});

const name = fc.constantFrom('a', 'b.c', '*', '*.snap', '**', '.env');
const pattern = fc
  .tuple(fc.constantFrom('', '/', '**/'), fc.array(name, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '/'))
  .map(([before, names, after]) => before + names.join('/') + after);

test('patterns keep their meaning in a round trip', () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 4 }), given => {
      const globs = [...new Set(given.flatMap(ignoredGlobs))];
      const { patterns, others } = ignorePatterns(globs);
      assert.equal([...new Set([...patterns.flatMap(ignoredGlobs), ...others])].sort(), [...globs].sort());
      assert.equal(others.filter(one => !globs.includes(one)), []);
    }),
    { numRuns: runs(2000) },
  );
});

test.run();
