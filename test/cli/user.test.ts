/** `--user`: files of a user for all projects, tested in a temporary home folder. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filesBelow } from '../../scripts/files.ts';
import { userFolders } from '../../src/host/home.ts';
import { userSpec } from '../../src/spec/adapted.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { partOf } from '../../src/spec/spec.ts';
import { needing } from '../support/machine.ts';
import { minimal, project, prs, write } from './prs.ts';

const tests = suite('--user');

const config = (targets: string) => `id: me\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [${targets}]\n`;
const sources = {
  '.config/instr/instr.yaml': config('claude, codex'),
  '.config/instr/project.md': 'Answer briefly.\n',
  '.config/instr/rules/tests.md': '---\ndescription: Tests\napplyTo: "**/*.test.ts"\n---\n\nOne assertion.\n',
  '.config/instr/skills/brief/SKILL.md': '---\nname: brief\ndescription: Be brief\n---\n\nShort.\n',
  '.config/instr/commands/sum.md': '---\ndescription: Sum up\n---\n\nSum up.\n',
  '.config/instr/agents/critic.md': '---\nname: critic\ndescription: Looks twice\n---\n\nLook twice.\n',
  '.config/instr/mcp.json': '{ "mcpServers": { "notes": { "command": "npx", "args": ["notes"] } } }\n',
};

/** Hooks, permissions and ignored files of a user, with a script next to the sources. */
const guarding = {
  '.config/instr/project.md': undefined as never,
  '.config/instr/scripts/guard.sh': 'cat >> guarded\n',
  '.config/instr/project.prs': `@meta { id: "me" syntax: "1.6.0" }
@identity { "Answer briefly." }
@hooks {
  guard: { event: "pre-tool-use" script: { path: ".instr/scripts/guard.sh" interpreter: "sh" } }
  done: { event: "stop" command: ["notify", "done"] }
  start: { event: "session-start" command: ["notify", "start"] }
}
@permissions { deny: ["shell:git push *", "read:**/.env", "net:tracker.example.com"] ask: ["shell:rm *"] allow: ["mcp:notes/read"] }
@ignore { - "dist/" }
@checks { names: { description: "Names" content: "Names say what they hold." } }
`,
};

function homeWith(files: Readonly<Record<string, string>> = {}) {
  const home = project(Object.fromEntries(Object.entries({ ...sources, ...files }).filter(([, text]) => text !== undefined)));
  const elsewhere = project(minimal);
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, '.config'), LOCALAPPDATA: join(home, '.local/state'), XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, '.local/state'), INSTR_CACHE_DIR: join(elsewhere, 'cache') };
  const run = (...args: string[]) => prs(elsewhere, args, env);
  const read = (path: string) => readFileSync(join(home, path), 'utf8');
  const list = () => filesBelow(home).filter(path => !path.startsWith('.config/instr/') && !path.startsWith('.local/'));
  return { home, elsewhere, run, read, list };
}

tests('compile writes user files next to existing settings; check, diff, view and undo work', () => {
  const { run, read, list, home, elsewhere } = homeWith({ '.claude.json': '{"numStartups": 3}\n', '.agents/skills/mine/SKILL.md': '---\nname: mine\ndescription: Mine\n---\n\nMine.\n' });
  const before = list();
  const done = run('compile', '--user');
  assert.is(done.status, 0, done.stderr);
  const expected = ['.agents/skills/brief/SKILL.md', '.claude/CLAUDE.md', '.claude/agents/critic.md', '.claude/commands/sum.md', '.claude/rules/tests.md', '.claude/skills/brief/SKILL.md', '.codex/AGENTS.md', '.codex/agents/critic.toml', '.codex/config.toml'];
  for (const path of expected) assert.ok(list().includes(path), path);
  assert.is(read('.claude/CLAUDE.md'), 'Answer briefly.\n');
  assert.equal(JSON.parse(read('.claude.json')), { numStartups: 3, mcpServers: { notes: { command: 'npx', args: ['notes'] } } });
  // An existing skill of the user is not a source.
  assert.not.ok(existsSync(join(home, '.claude/skills/mine')));
  assert.ok(existsSync(join(home, '.local/state/instr/manifest.json')));
  assert.not.ok(existsSync(join(home, '.instr')));
  assert.not.ok(existsSync(join(elsewhere, 'CLAUDE.md')), 'the current project must not be compiled');
  assert.is(run('compile', '--user', '--check').status, 0);
  assert.match(run('diff', '--user', '--all').stdout, 'No differences');
  assert.match(run('view', '--user', '--as', 'claude').stdout, 'Answer briefly.');
  write(home, '.config/instr/project.md', 'Answer at length.\n');
  assert.is(run('compile', '--user', '--check').status, 1);
  assert.match(run('diff', '--user', '--all').stdout, '+Answer at length.');
  run('compile', '--user');
  assert.is(run('undo', '--user').status, 0);
  assert.is(read('.claude/CLAUDE.md'), 'Answer briefly.\n');
  assert.is(run('undo', '--user').status, 0);
  assert.equal(list(), before);
  assert.is(read('.claude.json'), '{"numStartups": 3}\n');
});

