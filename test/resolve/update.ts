/** Writes what the resolver now says into the case folders; read the difference before you commit it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseNames, casesFolder, runCase } from './cases.ts';

for (const name of caseNames()) {
  for (const [file, text] of await runCase(name)) writeFileSync(join(casesFolder, name, file), text);
}
