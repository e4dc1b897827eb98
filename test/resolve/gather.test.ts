/** Which files belong to a program, and what is reported about the others. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import type { Disk } from '../../src/host/host.ts';
import { type GatherOptions, gatherUnits } from '../../src/project/gather/gather.ts';
import type { Registries, Tree } from '../../src/registry/tree.ts';
import { localTree } from '../../src/registry/tree.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';

const gathering = suite<{ root: string }>('gather');
/** Not every Windows supports links, modes and names such as `what?.txt`. */
const onUnix = process.platform === 'win32' ? gathering.skip : gathering;

gathering.before.each(context => {
  context.root = mkdtempSync(join(tmpdir(), 'gather-'));
});
gathering.after.each(context => rmSync(context.root, { recursive: true }));

const meta = '@meta { id: "x" syntax: "1.5.0" }\n';

function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function gather(root: string, options: Partial<GatherOptions> = {}) {
  const diagnostics: Diagnostic[] = [];
  const gathered = await gatherUnits(
    { disk: nodeDisk, root, entry: '.instr/project.prs', ...options },
    diagnostic => diagnostics.push(diagnostic),
  );
  const messages = diagnostics.map(({ message }) => message);
  return { ...gathered, codes: diagnostics.map(({ code }) => code), messages, diagnostics };
}

gathering('reads each file once and lists each directory once', async ({ root }) => {
  const count = 60;
  const uses = Array.from({ length: count }, (_, n) => `@use ./parts/p${n}\n`).join('');
  write(root, { '.instr/project.prs': meta + uses });
  for (let n = 0; n < count; n++) {
    write(root, { [`.instr/parts/p${n}.prs`]: `${meta}@use ./p${(n + 1) % count}\n` });
    write(root, { [`.instr/skills/s${n}/SKILL.md`]: `---\nname: s${n}\n---\nText.\n` });
  }
  const calls = new Map<string, number>();
  const counted = Object.fromEntries(
    Object.entries(nodeDisk).map(([name, call]) => [
      name,
      (path: string) => {
        calls.set(`${name} ${path}`, (calls.get(`${name} ${path}`) ?? 0) + 1);
        return (call as (path: string) => unknown)(path);
      },
    ]),
  ) as unknown as Disk;
  const { units, codes } = await gather(root, { disk: counted });
  assert.equal(codes, []);
  assert.is(units.size, 1 + 2 * count);
  assert.is(Math.max(...calls.values()), 1);
  assert.equal(
    [...calls.keys()].filter(call => /^(stat|lstat|realpath) /.test(call)),
    [],
  );
});

gathering('returns the inspected paths, for watch mode', async ({ root }) => {
  write(root, { '.instr/project.prs': `${meta}@use ./a\n@use ./none\n`, '.instr/a.prs': meta });
  const { files } = await gather(root);
  assert.equal(files, ['', '.instr', '.instr/a.prs', '.instr/project.prs']);
});

onUnix('reads nothing outside the project through links', async ({ root }) => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  write(outside, { 'secret.prs': `${meta}@identity { "secret" }`, 'folder/in.prs': meta, 'guide.md': 'x' });
  write(root, {
    '.instr/project.prs': `${meta}@use ./linked\n@use ./folder/in\n@use ./inside\n@use ./skill\n`,
    '.instr/real.prs': meta,
    '.instr/skill/SKILL.md': '---\nname: skill\nreferences: [./guide.md]\n---\nText.\n',
  });
  symlinkSync(join(outside, 'secret.prs'), join(root, '.instr/linked.prs'));
  symlinkSync(join(outside, 'folder'), join(root, '.instr/folder'));
  symlinkSync('real.prs', join(root, '.instr/inside.prs'));
  symlinkSync(join(outside, 'guide.md'), join(root, '.instr/skill/guide.md'));
  const { units, codes, files } = await gather(root);
  assert.equal(codes.sort(), ['PRS2001', 'PRS2002', 'PRS2008', 'PRS2013']);
  assert.equal([...units.keys()].sort(), ['.instr/inside.prs', '.instr/project.prs', '.instr/skill/SKILL.md']);
  assert.not(files.some(path => path.includes('secret') || path.startsWith('.instr/folder')));
  rmSync(outside, { recursive: true });
});

