/** Bytes are compared by what the engine has for it, and one by one where it has nothing. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('bytes');

tests('equal bytes are equal with and without the help of the engine', async () => {
  const { Buffer: native } = globalThis;
  const withHelp = (await import('../../src/text/bytes.ts')).sameBytes;
  let without: typeof withHelp;
  try {
    // The rest of it stays: what loads the module may be in need of it.
    globalThis.Buffer = Object.create(native, { compare: { value: undefined } }) as typeof native;
    const path = '../../src/text/bytes.ts?plain';
    without = ((await import(path)) as { sameBytes: typeof withHelp }).sameBytes;
  } finally {
    globalThis.Buffer = native;
  }
  assert.is.not(withHelp, without);
  const whole = new Uint8Array([9, 1, 2, 3, 9]);
  for (const same of [withHelp, without]) {
    assert.ok(same(new Uint8Array(), new Uint8Array()));
    assert.ok(same(whole.subarray(1, 4), new Uint8Array([1, 2, 3])));
    assert.not(same(whole.subarray(1, 4), new Uint8Array([1, 2, 4])));
    assert.not(same(whole, whole.subarray(1)));
  }
});

tests.run();
