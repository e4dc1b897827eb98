/** What is put together from texts, and what is cut from their ends, is what joining and patterns would give. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { joinTexts, plainText, removeText, traced, trimBlankLines, trimEmptyLines, trimLines } from '../../src/text/traced.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('texts');

/** Short texts of which most characters are blanks of some kind. */
const blankish = fc
  .array(fc.constantFrom('\n', '\n', ' ', '\t', '\r', '\u00a0', '\ufeff', '\u2028', 'a', '#'), { maxLength: 12 })
  .map(parts => parts.join(''));

tests('blanks at both ends are cut as patterns would', () => {
  fc.assert(
    fc.property(blankish, text => {
      for (const [trim, pattern] of [
        [trimLines, /^\n+|\s+$/g],
        [trimEmptyLines, /^\s*\n|\s+$/g],
        [trimBlankLines, /^(?:[ \t]*\n)+|\s+$/g],
      ] as const) {
        assert.is(trim(text), text.replace(pattern, ''), JSON.stringify(text));
        const marked = joinTexts([traced(text.slice(0, 3), 'first', true), traced(text.slice(3), 'second', true)]);
        assert.equal(trim(marked), removeText(marked, pattern), JSON.stringify(text));
      }
    }),
    { numRuns: runs(2000) },
  );
});

tests('texts are joined as strings are', () => {
  fc.assert(
    fc.property(fc.array(blankish, { maxLength: 20 }), fc.constantFrom('', '\n', ', '), (texts, separator) => {
      assert.is(plainText(joinTexts(texts, separator)), texts.join(separator));
    }),
  );
});

tests.run();
