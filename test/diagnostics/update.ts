/** Writes the expected drawing of every case; the diff is the review. */
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { render } from './cases.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'cases');
for (const name of readdirSync(folder)) {
  writeFileSync(join(folder, name, 'expected.txt'), render(join(folder, name)));
}
