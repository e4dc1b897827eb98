import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { importFile } from '../../src/import/import.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { parseDocument } from '../../src/syntax/parse.ts';

/**
 * A case is a folder with one file at the place where its tool reads it, and `expected.prs`: the findings as
 * comments, then the source. `npm run golden` style updating: run with UPDATE=1.
 */
const folder = join(fileURLToPath(import.meta.url), '../cases');
const specs = builtinIds().map(id => builtinSpec(id)!.spec);
const test = suite('import: files of tools');

const filesIn = (directory: string, below = ''): string[] =>
  readdirSync(join(directory, below), { withFileTypes: true }).flatMap(entry => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesIn(directory, path) : path === 'expected.prs' ? [] : [path];
  });

for (const name of readdirSync(folder).sort()) {
  test(name, async () => {
    const directory = join(folder, name);
    const [path] = filesIn(directory);
    const findings: string[] = [];
    const imported = await importFile({ path: path!, bytes: readFileSync(join(directory, path!)), specs }, diagnostic =>
      findings.push(`# ${diagnostic.code} ${diagnostic.severity}: ${diagnostic.message}\n`),
    );
    const text = findings.join('') + (imported?.text ?? '');
    const expected = join(directory, 'expected.prs');
    if (process.env.UPDATE) writeFileSync(expected, text);
    assert.ok(existsSync(expected), `${name} has no expected.prs`);
    assert.fixture(text, readFileSync(expected, 'utf8'));
    if (imported) {
      parseDocument({ name: expected, text: imported.text }, diagnostic => {
        throw new Error(diagnostic.message);
      });
    }
  });
}

test.run();
