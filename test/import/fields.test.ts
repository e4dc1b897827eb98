/** All fields of a tool's file, including unknown keys, survive import and emit for the same tool. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileSource } from '../../scripts/corpus/compile.ts';
import { lostFields } from '../../scripts/corpus/fields.ts';
import { entryValue } from '../../src/kinds/entries/plan.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { serverFields } from '../../src/model/make-item.ts';
import type { DataObject } from '../../src/model/model.ts';
import { loadFormat } from '../../src/plan/load-format.ts';
import { changeValue } from '../../src/plan/shared-format.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';

const tests = suite('import: no field is lost');

async function lostBy(id: string, path: string, text: string): Promise<string[]> {
  const loaded = builtinSpec(id)!;
  const imported = await importFile({ path, bytes: new TextEncoder().encode(text), specs: [loaded.spec] }, () => {});
  assert.ok(imported, `${id}: ${path} is read`);
  return lostFields(text, path, compileSource(imported.text, loaded));
}

for (const id of builtinIds()) {
  const loaded = builtinSpec(id)!;
  const { files, defaultVersion } = loaded.spec;
  const written = Object.values(files).filter(({ versions }) => versions?.includes(defaultVersion) ?? true);
  const places = written.flatMap(file =>
    file.kind === 'entries' && file.of === 'mcpServers' && file.collect === 'map' ? [file] : [],
  );
  for (const file of places) {
    tests(`${id}: servers in ${file.path}`, async () => {
      const server = (fields: Record<string, unknown>): DataObject => {
        const item = { name: 'docs', path: 'mcpServers.docs', fields: serverFields(new Map(Object.entries(fields)) as never), computed: new Set<string>(), resources: [] };
        return entryValue(file, item, loaded.spec) as DataObject;
      };
      const known = server({ command: 'docs' });
      // A server that is a single string has no fields.
      if (typeof known !== 'object') return;
      const own = server({ command: 'docs', args: ['--stdio'], env: { LEVEL: '3' }, cwd: 'tools' });
      // A tool with another field for the working directory keeps that field.
      const folder = Object.values(own).includes('tools') ? {} : { cwd: 'tools' };
      const local = { ...own, ...folder, trust: true, limits: { calls: 3 } };
      const format = await loadFormat(file.format);
      const data = changeValue({}, [...(file.at ?? []), 'docs'], local as never);
      assert.equal(await lostBy(id, file.path, format.create(data)), []);
    });
  }
}

/** All places of Markdown items that allow keys of a single tool. */
for (const id of builtinIds()) {
  const { files, defaultVersion } = builtinSpec(id)!.spec;
  for (const file of Object.values(files)) {
    if (file.kind !== 'items' || file.extra !== 'pass' || (file.format ?? 'markdown') !== 'markdown') continue;
    if (!(file.versions?.includes(defaultVersion) ?? true) || !['agents', 'commands', 'skills'].includes(file.of)) continue;
    const template = [file.dir, file.path].filter(Boolean).join('/');
    if (/\{(?!name\})/.test(template)) continue;
    tests(`${id}: ${file.of} in ${template}`, async () => {
      const path = template.replaceAll('{name}', 'review');
      const front = ['name: review', 'description: Reviews a change', 'mode: careful', 'color: red', 'argument-hint: <issue> [--ci]', 'x-own: yes please', 'limits:', '  calls: 3'];
      assert.equal(await lostBy(id, path, `---\n${front.join('\n')}\n---\n\nRead the change.\n`), []);
    });
  }
}

tests('the check finds lost fields', async () => {
  assert.equal(await lostFields('{"a":{"b":1,"c":[2,3]}}', 'x.json', [{ path: 'x.json', text: '{"a":{"b":1,"c":[3]}}' }]), ['a.c: 2']);
  assert.equal(await lostFields('---\nname: a\nmodel: b\n---\n', 'x.md', [{ path: 'x.md', text: '---\nname: a\n---\n' }]), ['model: b']);
});

tests.run();
