/** What is put together from texts, and what is cut from their ends, is what joining and patterns would give. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cutText, joinTexts, plain, traced, trimBlankLines, trimEmptyLines, trimLines } from '../../src/text/traced.ts';
import { runs } from '../support/depth.ts';

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
      ] as const) {
        assert.is(trim(text), text.replace(pattern, ''), JSON.stringify(text));
        const marked = joinTexts([traced(text.slice(0, 3), 'first', true), traced(text.slice(3), 'second', true)]);
        assert.equal(trim(marked), cutText(marked, pattern), JSON.stringify(text));
      }
    }),
    { numRuns: runs(2000) },
  );
});

tests('texts in pieces are cut as their whole would be, and what is not cut stays the piece that it was', () => {
  const pattern = /^(?:[ \t]*\n)+|\s+$/g;
  fc.assert(
    fc.property(fc.array(blankish.filter(text => text !== ''), { maxLength: 4 }), texts => {
      const whole = texts.join('');
      assert.is(joinTexts(trimBlankLines(texts)), whole.replace(pattern, ''), JSON.stringify(texts));
      const marked = texts.map((text, at) => traced(text, `text ${at}`, true));
      const [cut, expected] = [joinTexts(trimBlankLines(marked)), cutText(joinTexts(marked), pattern)];
      assert.is(plain(cut), plain(expected));
      if (plain(cut) !== '') assert.equal(cut, expected, JSON.stringify(texts));
    }),
    { numRuns: runs(2000) },
  );
  assert.equal(trimBlankLines(['\n \n', '  said', ' on\n', '\n']), ['  said', ' on']);
  assert.equal(trimBlankLines([' ', '\n ', 'said']), [' ', 'said']);
  assert.equal(trimBlankLines(['\n', ' ']), []);
});

tests('few and many texts are joined alike', () => {
  fc.assert(
    fc.property(fc.array(blankish, { maxLength: 20 }), fc.constantFrom('', '\n', ', '), (texts, separator) => {
      assert.is(plain(joinTexts(texts, separator)), texts.join(separator));
    }),
  );
});

tests.run();
