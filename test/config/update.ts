/** Writes the expected text of every case; the diff is the review. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases, folder, runCase } from './cases.ts';

for (const name of cases()) writeFileSync(join(folder, name, 'expected.txt'), await runCase(name));
