/** Hooks run in the project wherever their client was started, and servers are written in the format of a client. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EntriesFile } from '../../src/generated/types/target.ts';
import { nativeServer, serverInProject } from '../../src/kinds/native/servers.ts';
import { shellInProject } from '../../src/kinds/write/hooks.ts';
import { strings } from '../../src/model/data.ts';
import { serverFields } from '../../src/model/make-item.ts';
import type { Data, Item } from '../../src/model/model.ts';
import { fromLineWord } from '../../src/text/shell.ts';
import { markReference } from '../../src/text/variables.ts';

const tests = suite('hooks and servers in the project');
const isPosix = process.platform !== 'win32';

const file = (root: object | undefined, stdio: object = { command: { from: 'program' } }) =>
  ({ kind: 'entries', of: 'mcpServers', by: 'transport', ...(root && { servers: { root } }), variants: { stdio } }) as unknown as EntriesFile;
const server = (fields: Readonly<Record<string, Data>>): Item => ({
  name: 'tides',
  path: 'mcpServers.tides',
  fields: serverFields(new Map(Object.entries(fields))),
  computed: new Set(['argv', 'program', 'arguments', 'commandLine', 'transport']),
  resources: [],
});
const plain = file(undefined);
/** The command line of a hook for a client that may start it anywhere in a repository. */
const byGit = (argv: readonly string[], directory = '') => ['sh', '-c', shellInProject(argv, directory, { cwd: 'git' })];

/** The working directory and the arguments of a command that is started in a subfolder of a project. */
function runBelow(argv: readonly string[]): unknown {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'prs servers ')));
  try {
    for (const folder of ['src/deep/my $c', 'packages/my $b']) mkdirSync(join(project, folder), { recursive: true });
    spawnSync('git', ['init', '-q'], { cwd: project });
    const { stdout } = spawnSync(argv[0]!, argv.slice(1), { cwd: join(project, 'src/deep'), encoding: 'utf8' });
    return stdout === '' ? undefined : JSON.parse(stdout.replaceAll(project, '…'));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

const tell = [process.execPath, '-e', 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))', 'a b', '$HOME', "it's", '"q"'];
const given = ['a b', '$HOME', "it's", '"q"'];
const argvOf = (item: Item) => strings(item.fields.get('argv'));

tests('git finds the project and runs the program, with every argument unchanged', () => {
  if (!isPosix) return;
  assert.equal(runBelow(byGit(tell)), ['…', ...given]);
  assert.equal(runBelow(byGit(tell, 'packages/my $b')), ['…/packages/my $b', ...given]);
});

tests('a linked worktree is a project, and git inside of it finds the other worktrees', () => {
  if (!isPosix) return;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prs trees ')));
  const run = (cwd: string, [program, ...args]: readonly string[]) =>
    spawnSync(program!, args, { cwd: join(folder, cwd), encoding: 'utf8' });
  try {
    mkdirSync(join(folder, 'one'));
    run('one', ['git', 'init', '-q']);
    run('one', ['git', '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'x', '--allow-empty']);
    run('one', ['git', 'worktree', 'add', '-q', '../two']);
    mkdirSync(join(folder, 'two/src'));
    const started = byGit;
    assert.is(run('two/src', started(['pwd'])).stdout, `${folder}/two\n`);
    assert.is(run('two/src', started(['git', '-C', '../one', 'rev-parse', '--show-toplevel'])).stdout, `${folder}/one\n`);
    assert.is(run('two/src', started(['sh', '-c', 'exit 2'])).status, 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

tests('nothing runs if the folder does not exist', () => {
  if (!isPosix) return;
  assert.is(runBelow(byGit(tell, 'packages/gone')), undefined);
});

tests('commands outside of the project, and commands with a field for the directory, are unchanged', () => {
  const same = (fields: Readonly<Record<string, Data>>, place: EntriesFile) => {
    const item = server(fields);
    assert.is(serverInProject(item, place), item);
  };
  for (const cwd of ['/srv', '~/x', '../x', 'a/../../x', 'C:\\x', '$X/y', '']) same({ command: tell, cwd }, plain);
  same({ command: tell }, plain);
  same({ command: tell, cwd: 'project' }, file(undefined));
  same({ command: tell, cwd: 'packages/b' }, plain);
  same({ url: 'https://example.com', cwd: 'project' }, plain);
  same({ command: tell, cwd: 'packages/b' }, file(undefined, { cwd: { from: 'cwd' } }));
});

tests('a tool that starts servers in the project, or has a placeholder for it, needs no shell', () => {
  const there = serverInProject(server({ command: tell, cwd: 'project' }), file({ cwd: 'project' }));
  assert.equal([argvOf(there), there.fields.has('cwd')], [tell, false]);
  const folder = (cwd: string) =>
    serverInProject(server({ command: tell, cwd }), file({ text: '$R' }, { cwd: { from: 'cwd' } })).fields.get('cwd');
  assert.equal([folder('project'), folder('packages/b')], ['$R', '$R/packages/b']);
});

tests('arguments are quoted for a tool whose shell runs the line, and read back unchanged', () => {
  const line = { ...plain, servers: { shell: true } } as EntriesFile;
  const words = (argv: readonly string[], place = line) => {
    const { fields } = nativeServer(server({ command: argv }), place);
    return [String(fields.get('program')), ...strings(fields.get('arguments'))];
  };
  const argv = [...tell, 'C:\\my files\\x', 'C:\\', 'plain', ''];
  const written = words(argv);
  assert.equal([written.at(-2), written.at(-4)], ['plain', '"C:\\my files\\x"']);
  assert.equal(written.map(fromLineWord), argv);
  assert.equal(words(argv, plain), argv);
  if (isPosix) assert.equal(runBelow(['sh', '-c', written.join(' ')]), ['…/src/deep', ...argv.slice(3)]);
  // Variables stay marked, so that each tool can write them in its own syntax.
  const reference = markReference({ name: 'HOME' });
  assert.equal(words(['node', `${reference}/my "files"`]), ['node', `"${reference}/my \\"files\\""`]);
});

tests.run();
