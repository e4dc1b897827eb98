/**
 * The main file of a folder is imported as a rule for that folder, and a compile writes it unchanged at the same path.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';

const tests = suite('import: main files of folders');
const specs = builtinIds().map(id => builtinSpec(id)!.spec);
const text = '# The API\n\nAnswer errors as problem+json.\n\n- Keep handlers small.\n';

for (const [tool, path] of [
  ['codex', 'packages/api/AGENTS.md'],
  ['claude', 'packages/api/CLAUDE.md'],
  ['gemini', 'web/GEMINI.md'],
] as const) {
  tests(`${path} of ${tool}`, async () => {
    const spec = builtinSpec(tool)!.spec;
    const bytes = new TextEncoder().encode(text);
    const imported = await importFile({ path, bytes, specs: [spec, ...specs] }, () => {});
    assert.match(imported!.text, 'placement: "nested"');
    const files = {
      'instr.yaml': `id: x\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [${tool}]\n`,
      '.instr/project.prs': imported!.text,
    };
    const compiled = await compile({ files });
    const found = compiled.files.find(file => file.path === path);
    assert.is(found?.content, text, compiled.files.map(file => file.path).join(', '));
    const main = compiled.files.find(file => !file.path.includes('/') && /\.md$/.test(file.path));
    assert.not.ok(String(main?.content ?? '').includes('handlers'), 'the root has it, too');
  });
}

tests.run();
