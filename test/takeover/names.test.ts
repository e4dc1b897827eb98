/** Names and paths that try to leave their directory, from every possible input, tested with the program. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { checkOutputPath } from '../../src/plan/manifest.ts';
import { compileProject } from '../../src/project/compile.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { project, prs, write } from '../cli/prs.ts';
import { seen } from './repository.ts';

const test = suite('names');

/** As written between the quotes of a source or of YAML. */
const hostile = [
  '../../escaped',
  '..',
  '.',
  '/tmp/escaped',
  'C:/escaped',
  'c:escaped',
  '\\\\host\\share',
  'a/../../../escaped',
  'nul',
  'COM1',
  'aux.md',
  'trailing.',
  'trailing ',
  'a\\u0000b',
  '~/escaped',
  '.git/hooks/pre-commit',
  '.instr/project',
  '__proto__',
  'x\\u202ey',
  'colon:stream',
  'x'.repeat(300),
];

const targets = 'targets: [claude, codex, github, cursor, cline]';
const settings = (more = '', list = targets) => `id: x\nsyntax: "1.5.0"\n${list}\nincludeInstrSkill: false\n${more}`;
const source = (body = '') => `@meta { id: "x" syntax: "1.5.0" }\n@identity { "Me." }\n${body}\n`;

interface Planned {
  readonly files?: { path: string }[];
}

/** Compiles like the program, but in this process, because there are hundreds of cases. */
async function run(root: string): Promise<{ ok: boolean; paths: string[]; errors: number }> {
  let errors = 0;
  const context = {
    disk: nodeDisk,
    clock: () => new Date(),
    cwd: root,
    environment: {},
    report: ({ severity }: Diagnostic) => void (severity === 'error' && errors++),
    progress: () => {},
  };
  const compiled = await compileProject({ mode: 'write', force: true }, context);
  if (typeof compiled === 'string') return { ok: false, paths: [], errors };
  return { ok: compiled.written, paths: compiled.entries.map(({ path }) => path), errors };
}

/** Compiles in a nested folder: nothing outside of the project may be added or changed. */
async function compile(files: Record<string, string>, prepare: (root: string, outside: string) => void = () => {}) {
  const around = project({ 'beside.txt': 'beside\n', 'outside/secret.md': 'secret\n' });
  const root = join(around, 'project');
  for (const [path, text] of Object.entries({ 'instr.yaml': settings(), '.instr/project.prs': source(), ...files }))
    write(root, path, text);
  prepare(root, join(around, 'outside'));
  const before = seen(around);
  const { ok, paths, errors } = await run(root);
  const after = seen(around);
  for (const [path, file] of before) assert.equal(after.get(path), file, path);
  const added = [...after.keys()].filter(path => !before.has(path));
  for (const path of added) {
    assert.ok(path.startsWith('project/'), `${path} was written outside`);
    const inner = path.slice('project/'.length);
    if (inner !== '.instr/manifest.json') assert.is(checkOutputPath(inner), undefined, inner);
  }
  for (const path of paths) assert.is(checkOutputPath(path), undefined, path);
  if (!ok) assert.equal(added, [], 'an error leaves nothing behind');
  assert.is(errors > 0, !ok);
  rmSync(around, { recursive: true });
  return ok;
}

const entry = (text: string) => ({ '.instr/project.prs': source(text) });
const item = '{ description: "d" applyTo: ["**"] content: "text" }';

/** Maps each place of a name to a project that uses the name there. */
const places: Record<string, (name: string) => Record<string, string>> = {
  'a skill': name => entry(`@skills { "${name}": ${item} }`),
  'an agent': name => entry(`@agents { "${name}": ${item} }`),
  'a guard': name => entry(`@guards { "${name}": ${item} }`),
  'a command': name => entry(`@shortcuts { "/${name}": "text" }`),
  'a command without slash': name => entry(`@commands { "${name}": ${item} }`),
  'an agent of an imported file': name => ({
    ...entry('@use ./part as part'),
    '.instr/part.prs': source(`@agents { "${name}": ${item} }\n@skills { "${name}": ${item} }`),
  }),
  'an alias': name => ({ ...entry(`@use ./part as "${name}"`), '.instr/part.prs': source(`@agents { a: ${item} }`) }),
  into: name => ({ ...entry(`@use ./part into "${name}"`), '.instr/part.prs': source(`@skills { a: ${item} }`) }),
  skillTargets: name => ({
    ...entry('@use ./part'),
    '.instr/part.prs': source(`@skills { a: ${item} }`),
    'instr.yaml': settings(`skillTargets: { "./part": "${name}" }\n`),
  }),
  'the name in a SKILL.md': name => ({ '.instr/skills/one/SKILL.md': `---\nname: "${name}"\ndescription: d\n---\ntext\n` }),
  'the name in an imported SKILL.md': name => ({
    ...entry('@use ./far/one'),
    '.instr/far/one/SKILL.md': `---\nname: "${name}"\ndescription: d\n---\ntext\n`,
  }),
  output: name => ({ 'instr.yaml': settings('', `targets: [{ claude: { output: "${name}" } }]`) }),
  'output.baseDir': name => ({ 'instr.yaml': settings(`output: { baseDir: "${name}" }\n`) }),
  skillBaseDir: name => ({
    ...entry(`@skills { a: ${item} }`),
    'instr.yaml': settings('', `targets: [{ claude: { skillBaseDir: "${name}" } }, { codex: { skillBaseDir: "${name}" } }]`),
  }),
  universalDir: name => ({
    ...entry(`@skills { a: ${item} }\n@agents { a: ${item} }`),
    'instr.yaml': settings(`universalDir: "${name}"\n`),
  }),
  agentsFile: name => ({ 'instr.yaml': settings('', `targets: [{ codex: { agentsFile: "${name}" } }]`) }),
};

