/** Adds a new tool: only a spec and its golden files are needed. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../support/compile.ts';

const tests = suite('new target');
const folder = mkdtempSync(join(tmpdir(), 'new-target-'));
const parts = ['conventions', 'schema', 'scripts', 'src', 'targets', 'test/golden', 'test/projects', 'test/support', 'package.json', 'package-lock.json', 'tsconfig.json'];

tests.before(() => {
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
tests.after(() => rmSync(folder, { recursive: true }));

function run(script: string, ...args: string[]) {
  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', tsx, `scripts/${script}.ts`, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

/** Path to content of everything but generated code. */
function snapshot(): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return new Map(
    files
      .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter(path => !path.startsWith('src/generated/') && !path.startsWith('node_modules/'))
      .map(path => [path, readFileSync(join(folder, path), 'latin1')]),
  );
}

const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(path => before.get(path) !== after.get(path)).sort();

const answers = ['--id', 'lantern', '--title', 'Lantern Code', '--vendor', 'Example', '--homepage', 'https://example.com'];

tests('--help prints the usage, and a wrong call is reported', () => {
  const help = run('new-target', '--help');
  assert.is(help.status, 0, help.stderr);
  assert.match(help.stdout, /--homepage +Address of the product's page \(needed\)/);
  const wrong = run('new-target', '--nope');
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, /^Unknown option '--nope'/);
  assert.not.match(wrong.stderr, /\n {4}at /);
});

tests('the generated spec compiles without changes', () => {
  const before = snapshot();
  const written = run('new-target', ...answers, '--evidence', 'https://example.com/docs/rules', '--today', '2026-06-01');
  assert.is(written.status, 0, written.stderr);
  assert.equal(changed(before, snapshot()), ['targets/lantern.yaml']);
  const checked = run('check-targets', 'lantern', '--today', '2026-06-01');
  assert.is(checked.status, 0, checked.stdout);
  assert.is(checked.stdout, '1 spec checked, nothing to report\n');
});

tests('a spec with added rules, commands and servers gets golden files, and no other file changes', () => {
  const before = snapshot();
  const path = join(folder, 'targets/lantern.yaml');
  const spec = readFileSync(path, 'utf8').replace(
    '\nreads:',
    `
  rules:
    frontmatter:
      - { key: files, from: globs, as: list }
      - { key: summary, from: description }
  prompts:
    kind: items
    of: commands
    versions: [full]
    path: .lantern/prompts/{name}.toml
    format: toml
    frontmatter:
      - { key: about, from: description }
      - prompt
  servers:
    kind: entries
    of: mcpServers
    versions: [full]
    path: .lantern/settings.json
    format: json
    at: [servers]
    collect: map
    by: transport
    variants:
      stdio: { run: { from: argv } }
      http: { url: { from: url } }
reads:`,
  );
  writeFileSync(path, spec);
  const golden = run('golden', 'lantern');
  assert.is(golden.status, 0, golden.stderr);
  assert.is(run('golden', '--check', 'lantern').status, 0);

  const touched = changed(before, snapshot());
  const own = ['targets/lantern.yaml', 'test/golden/lantern.yaml'];
  const others = touched.filter(file => !own.includes(file));
  assert.equal(others.filter(file => !file.startsWith('test/golden/contents/') || before.has(file)), []);
  assert.is(run('golden', 'lantern', '--tree', 'tree').status, 0);
  const read = (file: string) => readFileSync(join(folder, 'tree/lantern', file), 'utf8');
  assert.match(read('full/.lantern/rules/api.md'), /^---\nfiles:\n {2}- packages\/api\/\*\*\/\*\.ts\n/);
  assert.match(read('full/.lantern/prompts/review.toml'), 'about = "Review the staged changes: correctness first"');
  assert.ok(JSON.parse(read('full/.lantern/settings.json')).servers['issue-tracker'].run);
  assert.match(read('full/omissions.txt'), 'mcpServers.events');
  assert.equal(readdirSync(join(folder, 'tree/lantern')).sort(), ['full', 'multifile', 'simple']);
});

tests('golden files of a deleted spec are deleted', () => {
  rmSync(join(folder, 'targets/lantern.yaml'));
  const golden = run('golden');
  assert.is(golden.status, 0, golden.stderr);
  const recorded = readdirSync(join(folder, 'test/golden'), { recursive: true, encoding: 'utf8' });
  assert.equal(recorded.sort(), readdirSync(join(root, 'test/golden'), { recursive: true, encoding: 'utf8' }).sort());
});

tests('reports missing arguments when there is no terminal', () => {
  const missing = run('new-target', '--id', 'lantern');
  assert.is(missing.status, 2);
  assert.match(missing.stderr, '--homepage is missing');
  assert.match(run('new-target', '--id', 'zed').stderr, 'targets/zed.yaml is there already');
  assert.match(run('new-target', '--id', 'Lan Tern').stderr, 'lower-case letters');
  assert.match(run('new-target', ...answers, '--file', '../x.md').stderr, 'relative to the project root');
});

tests('a folder of skills adds skills to the spec', () => {
  const written = run('new-target', ...answers, '--file', 'LANTERN.md', '--skills', '.lantern/skills/');
  assert.is(written.status, 0, written.stderr);
  assert.is(run('golden', 'lantern', '--tree', 'skills').status, 0);
  assert.ok(readdirSync(join(folder, 'skills/lantern/full/.lantern/skills')).includes('release-notes'));
});

tests.run();