onUnix('does not read an entry that is a link out of the project', async ({ root }) => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  write(outside, { 'project.prs': meta });
  mkdirSync(join(root, '.instr'));
  symlinkSync(join(outside, 'project.prs'), join(root, '.instr/project.prs'));
  const { units, codes } = await gather(root);
  assert.equal(codes, ['PRS2002']);
  assert.is(units.size, 0);
  rmSync(outside, { recursive: true });
});

gathering('reports mistakes in an entry', async ({ root }) => {
  const missing = await gather(root);
  assert.equal(missing.codes, ['PRS2012']);
  assert.match(missing.diagnostics[0]!.hint!, /`input\.entry` in instr\.yaml\.$/);
  write(root, { 'AGENTS.md': 'Mine.\n', 'CLAUDE.md': 'Ours.\n', 'rules.txt': 'x' });
  const mainFiles = () => ['NONE.md', 'AGENTS.md', 'rules.txt', 'CLAUDE.md', 'AGENTS.md'];
  const isGenerated = (path: string) => path === 'CLAUDE.md';
  const there = await gather(root, { mainFiles, isGenerated });
  assert.match(there.diagnostics[0]!.hint!, 'in instr.yaml: `AGENTS.md` is there (`input: { entry: AGENTS.md }`).');
  write(root, { '.instr/proyect.prs': meta });
  const misspelt = await gather(root);
  assert.match(misspelt.diagnostics[0]!.hint ?? '', 'Did you mean `proyect.prs`?');
  mkdirSync(join(root, '.instr/project.prs'));
  assert.equal((await gather(root)).codes, ['PRS2007']);
  assert.equal((await gather(root, { entry: '../x.prs' })).codes, ['PRS2002']);
  write(root, { '.instr/empty.prs': '', '.instr/binary.prs': new Uint8Array([64, 0, 1]) });
  assert.equal((await gather(root, { entry: '.instr/empty.prs' })).codes, []);
  assert.equal((await gather(root, { entry: '.instr/binary.prs' })).entryId, undefined);
});

onUnix('reports a file without read permission at the reference', async ({ root }) => {
  write(root, { '.instr/project.prs': `${meta}@use ./closed\n`, '.instr/closed.prs': meta });
  chmodSync(join(root, '.instr/closed.prs'), 0);
  const { codes } = await gather(root);
  // The superuser may read everything.
  assert.equal(codes, process.getuid?.() === 0 ? [] : ['PRS2006']);
});

gathering('skips generated files', async ({ root }) => {
  write(root, {
    '.instr/project.prs': meta,
    '.agents/skills/ours/SKILL.md': '---\nname: ours\n---\nGenerated.\n',
    '.agents/skills/theirs/SKILL.md': '---\nname: theirs\n---\nWritten.\n',
    '.agents/commands/ours.md': 'Generated.',
    '.agents/commands/theirs.md': 'Written.',
  });
  const isGenerated = (path: string, read: () => Uint8Array) =>
    path.includes('ours') && Buffer.from(read()).includes('Generated');
  const { discoveredIds } = await gather(root, { universalDir: '.agents', isGenerated });
  assert.equal(discoveredIds, ['.agents/skills/theirs/SKILL.md', '.agents/commands/theirs.md']);
  assert.equal((await gather(root)).discoveredIds, []);
});

gathering('limits the size of skill files', async ({ root }) => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`.instr/many/f${n}.txt`, 'x']));
  write(root, {
    '.instr/project.prs': `${meta}@use ./large\n@use ./many\n@use ./heavy\n`,
    '.instr/large/SKILL.md': '---\nname: large\n---\n',
    '.instr/large/film.bin': new Uint8Array(1024 * 1024 + 1),
    '.instr/large/note.txt': 'x',
    '.instr/many/SKILL.md': '---\nname: many\n---\n',
    '.instr/heavy/SKILL.md': '---\nname: heavy\n---\n',
    ...many,
  });
  for (let n = 0; n < 11; n++) write(root, { [`.instr/heavy/f${n}.bin`]: new Uint8Array(1024 * 1024) });
  const { units, codes } = await gather(root);
  assert.equal(codes, ['PRS2010', 'PRS2011', 'PRS2011']);
  const large = units.get('.instr/large/SKILL.md');
  assert.equal(large?.kind === 'skill' && large.resources.map(({ path }) => path), ['note.txt']);
});

