/** Writes the expected output of the cases in `test/<area>/cases/`. Arguments select areas: `npm run cases resolve import`. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Cases, writeCases } from '../test/support/cases.ts';
import { root } from './generate.ts';

const areas = readdirSync(join(root, 'test')).filter(area => existsSync(join(root, 'test', area, 'cases')));
const chosen = process.argv.slice(2).map(name => name.replace(/^test\/|\/$/g, ''));
const unknown = chosen.filter(name => !areas.includes(name));
if (unknown.length > 0) {
  console.error(`no cases in ${unknown.join(', ')}; areas with cases: ${areas.join(', ')}`);
  process.exit(1);
}
for (const area of chosen.length > 0 ? chosen : areas) {
  const { cases } = (await import(pathToFileURL(join(root, 'test', area, 'cases.ts')).href)) as {
    cases: Cases;
  };
  for (const file of await writeCases(cases)) console.log(relative(root, file));
}
