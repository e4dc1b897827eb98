/** The effect of a registry change on a fleet: real repositories, a real registry, and the built program. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changesOf, git, makeRegistry, makeRepositories, nameOf, registryFiles, releaseRegistry, shapeOf } from '../support/fleet.ts';
import { environment, program, project, prs, read, tree, write } from './prs.ts';

const tests = suite('fleet');
const fleet = project({});
const cache = join(fleet, 'cache');
const registry = join(fleet, 'registry');
const repos = join(fleet, 'repos');
const url = pathToFileURL(registry).href;
/** Two repositories of the first shape, five with policies and hooks (as many as a finding does not list), one of each other shape. */
const all = [0, 1, 2, 3, 4, 5, 8, 13, 18, 23];
const name = (at: number) => nameOf(at);
const inCache = { INSTR_CACHE_DIR: cache };
const fleetOf = (...args: string[]) => prs(fleet, ['fleet', ...args], inCache);

interface Line {
  readonly repository: string;
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  readonly executable: readonly { readonly name: string }[];
  readonly over: readonly string[];
  readonly findings: number;
  readonly error?: string;
}

function planned(...args: string[]) {
  const { status, stdout, stderr } = fleetOf('plan', '--repos', 'repos', ...args, '--json');
  const lines = stdout.trim().split('\n').map(line => JSON.parse(line));
  const last = lines.pop() as { repositories: number; changed: number; exitCode: number };
  return { status, stderr, lines: lines as Line[], last };
}

const changedIn = (lines: readonly Line[]) => lines.filter(({ files }) => files.length > 0).map(({ repository }) => repository);
const ofShapes = (...shapes: number[]) => all.filter(at => shapes.includes(shapeOf(at))).map(name);

tests.before(async () => {
  makeRegistry(registry);
  await makeRepositories(repos, url, all, cache);
});

tests('changes nothing in a fleet that is up to date', () => {
  const { status, lines, last } = planned();
  assert.is(status, 0);
  assert.equal(lines.map(({ repository }) => repository), all.map(name));
  assert.equal([last.repositories, last.changed], [all.length, 0]);
});

tests('plans the working copy of a registry, and leaves out repositories that do not read it', () => {
  write(registry, 'base.prs', registryFiles(new Set(['base']))['base.prs']!);
  const before = git(registry, 'status', '--porcelain');
  const { status, lines, last } = planned('--change', '@lumen@./registry');
  assert.is(status, 0);
  assert.equal(changedIn(lines), ofShapes(0, 1, 2, 3), 'an exact version must not change');
  assert.is(last.changed, 9);
  assert.is(git(registry, 'status', '--porcelain').split('\n')[0], before.split('\n')[0]);
  git(registry, 'checkout', '-q', '.');
  assert.equal(planned('--change', '@lumen@./registry').last.changed, 0);
});

tests('changes no repository if a source change moves lines but changes no file', () => {
  releaseRegistry(registry, 'v1.0.1', new Set(['words']));
  assert.equal(planned('--change', '@lumen@v1.0.1').last.changed, 0);
});

tests('reports new executable content and policy violations', () => {
  releaseRegistry(registry, 'v1.1.0', new Set(['hook']));
  const { lines } = planned('--change', '@lumen@v1.1.0');
  assert.equal(changedIn(lines), ofShapes(3));
  for (const { executable } of lines.filter(({ files }) => files.length > 0)) assert.equal(executable.map(one => one.name), ['hooks.lint']);
  const company = registryFiles(new Set(), url)['company.yaml']!.replace('@lumen/base', '@lumen/secure');
  write(registry, 'company.yaml', company);
  const broken = planned('--change', '@lumen@./registry');
  assert.is(broken.status, 1);
  const failed = broken.lines.filter(({ error }) => error !== undefined);
  assert.equal(failed.map(({ repository }) => repository), ofShapes(3));
  for (const one of failed) {
    assert.equal([one.files, one.findings], [[], 1]);
    assert.match(one.error!, 'base-everywhere');
  }
  const { stdout } = fleetOf('plan', '--repos', 'repos', '--change', '@lumen@./registry');
  assert.match(stdout, /^New findings:\n {2}error PRS\d{4}: .*base-everywhere.*\n {4}in r0003, r0008, r0013 and 2 more$/m);
  git(registry, 'checkout', '-q', '.');
});

