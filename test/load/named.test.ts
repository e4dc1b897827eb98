/**
 * Main files named in the settings of a tool: they are written and loaded instead of its own main file, or in addition
 * to it.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { withNamedMains } from '../../src/spec/adapted.ts';
import { builtinSpec } from '../../src/spec/load.ts';
import { loadTexts } from '../../src/spec/loading/load.ts';

const tests = suite('named main files');

const config = (targets: string) =>
  `id: x\nsyntax: "1.6.0"\ntargets: [${targets}]\noutput: { layout: once }\nincludeInstrSkill: false\n`;

async function written(targets: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const { files: outputs } = await compile({
    files: { 'instr.yaml': config(targets), '.instr/project.md': '# House\n\nKeep it small.\n', ...files },
  });
  return outputs.map(({ path }) => path).sort();
}

tests('a shared file named in settings needs no second one', async () => {
  assert.equal(await written('codex, gemini', {}), ['AGENTS.md', 'GEMINI.md']);
  const named = { '.gemini/settings.json': '{ "context": { "fileName": ["AGENTS.md", "GEMINI.md"] } } // ours\n' };
  assert.equal(await written('codex, gemini', named), ['AGENTS.md']);
});

tests('writes a name that replaces the default one', async () => {
  const named = { '.qwen/settings.json': '{ "context": { "fileName": "HOUSE.md" } }' };
  assert.equal(await written('qwen-code', named), ['HOUSE.md']);
});

tests('names after the default ones are read if no default file exists, and need no second file', async () => {
  const fallback = { '.codex/config.toml': 'project_doc_fallback_filenames = ["TEAM.md", "GEMINI.md", "AGENTS.md"]\n' };
  assert.equal(await written('codex', fallback), ['AGENTS.md']);
  assert.equal(await written('codex, gemini', {}), ['AGENTS.md', 'GEMINI.md']);
  assert.equal(await written('codex, gemini', fallback), ['GEMINI.md']);
  const codex = withNamedMains(builtinSpec('codex')!, ['TEAM.md', 'AGENTS.md']).spec;
  const load = (paths: readonly string[], at = '') =>
    loadTexts(codex, new Map(paths.map(path => [path, path])), { at, read: [] }).parts.map(({ path }) => path);
  assert.equal(load(['AGENTS.md', 'TEAM.md']), ['AGENTS.md']);
  assert.equal(load(['AGENTS.md', 'a/TEAM.md', 'a/b/AGENTS.md', 'a/b/TEAM.md'], 'a/b'), ['AGENTS.md', 'a/TEAM.md', 'a/b/AGENTS.md']);
});

tests('settings without a usable name change nothing', async () => {
  for (const text of ['{', '{}', '[]', '{ "context": { "fileName": "../x.md" } }', '{ "context": { "fileName": 3 } }', ''])
    assert.equal(await written('gemini', { '.gemini/settings.json': text }), ['GEMINI.md'], text);
});

tests('equal names give equal specs, and paths stay inside the project', () => {
  const gemini = builtinSpec('gemini')!;
  assert.is(withNamedMains(gemini, ['A.md']), withNamedMains(gemini, ['./A.md', ' A.md ']));
  assert.is(withNamedMains(gemini, ['/etc/x', '~/x', 'C:x', 'a\\b', 'a/../../x', '']), gemini);
  assert.equal(withNamedMains(gemini, ['A.md']).spec.reads?.files, ['A.md', 'GEMINI.md']);
  assert.equal(gemini.spec.reads?.files, ['GEMINI.md']);
});

tests.run();