tests('does not overwrite files of the user, and does not lose edits', () => {
  const { run, read, home } = homeWith({ '.claude/CLAUDE.md': 'By hand.\n' });
  const refused = run('compile', '--user');
  assert.is(refused.status, 1);
  assert.match(refused.stderr, '.claude/CLAUDE.md');
  assert.not.ok(existsSync(join(home, '.codex')));
  assert.is(run('compile', '--user', '--force').status, 0);
  assert.match(refused.stderr, '--force');
  write(home, '.claude/CLAUDE.md', 'Edited.\n');
  assert.is(run('compile', '--user').status, 1);
  assert.is(read('.claude/CLAUDE.md'), 'Edited.\n');
  run('undo', '--user', '--force');
  assert.is(read('.claude/CLAUDE.md'), 'By hand.\n');
});

tests('findings have paths of user files', () => {
  const { run, home } = homeWith();
  write(home, '.config/instr/project.md', '---\ntargets: [claud]\n---\nAnswer.\n');
  assert.match(run('validate', '--user').stderr, '~/.config/instr/project.md:2:');
  write(home, '.config/instr/instr.yaml', `${config('claude, jules')}builds: { one: { output: one } }\n`);
  const { status, stdout } = run('validate', '--user', '--json');
  assert.is(status, 2);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; file: string; line: number }[] };
  const found = diagnostics.filter(({ code }) => code.startsWith('PRS304')).map(({ code, file, line }) => [code, file, line]);
  assert.equal(found, [['PRS3043', '~/.config/instr/instr.yaml', 4], ['PRS3044', '~/.config/instr/instr.yaml', 5]]);
});

tests('fails without a user configuration, and rejects project options', () => {
  const { elsewhere, home } = homeWith();
  const none = prs(elsewhere, ['compile', '--user'], { HOME: elsewhere, USERPROFILE: elsewhere, XDG_CONFIG_HOME: join(elsewhere, 'none') });
  assert.is(none.status, 2);
  assert.match(none.stderr, 'none/instr/instr.yaml');
  assert.not.ok(existsSync(join(elsewhere, 'CLAUDE.md')));
  for (const other of [['--recursive'], ['--config', 'instr.yaml'], ['--watch']])
    assert.is(prs(elsewhere, ['compile', '--user', ...other], { HOME: home }).status, 2, other.join(' '));
});

needing(tests, 'symbolic links')('does not write through a folder that leaves the home folder', () => {
  const { run, home } = homeWith();
  const outside = project({});
  symlinkSync(outside, join(home, '.claude'));
  const { status, stderr } = run('compile', '--user');
  assert.is(status, 1);
  assert.match(stderr, 'leads out');
  assert.equal(filesBelow(outside), []);
});

