/** Tests registries in a local directory. Nothing outside of the directory is read. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceLimit } from '../../src/text/sizes.ts';
import { needing } from '../support/machine.ts';
import { at, folder, run, write } from './support/setup.ts';

const test = suite('local registry');

test('reads a file below the registry directory', async () => {
  const root = folder();
  write(root, { 'shared/@org/base.prs': 'base' });
  const { read, codes, registries } = run({ registry: { path: './shared' } }, { root });
  assert.is(await read('@org/base'), 'base');
  assert.equal(codes(), []);
  assert.equal(registries.used(), []);
});

test('marks files as external to the project', async () => {
  const root = folder();
  write(root, { 'shared/@org/base.prs': 'base' });
  const found = await run({ registry: { path: 'shared' } }, { root }).locate('@org/base');
  assert.equal(found?.layer, { reference: '@org/base', remote: true, registry: 'shared', directory: true, own: true });
  assert.not.match(found!.tree.id, root);
});

test('lists directories in order', async () => {
  const root = folder();
  write(root, { 'shared/@org/b/SKILL.md': '', 'shared/@org/C/SKILL.md': '', 'shared/@org/a.prs': '' });
  const found = await run({ registry: { path: 'shared' } }, { root }).locate('@org');
  const names = (await found!.tree.list(found!.path))?.map(({ name, kind }) => `${kind} ${name}`);
  assert.equal(names, ['directory C', 'file a.prs', 'directory b']);
  assert.is(await found!.tree.list('@org/none'), undefined);
  assert.is(await found!.tree.read('@org/b'), undefined);
});

test('refuses `..` in a reference and in a path', async () => {
  const root = folder();
  write(root, { 'secret.prs': 'secret', 'shared/@org/base.prs': 'base' });
  const { locate, codes } = run({ registry: { path: 'shared' } }, { root });
  assert.is(await locate('@org/../../secret'), undefined);
  assert.equal(codes(), ['PRS9001']);
  const found = await locate('@org/base');
  assert.is(await found!.tree.read('../secret.prs'), undefined);
  assert.is(await found!.tree.read('@org/../../secret.prs'), undefined);
  assert.is(await found!.tree.list('..'), undefined);
});

needing(test, 'symbolic links')('refuses links that lead outside, and follows links inside', async () => {
  const root = folder();
  write(root, { 'secret.prs': 'secret', 'secrets/a.prs': 'secret', 'shared/@org/base.prs': 'base' });
  symlinkSync(join(root, 'secret.prs'), join(root, 'shared/@org/absolute.prs'));
  symlinkSync('../../secret.prs', join(root, 'shared/@org/relative.prs'));
  symlinkSync('../../secrets', join(root, 'shared/@org/folder'));
  symlinkSync('base.prs', join(root, 'shared/@org/same.prs'));
  const { read, locate, codes } = run({ registry: { path: 'shared' } }, { root });
  assert.is(await read('@org/absolute'), undefined);
  assert.is(await read('@org/relative'), undefined);
  assert.is(await read('@org/folder/a'), undefined);
  const found = await locate('@org');
  assert.is(await found!.tree.list('@org/folder'), undefined);
  assert.equal(codes(), ['PRS9014', 'PRS9014', 'PRS9014', 'PRS9014']);
  assert.is(await read('@org/same'), 'base');
});

needing(test, 'symbolic links')('a sibling directory whose name starts with that of the registry is outside', async () => {
  const root = folder();
  write(root, { 'shared-evil/a.prs': 'secret' });
  mkdirSync(join(root, 'shared/@org'), { recursive: true });
  symlinkSync('../../shared-evil/a.prs', join(root, 'shared/@org/a.prs'));
  const { read, codes } = run({ registry: { path: 'shared' } }, { root });
  assert.is(await read('@org/a'), undefined);
  assert.equal(codes(), ['PRS9014']);
});

test('reports a missing directory once', async () => {
  const { read, codes } = run({ registry: { path: 'nowhere' } });
  assert.is(await read('@org/a'), undefined);
  assert.is(await read('@org/b'), undefined);
  assert.equal(codes(), ['PRS9013']);
});

test('refuses a file over the size limit by name', async () => {
  const root = folder();
  write(root, { 'shared/@org/big.prs': 'x'.repeat(sourceLimit + 1), 'shared/@org/large.prs': 'x'.repeat(sourceLimit) });
  const { read, codes, text } = run({ registry: { path: 'shared' } }, { root });
  assert.is((await read('@org/large'))?.length, sourceLimit);
  assert.is(await read('@org/big'), undefined);
  assert.equal(codes(), ['PRS9015']);
  assert.match(text(), '10 MB');
});

test('names the aliases for a reference that no registry serves', async () => {
  const { locate, codes, text } = run({ registries: { '@acme': 'https://example.com/a.git' } });
  assert.is(await locate('@other/base'), undefined);
  assert.is(await locate('plain/base'), undefined);
  assert.equal(codes(), ['PRS9000', 'PRS9000']);
  assert.match(text(), '@acme');
});

test('offers a fix for a reference whose alias is misspelled', async () => {
  const { locate, diagnostics } = run({ registries: { '@acmee': 'https://example.com/a.git' } });
  await locate('@acme/base');
  assert.equal(diagnostics.flatMap(({ fixes = [] }) => fixes.flatMap(({ edits }) => edits)), [
    { span: { ...at, start: 9, end: 14 }, text: '@acmee' },
  ]);
});

needing(test, 'permission bits')('executable files of a skill stay executable', async () => {
  const root = folder();
  write(root, { 'shared/@org/s/SKILL.md': '', 'shared/@org/s/run.sh': '#!/bin/sh\n', 'shared/@org/s/notes.md': '', 'outside.sh': '' });
  chmodSync(join(root, 'shared/@org/s/run.sh'), 0o755);
  chmodSync(join(root, 'outside.sh'), 0o755);
  symlinkSync(join(root, 'outside.sh'), join(root, 'shared/@org/s/linked.sh'));
  const { tree } = (await run({ registry: { path: 'shared' } }, { root }).locate('@org/s'))!;
  const programs = ['run.sh', 'notes.md', 'linked.sh', 'none.sh'].filter(name => tree.executable!(`@org/s/${name}`));
  assert.equal(programs, ['run.sh']);
});

test.run();
