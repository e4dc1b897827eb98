import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { nodeDisk } from '../../src/host/disk.ts';
import { matchesAny } from '../../src/project/explain/traces.ts';
import { project, prs, read, tree, write } from './prs.ts';

const tests = suite('init');

const config = (folder: string) => parse(read(folder, 'instr.yaml'));

tests('an empty directory becomes a project that compiles', () => {
  const folder = project({});
  const made = prs(folder, ['init', '--yes', '--name', 'sample', '--targets', 'claude,t11']);
  assert.is(made.status, 0, made.stderr);
  assert.equal(config(folder), { id: 'sample', syntax: '1.6.0', targets: ['claude', 'codex'], output: { layout: 'once' } });
  const written = tree(folder).filter(path => !path.startsWith('.instr/.state/'));
  assert.equal(written, ['.gitignore', '.instr/project.prs', '.instr/skills/instr/SKILL.md', 'instr.yaml']);
  for (const line of ['.instr/local.prs', '.instr/.state/', 'CLAUDE.local.md']) {
    assert.ok(read(folder, '.gitignore').split('\n').includes(line), line);
  }
  const strict = prs(folder, ['validate', '--strict']);
  assert.is(strict.status, 0, strict.stderr);
  const compiled = prs(folder, ['compile']);
  assert.is(compiled.status, 0, compiled.stderr);
  // One text for both: each of them reads this file.
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
  tests(`name and language from ${title}`, () => {
    const folder = project({ [file]: content });
    const { status, stderr } = prs(folder, ['init', '--yes']);
    assert.is(status, 0, stderr);
    assert.is(config(folder).id, name);
    assert.match(read(folder, '.instr/project.prs'), new RegExp(`"${language}"`));
  });
}

tests('a damaged or strange manifest does not stop it', () => {
  for (const content of ['{', '{"name": 3}', '{"name": "\\" syntax: \\"x"}', '[]']) {
    const folder = project({ 'package.json': content });
    assert.is(prs(folder, ['init', '--yes']).status, 0);
    assert.match(config(folder).id, /^prs-test-/);
  }
});

tests('tools in use are found by their files', () => {
  const folder = project({ 'CLAUDE.md': '# Mine\n', '.kiro/steering/product.md': 'x\n' });
  prs(folder, ['init', '--yes', '--name', 'x']);
  assert.equal(config(folder).targets.sort(), ['claude', 'kiro']);
  assert.is(read(folder, 'CLAUDE.md'), '# Mine\n');
});

tests('settings of a formatter are found, and used by nobody who was not asked', () => {
  const folder = project({ '.prettierrc': '{}' });
  prs(folder, ['init', '--yes', '--name', 'x']);
  assert.is(config(folder).formatting, undefined);
  assert.match(read(folder, 'instr.yaml'), '# formatting:\n#   formatter: true');
});

tests('nothing that exists is overwritten', () => {
  const folder = project({ '.instr/project.prs': 'mine\n', '.gitignore': 'dist' });
  const { status, stderr } = prs(folder, ['init', '--yes']);
  assert.is(status, 1);
  assert.match(stderr, /\.instr\/project\.prs.*exists/);
  assert.equal(tree(folder), ['.gitignore', '.instr/project.prs']);
});

tests('--force replaces, and keeps a copy', () => {
  const folder = project({ 'instr.yaml': 'mine: true\n', '.gitignore': 'dist' });
  const { status, stdout, stderr } = prs(folder, ['init', '--yes', '--force', '--name', 'x', '--json']);
  assert.is(status, 0, stderr);
  assert.is(config(folder).id, 'x');
  assert.is(JSON.parse(stdout).files.find((file: { path: string }) => file.path === 'instr.yaml').state, 'changed');
  const copy = tree(folder).find(path => /^\.instr\/\.state\/backups\/.*\/instr\.yaml$/.test(path))!;
  assert.is(read(folder, copy), 'mine: true\n');
  assert.match(read(folder, '.gitignore'), /^dist\n\n#/);
});

tests('lines of .gitignore are added once', () => {
  const folder = project({});
  prs(folder, ['init', '--yes', '--name', 'x']);
  const first = read(folder, '.gitignore');
  prs(folder, ['init', '--yes', '--name', 'x', '--force']);
  assert.is(read(folder, '.gitignore'), first);
  write(folder, '.gitignore', 'a\r\n');
  prs(folder, ['init', '--yes', '--name', 'x', '--force']);
  assert.not.match(read(folder, '.gitignore').slice(3), /[^\r]\n/);
});

tests('--dry-run writes nothing and tells what it would write', () => {
  const folder = project({});
  const { status, stdout, stderr } = prs(folder, ['init', '--yes', '--dry-run']);
  assert.is(status, 0, stderr);
  assert.match(stdout + stderr, /would write instr\.yaml/);
  assert.equal(tree(folder), []);
});

tests('a name that cannot be an id is refused', () => {
  for (const name of ['', '../x', 'a b', '"']) {
    const folder = project({});
    assert.is(prs(folder, ['init', '--yes', '--name', name]).status, 1, name);
    assert.equal(tree(folder), []);
  }
});

tests('traces of tools are looked for near the top, and not in the packages of others', () => {
  const at = (...paths: string[]) => project(Object.fromEntries(paths.map(path => [path, ''])));
  const found = (folder: string, pattern: string) => matchesAny(nodeDisk, folder, [pattern]);
  assert.ok(found(at('.tool/rules/a.mdc'), '.tool/rules/*.mdc'));
  assert.ok(found(at('.tool'), '.tool'));
  assert.not.ok(found(at('.tool/rules/a.md'), '.tool/rules/*.mdc'));
  assert.ok(found(at('a/b/c/d/x.mdc'), '**/*.mdc'));
  assert.not.ok(found(at('a/b/c/d/e/x.mdc'), '**/*.mdc'));
  assert.not.ok(found(at('node_modules/tool/x.mdc', '.git/x.mdc'), '**/*.mdc'));
});

tests.run();