tests('skips and reports repositories that are stale or cannot be read', () => {
  const copy = join(fleet, 'odd');
  for (const at of [0, 1, 4]) cpSync(join(repos, name(at)), join(copy, name(at)), { recursive: true });
  write(copy, 'r0000/CLAUDE.md', 'Edited\n');
  write(copy, 'r0001/.instr/project.prs', '@meta {');
  write(copy, 'r0004/AGENTS.md', 'Edited, and nothing of the change concerns it\n');
  write(copy, 'empty/.git/HEAD', 'ref: refs/heads/main\n');
  releaseRegistry(registry, 'v1.2.0', new Set(['base', 'typescript']));
  const { status, stdout } = fleetOf('plan', '--repos', 'odd', '--change', '@lumen@v1.2.0', '--json');
  assert.is(status, 1);
  const lines = stdout.trim().split('\n').map(line => JSON.parse(line));
  assert.equal(lines.slice(0, -1).map(({ repository, files, error }) => [repository, files.length, error !== undefined]), [
    ['r0000', 0, true],
    ['r0001', 0, true],
    ['r0004', 0, false],
  ]);
  write(fleet, 'list.txt', '# three\nodd/r0004\n\nodd/none\nhttps://me:secret-word@example.com/a/b.git\n');
  const listed = fleetOf('plan', '--repos', 'list.txt', '--json').stdout.trim().split('\n').map(line => JSON.parse(line));
  assert.equal(listed.slice(0, -1).map(({ repository, error }) => [repository, error !== undefined]), [
    ['odd/r0004', false],
    ['odd/none', true],
    ['https://***@example.com/a/b.git', true],
  ]);
});

tests('the recipe makes exactly the planned changes in each repository', () => {
  const predicted = planned('--change', '@lumen@v1.2.0');
  for (const at of [0, 3, 4]) git(join(repos, name(at)), 'remote', 'add', 'origin', at === 3 ? `ssh://git@git.example.com:7999/lumen/${name(at)}.git` : `git@git.example.com:lumen/${name(at)}.git`);
  const { status, stdout } = fleetOf('apply', '--repos', 'repos', '--change', '@lumen@v1.2.0');
  assert.is(status, 0, stdout);
  assert.match(stdout, /^fleet: update\.sh, multi-gitter\.yaml, for 2 of them\.$/m);
  assert.match(read(fleet, 'fleet/multi-gitter.yaml'), /^repo:\n {2}- lumen\/r0000\n {2}- lumen\/r0003\n$/m);
  const bin = project({});
  symlinkSync(program, join(bin, 'prs'));
  chmodSync(program, 0o755);
  const env = environment({ ...inCache, PATH: `${bin}:${process.env.PATH}` });
  // One repository of each kind.
  for (const line of predicted.lines.slice(0, 5)) {
    const root = join(repos, line.repository);
    const run = spawnSync(join(fleet, 'fleet/update.sh'), { cwd: root, env, encoding: 'utf8' });
    assert.is(run.status, 0, `${line.repository}: ${run.stderr}`);
    const real = Object.fromEntries(changesOf(root));
    assert.equal(real, Object.fromEntries(line.files.map(({ path, added, removed }) => [path, [added, removed]])), line.repository);
  }
  // A second run has nothing to do.
  git(join(repos, 'r0001'), '-c', 'user.name=t', 'commit', '-q', '-m', 'Moved');
  const again = spawnSync(join(fleet, 'fleet/update.sh'), { cwd: join(repos, 'r0001'), env, encoding: 'utf8' });
  assert.equal([again.status, git(join(repos, 'r0001'), 'status', '--porcelain')], [0, '']);
});

tests('a recipe needs a release, replaces only recipes, and stops at changes that were not planned', () => {
  assert.is(fleetOf('apply', '--repos', 'repos', '--change', '@lumen@./registry').status, 2);
  assert.is(fleetOf('apply', '--repos', 'repos').status, 2);
  write(fleet, 'mine/update.sh', 'echo mine\n');
  const { status, stderr } = fleetOf('apply', '--repos', 'repos', '--change', '@lumen@v1.2.0', '--output', 'mine');
  assert.is(status, 1);
  assert.match(stderr, 'mine/update.sh exists already');
  assert.equal(tree(join(fleet, 'mine')), ['update.sh']);
  const root = join(repos, 'r0000');
  git(root, 'reset', '-q', '--hard');
  releaseRegistry(registry, 'v1.3.0', new Set(['base', 'typescript', 'hook']));
  const bin = project({});
  symlinkSync(program, join(bin, 'prs'));
  const env = environment({ ...inCache, PATH: `${bin}:${process.env.PATH}` });
  const script = join(fleet, 'fleet/update.sh');
  const other = spawnSync(script, { cwd: root, env, encoding: 'utf8' });
  assert.is(other.status, 1);
  assert.match(other.stderr, 'would move to v1.3.0, and not to v1.2.0');
  assert.is(git(root, 'status', '--porcelain'), '');
  // New executable content must be accepted by a reviewer first.
  assert.is(fleetOf('apply', '--repos', 'repos', '--change', '@lumen@v1.3.0').status, 0);
  const strict = join(repos, 'r0003');
  git(strict, 'reset', '-q', '--hard');
  const refused = spawnSync(script, { cwd: strict, env, encoding: 'utf8' });
  assert.is(refused.status, 1);
  assert.is(git(strict, 'status', '--porcelain'), '');
  const accepted = spawnSync(script, { cwd: strict, env: { ...env, ACCEPT: '1' }, encoding: 'utf8' });
  assert.is(accepted.status, 0, accepted.stderr);
  assert.match(git(strict, 'diff'), '+ ');
});

tests.run();
