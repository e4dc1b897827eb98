/** `prs import` and `prs migrate` on the command line: their output, and input that they reject without writing files. */
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, minimal, project, prs, read, tree } from './prs.ts';

const tests = suite('import and migrate');

interface Refusal {
  readonly files?: Files;
  readonly arguments: readonly string[];
  /** Pattern that the message must match. */
  readonly expected: RegExp;
  readonly exit: 1 | 2;
}

const refusals: Readonly<Record<string, Refusal>> = {
  'binary file': { files: { 'CLAUDE.md': new Uint8Array([0x89, 0x50, 0, 1, 2, 255]) }, arguments: ['CLAUDE.md'], expected: /CLAUDE\.md/, exit: 1 },
  'empty file': { files: { 'CLAUDE.md': '' }, arguments: ['CLAUDE.md'], expected: /empty|nothing/i, exit: 1 },
  'blank file': { files: { 'CLAUDE.md': ' \n\n\t\n' }, arguments: ['CLAUDE.md'], expected: /empty|nothing/i, exit: 1 },
  'more than 10 MB': { files: { 'CLAUDE.md': 'x'.repeat(10 * 1024 * 1024 + 1) }, arguments: ['CLAUDE.md'], expected: /10/, exit: 1 },
  'invalid UTF-8': { files: { 'CLAUDE.md': new Uint8Array([35, 32, 0xc3, 0x28, 10]) }, arguments: ['CLAUDE.md'], expected: /UTF-8/, exit: 1 },
  'a directory': { files: { 'docs/a.md': 'a' }, arguments: ['docs'], expected: /directory|folder/i, exit: 1 },
  'a missing file': { arguments: ['CLAUDE.md'], expected: /CLAUDE\.md/, exit: 1 },
  'a file outside the project': { arguments: ['../outside.md'], expected: /outside/i, exit: 1 },
  'an unknown tool': { files: { 'a.md': 'a\n' }, arguments: ['a.md', '--format', 'cluade'], expected: /cluade[\s\S]*claude/, exit: 2 },
  'a file of an unknown format': { files: { 'a.ini': 'a=1\n' }, arguments: ['a.ini'], expected: /a\.ini[\s\S]*--format/, exit: 1 },
  'broken JSON': { files: { '.mcp.json': '{ "mcpServers": {' }, arguments: ['.mcp.json'], expected: /JSON/, exit: 1 },
  'broken TOML': { files: { '.codex/config.toml': '[mcp_servers\n' }, arguments: ['.codex/config.toml'], expected: /TOML/, exit: 1 },
  'settings without instructions': { files: { '.claude/settings.json': '{ "permissions": {} }' }, arguments: ['.claude/settings.json'], expected: /settings\.json/, exit: 1 },
  'an output outside the project': { files: { 'CLAUDE.md': 'a\n' }, arguments: ['CLAUDE.md', '--output', '../a.prs'], expected: /outside/i, exit: 1 },
  'an output that exists': { files: { 'CLAUDE.md': 'a\n', 'a.prs': 'mine' }, arguments: ['CLAUDE.md', '--output', 'a.prs'], expected: /--force/, exit: 1 },
};

for (const [name, { files = {}, arguments: words, expected, exit }] of Object.entries(refusals)) {
  tests(`import rejects: ${name}`, () => {
    const folder = project({ ...minimal, ...files });
    const before = tree(folder);
    const plain = prs(folder, ['import', ...words]);
    assert.is(plain.status, exit, plain.stderr);
    assert.match(plain.stderr, expected);
    assert.not.match(plain.stderr, /\n {4}at |hit a bug/);
    const { status, stdout } = prs(folder, ['import', ...words, '--json']);
    assert.is(status, exit);
    const report = JSON.parse(stdout);
    assert.is(report.ok, false);
    assert.ok(report.diagnostics.some(({ hint }: { hint?: string }) => hint), 'the report must have a hint');
    assert.equal(tree(folder), before, 'nothing must be written');
  });
}

tests('import rejects a link that leaves the project', () => {
  const folder = project(minimal);
  const outside = project({ 'secret.md': 'secret\n' });
  symlinkSync(join(outside, 'secret.md'), join(folder, 'CLAUDE.md'));
  const { status, stderr, stdout } = prs(folder, ['import', 'CLAUDE.md', '--dry-run']);
  assert.is(status, 1);
  assert.not.match(stdout + stderr, /secret\n/);
});

tests('reads front matter that is not valid YAML as the tools do', () => {
  const folder = project({ ...minimal, '.cursor/rules/a.mdc': '---\ndescription: a: b\nglobs: **/*.ts\nalwaysApply: {\n---\nUse tabs.\n' });
  const { status, stdout } = prs(folder, ['import', '.cursor/rules/a.mdc', '--output', 'a.prs', '--json']);
  assert.is(status, 0, stdout);
  const messages = JSON.parse(stdout).diagnostics.map(({ message }: { message: string }) => message).join('\n');
  for (const key of ['description', 'globs', 'alwaysApply']) assert.match(messages, key);
  assert.match(read(folder, 'a.prs'), 'applyTo: ["**/*.ts"]');
});

