/**
 * The descriptions of blocks and fields are complete, although they are stored separately from the data that a compile
 * reads.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { root } from '../../scripts/generate.ts';
import { catalogue } from '../../src/generated/blocks.ts';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';
import { docOf, exampleOf } from '../../src/lsp/catalogue-docs.ts';
import { entryFieldsOf, findBlock } from '../../src/resolve/catalogue.ts';
import { describedIn } from '../../src/resolve/described.ts';


const tests = suite('documented');
const written = parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as BlockCatalogue;

tests('every block and every field has its own description', () => {
  let fields = 0;
  for (const { name, doc, example, fields: besides = [], items = [], entry } of written.blocks) {
    const block = findBlock(name)!;
    assert.is(docOf(block), doc);
    assert.is(exampleOf(block), example);
    for (const [own, said] of [
      [block.fields, besides],
      [block.items, items],
      [entryFieldsOf(name), entry?.fields ?? []],
    ] as const)
      for (const { name, doc, fields: inner = [] } of said) {
        const field = own?.find(one => one.name === name);
        assert.is(field && docOf(field), doc);
        for (const one of inner) {
          const found = field?.fields?.find(({ name }) => name === one.name);
          assert.is(found && docOf(found), one.doc);
        }
        fields++;
      }
  }
  assert.ok(fields > 100, `${fields} fields`);
});

tests('descriptions are not in the data that every run reads', () => {
  for (const one of describedIn(catalogue.blocks)) assert.not.ok('doc' in one || 'example' in one);
});

tests.run();
