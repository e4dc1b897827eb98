/** Decodes source files: encodings, sizes, and the position of invalid UTF-8. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeSource } from '../../src/syntax/decode.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { sourceLimit } from '../../src/text/sizes.ts';
import { positionAt } from '../../src/text/source.ts';

const test = suite('decode');

function decode(bytes: Uint8Array) {
  const found: Diagnostic[] = [];
  const source = decodeSource('x.prs', bytes, finding => found.push(finding));
  return { source, found };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

test('decodes UTF-8 with and without a byte order mark, and keeps line ends', () => {
  assert.is(decode(utf8('@a { }\r\n# é 🎉\n')).source?.text, '@a { }\r\n# é 🎉\n');
  assert.is(decode(utf8('\ufeff@a { }')).source?.text, '@a { }');
  assert.is(decode(new Uint8Array()).source?.text, '');
});

test('points at the first byte that is not UTF-8', () => {
  for (const [before, bad] of [
    ['', [0xff]],
    ['@a {\n  x: "caf', [0xe9, 0x22]],
    ['é 🎉 \ufffd ok\n', [0xc3, 0x28]],
    ['cut short ', [0xf0, 0x9f, 0x8e]],
    ['surrogate ', [0xed, 0xa0, 0x80]],
    ['\ufeffmark ', [0xc0, 0x80]],
  ] as const) {
    const { source, found } = decode(new Uint8Array([...utf8(before), ...bad, ...utf8(' rest')]));
    assert.is(source, undefined);
    assert.is(found.length, 1);
    assert.is(found[0]?.code, 'PRS1004');
    const text = before.replace('\ufeff', '');
    assert.is(found[0]?.span?.start, text.length, JSON.stringify(before));
    assert.is(positionAt(found[0]!.span!.source, text.length).line, text.split('\n').length);
    assert.match(found[0]!.message, `0x${bad[0].toString(16).toUpperCase()}`);
  }
});

test('UTF-16, binary and oversized files have separate messages', () => {
  assert.equal(
    decode(new Uint8Array([0xff, 0xfe, 0x40, 0])).found.map(one => one.code),
    ['PRS1004'],
  );
  assert.equal(
    decode(new Uint8Array([0x89, 0x50, 0, 1])).found.map(one => one.code),
    ['PRS1005'],
  );
  const limit = sourceLimit;
  assert.equal(decode(new Uint8Array(limit).fill(32)).found, []);
  const large = decode(new Uint8Array(limit + 1).fill(32));
  assert.equal(
    large.found.map(one => one.code),
    ['PRS1006'],
  );
  assert.is(large.source, undefined);
});

test.run();