onUnix('leaves out skill files that a system does not support, and reports each once', async ({ root }) => {
  write(root, {
    '.instr/project.prs': `${meta}@use ./one\n`,
    '.instr/one/SKILL.md': '---\nname: one\nreferences: [con.txt]\n---\n',
    '.instr/one/skill.MD': 'x',
    '.instr/one/what?.txt': 'x',
    '.instr/one/con.txt': 'x',
    '.instr/one/docs/Note.md': 'x',
    '.instr/one/docs/note.md': 'x',
  });
  const { units, codes, messages } = await gather(root);
  assert.equal(codes, ['PRS2014', 'PRS2014', 'PRS2014', 'PRS2014', 'PRS2014']);
  assert.match(messages.join('\n'), /`\.instr\/one\/docs\/note\.md` .* the same as `Note\.md`/);
  const one = units.get('.instr/one/SKILL.md');
  assert.equal(one?.kind === 'skill' && one.resources.map(({ path }) => path), ['docs/Note.md']);
});

/** An in-memory registry. Like a server, it may be unable to list its files. */
function registry(files: Readonly<Record<string, string>>, lists: boolean): Registries {
  const tree: Tree = {
    id: '@company@1.0.0',
    read: async path => (Object.hasOwn(files, path) ? Buffer.from(files[path]!) : undefined),
    list: async folder => {
      if (!lists) return undefined;
      const start = folder === '' ? '' : `${folder}/`;
      const names = new Map<string, 'file' | 'directory'>();
      for (const path of Object.keys(files)) {
        if (!path.startsWith(start)) continue;
        const [name, ...rest] = path.slice(start.length).split('/');
        names.set(name!, rest.length > 0 ? 'directory' : 'file');
      }
      return names.size > 0 ? [...names].sort().map(([name, kind]) => ({ name, kind })) : undefined;
    },
  };
  return {
    locate: async path =>
      path.startsWith('@company/')
        ? { tree, path: path.slice('@company/'.length), layer: { reference: path, remote: true } }
        : undefined,
  };
}

onUnix('a link that leads out of a registry is reported once, by the registry', async ({ root }) => {
  write(root, { '.instr/project.prs': `${meta}@use @company/file\n@use @company/folder\n`, 'out/a.prs': meta, 'shared/x.prs': meta });
  symlinkSync('../out/a.prs', join(root, 'shared/file.prs'));
  symlinkSync('../out', join(root, 'shared/folder'));
  const diagnostics: Diagnostic[] = [];
  const at = { source: { name: 'project.prs', text: meta }, start: 0, end: 1 };
  const tree = localTree(nodeDisk, join(realpathSync(root), 'shared'), '@company', 'shared', { report: found => diagnostics.push(found), note: () => {} }, at);
  const locate = async (path: string) => ({ tree, path: path.slice('@company/'.length), layer: { reference: path, remote: true } });
  const { codes } = await gather(root, { registries: { locate } });
  assert.equal(codes, []);
  assert.equal(diagnostics.map(({ code }) => code), ['PRS9014', 'PRS9014']);
});

const shared = {
  'base.prs': `${meta}@use ./lib/rules\n@use ../outside\n@use @company/skills/one\n`,
  'lib/rules.prs': `${meta}@standards { code: "x" }`,
  'skills/one/SKILL.md': '---\nname: one\ndescription: One\n---\nText.\n',
  'skills/one/guide.md': 'Guide.',
};

