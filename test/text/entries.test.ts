/** Texts of thousands of entries, put together from pieces. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addQuoted, joinEntries } from '../../src/text/entries.ts';
import { runs } from '../support/depth.ts';

const tests = suite('entries');

tests('a text is quoted as JSON does it', () => {
  const check = (text: string) => {
    const pieces: string[] = [];
    addQuoted(text, pieces);
    assert.is(pieces.join(''), JSON.stringify(text));
  };
  for (let code = 0; code < 0x300; code++) check(`a${String.fromCharCode(code)}`);
  fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('\ud800')), check), { numRuns: runs(2000) });
});

tests('entries are joined in order, whatever their number', () => {
  for (const count of [0, 1, 2, 63, 64, 65, 128, 129, 1000]) {
    const map = new Map(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
    const text = joinEntries(map, (key, value, pieces) => void pieces.push(key, '=', String(value)), ', ');
    assert.is(text, [...map].map(([key, value]) => `${key}=${value}`).join(', '), `${count}`);
  }
});

tests.run();
