/** Tokens: words with letters of any language, texts and strings with escapes, and no character is lost. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokensOf } from '../../src/syntax/lexer.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('lexer');

const typesOf = (text: string, strict = false) =>
  [...tokensOf({ name: '', text }, { strict })].map(token => `${token.type} ${token.text}`);

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
  '\\',
  '\n',
  '\n@a {',
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
  '#c',
  '//',
  'as',
  '%',
  '\u0301',
  '\ud83d',
  '日本',
  '²',
];
const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 2 }));

tests('every character is in a token, a comment or white space, in order', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (parts, strict) => {
      const text = parts.join('');
      const found: { start: number; end: number }[] = [];
      for (const token of tokensOf({ name: '', text }, { strict, onComment: (start, end) => found.push({ start, end }) })) {
        assert.is(token.text, text.slice(token.start, token.end));
        found.push(token);
      }
      let at = 0;
      for (const { start, end } of found) {
        assert.match(text.slice(at, start), /^[\s\ufeff]*$/);
        assert.ok(end > start);
        at = end;
      }
      assert.match(text.slice(at), /^[\s\ufeff]*$/);
    }),
    { numRuns: runs(2000) },
  );
});

tests('words have letters, marks and digits of any language', () => {
  assert.equal(typesOf('größe: 𠮷, 日本 ٣'), ['name größe', 'colon :', 'name 𠮷', 'comma ,', 'name 日本', 'name ٣']);
  assert.equal(typesOf('@größe ./ä ^é'), ['at @größe', 'word ./ä', 'word ^é']);
  assert.equal(typesOf('@useé x'), ['at @useé', 'name x']);
  assert.equal(typesOf('🎉 a—b a² \u0301a'), ['other 🎉', 'other a—b', 'name a²', 'other \u0301a']);
  assert.equal(typesOf('@use ./x as größe for ②'), ['use @use', 'reference ./x', 'as as', 'name größe', 'for for', 'other ②']);
});

tests('strings end at the first unescaped quote', () => {
  assert.equal(typesOf(String.raw`"a\"b" "\\" '\'' "\\\""`), [
    String.raw`string "a\"b"`,
    String.raw`string "\\"`,
    String.raw`string '\''`,
    String.raw`string "\\\""`,
  ]);
  assert.equal(typesOf('"a\\"\n"b'), ['openString "a\\"', 'openString "b']);
});

tests('texts end at the first three unescaped quotes', () => {
  for (const text of ['""""""', '"""a\\""""""', '"""\\""" b"""', '"""\n@a {\n"""', '"""a"b""c"""'])
    assert.equal(typesOf(text), [`text ${text}`]);
  assert.equal(typesOf('"""a""""'), ['text """a"""', 'openString "']);
  assert.equal(typesOf('"""a\n@b\n@use x'), ['openText """a\n@b\n', 'use @use', 'reference x']);
  assert.equal(typesOf('"""a\n@b'), ['openText """a\n@b']);
});

tests('a strict lexer ends a text before a line that looks like a declaration', () => {
  assert.equal(typesOf('"""a\n@b {\n"""', true), ['openText """a\n', 'at @b', 'lbrace {', 'openText """']);
  assert.equal(typesOf('"""a\n@b\n"""', true), ['text """a\n@b\n"""']);
});

tests.run();
