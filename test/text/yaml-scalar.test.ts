/** Quotes are written where YAML needs them, and nowhere else. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { doubleQuoted, isPlainScalar } from '../../src/text/yaml-scalar.ts';

const test = suite('YAML scalars');

/** The meaning of an unquoted text as a value and as an item, in both versions of YAML. */
const readings = (text: string): unknown[] =>
  (['1.1', '1.2'] as const).flatMap(version =>
    [`key: ${text}\nnext: 1\n`, `key:\n  - ${text}\nnext: 1\n`].map(whole => {
      try {
        const { key } = parse(whole, { version, logLevel: 'silent' }) as { key: unknown };
        return Array.isArray(key) ? key[0] : key;
      } catch {
        return undefined;
      }
    }),
  );

const needed = [
  '', ' a', 'a ', 'a: b', 'a:', 'a #b', '# a', '*.ts', '**/*', '[a] [b]', '{a}', '@a', '`a`', '!a', '&a', '|', '>', '%a', '- a', '-',
  '? a', ': a', '---', '... a', 'true', 'No', 'ON', '~', 'null', '1', '1.10', '0x1f', '0o17', '1e3', '.5', '-1', '.inf', '1_000',
  '2026-11-22', '12:30:45', '2001-12-14 21:59:43.10 -5', '<<', '=', 'a\nb', 'a\tb', "'a'", '"a"', ', a', 'a\u2028b', '\ud800',
];
const plain = [
  'a', 'a, b', "it's", 'say "x"', 'a:b', 'https://example.com/#a', 'src/**/*.{ts,tsx}', '-v', ':smile:x', '3 files', '2nd', 'a # b'.replace(' #', '#'),
  'Über – “ja”', '日本語', '😀', 'yes or no', '1.2.x', 'a (b) [c]', '.github/*', '--flag',
];

test('texts that would have another meaning are quoted', () => {
  for (const text of needed) {
    assert.not.ok(isPlainScalar(text), JSON.stringify(text));
    assert.is(parse(`key: ${doubleQuoted(text)}\n`).key, text);
  }
});

test('other texts are not quoted', () => {
  for (const text of plain) {
    assert.ok(isPlainScalar(text), text);
    assert.equal(new Set(readings(text)), new Set([text]));
  }
});

test('unquoted text is read back unchanged', () => {
  const parts = ['a', 'B', '1', '0', '.', '-', ':', ' ', '#', ',', '[', ']', '{', '*', '&', '!', '"', "'", '?', '_', 'e', 'x', '+', '~', 'é', '\t', '=', '<'];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  let kept = 0;
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: 1 + next(6) }, () => parts[next(parts.length)]).join('');
    if (!isPlainScalar(text)) continue;
    kept++;
    assert.equal(readings(text), [text, text, text, text], JSON.stringify(text));
  }
  assert.ok(kept > 500);
});

test.run();
