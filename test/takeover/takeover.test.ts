/** The documented takeover procedure, step by step, with the built program in a git repository. */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prs, type Result, read } from '../cli/prs.ts';
import { git, hashesBelow, repository, seen } from './repository.ts';

interface Report {
  readonly ok: boolean;
  readonly exitCode: number;
  readonly files: { path: string; state: string; mode: string; reason?: string; hunks?: string; targets: string[] }[];
  readonly omissions: { target: string; source: string; advice: string }[];
  readonly diagnostics: { code: string; severity: string; file?: string; hint?: string }[];
}

const test = suite('takeover');
const targets = ['claude', 'cursor', 'codex', 'github', 'zed', 'gemini'];

const json = (folder: string, ...args: string[]) => JSON.parse(prs(folder, [...args, '--json']).stdout) as Report;

/** Files of the user at paths that a target would write. */
const inTheWay = [
  '.cursor/rules/api.mdc',
  '.github/copilot-instructions.md',
  '.rules',
  'AGENTS.md',
  'CLAUDE.local.md',
  'CLAUDE.md',
  'GEMINI.md',
];

/** Files of the user in which the compiler owns only some keys. */
const shared = ['.claude/settings.json', '.codex/config.toml', '.gemini/settings.json', '.mcp.json', '.vscode/mcp.json', '.zed/settings.json'];

