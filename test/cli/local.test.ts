/** `instr.local.yaml`: settings of one user, which change no committed file. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../support/machine.ts';
import { environment, project, prs, write } from './prs.ts';

const tests = suite('instr.local.yaml');

const config = (targets: string, rest = '') =>
  `id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [${targets}]\n${rest}`;
const source = `@meta { id: "shop" syntax: "1.6.0" }
@identity { "You work on a shop." }
@mcpServers { issues: { url: "https://issues.example.com/mcp" } }
@skills { release: { description: "Releases the shop" content: "Tag it." } }
`;

interface Report {
  readonly files: readonly { path: string; state: string; targets: string[] }[];
  readonly diagnostics: readonly { code: string; message: string; line?: number; file?: string }[];
}

function repository(targets: string, local?: string, rest?: string) {
  const folder = project({
    'instr.yaml': config(targets, rest),
    '.instr/project.prs': source,
    '.gitignore': '.instr/.state/\ninstr.local.yaml\n',
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8', env: environment({ GIT_CONFIG_GLOBAL: '/dev/null' }) });
  git('init', '-q');
  assert.is(prs(folder, ['compile']).status, 0);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  if (local !== undefined) write(folder, 'instr.local.yaml', local);
  const run = (...args: string[]) => {
    const { status, stdout } = prs(folder, [...args, '--json']);
    return { status, ...(JSON.parse(stdout) as Report) };
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const has = (path: string) => existsSync(join(folder, path));
  return { folder, git, run, read, has };
}

needing(tests, 'git')('additional targets get files that Git ignores, and all other files stay unchanged', () => {
  const { git, run, read, has, folder } = repository('claude', 'targets: [cursor, codex]\n');
  const before = read('.instr/manifest.json');
  const { status, files } = run('compile');
  assert.is(status, 0);
  assert.equal(files.filter(({ state }) => state === 'new').map(({ path }) => path).sort(), ['.agents/skills/release/SKILL.md', '.codex/config.toml', '.cursor/mcp.json', '.cursor/rules/project.mdc', '.cursor/skills/release/SKILL.md', 'AGENTS.md']);
  assert.match(read('AGENTS.md'), 'You work on a shop.');
  assert.is(git('status', '--porcelain'), '');
  assert.is(read('.instr/manifest.json'), before);
  assert.match(read('.git/info/exclude'), '/AGENTS.md\n');
  assert.is(run('compile', '--check').status, 0);
  assert.equal([...new Set(run('diff', '--all').files.map(({ state }) => state))], ['unchanged']);

  rmSync(join(folder, 'instr.local.yaml'));
  run('compile');
  assert.not.ok(has('AGENTS.md'));
  assert.not.match(read('.git/info/exclude'), 'AGENTS.md');
  assert.is(prs(folder, ['undo']).status, 0);
  assert.ok(has('AGENTS.md'));
});

needing(tests, 'git')('unhides a file that becomes a file of the project', () => {
  const { git, run, folder, read } = repository('claude', 'targets: [codex]\n');
  run('compile');
  rmSync(join(folder, 'instr.local.yaml'));
  write(folder, 'instr.yaml', config('claude, codex'));
  assert.is(run('compile').status, 0);
  assert.match(git('status', '--porcelain'), '?? AGENTS.md');
  assert.match(read('.instr/manifest.json'), '"AGENTS.md"');
});

needing(tests, 'git')('leaves a tracked file alone even if no target of the project writes it', () => {
  const { git, run, read, folder } = repository('claude');
  write(folder, '.cursor/mcp.json', '{ "mcpServers": {} }\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'by hand');
  write(folder, 'instr.local.yaml', 'targets: [{ cursor: { version: full } }]\nmcpServers: { notes: { command: notes } }\n');
  const { diagnostics } = run('compile');
  assert.is(read('.cursor/mcp.json'), '{ "mcpServers": {} }\n');
  assert.match(diagnostics.find(({ code }) => code === 'PRS3041')!.message, '.cursor/mcp.json');
  assert.is(git('status', '--porcelain'), '');
});

needing(tests, 'git')('writes local servers to local files, and reports where that is impossible', () => {
  const { run, read, git } = repository('{ claude: { version: full } }', 'targets: [codex]\nmcpServers:\n  notes: { command: npx, args: [notes-server], env: { NOTES_TOKEN: "${NOTES_TOKEN}" } }\n');
  const { diagnostics } = run('compile');
  const found = diagnostics.filter(({ code }) => code === 'PRS3041');
  assert.equal(found.map(({ file, line }) => [file, line]), [['instr.local.yaml', 2]]);
  assert.match(found[0]!.message, 'change .mcp.json:');
  assert.match(read('.codex/config.toml'), 'notes-server');
  assert.match(read('.codex/config.toml'), 'issues');
  assert.not.match(read('.mcp.json'), 'notes');
  assert.is(git('status', '--porcelain'), '');
});

needing(tests, 'git')('disabled items are left out of local files, or disabled in the settings of a tool if it supports that', () => {
  const { run, read, has, git } = repository('{ claude: { version: full } }', 'targets: [codex]\ndisabled: { servers: [issues], skills: [release, relase] }\n');
  const { diagnostics } = run('compile');
  assert.not.ok(has('.codex/config.toml'));
  assert.not.ok(has('.agents/skills/release'));
  assert.equal(JSON.parse(read('.claude/settings.local.json')), { disabledMcpjsonServers: ['issues'] });
  assert.match(read('.mcp.json'), 'issues');
  assert.equal(diagnostics.filter(({ code }) => code === 'PRS3040').map(({ message }) => message), ['The project has no skill called "relase".']);
  // The tool can disable the server in its settings, but not the skill.
  assert.match(diagnostics.find(({ code }) => code === 'PRS3041')!.message, 'change .claude/skills/release/SKILL.md:');
  assert.is(git('status', '--porcelain'), '');
});

tests('reports errors at their location and writes nothing', () => {
  const wrong = (local: string) => {
    const folder = project({ 'instr.yaml': config('claude'), '.instr/project.prs': source, 'instr.local.yaml': local });
    const { status, stdout } = prs(folder, ['compile', '--json']);
    assert.not.ok(existsSync(join(folder, 'CLAUDE.md')), local);
    const { diagnostics } = JSON.parse(stdout) as Report;
    return [status, ...diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)];
  };
  assert.equal(wrong('tagets: [codex]\n'), [2, 'instr.local.yaml:1 PRS3007']);
  assert.equal(wrong('targets: [codecs]\n').slice(1), ['instr.local.yaml:1 PRS6001']);
  assert.equal(wrong('targets: [{ codex: { verson: full } }]\n').slice(1), ['instr.local.yaml:1 PRS7012']);
  assert.equal(wrong('targets:\n  - codex\n  - codex\n').slice(1), ['instr.local.yaml:3 PRS3013']);
  assert.equal(wrong('mcpServers: { notes: { url: 3 } }\n'), [1, 'instr.local.yaml:1 PRS3041', 'instr.local.yaml:1 PRS4032']);
  assert.equal(wrong('[').slice(0, 1), [2]);
});

tests('init adds the file to .gitignore', () => {
  const folder = project({});
  const { stderr } = prs(folder, ['init', '--yes', '--name', 'shop', '--targets', 'claude']);
  assert.match(readFileSync(join(folder, '.gitignore'), 'utf8'), '\ninstr.local.yaml\n');
  assert.match(stderr, 'instr.local.yaml');
});

tests.run();
