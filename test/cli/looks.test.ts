/** The round of looks that answers an unchanged compile sees what `lstat` says, by whatever way this Node has. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Look, lookAgain, stillStand } from '../../src/host/looks.ts';

const tests = suite('looks');
const base = mkdtempSync(join(tmpdir(), 'prs-looks-'));
const at = (name: string) => (isAbsolute(name) ? name : join(base, name));
const hows: readonly Look[] = ['kind', 'entry', 'names', 'place'];

const look = (name: string, how: Look) => [at(name), how, ...lookAgain(at(name), how)] as const;

tests.before(() => {
  mkdirSync(at('folder/inner'), { recursive: true });
  writeFileSync(at('file'), 'one');
  writeFileSync(at('file\u00e9'), 'one');
  symlinkSync('file', at('link'));
  symlinkSync('nowhere', at('dangling'));
});
tests.after(() => rmSync(base, { recursive: true, force: true }));

for (const name of ['folder', 'file', 'file\u00e9', 'link', 'dangling', 'absent'])
  for (const how of hows)
    tests(`${name} as ${how}`, () => {
      const [path, , ...answer] = look(name, how);
      assert.ok(stillStand([[path, how, ...answer]]));
      for (const [index, value] of answer.entries()) {
        const other = typeof value === 'number' ? value + 1 : `${value}x`;
        assert.not(stillStand([[path, how, ...answer.with(index, other)]]), `${index}`);
      }
      assert.not(stillStand([[path, how, ...answer, 1]]));
      if (answer.length > 0) assert.not(stillStand([[path, how, ...answer.slice(1)]]));
    });

tests('whatever changes about a file', () => {
  const changes: readonly (() => void)[] = [
    () => writeFileSync(at('file'), 'two'),
    () => chmodSync(at('file'), 0o600),
    () => utimesSync(at('file'), 1, 1),
    () => rmSync(at('file')),
    () => mkdirSync(at('file')),
  ];
  for (const change of changes) {
    const before = (['file', 'link'] as const).map(name => look(name, 'entry'));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    change();
    for (const one of before) assert.not(stillStand([one]), String(change));
  }
});

tests.run();
