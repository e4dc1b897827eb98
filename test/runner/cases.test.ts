/** Tests the harness of cases: it finds changed, missing and surplus files, and writes them on request. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import { filesBelow } from '../../scripts/files.ts';
import { addCases, casesBeside, writeCases } from '../support/cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'prs-cases-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Capital letters of the input. A text that is all capitals has no `marks/` file. */
const open = () =>
  casesBeside(pathToFileURL(join(folder, 'cases.ts')).href, ['expected.txt', 'marks/'], directory => {
    const text = readFileSync(join(directory, 'in.txt'), 'utf8');
    const upper = text.toUpperCase();
    return { 'expected.txt': upper, ...(upper !== text && { 'marks/changed': 'yes\n' }) };
  });

/** The names of the failing cases. */
async function failing(): Promise<string[]> {
  const added: { name: string; run: () => unknown }[] = [];
  addCases(((name: string, run: () => unknown) => added.push({ name, run })) as unknown as Test, open());
  const failed: string[] = [];
  for (const { name, run } of added) {
    try {
      await run();
    } catch {
      failed.push(name);
    }
  }
  return failed;
}

const tests = suite('cases');

tests('a case without its expected files fails until they are written', async () => {
  write('cases/low/in.txt', 'low\n');
  write('cases/high/in.txt', 'HIGH\n');
  assert.equal(await failing(), ['high', 'low']);
  const changed = await writeCases(open());
  assert.is(changed.length, 3);
  assert.equal(filesBelow(join(folder, 'cases')), ['high/expected.txt', 'high/in.txt', 'low/expected.txt', 'low/in.txt', 'low/marks/changed']);
  assert.equal(await failing(), []);
  assert.equal(await writeCases(open()), [], 'nothing is written twice');
});

tests('finds a changed file, and a file that no longer has an input', async () => {
  write('cases/low/expected.txt', 'other\n');
  write('cases/high/marks/changed', 'yes\n');
  assert.equal(await failing(), ['high', 'low']);
  await writeCases(open());
  assert.not(filesBelow(join(folder, 'cases')).includes('high/marks/changed'));
  assert.equal(await failing(), []);
});

tests.run();