tests('a dry run shows the source and where each line goes', () => {
  const folder = project({ ...minimal, 'CLAUDE.md': 'You are a pilot.\n\n## Code style\n\n- Use tabs.\n- Prefer `const`.\n' });
  const before = tree(folder);
  const { status, stdout, stderr } = prs(folder, ['import', 'CLAUDE.md', '--dry-run']);
  assert.is(status, 0, stderr);
  assert.match(stdout, '@identity');
  assert.match(stderr, /1 +@identity +0\.\d\d/);
  assert.match(stderr, /3-6 +@standards\.code-style +\d\.\d\d/);
  assert.match(stderr, /would write \.instr\/imported\/claude\.prs/);
  assert.equal(tree(folder), before);
});

tests('an imported source compiles when it is used', () => {
  const folder = project({ ...minimal, 'notes/rules.md': '## Code style\n\n- Use tabs.\n- Prefer `const`.\n' });
  assert.is(prs(folder, ['import', 'notes/rules.md', '--output', '.instr/rules.prs']).status, 0);
  writeFileSync(join(folder, '.instr/project.prs'), '@meta { id: "x" syntax: "1.5.0" }\n@use ./rules\n');
  const compiled = prs(folder, ['compile', '--force']);
  assert.is(compiled.status, 0, compiled.stderr);
  assert.match(read(folder, 'CLAUDE.md'), '- Use tabs.');
});

tests('the main document of a package becomes a rule for the files of the package', () => {
  const folder = project({ ...minimal, 'packages/api/CLAUDE.md': '# API\n\nAnswer in JSON.\n' });
  const { stdout } = prs(folder, ['import', 'packages/api/CLAUDE.md', '--dry-run']);
  assert.match(stdout, 'applyTo: ["packages/api/**"]');
});

const custom = [
  'id: harbour',
  'title: Harbour',
  'homepage: https://harbour.example',
  'evidence: [{ url: https://harbour.example/docs, checked: 2026-01-15 }]',
  'versions: { full: Everything. }',
  'defaultVersion: full',
  'files:',
  '  instructions: { kind: document, of: instructions, path: HARBOUR.txt }',
  '  orders:',
  '    kind: items',
  '    of: guards',
  '    path: ".harbour/{name}.order.md"',
  '    frontmatter: [{ key: for-files, from: globs, as: comma }]',
  '',
].join('\n');

tests('import and migrate know tools that a project defines', () => {
  const folder = project({
    'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [harbour]\n',
    '.instr/project.prs': '@meta { id: "x" syntax: "1.5.0" }\n',
    '.instr/targets/harbour.yaml': custom,
    'HARBOUR.txt': 'You are a pilot.\n',
    '.harbour/charts.order.md': '---\nfor-files: a/*.chart, b/*.chart\n---\nKeep depths in metres.\n',
  });
  const { stdout, stderr } = prs(folder, ['import', '.harbour/charts.order.md', '--format', 'harbour', '--dry-run']);
  assert.match(stdout, 'applyTo: ["a/*.chart", "b/*.chart"]', stderr);
  const migrated = prs(folder, ['migrate', '--static']);
  assert.is(migrated.status, 0, migrated.stderr);
  assert.match(read(folder, '.instr/migrated/instructions.prs'), 'You are a pilot.');
  assert.match(read(folder, '.instr/migrated/rules.prs'), 'Keep depths in metres.');
});

tests('uses the universal directory of the configuration', () => {
  const folder = project({
    'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [claude]\nuniversalDir: .shared\n',
    '.instr/project.prs': '@meta { id: "x" syntax: "1.5.0" }\n',
    '.shared/agents/pilot.md': '---\nname: pilot\ndescription: Brings boats in\n---\nBring boats in.\n',
    '.shared/skills/moor/SKILL.md': '---\nname: moor\ndescription: Ties knots\n---\nTie.\n',
    '.shared/commands/sail.md': 'Sail.\n',
  });
  assert.is(prs(folder, ['migrate', '--static']).status, 0);
  assert.match(read(folder, '.instr/migrated/agents.prs'), 'Bring boats in.');
  // Skills and commands in this directory are read without being imported.
  assert.not.ok(existsSync(join(folder, '.instr/migrated/commands.prs')));
  assert.not.match(read(folder, '.instr/migrated/all.prs'), 'moor');
});

tests('migrate accepts only one method at a time', () => {
  const folder = project(minimal);
  assert.is(prs(folder, ['migrate', '--static', '--llm']).status, 2);
});

tests('standard output holds only the prompt, and its length is reported on stderr', () => {
  const folder = project({ 'CLAUDE.md': '# A\n\n- Use tabs.\n\n````\n```\n````\n' });
  const before = tree(folder);
  const { status, stdout, stderr } = prs(folder, ['migrate', '--llm']);
  assert.is(status, 0, stderr);
  assert.match(stderr, /about \d+ tokens/);
  for (const part of ['@meta', '@guards', '@shortcuts', 'Use tabs.', '| CLAUDE.md |', '`````', 'instr.yaml'])
    assert.ok(stdout.includes(part), part);
  assert.equal(tree(folder), before);
});

tests('leaves hooks that need a shell in place, with a hint', () => {
  const folder = project({
    ...minimal,
    '.claude/settings.json': JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say "$(date)"' }] }] } }),
  });
  const { stderr } = prs(folder, ['import', '.claude/settings.json']);
  assert.match(stderr, /left where it is/);
  assert.not.ok(existsSync(join(folder, '.instr/imported')));
});

tests.run();
