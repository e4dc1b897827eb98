/** Build profiles, selected targets and `--check`: which files are planned and which are removed. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, tree, write } from './prs.ts';

const test = suite('builds');

const source = (text: string) =>
  `@meta { id: "x" syntax: "1.5.0" }\n@identity { "${text}" }\n@skills {\n  one: { description: "First" content: "One." }\n  two: { description: "Second" content: "Two." }\n}\n@shortcuts { "/test": "Run the tests" }\n`;

const settings = `id: x
syntax: "1.5.0"
includeInstrSkill: false
targets: [claude, codex]
builds:
  web:
    entry: packages/web/web.prs
    output: packages/web
    targets:
      - codex: { agentsFile: AGENTS.override.md, skillBaseDir: packages/web/own-skills, includeSkills: [one] }
  api:
    entry: packages/api/api.prs
    output: ./packages/api/
    targets:
      - claude: { includeSkills: false }
  plain:
    output: dist/plain
`;

const monorepo = () =>
  project({
    'instr.yaml': settings,
    '.instr/project.prs': source('Root.'),
    'packages/web/web.prs': source('Web.'),
    'packages/api/api.prs': source('Api.'),
    'packages/web/index.ts': 'export {};\n',
  });

interface Report {
  readonly files: { path: string; state: string; build?: string }[];
  readonly diagnostics: { code: string; severity: string; message: string }[];
}

function compile(folder: string, args: string[], status = 0): Record<string, string> {
  const result = prs(folder, ['compile', ...args, '--json']);
  assert.is(result.status, status, result.stdout);
  return Object.fromEntries((JSON.parse(result.stdout) as Report).files.map(({ path, state }) => [path, state]));
}

const outputs = (folder: string) =>
  tree(folder).filter(path => !path.startsWith('.instr/') && !/\.(?:prs|ts|yaml)$/.test(path));

test('a plain compile ignores profiles, and a profile ignores other profiles', () => {
  const folder = monorepo();
  const root = compile(folder, []);
  assert.ok('CLAUDE.md' in root && 'AGENTS.md' in root);
  assert.not.ok(Object.keys(root).some(path => path.startsWith('packages')));
  const web = compile(folder, ['--build', 'web']);
  assert.ok(Object.keys(web).length > 0);
  for (const path of Object.keys(web)) assert.ok(path.startsWith('packages/web/'), path);
  assert.equal(Object.values(compile(folder, [])).filter(state => state !== 'unchanged'), [], 'files of a profile must be kept');
  assert.is(prs(folder, ['compile', '--check']).status, 0);
  assert.is(prs(folder, ['compile', '--check', '--build', 'web']).status, 0);
  assert.is(prs(folder, ['compile', '--check', '--build', 'api']).status, 1);
  assert.is(prs(folder, ['compile', '--check', '--all-builds']).status, 1);
});

test('writes nested outputs of packages: the scoped agents file and its skills, only for the named profiles', () => {
  const folder = monorepo();
  compile(folder, ['--build', 'web']);
  assert.match(read(folder, 'packages/web/AGENTS.override.md'), 'Web.');
  assert.not.ok(existsSync(join(folder, 'packages/web/AGENTS.md')));
  const skills = outputs(folder).filter(path => path.endsWith('SKILL.md'));
  assert.equal(skills.length, 1, String(skills));
  assert.match(skills[0]!, /own-skills\/one\/SKILL\.md$/);
  compile(folder, ['--build', 'api']);
  assert.match(read(folder, 'packages/api/CLAUDE.md'), 'Api.');
  assert.not.ok(outputs(folder).some(path => path.startsWith('packages/api') && path.endsWith('SKILL.md')));
});

test('a profile without targets and entry uses those of the project', () => {
  const folder = monorepo();
  const plain = compile(folder, ['--build', 'plain']);
  assert.ok('dist/plain/CLAUDE.md' in plain && 'dist/plain/AGENTS.md' in plain, String(Object.keys(plain)));
  assert.match(read(folder, 'dist/plain/CLAUDE.md'), 'Root.');
});

test('compiles several or all profiles in one run, and reports an unknown one', () => {
  const folder = monorepo();
  const two = compile(folder, ['--build', 'web', '--build', 'api']);
  assert.ok('packages/web/AGENTS.override.md' in two && 'packages/api/CLAUDE.md' in two);
  const all = compile(folder, ['--all-builds']);
  assert.is(all['packages/web/AGENTS.override.md'], 'unchanged');
  assert.is(all['dist/plain/CLAUDE.md'], 'new');
  assert.not.ok('CLAUDE.md' in all);
  assert.is(prs(folder, ['compile', '--check', '--all-builds']).status, 0);
  const unknown = prs(folder, ['compile', '--build', 'webb']);
  assert.is(unknown.status, 2);
  assert.match(unknown.stderr, /Did you mean `?web/);
  assert.is(prs(folder, ['diff', '--build', 'web', '--exit-code']).status, 0);
});

test('only profiles may have a scoped agents file', () => {
  const folder = monorepo();
  write(folder, 'instr.yaml', settings.replace('targets: [claude, codex]', 'targets: [claude, { codex: { agentsFile: AGENTS.override.md } }]'));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 1);
  assert.match(stderr, /instr\.yaml:4:\d+: error .*AGENTS\.override\.md/);
});

test('reports an error with both names if two profiles write different content to one file', () => {
  const folder = monorepo();
  write(folder, 'instr.yaml', settings.replace('output: ./packages/api/', 'output: dist/plain'));
  const { status, stderr } = prs(folder, ['compile', '--all-builds']);
  assert.is(status, 1);
  assert.match(stderr, /build api/);
  assert.match(stderr, /build plain/);
  assert.equal(outputs(folder), [], 'nothing must be written');
});

test('removes outputs that are no longer planned, with the folders created for them', () => {
  const folder = monorepo();
  compile(folder, []);
  compile(folder, ['--all-builds']);
  const before = outputs(folder);

  // One profile has a new output folder, one loses a skill, and one is removed.
  write(folder, 'instr.yaml', settings.replace('dist/plain', 'dist/other').replace('includeSkills: [one]', 'includeSkills: false'));
  const moved = compile(folder, ['--all-builds']);
  assert.is(moved['dist/plain/CLAUDE.md'], 'removed');
  assert.is(moved['dist/other/CLAUDE.md'], 'new');
  assert.not.ok(existsSync(join(folder, 'dist/plain')));
  assert.not.ok(existsSync(join(folder, 'packages/web/own-skills')));
  write(folder, 'instr.yaml', settings.slice(0, settings.indexOf('  plain:')).replace('output: packages/web\n', 'output: packages/web/nested\n'));
  compile(folder, []);
  assert.not.ok(existsSync(join(folder, 'dist')), 'files of a removed profile must be removed');
  assert.ok(existsSync(join(folder, 'packages/web/AGENTS.override.md')), 'the profile was not compiled, so its files are kept');
  compile(folder, ['--build', 'web']);
  assert.not.ok(existsSync(join(folder, 'packages/web/AGENTS.override.md')));
  assert.ok(existsSync(join(folder, 'packages/web/index.ts')));

  // Restores the original settings.
  write(folder, 'instr.yaml', settings);
  compile(folder, []);
  compile(folder, ['--all-builds']);
  assert.equal(outputs(folder), before);
});

test('with one of several targets, writes and removes no files of the others', () => {
  const folder = monorepo();
  const only = compile(folder, ['--target', 't02']);
  assert.ok('CLAUDE.md' in only && !('AGENTS.md' in only));
  assert.not.ok(existsSync(join(folder, 'AGENTS.md')));
  compile(folder, []);
  write(folder, '.instr/project.prs', source('Changed.'));
  assert.is(compile(folder, ['--target', 'claude'])['CLAUDE.md'], 'changed');
  assert.match(read(folder, 'AGENTS.md'), 'Root.');
  assert.is(prs(folder, ['compile', '--check', '--target', 'claude']).status, 0);
  assert.is(prs(folder, ['compile', '--check', '--target', 'codex']).status, 1);
  const wrong = prs(folder, ['compile', '--target', 'cursor']);
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, 'cursor');
});

test('removes the files and folders of a disabled target', () => {
  const folder = monorepo();
  compile(folder, []);
  write(folder, '.claude/mine.md', 'mine\n');
  write(folder, 'instr.yaml', settings.replace('[claude, codex]', '[{ claude: { enabled: false } }, codex]'));
  const dry = compile(folder, ['--dry-run']);
  assert.is(dry['CLAUDE.md'], 'removed');
  assert.is(prs(folder, ['compile', '--check']).status, 1);
  assert.match(prs(folder, ['diff', '--all']).stdout, /CLAUDE\.md \(no longer generated: would be deleted/);
  assert.is(compile(folder, [])['CLAUDE.md'], 'removed');
  assert.not.ok(existsSync(join(folder, 'CLAUDE.md')));
  assert.equal(tree(join(folder, '.claude')), ['mine.md']);
  assert.ok(existsSync(join(folder, 'AGENTS.md')));
  rmSync(join(folder, '.claude/mine.md'));
  assert.is(prs(folder, ['compile', '--check']).status, 0);
});

test('--check detects every way in which a project can be stale', () => {
  const folder = monorepo();
  const check = (status: number, what: string) => {
    const before = tree(folder);
    const result = prs(folder, ['compile', '--check']);
    assert.is(result.status, status, `${what}: ${result.stdout}${result.stderr}`);
    assert.equal(tree(folder), before, what);
  };
  check(1, 'no file is written yet');
  compile(folder, []);
  check(0, 'all files are written');
  write(folder, '.instr/project.prs', source('Changed.'));
  check(1, 'a source changed');
  compile(folder, []);
  const text = read(folder, 'CLAUDE.md');
  write(folder, 'CLAUDE.md', `${text}edited\n`);
  check(1, 'an output was edited');
  write(folder, 'CLAUDE.md', text);
  check(0, 'the edit was reverted');
  rmSync(join(folder, 'AGENTS.md'));
  check(1, 'an output is missing');
  compile(folder, []);
  rmSync(join(folder, '.instr/manifest.json'));
  check(1, 'the manifest is missing');
  assert.equal([...new Set(Object.values(compile(folder, [])))], ['adopted']);
  check(0, 'the manifest was written again');
});

test.run();
