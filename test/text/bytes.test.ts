/** Bytes are compared by what the engine has for it, and one by one where it has nothing. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeUnmarked, holdsByte, sameBytes, sameOneByOne } from '../../src/text/bytes.ts';

const tests = suite('bytes');

tests('equal bytes are equal with and without the help of the engine', () => {
  assert.is.not(sameBytes, sameOneByOne);
  const whole = new Uint8Array([9, 1, 2, 3, 9]);
  for (const same of [sameBytes, sameOneByOne]) {
    assert.ok(same(new Uint8Array(), new Uint8Array()));
    assert.ok(same(whole.subarray(1, 4), new Uint8Array([1, 2, 3])));
    assert.not(same(whole.subarray(1, 4), new Uint8Array([1, 2, 4])));
    assert.not(same(whole, whole.subarray(1)));
  }
});

tests('a byte is found in a part of a buffer, and only there', () => {
  const part = new Uint8Array([13, 1, 2, 255, 13]).subarray(1, 4);
  for (const byte of [1, 2, 255]) assert.ok(holdsByte(part, byte));
  for (const byte of [0, 13]) assert.not(holdsByte(part, byte));
  assert.not(holdsByte(new Uint8Array(), 0));
});

tests('what is no text, also where it ends too early, leaves nothing behind for the next', () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9]);
  for (const broken of [[0x61, 0xff], [0xe2, 0x82], [0xef, 0xbb]]) {
    assert.is(decodeUnmarked(new Uint8Array(broken)), undefined);
    assert.is(decodeUnmarked(marked), 'aé');
  }
});

tests.run();
