/** Invalid UTF-8 is not text. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeWithoutMark } from '../../src/text/bytes.ts';

const tests = suite('bytes');

tests('invalid or truncated text does not affect the next decoding', () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9]);
  for (const broken of [[0x61, 0xff], [0xe2, 0x82], [0xef, 0xbb]]) {
    assert.is(decodeWithoutMark(new Uint8Array(broken)), undefined);
    assert.is(decodeWithoutMark(marked), 'aé');
  }
});

tests.run();