for (const [place, make] of Object.entries(places)) {
  test(`${place} with a hostile name`, async () => {
    let refused = 0;
    for (const name of hostile) refused += (await compile(make(name))) ? 0 : 1;
    console.log(`  ${refused} of ${hostile.length} refused, the others made safe`);
  });
}

test('the output of a build profile', () => {
  const around = project({});
  const root = join(around, 'project');
  for (const name of hostile) {
    write(root, 'instr.yaml', settings(`builds: { b: { output: "${name}" } }\n`));
    write(root, '.instr/project.prs', source());
    const { status, stdout } = prs(root, ['compile', '--build', 'b', '--force', '--json']);
    const { files = [] } = JSON.parse(stdout) as Planned;
    for (const { path } of files) assert.is(checkOutputPath(path), undefined, path);
    assert.equal(readdirSync(around), ['project'], name);
    assert.ok(status !== 0 || files.length > 0, name);
  }
});

test('resources of skills: names that a system does not support, letter case conflicts, links', async () => {
  const skill = '---\nname: one\ndescription: d\n---\ntext\n';
  const names = ['con.txt', 'trailing.', 'back\\slash', 'new\nline', 'nul', 'co:lon'];
  for (const folder of ['.instr/skills/one', '.agents/skills/one']) {
    for (const name of names) await compile({ [`${folder}/SKILL.md`]: skill, [`${folder}/${name}`]: 'x' });
    await compile({ [`${folder}/SKILL.md`]: skill, [`${folder}/sub/A.md`]: 'a', [`${folder}/sub/a.md`]: 'b' });
    const linked = await compile({ [`${folder}/SKILL.md`]: skill }, (root, outside) => {
      symlinkSync(join(outside, 'secret.md'), join(root, folder, 'link.md'));
      symlinkSync(outside, join(root, folder, 'links'));
    });
    assert.ok(linked, 'links are left out');
  }
});

test('names of two items that some systems treat as equal', async () => {
  for (const block of ['skills', 'agents', 'guards'])
    for (const [one, two] of [
      ['review', 'Review'],
      ['caf\\u00e9', 'cafe\\u0301'],
    ]) await compile(entry(`@${block} { "${one}": ${item} "${two}": { description: "e" applyTo: ["*"] content: "other" } }`));
});

test('folders that are links out of the project', async () => {
  const skills = entry(`@skills { a: ${item} }`);
  for (const folder of ['.claude', '.agents', '.cursor/rules', '.github/skills']) {
    const ok = await compile(skills, (root, outside) => {
      mkdirSync(join(root, folder, '..'), { recursive: true });
      symlinkSync(outside, join(root, folder));
    });
    assert.not.ok(ok, folder);
  }
  const settingsOf = (more: string) => ({ ...skills, 'instr.yaml': settings(more) });
  for (const more of ['universalDir: linked\n', 'output: { baseDir: linked }\n', 'output: { baseDir: linked/deep }\n']) {
    const ok = await compile(settingsOf(more), (root, outside) => symlinkSync(outside, join(root, 'linked')));
    assert.not.ok(ok, more);
  }
});

test("does not write through a user's file that is a link out of the project", async () => {
  for (const path of ['CLAUDE.md', 'AGENTS.md', '.mcp.json']) {
    const ok = await compile(entry('@mcpServers { docs: { command: "x" } }'), (root, outside) =>
      symlinkSync(join(outside, 'secret.md'), join(root, path)),
    );
    assert.not.ok(ok, path);
  }
});

test('a manifest from a repository cannot delete files elsewhere', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  write(outside, 'mine.md', 'mine\n');
  const sha256 = seen(outside).get('mine.md')!.sha256;
  for (const path of ['../mine.md', `${outside}/mine.md`, 'linked/mine.md', '.git/config', '.instr/project.prs']) {
    const folder = project({ 'instr.yaml': settings(), '.instr/project.prs': source() });
    symlinkSync(outside, join(folder, 'linked'));
    const manifest = { version: 1, directories: [], files: { [path]: { targets: ['claude'], sha256 } } };
    write(folder, '.instr/manifest.json', JSON.stringify(manifest));
    prs(folder, ['compile', '--force']);
    assert.equal([...seen(outside).keys()], ['mine.md'], path);
  }
  rmSync(outside, { recursive: true });
});

test.run();
