import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { caseNames, casesFolder, runCase } from './cases.ts';

const cases = suite('resolve: cases');

for (const name of caseNames()) {
  cases(name, async () => {
    for (const [file, text] of await runCase(name)) {
      assert.fixture(text, readFileSync(join(casesFolder, name, file), 'utf8'), file);
    }
  });
}

cases.run();