for (const lists of [true, false]) {
  gathering(`reads registries that ${lists ? 'list' : 'do not list'} their files`, async ({ root }) => {
    write(root, { '.instr/project.prs': `${meta}@use @company/base\n@use @company/none\n@use @other/x\n` });
    const { units, codes } = await gather(root, { registries: registry(shared, lists) });
    assert.equal(codes.sort(), ['PRS2001', 'PRS2002']);
    assert.equal([...units.keys()].sort(), [
      '.instr/project.prs',
      '@company@1.0.0:base.prs',
      '@company@1.0.0:lib/rules.prs',
      '@company@1.0.0:skills/one/SKILL.md',
    ]);
    const one = units.get('@company@1.0.0:skills/one/SKILL.md');
    const files = one?.kind === 'skill' ? one.resources.map(({ path, read }) => [path, String(read())]) : [];
    assert.equal(files, lists ? [['guide.md', 'Guide.']] : []);
    assert.is(one?.layer.remote, true);
  });
}

onUnix('names a file of another kind at the path of a source', async ({ root }) => {
  write(root, {
    '.instr/project.prs': `${meta}@use ./folder.prs\n@use ./named\n@use ./linked\n@use ./skill\n`,
    '.instr/folder.prs/x.md': 'Text.\n',
    '.instr/named.prs/x.md': 'Text.\n',
    'skill/SKILL.md': '---\nname: skill\ndescription: d\n---\nText.\n',
  });
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  symlinkSync(outside, join(root, '.instr/linked'));
  symlinkSync(outside, join(root, '.instr/skill'));
  const { diagnostics } = await gather(root);
  rmSync(outside, { recursive: true });
  assert.equal(
    diagnostics.map(({ code, message }) => `${code} ${message}`),
    [
      'PRS2005 `.instr/folder.prs` is a folder without skills.',
      'PRS2007 `.instr/named.prs` is a folder, not a file.',
      'PRS2002 `./linked` leads out of the project.',
      'PRS2002 `./skill` leads out of the project.',
    ],
  );
});

onUnix('leaves out and reports links among discovered files', async ({ root }) => {
  write(root, {
    '.instr/project.prs': meta,
    'elsewhere/SKILL.md': '---\nname: elsewhere\ndescription: d\n---\nText.\n',
    'elsewhere/command.md': 'Text.\n',
    '.instr/skills/real/run.sh': 'true\n',
    '.agents/commands/notes.txt': 'No command.\n',
  });
  mkdirSync(join(root, '.agents/commands'), { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(root, '.instr/skills/folder'));
  symlinkSync(join(root, 'elsewhere/SKILL.md'), join(root, '.instr/skills/real/SKILL.md'));
  symlinkSync(join(root, 'elsewhere/command.md'), join(root, '.agents/commands/linked.md'));
  const { units, diagnostics } = await gather(root, { universalDir: '.agents' });
  assert.equal([...units.keys()], ['.instr/project.prs']);
  assert.equal(
    diagnostics.map(({ code, file }) => `${code} ${file}`),
    ['PRS2008 .instr/skills/folder', 'PRS2008 .instr/skills/real/SKILL.md', 'PRS2008 .agents/commands/linked.md'],
  );
});

gathering('references of a skill stay in the project', async ({ root }) => {
  write(root, {
    '.instr/project.prs': meta,
    '.instr/skills/a/SKILL.md':
      '---\nname: a\ndescription: d\nreferences: [../../../../secret.md, /etc/passwd, ~/notes.md, 7, here.md, https://example.com/x]\n---\nText.\n',
    '.instr/skills/a/here.md': 'Here.\n',
    '.instr/skills/b/SKILL.md': '---\nname: b\ndescription: d\nreferences: ../a/her.md\n---\nText.\n',
  });
  const { units, diagnostics } = await gather(root);
  assert.equal(
    diagnostics.map(({ code, message, hint = '' }) => `${code} ${/`[^`]+`/.exec(message)![0]} ${/^Did you mean [^?]+/.exec(hint)?.[0] ?? ''}`),
    ['PRS2002 `../../../../secret.md` ', 'PRS2002 `/etc/passwd` ', 'PRS2002 `~/notes.md` ', 'PRS2013 `../a/her.md` Did you mean `here.md`'],
  );
  const skill = units.get('.instr/skills/a/SKILL.md');
  assert.equal(skill?.kind === 'skill' && [...skill.references!.keys()], ['here.md']);
});

gathering.run();
