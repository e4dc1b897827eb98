/** Generated parts of the documents are up to date and complete. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { code, table } from '../../scripts/docs/markdown.ts';
import { fillMarkers } from '../../scripts/docs/markers.ts';
import { updateParts } from '../../scripts/docs.ts';
import { readSpecs } from '../../scripts/specs.ts';
import { root } from '../support/compile.ts';

const tests = suite('generated docs');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

tests('no generated part is stale', async () => {
  assert.equal(await updateParts(false), [], 'run `npm run docs`');
});

tests('reports a stale part, and a part without a place as an error', () => {
  const text = 'a\n<!-- generated:x -->\nold\n<!-- /generated:x -->\nb\n';
  assert.is(fillMarkers('f', text, { x: 'new' }), 'a\n<!-- generated:x -->\n\nnew\n\n<!-- /generated:x -->\nb\n');
  assert.throws(() => fillMarkers('f', text, {}), /nothing generates "x"/);
  assert.throws(() => fillMarkers('f', text, { x: '', y: '' }), /no marker for y/);
});

tests('tables escape vertical bars, line ends and back-ticks', () => {
  assert.is(table(['A', 'B'], [['x|y', ''], ['1\n2', '']]), '| A |\n| --- |\n| x\\|y |\n| 1 2 |');
  assert.is(code('a`b'), '``a`b``');
});

tests('the reference lists every tool, every field of the configuration and every block', () => {
  for (const { id, title } of readSpecs(root)) assert.match(read('targets/README.md'), `[${title}](${id}.yaml)`);
  const config = JSON.parse(read('schema/config.schema.json')) as { properties: object };
  for (const name of Object.keys(config.properties)) assert.match(read('schema/README.md'), `| \`${name}\``);
  const blocks = parse(read('schema/blocks.yaml')) as { blocks: { name: string }[] };
  for (const { name } of blocks.blocks) assert.match(read('schema/README.md'), `#### @${name}\n`);
});

tests('the examples of CONTRIBUTING.md are valid specs', async () => {
  const { checkTargets } = await import('../../scripts/check-targets.ts');
  const { renderText } = await import('../../src/text/diagnostics/render-text.ts');
  const specs = [...read('CONTRIBUTING.md').matchAll(/```yaml\n(# targets\/([a-z-]+)\.yaml\n[\s\S]*?)```/g)];
  assert.ok(specs.length > 0);
  for (const [, text, id] of specs) {
    const source = { name: `targets/${id}.yaml`, text: text!.replace(/^label: .*\n/m, '') };
    assert.is(renderText(await checkTargets([source])), '', text);
  }
});

tests.run();
