/** `prs init`: the files that it writes, what it detects, and what it does not change. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { project, prs, read, tree, write } from './prs.ts';

const tests = suite('init');

const config = (folder: string) => parse(read(folder, 'instr.yaml'));

tests('turns an empty directory into a project that compiles', () => {
  const folder = project({});
  const run = prs(folder, ['init', '--yes', '--name', 'sample', '--targets', 'claude,t11']);
  assert.is(run.status, 0, run.stderr);
  assert.equal(config(folder), { id: 'sample', syntax: '1.6.0', targets: ['claude', 'codex'], output: { layout: 'once' } });
  const schema = JSON.parse(readFileSync(new URL('../../schema/config.schema.json', import.meta.url), 'utf8'));
  assert.is(read(folder, 'instr.yaml').split('\n')[0], `# yaml-language-server: $schema=${schema.$id}`);
  const written = tree(folder).filter(path => !path.startsWith('.instr/.state/'));
  assert.equal(written, ['.gitignore', '.instr/project.prs', '.instr/skills/instr/SKILL.md', 'instr.yaml']);
  for (const line of ['.instr/local.prs', '.instr/.state/', 'CLAUDE.local.md']) {
    assert.ok(read(folder, '.gitignore').split('\n').includes(line), line);
  }
  const strict = prs(folder, ['validate', '--strict']);
  assert.is(strict.status, 0, strict.stderr);
  const compiled = prs(folder, ['compile']);
  assert.is(compiled.status, 0, compiled.stderr);
  // Both tools share one text, because each reads this file.
  assert.match(read(folder, 'AGENTS.md'), /Follow the style/);
});

const names: Readonly<Record<string, readonly [file: string, content: string, name: string, language: string]>> = {
  'package.json': ['package.json', '{ "name": "@scope/web-app" }', 'web-app', 'JavaScript'],
  'pyproject.toml': ['pyproject.toml', '[project]\nname = "py-app"\n', 'py-app', 'Python'],
  'pyproject.toml of poetry': ['pyproject.toml', '[tool.poetry]\nname = "poem"\n', 'poem', 'Python'],
  'Cargo.toml': ['Cargo.toml', '[package]\nname = "crab"\n', 'crab', 'Rust'],
  'go.mod': ['go.mod', 'module example.com/team/gopher/v2\n\ngo 1.22\n', 'gopher', 'Go'],
};

for (const [title, [file, content, name, language]] of Object.entries(names)) {
  tests(`takes name and language from ${title}`, () => {
    const folder = project({ [file]: content });
    const { status, stderr } = prs(folder, ['init', '--yes']);
    assert.is(status, 0, stderr);
    assert.is(config(folder).id, name);
    assert.match(read(folder, '.instr/project.prs'), new RegExp(`"${language}"`));
  });
}

tests('ignores a damaged or unexpected manifest', () => {
  for (const content of ['{', '{"name": 3}', '{"name": "\\" syntax: \\"x"}', '[]']) {
    const folder = project({ 'package.json': content });
    assert.is(prs(folder, ['init', '--yes']).status, 0);
    assert.match(config(folder).id, /^prs-test-/);
  }
});

tests('detects tools by their files', () => {
  const folder = project({ 'CLAUDE.md': '# Mine\n', '.kiro/steering/product.md': 'x\n' });
  prs(folder, ['init', '--yes', '--name', 'x']);
  assert.equal(config(folder).targets.sort(), ['claude', 'kiro']);
  assert.is(read(folder, 'CLAUDE.md'), '# Mine\n');
});

tests('detects settings of a formatter, but does not enable it', () => {
  const folder = project({ '.prettierrc': '{}' });
  prs(folder, ['init', '--yes', '--name', 'x']);
  assert.is(config(folder).formatting, undefined);
  assert.match(read(folder, 'instr.yaml'), '# formatting:\n#   formatter: true');
});

tests('overwrites no existing file', () => {
  const folder = project({ '.instr/project.prs': 'mine\n', '.gitignore': 'dist' });
  const { status, stderr } = prs(folder, ['init', '--yes']);
  assert.is(status, 1);
  assert.match(stderr, /\.instr\/project\.prs.*exists/);
  assert.equal(tree(folder), ['.gitignore', '.instr/project.prs']);
});

tests('--force replaces files and keeps a copy', () => {
  const folder = project({ 'instr.yaml': 'mine: true\n', '.gitignore': 'dist' });
  const { status, stdout, stderr } = prs(folder, ['init', '--yes', '--force', '--name', 'x', '--json']);
  assert.is(status, 0, stderr);
  assert.is(config(folder).id, 'x');
  assert.is(JSON.parse(stdout).files.find((file: { path: string }) => file.path === 'instr.yaml').state, 'changed');
  const copy = tree(folder).find(path => /^\.instr\/\.state\/backups\/.*\/instr\.yaml$/.test(path))!;
  assert.is(read(folder, copy), 'mine: true\n');
  assert.match(read(folder, '.gitignore'), /^dist\n\n#/);
});

tests('adds lines to .gitignore only once', () => {
  const folder = project({});
  prs(folder, ['init', '--yes', '--name', 'x']);
  const first = read(folder, '.gitignore');
  prs(folder, ['init', '--yes', '--name', 'x', '--force']);
  assert.is(read(folder, '.gitignore'), first);
  write(folder, '.gitignore', 'a\r\n');
  prs(folder, ['init', '--yes', '--name', 'x', '--force']);
  assert.not.match(read(folder, '.gitignore').slice(3), /[^\r]\n/);
});

tests('--dry-run writes nothing and lists what it would write', () => {
  const folder = project({});
  const { status, stdout, stderr } = prs(folder, ['init', '--yes', '--dry-run']);
  assert.is(status, 0, stderr);
  assert.match(stdout + stderr, /Would make:[\s\S]*^ {2}instr\.yaml/m);
  assert.equal(tree(folder), []);
});

tests('rejects a name that is not a valid id', () => {
  for (const name of ['', '../x', 'a b', '"']) {
    const folder = project({});
    assert.is(prs(folder, ['init', '--yes', '--name', name]).status, 1, name);
    assert.equal(tree(folder), []);
  }
});

const kept = (folder: string, path: string) => [read(folder, path), tree(folder).filter(name => !name.startsWith('.instr/.state/') && name !== 'instr.manifest.json')];

tests('adopts existing instructions without changing them, and undo reverts it', () => {
  const files = { 'CLAUDE.md': '# Mine\n\nUse tabs.\n', 'packages/api/CLAUDE.md': '# API\n', '.claude/skills/go/SKILL.md': '---\nname: go\ndescription: Goes.\n---\n\nGo.\n', '.prettierrc': '{}' };
  const folder = project(files);
  const run = prs(folder, ['init', '--yes', '--name', 'sample', '--registry', 'https://git.example.org/acme/instructions.git']);
  assert.is(run.status, 0, run.stderr);
  assert.match(run.stderr, /CLAUDE\.md -> \.instr\//);
  const { id, targets, registries, formatting } = config(folder);
  assert.equal({ id, targets, registries, formatting }, { id: 'sample', targets: ['claude'], registries: { '@acme': 'https://git.example.org/acme/instructions.git' }, formatting: undefined });
  assert.is(prs(folder, ['compile']).status, 0);
  for (const [path, text] of Object.entries(files)) assert.is(read(folder, path), text);
  assert.equal(tree(folder).filter(path => !/^(?:\.instr\/|instr\.)/.test(path)).sort(), Object.keys(files).sort());
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.equal(tree(folder).filter(path => !path.startsWith('.instr/.state/')).sort(), Object.keys(files).sort());
});

tests('writes files for additional tools, and tools in use keep theirs', () => {
  const folder = project({ 'CLAUDE.md': '# Mine\n\nUse tabs.\n', '.claude/commands/ship.md': 'Ship it.\n' });
  const run = prs(folder, ['init', '--yes', '--targets', 'claude,gemini']);
  assert.is(run.status, 0, run.stderr);
  assert.is(prs(folder, ['compile']).status, 0);
  assert.is(read(folder, 'CLAUDE.md'), '# Mine\n\nUse tabs.\n');
  assert.match(prs(folder, ['view', '--as', 'gemini']).stdout, 'Use tabs.');
  assert.match(read(folder, '.gemini/commands/ship.toml'), 'Ship it.');
});

tests('--dry-run with existing instructions writes nothing, and --json lists the files to keep', () => {
  const folder = project({ 'CLAUDE.md': '# Mine\n' });
  const { status, stdout } = prs(folder, ['init', '--yes', '--dry-run', '--json']);
  assert.is(status, 0);
  assert.equal(JSON.parse(stdout).moved.kept.map(({ path }: { path: string }) => path), ['CLAUDE.md']);
  assert.equal(kept(folder, 'CLAUDE.md'), ['# Mine\n', ['CLAUDE.md']]);
});

tests.run();
