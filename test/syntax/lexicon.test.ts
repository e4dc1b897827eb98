/** The lexer for ASCII is only a faster way to what the full one says. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Lexer, makeAsciiLexer, makeFullLexer } from '../../src/syntax/lexers.ts';
import { isAscii } from '../../src/text/ascii.ts';
import { runs } from '../support/depth.ts';

const tests = suite('lexicon');

const pieces = [
  '@use ./a ',
  '@extend a',
  '@meta',
  '@é',
  '@useé',
  '{',
  '}',
  '(',
  ')',
  '"x"',
  '"',
  '"""',
  '\n',
  ' ',
  'é',
  '“x”',
  '🚀',
  '\u00a0',
  '—',
  'a.b',
  '-5',
  '1..2',
  '${X}',
  '${é}',
  '#c',
  '//',
  'as',
  'asé',
  '.',
  '%',
  '\u0301',
  '\ud83d',
  '日本',
  '²',
];

const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 2 }));
const text = fc.array(piece, { maxLength: 20 }).map(parts => parts.join(''));

function tokensOf(lexer: Lexer, source: string): { readonly type: string; readonly text: string }[] {
  lexer.reset(source);
  return [...lexer].map(token => ({ type: token.type!, text: token.text }));
}

tests('both make the same tokens up to the first that ASCII cannot judge', () => {
  fc.assert(
    fc.property(text, source => {
      const quick = tokensOf(makeAsciiLexer(), source);
      const end = quick.findIndex(
        ({ type, text }) => type === 'other' || (type === 'word' && !isAscii(text)),
      );
      const judged = end === -1 ? quick : quick.slice(0, end);
      const exact = tokensOf(makeFullLexer(), source);
      assert.equal(judged, end === -1 ? exact : exact.slice(0, end));
    }),
    { numRuns: runs(2000) },
  );
});

tests('words with other letters are words', () => {
  const [token] = tokensOf(makeFullLexer(), 'größe: 1');
  assert.equal(token, { type: 'name', text: 'größe' });
});

tests.run();