test('rules 1 to 5, in order', () => {
  const folder = repository();
  const before = seen(folder);
  const status = git(folder, 'status', '--short', '--ignored');
  const untouched = (step: string) => {
    assert.equal(seen(folder), before, `${step} writes nothing`);
    assert.is(git(folder, 'status', '--short', '--ignored'), status, `${step} changes nothing that git sees`);
  };
  const run = (...args: string[]): Result => prs(folder, args);

  // Without the procedure nothing is changed.
  const plain = run('compile');
  assert.is(plain.status, 1);
  assert.match(plain.stdout, /^Nothing written: .*\b7 conflict/m);
  untouched('compile');

  // 2a. The plan: every file with state and mode, every conflict with its reason, every omission.
  const dry = run('compile', '--dry-run');
  assert.is(dry.status, 1);
  untouched('compile --dry-run');
  const plan = json(folder, 'compile', '--dry-run');
  assert.equal(plan.files.filter(({ state }) => state === 'conflict').map(({ path }) => path), inTheWay);
  for (const { path, state, mode, reason, targets } of plan.files) {
    const lines = dry.stdout.split('\n');
    const at = lines.findIndex(line => line.startsWith(`${state.padEnd(9)}  ${mode}  ${path}  (`));
    assert.ok(lines[at]?.includes(`(${targets.join(', ')})`), `${path} with state, mode and targets`);
    if (state === 'conflict') assert.ok(reason && lines[at + 1]!.trim() === reason, `${path} with its reason`);
    if (state === 'new') assert.not.ok(before.has(path), path);
    else assert.ok(before.has(path), path);
  }
  assert.is(plan.files.find(({ path }) => path === 'AGENTS.md')!.mode, '0600');
  assert.ok(plan.omissions.length > 0);
  for (const { target, source, advice } of plan.omissions) {
    assert.match(dry.stdout, `Left out for ${target} `);
    assert.ok(dry.stdout.includes(`  ${source}: `) && dry.stdout.includes(`    ${advice}\n`), source);
  }
  assert.match(dry.stderr, `error PRS8001: ${inTheWay.length} files are in the way: `);
  for (const path of inTheWay) assert.match(dry.stderr, new RegExp(`^    ${path.replace(/\./g, '\\.')}  from line \\d+ on`, 'm'), path);
  assert.match(dry.stderr, 'Do not delete them first', 'rule 3');

  // 2b. The complete differences: removed and added lines.
  const diff = run('diff', '--all', '--full');
  assert.is(diff.status, 0);
  untouched('diff');
  for (const path of [...inTheWay, ...shared]) assert.ok(diff.stdout.includes(`--- a/${path}\n+++ b/${path}\n`), path);
  for (const line of ['-# My own instructions', '-Nobody committed this.', '-# Ignored, but mine', '-Changed since.'])
    assert.ok(diff.stdout.includes(`\n${line}\n`), line);
  assert.not.match(diff.stdout, 'more lines; --full');
  for (const { path, hunks } of json(folder, 'diff', '--all', '--full').files)
    if (inTheWay.includes(path)) assert.match(hunks!, '@@');

  // 2c. Sources and configuration are valid.
  assert.is(run('validate', '--strict').status, 1, 'a discontinued target is a warning');
  const settings = read(folder, 'instr.yaml');
  execSync(`sed -i 's/, gemini//' instr.yaml`, { cwd: folder });
  assert.is(run('validate', '--strict').status, 0);
  execSync(`sed -i 's/zed]/zed, gemini]/' instr.yaml`, { cwd: folder });
  assert.is(read(folder, 'instr.yaml'), settings);
  untouched('validate');

  // 2d. The takeover. Content that the last commit lacks is copied, outside of all output paths.
  const forced = run('compile', '--force');
  assert.is(forced.status, 0, forced.stderr);
  const backups = join(folder, '.instr/.state/backups');
  const kept = [...hashesBelow(backups)].sort();
  const expected = inTheWay.filter(path => path !== 'CLAUDE.md').map(path => before.get(path)!.sha256);
  assert.equal(kept, expected.sort(), 'copies of exactly what git does not have');
  for (const { path } of plan.files) assert.not.ok(path.startsWith('.instr/'), path);
  assert.is(git(folder, 'status', '--short', '.instr/.state'), '', 'git does not list the copies');

  // The report says where the content of each file is, and the printed command restores it.
  for (const path of inTheWay) {
    const hint = new RegExp(`^    ${path.replace(/\./g, '\\.')}  (.*)$`, 'm');
    const restore = hint.exec(forced.stderr)?.[1];
    assert.ok(restore, path);
    const ours = readFileSync(join(folder, path));
    execSync(restore, { cwd: folder, stdio: 'ignore' });
    assert.is(seen(folder).get(path)!.sha256, before.get(path)!.sha256, restore);
    execSync(`cat > '${path}'`, { cwd: folder, input: ours });
  }
  git(folder, 'reset', '-q');
  git(folder, 'add', '.rules');

  // Modes set by users are kept. Files that are not planned are unchanged.
  const after = seen(folder);
  assert.is(after.get('AGENTS.md')!.mode, '600');
  const planned = new Set([...plan.files.map(({ path }) => path), '.instr/manifest.json']);
  for (const [path, file] of before) if (!planned.has(path)) assert.equal(after.get(path), file, path);
  for (const path of ['.cursor/rules/hand.mdc', '.claude/skills/mine/SKILL.md']) assert.ok(before.has(path) && !planned.has(path));

  // Shared files keep every line of the user.
  for (const path of shared) {
    const text = read(folder, path);
    assert.match(text, path.endsWith('settings.json') && path.startsWith('.claude') ? 'say done' : 'mine');
    assert.ok(text.includes('docs-server') || path === '.claude/settings.json', path);
  }
  for (const line of ['// my settings', '"command": "say done" } ] }', '// keep', '"permissions": { "allow": ["Bash(ls)"], },'])
    assert.ok(read(folder, '.claude/settings.json').includes(line), line);
  for (const line of ['# mine\n', 'model = "o3"   # keep\n', '[mcp_servers.mine]\ncommand = "x"\n'])
    assert.ok(read(folder, '.codex/config.toml').includes(line), line);
  assert.ok(read(folder, '.mcp.json').includes('        "mine": { "command":"x" , "env": {"A":"b"} }'));
  assert.match(read(folder, '.vscode/mcp.json'), /\t"servers": \{ "mine": \{ "type": "http", "url": "https:\/\/example\.org\/mcp" \},/);
  assert.not.match(read(folder, '.vscode/mcp.json'), /[^\r]\n/, 'line ends are kept');
  assert.match(read(folder, '.zed/settings.json'), '  "theme": "One Dark", // by hand\n');

  // 2e. Compared with version control. Then no difference is reported.
  assert.match(git(folder, 'diff', '--stat'), 'CLAUDE.md');
  const same = run('diff', '--all', '--full', '--exit-code');
  assert.is(same.status, 0);
  assert.match(same.stdout, /^No differences: \d+ files for /);
  assert.is(run('compile', '--check').status, 0);
  const manifest = statSync(join(folder, '.instr/manifest.json')).mtimeMs;
  assert.is(run('compile').status, 0);
  assert.is(statSync(join(folder, '.instr/manifest.json')).mtimeMs, manifest, 'an unchanged file is not written');

  // 4. Tracked, so that continuous integration detects a change of the source or of a generated file.
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'generated');
  assert.is(git(folder, 'status', '--short'), '');
  assert.is(run('compile', '--check').status, 0);
  execSync('echo edited >> CLAUDE.md', { cwd: folder });
  assert.is(run('compile', '--check').status, 1);
  git(folder, 'checkout', '-q', '--', 'CLAUDE.md');

  // Undo restores every byte and every mode.
  const undo = run('undo');
  assert.is(undo.status, 0, undo.stderr);
  assert.equal(seen(folder), before);
  for (const path of kept) assert.ok(hashesBelow(backups).has(path), 'copies are kept');
});

