/** A repository with several projects: one run over all of them, shared sources, and input lists for build tools. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, minimal, project, prs, read, tree, write } from './prs.ts';

const tests = suite('packages');
const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;
const config = (id: string, more = '') => `id: ${id}\nsyntax: "1.5.0"\ntargets: [claude]\nincludeInstrSkill: false\n${more}`;

const member = (name: string): Files => ({
  [`packages/${name}/instr.yaml`]: config(name, 'registries: { "@root": { path: ../../shared } }\n'),
  [`packages/${name}/.instr/project.prs`]: `${meta(name)}@use @root/house\n@standards { own: ["Of ${name}"] }\n`,
});
const repository: Files = {
  'instr.yaml': config('all', 'packages: ["packages/*"]\n'),
  '.instr/project.prs': `${meta('all')}@standards { code: ["Of the root"] }\n`,
  'shared/house.prs': `${meta('house')}@standards { house: ["Of the house"] }\n`,
  ...member('app'),
  ...member('web'),
  'others/tool/instr.yaml': config('tool'),
  'others/tool/.instr/project.prs': `${meta('tool')}@standards { code: ["Of the tool"] }\n`,
  'node_modules/x/instr.yaml': config('x'),
  'ignored/y/instr.yaml': config('y'),
  '.gitignore': 'ignored\nnode_modules\n',
};

const packagesOf = (stdout: string) => JSON.parse(stdout).packages.map((one: { package: string }) => one.package);

tests('a root that lists packages compiles them too, and --recursive compiles every project below', () => {
  const folder = project(repository);
  const listed = prs(folder, ['compile', '--json']);
  assert.is(listed.status, 0, listed.stdout + listed.stderr);
  assert.equal(packagesOf(listed.stdout), ['.', 'packages/app', 'packages/web']);
  for (const name of ['app', 'web']) {
    assert.match(read(folder, `packages/${name}/CLAUDE.md`), '- Of the house');
    assert.match(read(folder, `packages/${name}/CLAUDE.md`), `- Of ${name}`);
  }
  assert.not.ok(tree(folder).includes('others/tool/CLAUDE.md'));
  assert.is(prs(folder, ['compile', '--check']).status, 0);
  const all = prs(folder, ['compile', '--recursive', '--json']);
  assert.equal(packagesOf(all.stdout), ['.', 'others/tool', 'packages/app', 'packages/web']);
  assert.not.ok(tree(folder).some(path => /^(?:node_modules|ignored)\/.*CLAUDE/.test(path)));
  const { stdout } = prs(folder, ['compile', '--recursive']);
  assert.match(stdout, /^packages\/app: .*unchanged/m);
  assert.match(stdout, /^4 packages · \d+ ms$/m);
  assert.match(prs(folder, ['compile', '--no-recursive']).stdout, /^\d+ files? \(\d+ unchanged\)/m);
});

tests('a change of a shared file affects every package, and findings have paths from the root', () => {
  const folder = project(repository);
  assert.is(prs(folder, ['compile', '--recursive']).status, 0);
  write(folder, 'shared/house.prs', `${meta('house')}@standards { house: ["Of another house"] }\n`);
  assert.is(prs(folder, ['compile', '--check']).status, 1);
  const diff = prs(folder, ['diff', '--exit-code']);
  assert.is(diff.status, 1);
  for (const name of ['app', 'web']) assert.match(diff.stdout, new RegExp(`^packages/${name}: `, 'm'));
  write(folder, 'packages/web/.instr/project.prs', `${meta('web')}@context {`);
  const found = prs(folder, ['validate', '--json']);
  assert.is(found.status, 1);
  const errors = JSON.parse(found.stdout).diagnostics.filter((one: { severity: string }) => one.severity === 'error');
  assert.equal([...new Set(errors.map((one: { file: string }) => one.file))], ['packages/web/.instr/project.prs']);
  assert.is(prs(folder, ['compile']).status, 1);
  assert.match(read(folder, 'packages/app/CLAUDE.md'), 'Of another house', 'the other packages must be written');
  assert.match(read(folder, 'packages/web/CLAUDE.md'), 'Of the house');
});

tests('status has a line for every package', () => {
  const folder = project(repository);
  assert.is(prs(folder, ['compile']).status, 0);
  write(folder, 'packages/web/.instr/project.prs', `${meta('web')}@standards { own: ["Something else"] }\n`);
  const { stdout } = prs(folder, ['status']);
  assert.match(stdout, /^\.: no pinned sources \u00b7 claude \u00b7 \d+ files? up to date\npackages\/app: .* up to date\npackages\/web: .* out of date\n$/);
  const { packages } = JSON.parse(prs(folder, ['status', '--recursive', '--json']).stdout);
  assert.equal(packages.map((one: { package: string; status: { project: string; drift: unknown[] } }) => [one.package, one.status.project, one.status.drift.length > 0]), [
    ['.', folder.split('/').at(-1), false],
    ['others/tool', 'tool', true],
    ['packages/app', 'app', false],
    ['packages/web', 'web', true],
  ]);
});

tests('a fix edits a file of the package, with a path from the root', () => {
  const folder = project({ ...repository, 'packages/web/.instr/project.prs': `${meta('web')}@standard { own: ["Of web"] }\n` });
  const { diagnostics } = JSON.parse(prs(folder, ['validate', '--recursive', '--json']).stdout);
  const fixes = diagnostics.flatMap((one: { fixes?: { title: string; edits: object[] }[] }) => one.fixes ?? []);
  const edit = { file: 'packages/web/.instr/project.prs', line: 2, column: 2, endLine: 2, endColumn: 10, text: 'standards' };
  assert.equal(fixes.find(({ title }: { title: string }) => title.includes('standards'))?.edits, [edit]);
});

tests('inputs include files from a folder of the root and from an installed package', () => {
  const shared = { 'shared/skills/release/SKILL.md': '---\nname: release\ndescription: Cut a release\n---\n\nTag it.\n', 'shared/skills/release/notes.md': 'Notes\n', 'shared/company.yaml': 'id: company\nsyntax: "1.5.0"\n', 'node_modules/lumen/base.prs': meta('base') };
  const folder = project({
    ...shared,
    'packages/app/instr.yaml': config('app', 'extends: "@root/company"\nregistries: { "@root": { path: ../../shared } }\n'),
    'packages/app/.instr/project.prs': `${meta('app')}@use @root/skills/release\n@use npm:lumen/base\n`,
  });
  const { stdout, stderr } = prs(join(folder, 'packages/app'), ['view', '--inputs']);
  const fromRoot = Object.keys(shared).map(path => `../../${path}`).sort();
  assert.equal(stdout.trim().split('\n'), [...fromRoot, '.instr/project.prs', 'instr.yaml'], stderr);
});

tests('a folder without projects has nothing to run, and packages cannot be watched', () => {
  const folder = project({ 'a/b.txt': '' });
  for (const command of ['compile', 'validate', 'diff']) {
    const { status, stderr } = prs(folder, [command, '--recursive']);
    assert.is(status, 2);
    assert.match(stderr, 'help: ');
  }
  assert.is(prs(project(repository), ['compile', '--recursive', '--watch']).status, 2);
});

tests('view lists inputs and outputs without writing, and the lists match a compile', () => {
  const folder = project({ ...minimal, '.instr/rules/a.md': 'Use tabs.\n', 'src/x.ts': '' });
  const before = tree(folder);
  const { inputs, outputs } = JSON.parse(prs(folder, ['view', '--json']).stdout);
  assert.equal(inputs, ['.instr/project.prs', '.instr/rules/a.md', 'instr.yaml']);
  assert.equal(tree(folder), before);
  assert.is(prs(folder, ['compile']).status, 0);
  const written = tree(folder).filter(path => !before.includes(path) && !path.startsWith('.instr/.state/'));
  assert.equal(outputs, written);
  assert.equal(prs(folder, ['view', '--inputs']).stdout.trim().split('\n'), inputs);
  assert.equal(JSON.parse(prs(folder, ['view', '--outputs', '--json']).stdout), { ...JSON.parse(prs(folder, ['view', '--outputs', '--json']).stdout), outputs });
});

tests.run();
