/** Joining and trimming traced texts gives the same result as with strings and patterns. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { joinTexts, plainText, removeText, traced, trimBlankLines } from '../../src/text/traced.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('texts');

/** Short texts that consist mostly of white space. */
const blankish = fc
  .array(fc.constantFrom('\n', '\n', ' ', '\t', '\r', '\u00a0', '\ufeff', '\u2028', 'a', '#'), { maxLength: 12 })
  .map(parts => parts.join(''));

tests('blanks at both ends are trimmed as with patterns', () => {
  fc.assert(
    fc.property(blankish, text => {
      const pattern = /^(?:[ \t]*\n)+|\s+$/g;
      assert.is(trimBlankLines(text), text.replace(pattern, ''), JSON.stringify(text));
      const marked = joinTexts([traced(text.slice(0, 3), 'first', true), traced(text.slice(3), 'second', true)]);
      assert.equal(trimBlankLines(marked), removeText(marked, pattern), JSON.stringify(text));
    }),
    { numRuns: runs(2000) },
  );
});

tests('texts are joined like strings', () => {
  fc.assert(
    fc.property(fc.array(blankish, { maxLength: 20 }), fc.constantFrom('', '\n', ', '), (texts, separator) => {
      assert.is(plainText(joinTexts(texts, separator)), texts.join(separator));
    }),
  );
});

tests.run();
