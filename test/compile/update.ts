/** Writes the expected outputs of every case; the diff is the review. */
import { cases, writeCase } from './cases.ts';

for (const name of cases()) await writeCase(name);