test('rule 4, the alternative: generated files ignored, with working copies kept', () => {
  const folder = repository();
  assert.is(prs(folder, ['compile', '--force']).status, 0);
  const paths = json(folder, 'compile').files.map(({ path }) => path);
  const generated = paths.filter(path => !shared.includes(path));
  git(folder, 'rm', '-q', '-r', '-f', '--cached', '--ignore-unmatch', ...generated);
  execSync('cat >> .gitignore', { cwd: folder, input: `${generated.map(path => `/${path}`).join('\n')}\n` });
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'generated files are ignored');
  for (const path of generated) assert.ok(existsSync(join(folder, path)), path);
  assert.is(prs(folder, ['compile', '--check']).status, 0);

  // Another clone has the ownership record but no generated files. They are generated again.
  const other = `${folder}-clone`;
  git(folder, 'clone', '-q', '.', other);
  const { status, stdout, stderr } = prs(other, ['compile']);
  assert.is(status, 0, stderr);
  assert.match(stdout, 'new');
  for (const path of generated) assert.is(read(other, path), read(folder, path), path);
  execSync(`rm -r ${other}`);
});

test('rule 1 in a folder without version control: everything is copied', () => {
  const folder = repository();
  const before = seen(folder);
  execSync('rm -r .git', { cwd: folder });
  const { status, stderr } = prs(folder, ['compile', '--force']);
  assert.is(status, 0, stderr);
  const kept = hashesBelow(join(folder, '.instr/.state/backups'));
  for (const path of inTheWay) assert.ok(kept.has(before.get(path)!.sha256), path);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.equal(seen(folder), before);
});

test('output.overwrite takes over like --force, with copies', () => {
  const folder = repository();
  const before = seen(folder);
  execSync('echo "output: { overwrite: true }" >> instr.yaml', { cwd: folder });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  const kept = hashesBelow(join(folder, '.instr/.state/backups'));
  for (const path of inTheWay) assert.ok(kept.has(before.get(path)!.sha256) || path === 'CLAUDE.md', path);
});

test('disabling all targets removes all generated content and keeps all content of the user', () => {
  const folder = repository();
  const before = seen(folder);
  assert.is(prs(folder, ['compile', '--force']).status, 0);
  const settings = read(folder, 'instr.yaml');
  const off = targets.map(id => `{ ${id}: { enabled: false } }`).join(', ');
  execSync('cat > instr.yaml', { cwd: folder, input: settings.replace(/targets: .*/, `targets: [${off}]`) });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  const after = seen(folder);
  for (const [path, file] of before) {
    if (path === 'instr.yaml' || inTheWay.includes(path)) continue;
    assert.equal(after.get(path), file, `${path} is as it was before the takeover`);
  }
  assert.equal([...after.keys()].filter(path => !before.has(path)), [], 'no orphan');
  assert.equal(inTheWay.filter(path => after.has(path)), [], 'files that were taken over are owned, so they are removed');
  for (const folderOfOurs of ['.agents', '.claude/rules', '.claude/commands', '.cursor/commands', '.github/skills'])
    assert.not.ok(existsSync(join(folder, folderOfOurs)), folderOfOurs);
});

test.run();
