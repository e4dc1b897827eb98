/** The lexer for ASCII, and tokens by what they begin with, are only faster ways to what moo makes of the lexicon. */
import fc from 'fast-check';
import type { LexerState } from 'moo';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Lexer, type Token } from '../../src/syntax/lexer.ts';
import { makeLexers } from '../../src/syntax/lexicon.ts';
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

const { full } = makeLexers();

const skipped = new Set(['newline', 'space', 'comment']);

/** The tokens of a text as moo finds them with the whole lexicon. Strings and texts end where the lexer says. */
function exactTokens(source: string): Pick<Token, 'type' | 'start' | 'end'>[] {
  const open = new Map(tokensOf(source).map(token => [token.start, token]));
  const found: Pick<Token, 'type' | 'start' | 'end'>[] = [];
  let base = 0;
  full.reset(source);
  for (let token = full.next(); token; token = full.next()) {
    const start = base + token.offset;
    let type = token.type as Token['type'] | 'newline';
    let end = start + token.text.length;
    const known = type === 'text' || type === 'openString' ? open.get(start) : undefined;
    if (known) {
      type = known.type;
      if (known.end > end) {
        // The types of moo leave out that what was saved can be given back.
        (full as { reset(text: string, state: LexerState): unknown }).reset(source.slice(known.end), full.save());
        base = known.end;
      }
      end = known.end;
    }
    if (!skipped.has(type)) found.push({ type: type as Token['type'], start, end });
  }
  return found;
}

function tokensOf(text: string, offset = 0): Token[] {
  const lexer = new Lexer({ name: '', text }, offset, false);
  const tokens: Token[] = [];
  for (let token = lexer.next(); token; token = lexer.next()) tokens.push(token);
  return tokens;
}

tests('tokens are those that moo finds', () => {
  fc.assert(
    fc.property(text, source => {
      const tokens = tokensOf(source).map(({ type, start, end }) => ({ type, start, end }));
      assert.equal(tokens, exactTokens(source));
    }),
    { numRuns: runs(2000) },
  );
});

tests('words with other letters are words', () => {
  const [token] = tokensOf('größe: 1');
  assert.is(token!.type, 'name');
  assert.is(token!.text, 'größe');
});

tests('a lexer that starts at a fresh token goes on as the one that found it', () => {
  fc.assert(
    fc.property(text, source => {
      const lexer = new Lexer({ name: '', text: source }, 0, false);
      const all = tokensOf(source);
      for (const token of all) {
        lexer.next();
        if (!lexer.isFresh) continue;
        const rest = tokensOf(source, token.start).map(({ newLine: _, ...rest }) => rest);
        assert.equal(rest, all.slice(all.indexOf(token)).map(({ newLine: _, ...rest }) => rest));
      }
    }),
    { numRuns: runs(2000) },
  );
});

tests.run();