tests('writes every user file that a spec defines', () => {
  const ids = builtinIds().filter(id => builtinSpec(id)!.spec.user);
  assert.ok(ids.length >= 40, `only ${ids.length} tools`);
  const { run, list } = homeWith({ ...guarding, '.config/instr/instr.yaml': config(ids.join(', ')) });
  const { status, stderr } = run('compile', '--user');
  assert.is(status, 0, stderr);
  const files = list();
  for (const id of ids) {
    const { spec } = builtinSpec(id)!;
    for (const [name, file] of Object.entries(userSpec(builtinSpec(id)!, undefined)!.spec.files)) {
      const place = 'dir' in file && file.dir ? file.dir : file.path;
      const start = place.replace(/\{.*/, '');
      assert.ok(files.some(path => path.startsWith(start)), `${spec.id}: ${name} (${partOf(file)}) at ${place}`);
    }
  }
});

tests('user hooks run scripts of the source folder in any working directory, and nothing of a project', () => {
  const { run, read, home, elsewhere } = homeWith({ ...guarding, '.config/instr/instr.yaml': config('claude, kimi, junie, github') });
  const { status, stderr } = run('compile', '--user');
  assert.is(status, 0, stderr);
  const { hooks } = JSON.parse(read('.claude/settings.json')) as { hooks: { PreToolUse: { hooks: { command: string }[] }[]; Stop: { hooks: { command: string }[] }[] } };
  const { command } = hooks.PreToolUse[0]!.hooks[0]!;
  assert.is(hooks.Stop[0]!.hooks[0]!.command, 'notify done');
  for (const path of ['.kimi-code/config.toml', '.junie/config.json', '.copilot/hooks/instr.json']) assert.match(read(path), '.config/instr/scripts/guard.sh', path);
  assert.match(read('.copilot/hooks/instr.json'), '$HOME');
  write(elsewhere, '.config/instr/scripts/guard.sh', 'exit 7\n');
  const ran = spawnSync(command, { shell: '/bin/sh', cwd: elsewhere, env: { ...process.env, HOME: home }, input: '{"tool":"Bash"}' });
  assert.is(ran.status, 0, String(ran.stderr));
  assert.is(read('guarded'), '{"tool":"Bash"}');
  assert.not.ok(existsSync(join(elsewhere, 'guarded')));
});

tests('ignores the entry field of a user configuration without looking for the file', () => {
  const named = `${config('claude')}input: { entry: nowhere.md }\n`;
  const { run, read } = homeWith({ ...guarding, '.config/instr/instr.yaml': named });
  const { status, stderr } = run('compile', '--user');
  assert.is(status, 0, stderr);
  assert.match(stderr, 'PRS3044');
  assert.not.match(stderr, 'PRS2012');
  assert.ok(read('.claude/settings.json'));
});

tests('adds permissions to existing ones, and denies apply to every project', () => {
  const mine = '{\n  "permissions": { "deny": ["WebSearch"] }\n}\n';
  const { run, read } = homeWith({ ...guarding, '.config/instr/instr.yaml': config('claude, kiro, zed, hermes'), '.claude/settings.json': mine, '.hermes/config.yaml': 'model: own\n' });
  const { status, stderr } = run('compile', '--user');
  assert.is(status, 0, stderr);
  const { permissions } = JSON.parse(read('.claude/settings.json')) as { permissions: { deny: string[] } };
  assert.equal(permissions.deny, ['WebSearch', 'Bash(git push *)', 'Read(**/**/.env)', 'WebFetch(domain:tracker.example.com)']);
  assert.match(read('.kiro/settings/permissions.yaml'), /capability: fs_read\n\s+match:\n\s+- "?\*\*\/\.env/);
  assert.match(read('.config/zed/settings.json'), '^git push(?: .*)?$');
  assert.match(read('.hermes/config.yaml'), 'model: own');
  run('undo', '--user');
  assert.is(read('.claude/settings.json'), mine);
});

tests('finds the folders of the platform', () => {
  assert.equal(userFolders({ HOME: '/u' }, 'linux'), { root: '/u', config: '/u/.config/instr', state: '/u/.local/state/instr' });
  assert.equal(userFolders({ HOME: '/u', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: 'relative' }, 'linux'), { root: '/u', config: '/c/instr', state: '/u/.local/state/instr' });
  assert.is(userFolders({ HOME: '/u' }, 'darwin').config, '/u/Library/Application Support/instr');
  assert.match(userFolders({ USERPROFILE: '/u', APPDATA: '/u/AppData/Roaming' }, 'win32').config, /AppData.Roaming.instr$/);
});

tests('ignores a relative home folder, which would depend on the working directory', () => {
  const { root: home, config } = userFolders({ HOME: 'relative' }, 'linux');
  assert.is(home, userInfo().homedir);
  assert.ok(config.startsWith(home));
});

tests.run();
