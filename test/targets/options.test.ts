/** Every option of a target does what its spec says, and is refused for other targets. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TargetConfig } from '../../src/generated/types/config.ts';
import { builtinSpec } from '../../src/spec/load.ts';
import { type Compiled, compileModel, openKitchenSink, textOf } from '../support/compile.ts';

const tests = suite('options');
const { model } = await openKitchenSink();

const compile = (id: string, config: TargetConfig & Record<string, unknown>, settings?: { header?: string; build?: string }): Promise<Compiled> =>
  compileModel(model, [{ loaded: builtinSpec(id)!, config: config as TargetConfig }], settings);

const paths = ({ files }: Compiled): string[] => files.map(({ path }) => path);
const text = ({ files }: Compiled, path: string): string => {
  const file = files.find(one => one.path === path);
  assert.ok(file, `${path} is not among ${files.map(one => one.path).join(', ')}`);
  return textOf(file);
};
const errors = ({ diagnostics }: Compiled): string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

tests('rulesMode: split writes a file per topic and an index', async () => {
  const split = await compile('factory', { rulesMode: 'split' });
  assert.ok(paths(split).includes('.factory/rules/typescript.md'));
  assert.match(text(split, 'AGENTS.md'), '.factory/rules/typescript.md');
  assert.not.match(text(split, 'AGENTS.md'), 'Named exports only');
  assert.match(text(split, '.factory/rules/typescript.md'), 'Named exports only');
  const whole = await compile('factory', {});
  assert.not(paths(whole).some(path => path.startsWith('.factory/rules/')));
  assert.equal(errors(await compile('factory', { rulesMode: 'split', version: 'simple' })), ['PRS7014']);
  assert.equal(errors(await compile('factory', { rulesMode: 'splitt' })), ['PRS7013']);
});

tests("skillPath: the shared folder, the tool's own folder, or both", async () => {
  const folders = async (skillPath: string) =>
    [...new Set(paths(await compile('gemini', { skillPath })).filter(path => path.endsWith('/SKILL.md')).map(path => path.split('/').slice(0, 2).join('/')))];
  assert.equal(await folders('agents'), ['.agents/skills']);
  assert.equal(await folders('gemini'), ['.gemini/skills']);
  assert.equal((await folders('both')).sort(), ['.agents/skills', '.gemini/skills']);
});

tests('projectDocMaxBytes is at the top level of the configuration', async () => {
  const compiled = await compile('codex', { projectDocMaxBytes: 65536, maxThreads: 4 });
  assert.match(text(compiled, '.codex/config.toml'), /^project_doc_max_bytes = 65536$/m);
  assert.ok(text(compiled, '.codex/config.toml').indexOf('project_doc') < text(compiled, '.codex/config.toml').indexOf('[agents]'));
});

tests('maxThreads and maxDepth are in the configuration, never in the instructions', async () => {
  const compiled = await compile('codex', { maxThreads: 4, maxDepth: 2 });
  assert.match(text(compiled, '.codex/config.toml'), /\[agents\]\nmax_threads = 4\nmax_depth = 2/);
  assert.not.match(text(compiled, 'AGENTS.md'), 'max');
  assert.equal(errors(await compile('codex', { maxThreads: 0 })), ['PRS7013']);
  assert.equal(errors(await compile('claude', { maxThreads: 4 })), ['PRS7012']);
});

tests('agentsFile: the override file is written by builds only', async () => {
  assert.equal(errors(await compile('codex', { agentsFile: 'AGENTS.override.md' })), ['PRS7015']);
  const scoped = await compile('codex', { agentsFile: 'AGENTS.override.md' }, { build: 'api' });
  assert.equal(errors(scoped), []);
  assert.ok(paths(scoped).includes('AGENTS.override.md'));
  assert.not(paths(scoped).includes('AGENTS.md'));
});

tests('agentsFrontmatter: description and tags of the project', async () => {
  const compiled = await compile('codex', { agentsFrontmatter: 'experimental' });
  assert.match(text(compiled, 'AGENTS.md'), /^---\ndescription: A shop with every kind of instruction\ntags:\n {2}- typescript\n/);
  assert.match(text(await compile('codex', {}), 'AGENTS.md'), /^# Project Instructions/);
});

tests('autoMode: in the private settings, at both paths', async () => {
  const compiled = await compile('claude', { autoMode: 'plan' });
  assert.equal(JSON.parse(text(compiled, '.claude/settings.local.json')), {
    autoMode: 'plan',
    permissions: { defaultMode: 'plan' },
  });
  assert.equal(errors(await compile('cursor', { autoMode: 'plan' })), ['PRS7012']);
});

tests('guardsAsSkills and guardsSkillsListing', async () => {
  const skills = await compile('codex', {});
  assert.ok(paths(skills).includes('.agents/skills/api/SKILL.md'));
  assert.match(text(skills, '.agents/skills/api/SKILL.md'), 'packages/api/**/*.ts');
  assert.match(text(skills, 'AGENTS.md'), '## Path-Specific Skills');
  const silent = await compile('codex', { guardsSkillsListing: false });
  assert.not.match(text(silent, 'AGENTS.md'), '## Path-Specific Skills');
  const inline = await compile('codex', { guardsAsSkills: false });
  assert.not(paths(inline).includes('.agents/skills/api/SKILL.md'));
  assert.match(text(inline, 'AGENTS.md'), 'Validate every input at the border.');
  assert.equal(errors(await compile('claude', { guardsSkillsListing: false })), ['PRS7012']);
});

tests('skillBaseDir and includeSkills', async () => {
  const moved = await compile('claude', { skillBaseDir: 'tools/skills' });
  assert.ok(paths(moved).includes('tools/skills/release-notes/SKILL.md'));
  assert.not(paths(moved).some(path => path.startsWith('.claude/skills/')));
  const none = await compile('claude', { includeSkills: false });
  assert.not(paths(none).some(path => path.endsWith('SKILL.md')));
  assert.ok(none.omissions.some(({ source }) => source.startsWith('skills.release-notes')));
  const one = await compile('claude', { includeSkills: ['field-notes'] });
  assert.equal(paths(one).filter(path => path.endsWith('SKILL.md')), ['.claude/skills/field-notes/SKILL.md', 'plugins/shop-tools/skills/field-notes/SKILL.md']);
});

tests('output: a file path moves the main file, a directory moves everything', async () => {
  const file = paths(await compile('claude', { output: 'docs/TEAM.md' }));
  assert.ok(file.includes('docs/TEAM.md') && !file.includes('CLAUDE.md') && file.includes('.claude/rules/api.md'));
  const directory = paths(await compile('claude', { output: 'packages/web' }));
  assert.ok(directory.includes('packages/web/CLAUDE.md') && directory.includes('packages/web/.claude/rules/api.md'));
});

tests('header: in every generated Markdown file, below the front matter, and in no other file', async () => {
  const { files } = await compile('claude', {}, { header: '<!-- ours -->' });
  for (const file of files) {
    const content = textOf(file);
    if (file.format === 'markdown') assert.match(content, /^(?:---\n[\s\S]*?\n---\n\n)?<!-- ours -->\n\n/, file.path);
    else assert.not.match(content, '<!-- ours -->', file.path);
  }
});

tests('conventions: tags instead of headings', async () => {
  const content = text(await compile('jules', { convention: 'xml' }), 'AGENTS.md');
  assert.match(content, '<project>\nYou are a careful engineer');
  assert.match(content, '</restrictions>');
  assert.equal(errors(await compile('jules', { convention: 'html' })), ['PRS7011']);
});

tests.run();
