/** The lexer for ASCII, and tokens by what they begin with, are only faster ways to what the lexicon says. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Lexer, type Token } from '../../src/syntax/lexer.ts';
import { type Lexicon, makeLexicons, type Rule } from '../../src/syntax/lexicon.ts';
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

const { full } = makeLexicons();

/** The tokens of a text by the full lexicon, each rule tried in turn. Strings and texts end where the lexer says. */
function exactTokens(source: string): Pick<Token, 'type' | 'start' | 'end'>[] {
  const made = tokensOf(source);
  const found: Pick<Token, 'type' | 'start' | 'end'>[] = [];
  const stack: string[] = [];
  let state = 'main';
  for (let at = 0; at < source.length; ) {
    const [type, rule, length] = firstRule(full[state]!, source, at);
    const known = made.find(({ start }) => start === at);
    const start = at;
    const isOpen = type === 'text' || type === 'openString';
    at = isOpen && known ? known.end : at + length;
    if (rule.pop) state = stack.pop() ?? state;
    else if (rule.push) {
      stack.push(state);
      state = rule.push;
    } else state = rule.next ?? state;
    if (type === 'space' || type === 'newline' || type === 'comment') continue;
    found.push({ type: (isOpen && known ? known.type : type) as Token['type'], start, end: at });
  }
  return found;
}

function firstRule(rules: Lexicon[string], source: string, at: number): [string, Partial<Rule>, number] {
  for (const [type, rule] of Object.entries(rules)) {
    const { match, ...moves } = typeof rule === 'string' || rule instanceof RegExp ? { match: rule } : rule;
    if (typeof match === 'string') {
      if (source.startsWith(match, at)) return [type, moves, match.length];
      continue;
    }
    const sticky = new RegExp(match.source, `${match.flags}y`);
    sticky.lastIndex = at;
    if (sticky.test(source)) return [type, moves, sticky.lastIndex - at];
  }
  throw new Error(`No rule for ${source.slice(at)}`);
}

function tokensOf(text: string, offset = 0): Token[] {
  const lexer = new Lexer({ name: '', text }, offset, false);
  const tokens: Token[] = [];
  for (let token = lexer.next(); token; token = lexer.next()) tokens.push(token);
  return tokens;
}

tests('tokens are those of the first rule that fits', () => {
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
