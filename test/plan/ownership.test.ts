/** How existing files are handled: generated, written by the user, edited, linked, or in the way. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyManifest } from '../../src/plan/manifest.ts';
import type { ReadPresent } from '../../src/plan/plan.ts';
import { planWrites } from '../../src/plan/plan-writes.ts';
import { pathKey } from '../../src/text/portable-path.ts';
import { needing } from '../support/machine.ts';
import { element, Project, set, shared, whole } from './support/project.ts';

const test = suite('ownership');
const main = (text = 'generated\n') => whole('MAIN.md', text);

test('new, unchanged, changed and removed files, and their folders', async () => {
  const project = new Project();
  const first = await project.compile([main(), whole('deep/er/a.md', 'a\n')]);
  assert.equal(first.states, { 'MAIN.md': 'new', 'deep/er/a.md': 'new' });
  utimesSync(project.at('MAIN.md'), 1, 1);
  const again = await project.compile([main(), whole('deep/er/a.md', 'a\n')]);
  assert.equal(again.states, { 'MAIN.md': 'unchanged', 'deep/er/a.md': 'unchanged' });
  assert.is(statSync(project.at('MAIN.md')).mtimeMs, 1000);
  assert.not.ok(again.work);
  const third = await project.compile([main('other\n')]);
  assert.equal(third.states, { 'MAIN.md': 'changed', 'deep/er/a.md': 'removed' });
  assert.not.ok(project.exists('deep'));
  assert.equal(Object.keys((await project.compile([])).states), ['MAIN.md']);
  assert.equal(project.tree(), {});
});

test('removes a folder with its last file, but not if it contains files of the user', async () => {
  const project = new Project();
  mkdirSync(project.at('before'));
  await project.compile([whole('before/a.md', 'a\n'), whole('made/b.md', 'b\n')]);
  assert.ok((await project.undo()).ok);
  assert.ok(project.exists('before'), 'undo restores it');
  await project.compile([whole('before/a.md', 'a\n'), whole('made/b.md', 'b\n')]);
  project.write('made/mine.md', 'mine\n');
  await project.compile([]);
  assert.not.ok(project.exists('before'));
  assert.equal(project.tree(), { 'made/mine.md': 'mine\n' });
});

test('adopts an equal file, and changes it afterwards', async () => {
  const project = new Project();
  project.write('MAIN.md', 'generated\n');
  const { states, written } = await project.compile([main()]);
  assert.equal(states, { 'MAIN.md': 'adopted' });
  assert.is(written, 0);
  assert.equal((await project.compile([main('next\n')])).states, { 'MAIN.md': 'changed' });
});

test('does not overwrite a main file written by hand, and writes nothing else', async () => {
  const project = new Project();
  project.write('MAIN.md', 'by hand\n');
  const { ok, states, codes } = await project.compile([main(), whole('other.md', 'o\n')]);
  assert.not.ok(ok);
  assert.equal(states, { 'MAIN.md': 'conflict', 'other.md': 'new' });
  assert.equal(codes, ['PRS8001']);
  assert.equal(project.tree(), { 'MAIN.md': 'by hand\n' });
});

test('notices and keeps a manual edit of a generated file', async () => {
  const project = new Project();
  await project.compile([main()]);
  project.write('MAIN.md', 'generated\nand edited\n');
  const { ok, states, codes } = await project.compile([main('next\n')]);
  assert.not.ok(ok);
  assert.equal(states, { 'MAIN.md': 'drifted' });
  assert.equal(codes, ['PRS8002']);
  assert.is(project.read('MAIN.md'), 'generated\nand edited\n');
});

test('keeps skills of the user next to generated ones', async () => {
  const project = new Project();
  project.write('.skills/mine/SKILL.md', 'mine\n');
  await project.compile([whole('.skills/ours/SKILL.md', 'ours\n')]);
  await project.compile([]);
  assert.equal(project.tree(), { '.skills/mine/SKILL.md': 'mine\n' });
});

test('removes files that are no longer generated, unless they were edited', async () => {
  const project = new Project();
  await project.compile([main(), whole('a.md', 'a\n'), whole('b.md', 'b\n')]);
  project.write('b.md', 'b edited\n');
  const { ok, states, codes } = await project.compile([main()]);
  assert.ok(ok);
  assert.equal(states, { 'MAIN.md': 'unchanged', 'a.md': 'removed', 'b.md': 'removed' });
  assert.equal(codes, ['PRS8014']);
  assert.is(project.read('b.md'), 'b edited\n');
  assert.equal((await project.compile([main()])).codes, [], 'it belongs to the user afterwards');
});

needing(test, 'git')('force keeps a copy of everything that differs from the last commit', async () => {
  const project = new Project();
  project.git('init', '-q');
  for (const name of ['committed', 'staged', 'changed', 'untracked', 'ignored']) project.write(`${name}.md`, `${name}\n`);
  project.write('.gitignore', 'ignored.md\n');
  project.git('add', 'committed.md', 'changed.md', '.gitignore');
  project.git('commit', '-q', '-m', 'first');
  project.git('add', 'staged.md');
  project.write('changed.md', 'changed since\n');
  const files = ['committed', 'staged', 'changed', 'untracked', 'ignored'].map(name => whole(`${name}.md`, 'ours\n'));
  const { ok, backups, found } = await project.compile(files, { force: true });
  assert.ok(ok);
  const copies = Object.fromEntries(backups.map(({ path, copy }) => [path, copy && project.read(copy)]));
  assert.equal(copies, {
    'committed.md': undefined,
    'staged.md': 'staged\n',
    'changed.md': 'changed since\n',
    'untracked.md': 'untracked\n',
    'ignored.md': 'ignored\n',
  });
  assert.match(found.find(({ file }) => file === 'committed.md')!.hint!, /git checkout [0-9a-f]+ -- committed\.md$/);
  assert.match(found.find(({ file }) => file === 'untracked.md')!.hint!, /^To get the old content back: cp \.instr\/\.state/);
  assert.not.match(project.git('status', '--short'), '.instr/.state');
});

needing(test, 'permission bits')('a copy keeps the mode of its file, and its owner can always read and remove it', async () => {
  const project = new Project();
  for (const [path, mode] of [['locked.md', 0o444], ['run.sh', 0o755]] as const) {
    project.write(path, 'by hand\n');
    chmodSync(project.at(path), mode);
  }
  const { backups } = await project.compile([whole('locked.md', 'ours\n'), whole('run.sh', 'ours\n')], { force: true });
  const modes = backups.map(({ path, copy }) => [path, (statSync(project.at(copy!)).mode & 0o777).toString(8)]);
  assert.equal(modes, [['locked.md', '644'], ['run.sh', '755']]);
});

needing(test, 'permission bits')('keeps a mode that the user chose, and makes a file executable when the output becomes a program', async () => {
  const project = new Project();
  await project.compile([main(), whole('run.sh', '#!', { executable: true })]);
  assert.is(statSync(project.at('run.sh')).mode & 0o777, 0o755);
  chmodSync(project.at('MAIN.md'), 0o600);
  await project.compile([main('next\n'), whole('run.sh', '#!', { executable: true })]);
  assert.is(statSync(project.at('MAIN.md')).mode & 0o777, 0o600);
  await project.compile([whole('MAIN.md', 'next\n', { executable: true })]);
  assert.is(statSync(project.at('MAIN.md')).mode & 0o777, 0o700);
});

test('line ends changed by version control do not count as an edit', async () => {
  const project = new Project();
  await project.compile([main('one\ntwo\n')]);
  project.write('MAIN.md', 'one\r\ntwo\r\n');
  assert.equal((await project.compile([main('one\ntwo\n')])).states, { 'MAIN.md': 'unchanged' });
  assert.equal((await project.compile([main('three\n')])).states, { 'MAIN.md': 'changed' });
});

test('keeps the ownership of files of targets that are not part of the run', async () => {
  const project = new Project();
  await project.compile([main(), whole('other.md', 'o\n', { targets: ['two'] })]);
  const { states } = await project.compile([main('next\n')], { keep: (_, owned) => owned.targets.includes('two') });
  assert.equal(states, { 'MAIN.md': 'changed' });
  assert.equal((await project.compile([main('next\n')])).states, { 'MAIN.md': 'unchanged', 'other.md': 'removed' });
});

test('a manifest that has conflict markers, is broken or has a newer version is an error', async () => {
  for (const [text, code] of [
    ['<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n', 'PRS8008'],
    ['{', 'PRS8008'],
    ['{"version":1,"files":{"a.md":{}}}', 'PRS8008'],
    [`{"version":1,"files":{"../a.md":{"targets":[],"sha256":"${'0'.repeat(64)}"}}}`, 'PRS8008'],
    ['{"version":2,"files":[]}', 'PRS8009'],
  ] as const) {
    const project = new Project();
    project.write('.instr/manifest.json', text);
    const { ok, codes } = await project.compile([main()], { force: true });
    assert.not.ok(ok);
    assert.equal(codes, [code]);
    assert.equal(project.tree(), { '.instr/manifest.json': text });
  }
});

test('combines both sides of a merge conflict in the manifest', async () => {
  const project = new Project();
  await project.compile([main(), whole('a.md', 'one\n'), whole('z.md', 'mine\n')]);
  const ours = project.tree()['.instr/manifest.json']!.split('\n');
  await project.compile([main(), whole('a.md', 'two\n')]);
  const theirs = project.tree()['.instr/manifest.json']!.split('\n');
  const entries = (lines: string[]) => lines.filter(line => line.startsWith('    "'));
  const base = ['||||||| 1f2e3d4', '    "b.md": {'];
  for (const ancestor of [[], base]) {
    const both = ['<<<<<<< HEAD', ...entries(ours), ...ancestor, '=======', ...entries(theirs), '>>>>>>> x'];
    project.write('.instr/manifest.json', [...ours.slice(0, 3), ...both, ...ours.slice(-4)].join('\n'));
    project.write('z.md', 'mine\n');
    const { ok, states } = await project.compile([main(), whole('a.md', 'three\n')]);
    assert.ok(ok);
    assert.equal(states, { 'MAIN.md': 'unchanged', 'a.md': 'changed', 'z.md': 'removed' });
    assert.not.match(project.tree()['.instr/manifest.json']!, /<<<|z\.md/);
    project.write('a.md', 'two\n');
  }
});

test('without a manifest, a project recognizes its files', async () => {
  const project = new Project();
  await project.compile([main(), shared('s.json', [set('a.b', 1)])]);
  const before = project.tree();
  rmSync(project.at('.instr/manifest.json'));
  const { ok, states } = await project.compile([main(), shared('s.json', [set('a.b', 1)])]);
  assert.ok(ok);
  assert.equal(states, { 'MAIN.md': 'adopted', 's.json': 'adopted' });
  assert.is(project.tree()['MAIN.md'], before['MAIN.md']);
});

test('conflicting outputs are an error that names both targets', async () => {
  const project = new Project();
  const cases = [
    [[whole('a.md', 'x\n'), whole('a.md', 'x\ny\n', { targets: ['two'] })], 'PRS8005', /a\.md: one and two differ from line 2 on/],
    [[whole('a.md', 'x\n'), whole('A.md', 'x\n', { targets: ['two'] })], 'PRS8006', /a\.md \(one\) and A\.md \(two\)/],
    [[whole('caf\u00e9.md', ''), whole('cafe\u0301.md', '')], 'PRS8006', /./],
    [[whole('a', 'x\n'), whole('a/b.md', 'x\n', { targets: ['two'] })], 'PRS8007', /a \(one\) .* a\/b\.md \(two\)/],
    [[whole('../a.md', '')], 'PRS8004', /leaves the project/],
    [[whole('.git/hooks/pre-commit', '')], 'PRS8004', /version control/],
    [[whole('.instr/project.prs', '')], 'PRS8004', /sources/],
    [[shared('s.json', [set('a', 1)]), shared('s.json', [set('a', 2)])], 'PRS8012', /a in s\.json/],
    [[shared('s.json', [set('a', 1)]), whole('s.json', '{}')], 'PRS8013', /s\.json/],
  ] as const;
  for (const [files, code, message] of cases) {
    const { ok, found } = await project.compile(files, { force: true });
    assert.not.ok(ok, code);
    assert.is(found[0]?.code, code);
    assert.match(found[0]!.message, message);
  }
  const { codes } = await project.compile([whole('src.prs', '')], { sources: ['src.prs'] });
  assert.equal(codes, ['PRS8011']);
  assert.equal(project.tree(), {});
});

test('keys of two targets conflict only if they affect the same value', async () => {
  const cases = [
    [[set('a.b', 1)], [set('a.c', 2)], true],
    [[set('a.b', 1)], [set('a.b', 1)], true],
    [[set('a.b', 1)], [set('a', { b: 1 })], false],
    [[set('a', { b: 1 })], [set('a.b.c', 1)], false],
    [[element('a', 1)], [element('a', 2)], true],
    [[element('a', 1)], [element('a', 1)], true],
    [[element('a', 1)], [element('a.b', 1)], true],
    [[element('a', 1)], [set('a', [2])], false],
    [[set('a', [2])], [element('a', 1)], false],
    [[set('a.b', 2)], [element('a.c', 1)], true],
  ] as const;
  for (const [first, second, fine] of cases) {
    const project = new Project();
    const { codes } = await project.compile([shared('s.json', first), shared('s.json', second)]);
    assert.is(codes.includes('PRS8012'), !fine, JSON.stringify([first, second]));
  }
});

test('equal outputs of two targets are one file', async () => {
  const project = new Project();
  const { plan } = await project.compile([main(), whole('MAIN.md', 'generated\n', { targets: ['two'] })]);
  assert.equal(plan!.entries.map(({ targets }) => targets), [['one', 'two']]);
});

test('a change of letter case removes one file and adds another', async () => {
  const project = new Project();
  await project.compile([whole('Main.md', 'x\n')]);
  await project.compile([whole('MAIN.md', 'x\n')]);
  assert.equal(Object.keys(project.tree()), ['.instr/manifest.json', 'MAIN.md']);
});

test('on a case-insensitive disk, removes the old name before it writes the new one', async () => {
  const content = new TextEncoder().encode('x\n');
  const hash = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const present: ReadPresent = path =>
    pathKey(path) === 'main.md' ? { kind: 'file', mode: 0o644, executable: false, read: () => content } : undefined;
  const manifest = { ...emptyManifest, files: new Map([['Main.md', { targets: ['one'], sha256: hash(content) }]]) };
  const input = { files: [whole('MAIN.md', 'x\n')], present, manifest, force: false, hash };
  const { entries } = await planWrites(input, ({ message }) => assert.unreachable(message));
  assert.equal(
    entries.map(({ path, action }) => [path, action]),
    [
      ['MAIN.md', 'write'],
      ['Main.md', 'delete'],
    ],
  );
});

needing(test, 'symbolic links')('never follows links that lead out of the project', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  try {
    for (const [link, path] of [
      ['folder', 'folder/a.md'],
      ['a.md', 'a.md'],
      ['deep/folder', 'deep/folder/x/a.md'],
      ['.instr', 'a.md'],
    ] as const) {
      const project = new Project();
      if (link.includes('/')) mkdirSync(project.at('deep'));
      symlinkSync(link === 'a.md' ? join(outside, 'a.md') : outside, project.at(link));
      const { ok, codes } = await project.compile([whole(path, 'x\n')], { force: true });
      assert.not.ok(ok, link);
      assert.equal(codes, [link === '.instr' ? 'PRS8016' : 'PRS8003'], link);
      assert.equal(statSync(outside).nlink, 2);
      assert.not.ok(statSync(join(outside, 'a.md'), { throwIfNoEntry: false }), link);
    }
  } finally {
    rmSync(outside, { recursive: true });
  }
});

needing(test, 'symbolic links')('keeps the record of a generated file that is behind a link now, and does not touch what the link leads to', async () => {
  const project = new Project();
  const outside = new Project();
  outside.write('a.md', '1\n');
  await project.compile([whole('deep/a.md', '1\n')]);
  rmSync(project.at('deep'), { recursive: true });
  symlinkSync(outside.root, project.at('deep'));
  const { ok, found } = await project.compile([]);
  assert.ok(ok);
  assert.equal(found.map(({ code, severity, file }) => `${code} ${severity} ${file}`), ['PRS8003 warning deep/a.md']);
  assert.is(outside.read('a.md'), '1\n');
  assert.equal(Object.keys(JSON.parse(project.read('.instr/manifest.json')).files), ['deep/a.md']);
});

needing(test, 'symbolic links')('removes links from one output to another with the file, but no link that leads elsewhere', async () => {
  const project = new Project();
  project.write('AGENTS.md', 'x\n');
  project.write('.instr/project.md', 'x\n');
  for (const link of ['MAIN.md', 'OTHER.md', 'mine.md']) symlinkSync('AGENTS.md', project.at(link));
  mkdirSync(project.at('sub'));
  symlinkSync('../AGENTS.md', project.at('sub/MAIN.md'));
  const outputs = ['AGENTS.md', 'MAIN.md', 'OTHER.md', 'sub/MAIN.md'].map(path => whole(path, 'x\n'));
  await project.compile(outputs);
  const before = project.tree();
  // A run for some targets keeps the records of the others.
  await project.compile(outputs.slice(0, 2));
  assert.equal(project.tree(), before);
  assert.equal((await project.compile(outputs.slice(0, 1))).states, { 'AGENTS.md': 'unchanged' });
  rmSync(project.at('OTHER.md'));
  symlinkSync('.instr/project.md', project.at('OTHER.md'));
  const gone = await project.compile([]);
  assert.equal(gone.states, { 'AGENTS.md': 'removed', 'MAIN.md': 'removed', 'sub/MAIN.md': 'removed' });
  assert.equal(Object.keys(project.tree()), ['.instr/project.md', 'OTHER.md', 'mine.md']);
  assert.ok((await project.undo()).ok);
  assert.equal(project.tree(), { ...before, 'OTHER.md': '-> .instr/project.md' });
  // An edited file is kept, with its links.
  project.write('AGENTS.md', 'edited\n');
  await project.compile([]);
  assert.equal(project.tree(), { '.instr/project.md': 'x\n', 'AGENTS.md': 'edited\n', 'MAIN.md': '-> AGENTS.md', 'OTHER.md': '-> .instr/project.md', 'mine.md': '-> AGENTS.md', 'sub/MAIN.md': '-> ../AGENTS.md' });
});

needing(test, 'symbolic links')('keeps a link between two outputs: the file is written once, at its own path', async () => {
  for (const there of [true, false]) {
    const project = new Project();
    symlinkSync('AGENTS.md', project.at('MAIN.md'));
    const both = (text: string) => [
      whole('AGENTS.md', text),
      whole('MAIN.md', text, { targets: ['two'] } as never),
    ];
    if (there) project.write('AGENTS.md', 'x\n');
    const state = there ? 'adopted' : 'new';
    assert.equal((await project.compile(both('x\n'))).states, { 'AGENTS.md': state, 'MAIN.md': 'unchanged' });
    assert.equal((await project.compile(both('y\n'))).states, { 'AGENTS.md': 'changed', 'MAIN.md': 'unchanged' });
    const { files } = JSON.parse(project.read('.instr/manifest.json'));
    assert.equal(Object.keys(files), ['AGENTS.md']);
    assert.equal(files['AGENTS.md'].targets, ['one', 'two']);
    const differing = [whole('MAIN.md', '# MAIN.md\ny\nz\n'), whole('AGENTS.md', '# AGENTS.md\ny\n')];
    for (const force of [false, true]) {
      const { ok, codes, found } = await project.compile(differing, { force });
      assert.ok(ok);
      assert.equal(codes, ['PRS8026']);
      assert.match(found[0]!.message, /MAIN\.md is a link to AGENTS\.md.*also have: z/);
      assert.is(project.read('MAIN.md'), '# AGENTS.md\ny\n');
      assert.is(project.tree()['MAIN.md'], '-> AGENTS.md');
    }
    assert.equal((await project.compile([whole('AGENTS.md', '# A\ny\n'), whole('MAIN.md', '# B\ny\n')])).codes, []);
    await project.compile(both('y\n'));
    assert.ok((await project.compile([whole('MAIN.md', 'y\n')])).ok, 'one of the two remains');
    assert.is(project.read('MAIN.md'), 'y\n');
    assert.is(project.tree()['MAIN.md'], '-> AGENTS.md');
  }
});

needing(test, 'symbolic links')('replaces a link to a file that is not an output only with force, and undo restores it', async () => {
  const project = new Project();
  project.write('notes.md', 'mine\n');
  symlinkSync('notes.md', project.at('MAIN.md'));
  assert.equal((await project.compile([main()])).states, { 'MAIN.md': 'conflict' });
  assert.ok((await project.compile([main()], { force: true })).ok);
  assert.is(project.read('notes.md'), 'mine\n');
  assert.not.match(project.tree()['MAIN.md']!, /->/);
  assert.ok((await project.undo()).ok);
  assert.is(project.tree()['MAIN.md'], '-> notes.md');
});

needing(test, 'symbolic links')('two outputs that are the same file through a linked folder are written once', async () => {
  for (const folder of ['there', 'missing']) {
    const project = new Project();
    if (folder === 'there') mkdirSync(project.at('.agents'));
    symlinkSync('.agents', project.at('.tool'));
    const both = (a: string, b: string) => [whole('.agents/s.md', a), whole('.tool/s.md', b)];
    const first = await project.compile(both('x\n', 'x\n'));
    assert.equal(first.states, { '.agents/s.md': 'new', '.tool/s.md': 'unchanged' }, folder);
    assert.is(first.written, 1);
    const second = await project.compile(both('x\n', 'y\n'), { force: true });
    assert.equal([second.ok, second.codes, project.read('.tool/s.md')], [true, ['PRS8026'], 'x\n']);
    assert.equal((await project.compile([whole('.tool/s.md', 'x\n')])).ok, true);
    assert.is(project.read('.agents/s.md'), 'x\n');
    assert.equal(Object.keys(JSON.parse(project.read('.instr/manifest.json')).files), ['.agents/s.md']);
    assert.equal((await project.compile([])).ok, true);
    assert.not.ok(project.exists('.agents/s.md'));
    assert.is(project.tree()['.tool'], '-> .agents');
  }
});

needing(test, 'symbolic links')('inputs of the compile are never adopted, owned, overwritten or removed, whatever links lead there', async () => {
  for (const [link, target] of [
    ['.tool/skills', '../.agents/skills'],
    ['.tool/skills/s', '../../.agents/skills/s'],
    ['.tool/skills/s/SKILL.md', '../../../.agents/skills/s/SKILL.md'],
    ['.tool', '.agents'],
  ] as const) {
    for (const text of ['mine\n', 'other\n']) {
      const project = new Project();
      project.write('.agents/skills/s/SKILL.md', 'mine\n');
      mkdirSync(dirname(project.at(link)), { recursive: true });
      symlinkSync(target, project.at(link));
      const sources = ['.agents/skills/s/SKILL.md'];
      const files = [whole('.tool/skills/s/SKILL.md', text), whole('MAIN.md', 'x\n')];
      for (const force of [false, true]) {
        const { ok, states, codes } = await project.compile(files, { force, sources });
        assert.ok(ok, link);
        assert.is(states['.tool/skills/s/SKILL.md'], 'source', link);
        assert.equal(codes, text === 'mine\n' ? [] : ['PRS8025'], link);
      }
      assert.equal(Object.keys(JSON.parse(project.read('.instr/manifest.json')).files), ['MAIN.md'], link);
      assert.ok((await project.compile([], { sources })).ok);
      assert.is(project.read('.agents/skills/s/SKILL.md'), 'mine\n', link);
      // Even if an earlier version recorded it, and if the source is the target of the link.
      const sha256 = createHash('sha256').update('mine\n').digest('hex');
      const record = { version: 1, files: { '.tool/skills/s/SKILL.md': { targets: ['one'], sha256 } } };
      project.write('.instr/manifest.json', JSON.stringify(record));
      assert.ok((await project.compile([], { sources, force: true })).ok);
      assert.is(project.read('.agents/skills/s/SKILL.md'), 'mine\n', link);
      const behind = [whole('.agents/skills/s/SKILL.md', 'other\n')];
      const { states } = await project.compile(behind, { force: true, sources: ['.tool/skills/s/SKILL.md'] });
      assert.equal(states, { '.agents/skills/s/SKILL.md': 'source' }, link);
    }
  }
});

needing(test, 'symbolic links')('refuses an output whose path links into the sources of the project', async () => {
  const project = new Project();
  project.write('.instr/skills/s/SKILL.md', 'mine\n');
  mkdirSync(project.at('.tool'));
  symlinkSync('../.instr/skills', project.at('.tool/skills'));
  const { ok, codes, found } = await project.compile([whole('.tool/skills/made/SKILL.md', 'x\n')], { force: true });
  assert.not.ok(ok);
  assert.equal(codes, ['PRS8003']);
  assert.match(found[0]!.message, /leads it to \.instr\/skills\/made\/SKILL\.md/);
  assert.equal(Object.keys(project.tree()), ['.instr/skills/s/SKILL.md', '.tool/skills']);
});

test('a file becomes a folder, and a folder becomes a file', async () => {
  const project = new Project();
  await project.compile([whole('a', 'x\n'), whole('b/c', 'y\n')]);
  assert.ok((await project.compile([whole('a/x', 'x\n'), whole('b', 'y\n')])).ok, 'both were owned');
  assert.ok((await project.compile([whole('a', 'x\n'), whole('b/c', 'y\n')])).ok);
  rmSync(project.at('a'));
  project.write('a/mine.md', 'mine\n');
  const { ok, codes } = await project.compile([whole('a', 'x\n'), whole('b/c', 'y\n')], { force: true });
  assert.not.ok(ok);
  assert.equal(codes, ['PRS8003']);
  assert.is(project.read('a/mine.md'), 'mine\n');
});

test('records private files only on this machine, and other clones do not need them', async () => {
  const project = new Project();
  const files = [main(), whole('PRIVATE.md', 'secret\n', { private: true } as never)];
  await project.compile(files);
  assert.equal(Object.keys(JSON.parse(project.read('.instr/manifest.json')).files), ['MAIN.md']);
  assert.equal(Object.keys(JSON.parse(project.read('.instr/.state/manifest.json')).files), ['PRIVATE.md']);
  assert.not.ok((await project.plan(files)).work);
  // A fresh clone has neither the file nor its record.
  rmSync(project.at('.instr/.state'), { recursive: true });
  rmSync(project.at('PRIVATE.md'));
  const { work, sharedWork } = await project.plan(files);
  assert.equal([work, sharedWork], [true, false]);
  await project.compile(files);
  project.write('PRIVATE.md', 'edited\n');
  assert.equal((await project.plan(files)).states['PRIVATE.md'], 'drifted');
  project.write('PRIVATE.md', 'secret\n');
  assert.ok((await project.undo()).ok);
  assert.not.ok(project.exists('PRIVATE.md'));
  await project.compile(files);
  assert.equal((await project.compile([main()])).states['PRIVATE.md'], 'removed');
  assert.not.ok(project.exists('PRIVATE.md'));
  assert.not.ok(project.exists('.instr/.state/manifest.json'));
});

test('the record does not depend on existing files', async () => {
  const [early, late] = [new Project(), new Project()];
  mkdirSync(late.at('deep/er'), { recursive: true });
  const file = [whole('deep/er/a.md', 'a\n')];
  await early.compile([whole('deep/b.md', 'b\n')]);
  await early.compile(file);
  await late.compile(file);
  assert.is(early.read('.instr/manifest.json'), late.read('.instr/manifest.json'));
});

test('line ends converted by version control cause no change', async () => {
  const crlf = (text: string) => text.replace(/\n/g, '\r\n');
  const files = [main('a\nb\n'), whole('run.sh', '#!/bin/sh\n'), shared('s.json', [set('a.b', 1)])];
  const project = new Project();
  await project.compile(files);
  for (const path of ['MAIN.md', 'run.sh', 's.json', '.instr/manifest.json'])
    project.write(path, crlf(project.read(path)));
  const { work, states } = await project.plan(files);
  assert.equal([work, new Set(Object.values(states))], [false, new Set(['unchanged'])]);
  // A resource checked out with CRLF but recorded with LF, and the reverse.
  assert.not.ok((await project.plan([main('a\r\nb\r\n'), ...files.slice(1)])).work);
  assert.equal((await project.compile([main('c\n'), ...files.slice(1)])).states['MAIN.md'], 'changed');
  assert.ok((await project.compile([])).ok);
  assert.not.ok(project.exists('run.sh'));
  // Binary files are compared by bytes.
  const binary = new Project();
  await binary.compile([whole('x', 'a\u0000\n')]);
  binary.write('x', 'a\u0000\r\n');
  assert.equal((await binary.compile([whole('x', 'a\u0000\n')])).states, { x: 'drifted' });
});

test('files written on this machine are owned, whatever the record of another branch contains', async () => {
  const project = new Project();
  await project.compile([main('1\n'), whole('old.md', 'old\n')]);
  await project.compile([main('2\n'), whole('old.md', 'old\n')]);
  const record = (path: string) => {
    const sha256 = createHash('sha256').update(path).digest('hex');
    project.write('.instr/manifest.json', JSON.stringify({ version: 1, files: { [path]: { targets: ['one'], sha256 } } }));
  };
  record('MAIN.md');
  project.write('MAIN.md', '1\n');
  assert.equal((await project.plan([main('3\n')])).states, { 'MAIN.md': 'changed', 'old.md': 'removed' });
  const keep = () => true;
  assert.equal((await project.plan([main('3\n')], { keep })).states, { 'MAIN.md': 'changed' });
  project.write('old.md', 'of the user\n');
  assert.equal((await project.compile([main('3\n')])).states, { 'MAIN.md': 'changed' });
  assert.is(project.read('old.md'), 'of the user\n');
  // Files that are equal by coincidence are not owned, so they must not be removed.
  const adopted = new Project();
  adopted.write('MAIN.md', '1\n');
  await adopted.compile([main('1\n')]);
  await adopted.undo();
  rmSync(adopted.at('.instr/manifest.json'), { force: true });
  assert.equal((await adopted.plan([])).states, {});
});

test('an edited file in a folder of sources stays owned, so that it does not become a source', async () => {
  const project = new Project();
  const isSearched = (path: string) => path.startsWith('skills/');
  await project.compile([whole('skills/s/SKILL.md', 'a\n')]);
  project.write('skills/s/SKILL.md', 'edited\n');
  for (let run = 1; run < 3; run++) {
    const { ok, codes } = await project.compile([], { isSearched });
    assert.equal([ok, codes], [true, ['PRS8027']]);
    assert.equal(Object.keys(JSON.parse(project.read('.instr/manifest.json')).files), ['skills/s/SKILL.md']);
  }
  assert.not.ok((await project.plan([], { isSearched })).work);
});

test('an executable bit that a checkout lost is a hint, and causes no change on other machines', async () => {
  const program = (executable: boolean) => [whole('run.sh', '#!/bin/sh\n', { executable })];
  const project = new Project();
  await project.compile(program(true));
  chmodSync(project.at('run.sh'), 0o644);
  // Whether or not the source has the executable bit.
  for (const executable of [true, false]) {
    const { sharedWork, codes } = await project.plan(program(executable));
    assert.equal([sharedWork, codes], [false, ['PRS8028']]);
  }
  // Written on a system without executable bits.
  const windows = new Project();
  await windows.compile(program(false));
  const { sharedWork, codes } = await windows.plan(program(true));
  assert.equal([sharedWork, codes], [false, ['PRS8028']]);
});

test('planning writes nothing', async () => {
  const project = new Project();
  const { work, states } = await project.plan([main()]);
  assert.ok(work);
  assert.equal(states, { 'MAIN.md': 'new' });
  assert.not.ok(project.exists('.instr'));
});

test.run();
