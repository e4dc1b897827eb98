/** Output streams: results on stdout, everything else on stderr, one object with --json, and the exit codes. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, minimal, program, project, prs, read, tree, write } from './prs.ts';

const schema = JSON.parse(readFileSync(fileURLToPath(new URL('../../schema/report.schema.json', import.meta.url)), 'utf8'));
const validate = new Ajv({ allErrors: true }).compile(schema);

function json(folder: string, args: readonly string[]) {
  const { status, stdout, stderr } = prs(folder, [...args, '--json']);
  assert.is(stderr, '', `${args.join(' ')}: stderr`);
  const report = JSON.parse(stdout);
  assert.ok(validate(JSON.parse(stdout)), `${args.join(' ')}: ${JSON.stringify(validate.errors)}`);
  assert.is(report.command, args[0]);
  assert.is(report.exitCode, status);
  assert.is(report.ok, status === 0);
  return report;
}

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code);

const tests = suite('outcome');

tests('every command prints one object that matches the published schema', () => {
  const folder = project(minimal);
  const compiled = json(folder, ['compile']);
  assert.ok(compiled.files.length > 1);
  assert.ok(compiled.files.every((file: { state: string }) => file.state === 'new'));
  assert.ok(json(folder, ['compile']).files.every((file: { state: string }) => file.state === 'unchanged'));
  assert.is(json(folder, ['compile', '--check']).exitCode, 0);
  assert.equal(json(folder, ['validate', '--strict']).diagnostics, []);
  json(folder, ['diff', '--all']);
  assert.ok(json(folder, ['targets']).targets.length > 9);
  assert.is(json(folder, ['targets', 'claude']).targets[0].id, 'claude');
  assert.ok(json(folder, ['explain', '--rules']).rules.length > 9);
  assert.is(json(folder, ['explain', 'PRS1001']).page.code, 'PRS1001');
  const { entries } = json(folder, ['explain', 'standards.code[0]']);
  assert.is(entries[0].value, 'Small functions');
  assert.is(entries[0].file, '.instr/project.prs');
  assert.is(entries[0].line, 5);
  json(folder, ['lock']);
  json(folder, ['update']);
  json(folder, ['undo']);
  json(folder, ['init', '--yes', '--dry-run', '--force']);
  json(project({}), ['init', '--yes']);
});

tests('explain lists every declaration that affects a value, in order', () => {
  const folder = project({
    ...minimal,
    '.instr/project.prs': '@meta { id: "x" syntax: "1.5.0" }\n@inherit ./base\n@extend standards.code { - "Third" }\n@override context.name { "new" }\n',
    '.instr/base.prs': '@meta { id: "b" syntax: "1.5.0" }\n@standards { code: ["First", "Second"] }\n@context { name: "old" }\n',
  });
  const { entries } = json(folder, ['explain', 'context.name']);
  const places = entries.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`);
  assert.equal(places, ['.instr/base.prs:3', '.instr/project.prs:4']);
  assert.is(entries[0].value, 'new');
  assert.match(prs(folder, ['explain', 'standards.code']).stdout, /base\.prs:2[\s\S]*project\.prs:3/);
});

tests('compile prints the summary on stdout and findings on stderr', () => {
  const folder = project({ ...minimal, '.instr/project.prs': `${minimal['.instr/project.prs']}@contxt { a: "b" }\n` });
  const { status, stdout, stderr } = prs(folder, ['compile']);
  assert.is(status, 0);
  assert.match(stdout, /^\d+ files \(\d+ new\) · 2 targets · \d+ ms$/m);
  assert.match(stderr, /contxt/);
  assert.not.match(stdout, /contxt/);
  const quiet = prs(folder, ['compile', '--quiet']);
  assert.equal([quiet.stdout, quiet.stderr], ['', '']);
});

tests('--check reports whether anything would change, and writes nothing', () => {
  const folder = project(minimal);
  const before = tree(folder);
  assert.is(prs(folder, ['compile', '--check']).status, 1);
  assert.equal(tree(folder), before);
  prs(folder, ['compile']);
  assert.is(prs(folder, ['compile', '--check']).status, 0);
  write(folder, 'CLAUDE.md', 'edited\n');
  assert.is(prs(folder, ['compile', '--check']).status, 1);
});

tests('--dry-run lists omissions, and files with state, mode and reason', () => {
  const folder = project({ ...minimal, 'CLAUDE.md': 'mine\n' });
  const { status, stdout, stderr } = prs(folder, ['compile', '--dry-run']);
  assert.is(status, 1);
  assert.match(stdout, /^conflict +0644 +CLAUDE\.md +\(claude\)\n {17}\S/m);
  assert.match(stdout, /^new +0644 +AGENTS\.md +\(codex\)$/m);
  assert.match(stderr, /CLAUDE\.md/);
  assert.equal(tree(folder).filter(path => !path.startsWith('.instr/.state')), [...tree(project({ ...minimal, 'CLAUDE.md': '' }))]);
});

tests('diff shows hunks, and exits with 1 only with --exit-code', () => {
  const folder = project(minimal);
  prs(folder, ['compile']);
  assert.match(prs(folder, ['diff', '--all', '--full']).stdout, /^No differences/);
  write(folder, '.instr/project.prs', (minimal['.instr/project.prs'] as string).replace('Small', 'Tiny'));
  const { status, stdout } = prs(folder, ['diff']);
  assert.is(status, 0);
  assert.match(stdout, /^--- a\/CLAUDE\.md$/m);
  assert.match(stdout, /^-.*Small functions$/m);
  assert.match(stdout, /^\+.*Tiny functions$/m);
  assert.not.match(stdout, /AGENTS\.md/);
  assert.match(prs(folder, ['diff', '--all']).stdout, /AGENTS\.md/);
  assert.match(prs(folder, ['diff', '--target', 't11']).stdout, /AGENTS\.md/);
  assert.is(prs(folder, ['diff', '--exit-code']).status, 1);
  assert.not.match(stdout, /\x1b/);
  assert.match(prs(folder, ['diff', '--color']).stdout, /\x1b\[32m/);
  const colorless = prs(folder, ['diff'], { FORCE_COLOR: '1', NO_COLOR: '1' });
  assert.not.match(colorless.stdout, /\x1b/);
});

tests('diff shows a conflicting file as a difference, not as an error', () => {
  const folder = project({ ...minimal, 'CLAUDE.md': 'mine\n' });
  const { status, stdout } = prs(folder, ['diff', '--target', 'claude']);
  assert.is(status, 0);
  assert.match(stdout, /^-mine$/m);
});

tests('--target does not change the files of other targets', () => {
  const folder = project(minimal);
  prs(folder, ['compile']);
  write(folder, '.instr/project.prs', (minimal['.instr/project.prs'] as string).replace('Small', 'Tiny'));
  assert.is(prs(folder, ['compile', '--target', 't02']).status, 0);
  assert.match(read(folder, 'CLAUDE.md'), /Tiny/);
  assert.match(read(folder, 'AGENTS.md'), /Small/);
});

tests('builds write to their own directories and do not change other files', () => {
  const folder = project({
    ...minimal,
    'instr.yaml': `${minimal['instr.yaml']}builds:\n  backend: { entry: .instr/backend.prs, output: services/backend, targets: [codex] }\n`,
    '.instr/backend.prs': '@meta { id: "b" syntax: "1.5.0" }\n@standards { code: ["Backend rule"] }\n',
  });
  assert.is(prs(folder, ['compile']).status, 0);
  assert.not.ok(tree(folder).includes('services/backend/AGENTS.md'));
  const built = prs(folder, ['compile', '--build', 'backend']);
  assert.is(built.status, 0, built.stderr);
  assert.match(read(folder, 'services/backend/AGENTS.md'), /Backend rule/);
  assert.match(read(folder, 'AGENTS.md'), /Small functions/);
  assert.ok(json(folder, ['compile', '--all-builds']).files.every((file: { build?: string }) => file.build === 'backend'));
  assert.is(prs(folder, ['compile', '--check']).status, 0);
  assert.is(prs(folder, ['compile', '--check', '--all-builds']).status, 0);
});

tests('warnings fail only with --strict', () => {
  const folder = project({ ...minimal, '.instr/project.prs': `${minimal['.instr/project.prs']}@contxt { a: "b" }\n` });
  assert.is(prs(folder, ['validate']).status, 0);
  assert.is(prs(folder, ['validate', '--strict']).status, 1);
  assert.match(prs(folder, ['validate', '--strict', '--quiet']).stderr, /contxt/);
});

tests('validates single files', () => {
  const folder = project({ ...minimal, '.instr/other.prs': '@meta { id: "o" syntax: "1.5.0" }\n@context { broken\n' });
  assert.is(prs(folder, ['validate']).status, 0);
  assert.is(prs(folder, ['validate', '.instr/other.prs']).status, 1);
  assert.is(prs(folder, ['validate', '.instr/project.prs']).status, 0);
  assert.is(prs(folder, ['validate', '.instr/none.prs']).status, 1);
});

tests('prints annotations for GitHub', () => {
  const folder = project({ ...minimal, '.instr/project.prs': `${minimal['.instr/project.prs']}@contxt { a: "b" }\n` });
  const explicit = prs(folder, ['validate', '--format', 'github']);
  assert.match(explicit.stderr, /^::warning file=\.instr\/project\.prs,line=6/m);
  const onGitHub = prs(folder, ['validate'], { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder });
  assert.match(onGitHub.stderr, /^::warning file=\.instr\/project\.prs,/m);
  assert.match(onGitHub.stderr, /contxt.*\n/);
});

tests('a closed output pipe is not a failure', () => {
  const folder = project(minimal);
  const run = spawnSync('bash', ['-c', `"${process.execPath}" "${program}" targets | head -n 1; echo "\${PIPESTATUS[0]}"`], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  });
  assert.match(run.stdout, /\n0\n$/);
  assert.is(run.stderr, '');
});

tests('undo reverts the last run', () => {
  const folder = project(minimal);
  prs(folder, ['compile']);
  const { status, stdout, stderr } = prs(folder, ['undo']);
  assert.is(status, 0, stderr);
  assert.match(stdout, /Took back/);
  assert.not.ok(tree(folder).includes('CLAUDE.md'));
  assert.is(prs(folder, ['undo']).status, 1);
});

tests('finds a project from a subfolder, and by --cwd and --config', () => {
  const folder = project({ ...minimal, 'src/deep/file.txt': '' });
  assert.is(prs(`${folder}/src/deep`, ['compile', '--dry-run']).status, 0);
  assert.is(prs('/', ['compile', '--dry-run', '--cwd', folder]).status, 0);
  assert.is(prs('/', ['compile', '--dry-run', '--config', `${folder}/instr.yaml`]).status, 0);
});

tests('warns about private notes that Git does not ignore', () => {
  const local = `${minimal['.instr/project.prs']}@local { "my notes" }\n`;
  const folder = project({ ...minimal, '.instr/project.prs': local });
  const warned = () => codes(json(folder, ['compile', '--dry-run'])).includes('PRS8101');
  assert.not(warned(), 'there is no Git repository');
  spawnSync('git', ['init', '--quiet'], { cwd: folder });
  assert.ok(warned());
  assert.match(prs(folder, ['compile', '--dry-run']).stderr, /CLAUDE\.local\.md/);
  const fixes = () => json(folder, ['compile', '--dry-run']).diagnostics.flatMap((one: { fixes?: unknown }) => one.fixes ?? []);
  assert.equal(fixes(), [], 'there is no file to add a line to');
  write(folder, '.gitignore', 'node_modules');
  const at = { file: '.gitignore', line: 1, column: 13, endLine: 1, endColumn: 13 };
  assert.equal(fixes(), [
    { title: 'Add `CLAUDE.local.md` to .gitignore', edits: [{ ...at, text: '\nCLAUDE.local.md\n' }] },
  ]);
  write(folder, '.gitignore', '*.local.md\n');
  assert.not(warned(), 'Git ignores it');
});

tests('warns about credentials sent over plain http, with a fix for the address in the configuration', () => {
  const auth = { type: 'token', tokenEnvVar: 'HOME' };
  for (const registry of [
    { url: 'http://registry.example.invalid', auth: { ...auth, type: 'bearer' } },
    { git: { url: 'http://git.example.invalid/a.git', auth } },
  ]) {
    const text = `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nregistry: ${JSON.stringify(registry)}\n`;
    const entry = '@meta { id: "x" syntax: "1.5.0" }\n@inherit @acme/base\n';
    const { diagnostics } = json(project({ 'instr.yaml': text, '.instr/project.prs': entry }), ['validate']);
    const { fixes } = diagnostics.find(({ code }: { code: string }) => code === 'PRS9012');
    const column = text.split('\n')[3]!.indexOf('http://') + 1;
    const place = { file: 'instr.yaml', line: 4, column, endLine: 4, endColumn: column + 'http://'.length };
    assert.equal(fixes, [{ title: 'Use https', edits: [{ ...place, text: 'https://' }] }]);
  }
});

tests('distinguishes a reference without ./ from a registry reference', () => {
  const entry = '@meta { id: "x" syntax: "1.5.0" }\n@use fragments/standards\n@use @acme/base\n';
  const { stderr, status } = prs(project({ ...minimal, '.instr/project.prs': entry }), ['validate']);
  assert.is(status, 1);
  assert.match(stderr, /Write `\.\/fragments\/standards`/);
  assert.match(stderr, /No registry is configured for `@acme\/base`/);
});

tests('accepts targets of the project and severities of rules', () => {
  const folder = project({
    ...minimal,
    'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [our-tool]\nvalidation: { rules: { unknown-block: error } }\n',
    '.instr/targets/our-tool.yaml':
      'id: our-tool\ntitle: Our tool\nhomepage: https://example.com\nevidence: [{ url: "https://example.com", checked: "2026-01-01" }]\nversions: { simple: One file. }\ndefaultVersion: simple\nfiles:\n  instructions: { kind: document, of: instructions, path: OURS.md }\n',
  });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  assert.match(read(folder, 'OURS.md'), /Small functions/);
  write(folder, '.instr/project.prs', `${minimal['.instr/project.prs']}@contxt { a: "b" }\n`);
  assert.is(prs(folder, ['compile']).status, 1);
});

tests('formats generated Markdown if configured', () => {
  const long = 'A rule that goes on and on, so that it is certainly longer than sixty characters in one line.';
  const entry = `@meta { id: "x" syntax: "1.5.0" }\n@standards { code: ["${long}"] }\n`;
  const config = `${minimal['instr.yaml']}formatting: { proseWrap: always, printWidth: 60 }\n`;
  const folder = project({ 'instr.yaml': config, '.instr/project.prs': entry });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  for (const line of read(folder, 'CLAUDE.md').split('\n')) assert.ok(line.length <= 60, line);
  write(folder, 'instr.yaml', `${minimal['instr.yaml']}formatting: { formatter: ./none.json }\n`);
  assert.match(prs(folder, ['compile']).stderr, /formatter could not be used/);
});

tests('reports the copy of a replaced file by default, but not with --quiet', () => {
  const foreign = () => project({ ...minimal, 'CLAUDE.md': '# Mine\n' });
  assert.match(prs(foreign(), ['compile', '--force']).stderr, /info PRS8\d+: .*CLAUDE\.md/);
  assert.is(prs(foreign(), ['compile', '--force', '--quiet']).stderr, '');
});

tests('writes the complete output to a slow reader', () => {
  const guards = Array.from({ length: 800 }, (_, at) => `g${at}: { applyTo: ["a${at}/**"] content: "x" }`).join(' ');
  const source = `@meta { id: "x" syntax: "1.5.0" }\n@guards { ${guards} }\n`;
  const folder = project({ ...minimal, '.instr/project.prs': source });
  const words = `"${process.execPath}" "${program}" compile --dry-run --json`;
  const { stdout } = spawnSync('sh', ['-c', `${words} | (sleep 0.5; cat)`], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.ok(stdout.length > 2 ** 16, 'the output must exceed the pipe buffer');
  assert.is(JSON.parse(stdout).command, 'compile');
});

tests.run();
