/** Documents in real-world styles: other languages, headings of every kind and none, tables, tags, only lists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { lostBlocks } from '../../scripts/corpus/compare.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';

const folder = join(fileURLToPath(import.meta.url), '../styles');
const specs = builtinIds().map(id => builtinSpec(id)!.spec);
const labels = parse(readFileSync(join(folder, 'labels.yaml'), 'utf8')) as Record<string, Record<string, string>>;
const tests = suite('import: styles of documents');
const enough = 0.95;
const read = (name: string) => readFileSync(join(folder, `${name}.md`));
const imported = async (name: string) => (await importFile({ path: 'CLAUDE.md', bytes: read(name), specs }, () => {}))!;

tests('every document has labels', () => {
  const names = readdirSync(folder).filter(name => name.endsWith('.md'));
  assert.equal(names.map(name => name.slice(0, -3)).sort(), Object.keys(labels).sort());
});

for (const name of Object.keys(labels)) {
  tests(`${name} keeps every block`, async () => {
    assert.equal(await lostBlocks(read(name).toString('utf8'), 'CLAUDE.md', (await imported(name)).text), []);
  });
}

tests('nearly all parts are in the block that a reader would choose', async () => {
  const wrong: string[] = [];
  let all = 0;
  for (const [name, wanted] of Object.entries(labels)) {
    const { blocks } = await imported(name);
    for (const [line, block] of Object.entries(wanted)) {
      all++;
      const found = blocks.find(({ startLine, endLine }) => startLine <= Number(line) && Number(line) <= endLine);
      const got = found?.block.split('.')[0];
      if (!block.split('|').includes(got!)) wrong.push(`${name}:${line} is ${block}, became ${got}`);
    }
  }
  assert.ok(all > 80);
  assert.ok((all - wrong.length) / all >= enough, wrong.join('\n'));
});

tests.run();
