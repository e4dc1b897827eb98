/**
 * A case is one file at the path where its tool reads it. `expected.prs` contains the diagnostics as comments, then the
 * source.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../scripts/files.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import { casesBeside } from '../support/cases.ts';

const specs = builtinIds().map(id => builtinSpec(id)!.spec);

export const cases = casesBeside(import.meta.url, ['expected.prs'], async directory => {
  const path = filesBelow(directory).find(file => file !== 'expected.prs')!;
  const findings: string[] = [];
  const imported = await importFile({ path, bytes: readFileSync(join(directory, path)), specs, bundled: true }, found =>
    findings.push(`# ${found.code} ${found.severity}: ${found.message}\n`),
  );
  if (imported)
    parseDocument({ name: `${directory}/expected.prs`, text: imported.text }, diagnostic => {
      throw new Error(diagnostic.message);
    });
  return { 'expected.prs': findings.join('') + (imported?.text ?? '') };
});
