/** The presentation of findings and results: content, limits, and independence of line endings. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { table } from '../../src/cli/report/table.ts';
import { wrapLines } from '../../src/text/wrap.ts';
import { type Files, minimal, project, prs, read, tree, write } from './prs.ts';

const schema = JSON.parse(readFileSync(fileURLToPath(new URL('../../schema/report.schema.json', import.meta.url)), 'utf8'));
const validate = new Ajv({ allErrors: true }).compile(schema);

const config = minimal['instr.yaml'] as string;
const entry = minimal['.instr/project.prs'] as string;
const withEntry = (more: string): Files => ({ ...minimal, '.instr/project.prs': entry + more });

const tests = suite('presentation');

tests('import, migrate and upgrade print reports that match the published schema', () => {
  const older = entry.replace('syntax: "1.5.0"', 'syntax: "1.0.0"');
  const folder = project({ 'instr.yaml': config, '.instr/project.prs': older, 'CLAUDE.md': '# Mine\n\n## Style\n\n- Use tabs.\n' });
  const report = (...args: string[]) => {
    const { status, stdout, stderr } = prs(folder, [...args, '--json']);
    assert.is(status, 0, stdout);
    assert.is(stderr, '');
    // Parsed again, because the validator would narrow the type to one without members.
    assert.ok(validate(JSON.parse(stdout)), `${args.join(' ')}: ${JSON.stringify(validate.errors)}`);
    return JSON.parse(stdout);
  };
  const before = tree(folder);
  assert.match(report('import', 'CLAUDE.md', '--dry-run').source, /Use tabs/);
  assert.is(report('migrate', '--static', '--dry-run').imports[0].file, 'CLAUDE.md');
  assert.match(report('migrate', '--llm').prompt, /Use tabs/);
  assert.is(report('upgrade', '--dry-run').files[0].path, '.instr/project.prs');
  assert.equal(tree(folder), before);
  assert.is(report('import', 'CLAUDE.md').output, tree(folder).find(path => /imported/.test(path)));
  report('migrate', '--static');
  report('upgrade');
  assert.is(report('explain', 'standards.code').entries[0].operation, 'declare');
});

tests('with --target, hides advice about other targets and shows their errors', () => {
  const folder = project({ ...minimal, 'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [claude, windsurf, roo]\n' });
  const codes = (...args: string[]) =>
    JSON.parse(prs(folder, ['compile', '--dry-run', '--json', ...args]).stdout).diagnostics.map(({ target }: { target?: string }) => target);
  assert.ok(codes().includes('windsurf'));
  assert.equal(codes('--target', 'claude'), []);
  assert.ok(codes('--target', 'roo').every((target: string) => target === 'roo'));
  assert.ok(codes('--target', 'roo').length > 0);
  write(folder, 'instr.yaml', 'id: x\nsyntax: "1.5.0"\ntargets: [claude, windsurf: { version: none }]\n');
  assert.ok(codes('--target', 'claude').includes('windsurf'));
});

const meant: readonly (readonly [args: readonly string[], files: Files, suggestion: string])[] = [
  [['comple'], {}, '`prs compile`'],
  [['compile', '--targt'], {}, '`--target`'],
  [['targets', 'claud'], {}, '`claude`'],
  [['init', '--yes', '--targets', 'codx'], {}, '`codex`'],
  [['compile', '--target', 'claud'], minimal, '`claude`'],
  [['compile', '--build', 'dcos'], { ...minimal, 'instr.yaml': `${config}builds: { docs: { output: docs } }\n` }, '`docs`'],
  [['import', 'a.md', '--format', 'claud'], { ...minimal, 'a.md': 'a\n' }, '`claude`'],
  [['validate'], { ...minimal, 'instr.yaml': config.replace('codex', 'codx') }, '`codex`'],
  [['validate'], { ...minimal, 'instr.yaml': `${config}validation: { rules: { emty-block: off } }\n` }, '`empty-block`'],
  [['validate'], { ...minimal, 'instr.yaml': `${config}validaton: {}\n` }, '`validation`'],
  [['validate'], withEntry('@contxt { a: "b" }\n'), '`@context`'],
  [['explain', 'emty-block'], {}, '`empty-block`'],
  [['explain', 'unexpected-tokn'], {}, '`unexpected-token`'],
  [['explain', 'standrads.code'], minimal, '`standards.code`'],
  [['explain', 'standards.coed[0]'], minimal, '`standards.code[0]`'],
  [['completion', 'fihs'], {}, '`fish`'],
];

for (const [args, files, suggestion] of meant) {
  tests(`suggests ${suggestion}: ${args.join(' ')}`, () => {
    const { stderr } = prs(project(files), args);
    assert.match(stderr, new RegExp(`Did you mean ${suggestion.replace(/[[\].]/g, '\\$&')}\\?`));
  });
}

tests('shows at most fifty findings, errors first, and counts the rest', () => {
  const warnings = Array.from({ length: 60 }, (_, at) => `@unknown${at} { a: "b" }\n`).join('');
  const { stderr } = prs(project(withEntry(`${warnings}@use ./none\n`)), ['validate']);
  assert.is(stderr.match(/^\S.*(?:error|warning) PRS/gm)!.length, 50);
  assert.match(stderr, /error PRS2001/);
  assert.match(stderr, /and 11 more warnings\./);
});

tests('the summary has files by state, targets, omissions and time, below the budgets', () => {
  const folder = project(withEntry('@local { "mine" }\n'));
  const { stdout } = prs(folder, ['compile']);
  assert.match(stdout, /^Always loaded by the tools:\n {2}claude +\d+ characters +about \d+ tokens\n {2}codex .* % of \d+ bytes\n\n\d+ files \(\d+ new\) · 2 targets · 1 omission: [\w.]+ \(--verbose lists them\) · \d+ ms\n$/);
  assert.match(prs(folder, ['compile', '--check']).stdout, /^Up to date: \d+ files \(\d+ unchanged\) · 2 targets · .* ms\n$/);
  // A clone has no private files. A check neither requires nor counts them.
  rmSync(join(folder, 'CLAUDE.local.md'));
  rmSync(join(folder, '.instr/.state'), { recursive: true });
  assert.match(prs(folder, ['compile', '--check']).stdout, /^Up to date: \d+ files \(\d+ unchanged\) · 2 targets · .* ms\n$/);
  prs(folder, ['compile']);
  write(folder, '.instr/project.prs', entry);
  assert.match(prs(folder, ['compile', '--check']).stdout, /^Out of date: .*\b1 removed\b[^\n]*\n(?: {2}(?:changed|removed) +\S+\n)+$/);
  write(folder, '.instr/project.prs', `${entry}@use ./none\n`);
  assert.match(prs(folder, ['compile', '--check']).stdout, /^Unknown until the errors are corrected: /);
  write(folder, '.instr/project.prs', entry);
  const manifest = readFileSync(join(folder, '.instr/manifest.json'), 'utf8');
  write(folder, '.instr/manifest.json', `<<<<<<< ours\n${manifest}`);
  assert.match(prs(folder, ['compile', '--check']).stdout, /^Unknown until the errors are corrected: 2 targets/);
  write(folder, '.instr/manifest.json', manifest);
  write(folder, '.instr/project.prs', `${entry}@use ./none\n`);
  // A file that is missing because of an error is not reported as removed.
  const failed = prs(folder, ['compile', '--verbose']).stdout;
  assert.match(failed, /^Nothing written, because of the errors: 2 targets/m);
  assert.not.match(failed, /removed|new/);
  assert.is(prs(folder, ['diff', '--all']).stdout, 'Unknown until the errors are corrected.\n');
  const all = { ...minimal, 'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [github, claude, cursor, codex, gemini, kiro, windsurf]\n' };
  assert.match(prs(project(all), ['compile']).stdout, /… and 2 more targets; --verbose shows all/);
  const { stdout: verbose } = prs(project(all), ['compile', '--verbose']);
  for (const id of ['github', 'windsurf']) assert.match(verbose, new RegExp(`^  ${id} +\\d+ characters`, 'm'));
});

tests('shows a target near its limit even in a check', () => {
  const long = `@knowledge { """\n${'Words that fill a file. '.repeat(480)}\n""" }\n`;
  const folder = project({ ...withEntry(long), 'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [claude, windsurf]\n' });
  assert.match(prs(folder, ['compile', '--check']).stdout, /^Always loaded by the tools:\n {2}windsurf .*\b9\d % of 12000 characters\n\nOut/);
});

tests('Windows line endings in sources, configuration and outputs make no difference', () => {
  const sources = withEntry('@knowledge { """\nOne.\n\nTwo.\n""" }\n');
  const unix = project(sources);
  const windows = project(Object.fromEntries(Object.entries(sources).map(([path, text]) => [path, (text as string).replaceAll('\n', '\r\n')])));
  for (const folder of [unix, windows]) assert.is(prs(folder, ['compile']).status, 0);
  assert.is(read(windows, 'CLAUDE.md'), read(unix, 'CLAUDE.md'));
  assert.is(read(windows, 'AGENTS.md'), read(unix, 'AGENTS.md'));
  // A checkout that also converted the generated files.
  write(unix, 'CLAUDE.md', read(unix, 'CLAUDE.md').replaceAll('\n', '\r\n'));
  const turned = prs(unix, ['compile', '--check']);
  assert.is(turned.status, 0, turned.stderr + turned.stdout);
  const broken = project({ ...minimal, '.instr/project.prs': `${entry}@context {\n  a "b"\n}\n`.replaceAll('\n', '\r\n') });
  const { stderr } = prs(broken, ['validate']);
  assert.not.match(stderr, /\r/);
  assert.match(stderr, /^\.instr\/project\.prs:7:5: /m);
});

tests('tables fit the width, and rows that do not fit are wrapped', () => {
  const rows = [['name', 'default', 'what it is'], ['a-long-name', 'error', 'Words that go on for longer than the screen is wide.']];
  assert.is(table(rows, Number.POSITIVE_INFINITY), 'name         default  what it is\na-long-name  error    Words that go on for longer than the screen is wide.\n');
  assert.is(table(rows, 50), 'name         default  what it is\na-long-name  error    Words that go on for longer\n                      than the screen is wide.\n');
  assert.is(table(rows, 30), 'name  default  what it is\na-long-name  error  Words\n    that go on for longer than\n    the screen is wide.\n');
  assert.is(table([['a', ''], ['b', '']], 1), 'a\nb\n');
});

tests('wraps lines at spaces, and colours have no width', () => {
  assert.is(wrapLines('one two three', 7, '  '), 'one two\n  three');
  assert.is(wrapLines('\x1b[31mone\x1b[0m two three', 7, '  '), '\x1b[31mone\x1b[0m two\n  three');
  assert.is(wrapLines('a\nunbreakable-word b', 8, ''), 'a\nunbreakable-word\nb');
  assert.is(wrapLines('one two three four six', 10, '   '), 'one two\n   three\n   four\n   six');
});

tests('uses colours only on a terminal and not with NO_COLOR', () => {
  const folder = project(withEntry('@contxt { a: "b" }\n'));
  const output = (args: readonly string[], variables = {}) => prs(folder, ['validate', ...args], variables).stderr;
  assert.not.match(output([]), /\x1b/);
  assert.match(output([], { FORCE_COLOR: '1' }), /\x1b/);
  assert.not.match(output([], { FORCE_COLOR: '1', NO_COLOR: '1' }), /\x1b/);
  assert.not.match(output([], { FORCE_COLOR: '0' }), /\x1b/);
  assert.match(output(['--color'], { NO_COLOR: '1' }), /\x1b/);
});

tests('import and upgrade report what they did, what they would do, and that there is nothing to do', () => {
  const older = '@meta { id: "sample" syntax: "1.0.0" }\n@inherit ./base\n@identity { "A pilot." }\n';
  const folder = project({
    'instr.yaml': config.replace('1.5.0', '1.6.0'),
    '.instr/project.prs': older,
    '.instr/base.prs': entry.replace('1.5.0', '1.6.0'),
    'notes.md': '# Notes\n\nThe tides are tabled.\n\n## Odds and ends\n\nNine of ten boats.\n',
  });
  const stdout = (...args: string[]) => prs(folder, args).stdout;
  const importReport = (...args: string[]) => prs(folder, ['import', 'notes.md', ...args]).stderr;
  const parts = 'notes\\.md: 2 parts, 1 to review \\(# REVIEW: comments\\); ';
  const table = 'Lines +Block +Confidence\\n1-3 +@knowledge +\\d\\.\\d\\d\\n5-7 +@context +\\d\\.\\d\\d\\n\\n';
  assert.match(importReport('--dry-run'), new RegExp(`${table}${parts}would write \\.instr/imported/notes\\.prs\\.\\n`));
  assert.match(importReport(), new RegExp(`^(?!Lines)[^]*${parts}wrote \\.instr/imported/notes\\.prs\\.\\n`));
  assert.match(importReport('--dry-run'), new RegExp(`${parts}is already in \\.instr/imported/notes\\.prs\\.\\n`));
  const counted = '3 source files checked, 1 ';
  assert.match(stdout('upgrade', '--dry-run'), new RegExp(`^  would change \\.instr/project\\.prs \\(1\\.0\\.0 -> 1\\.6\\.0\\)\\n    .*\\n[^]*${counted}to change\\.\\n$`));
  assert.match(stdout('upgrade'), new RegExp(`^  changed \\.instr/project\\.prs \\(1\\.0\\.0 -> 1\\.6\\.0\\)\\n[^]*${counted}changed\\.\\n$`));
  assert.is(stdout('upgrade'), '3 source files checked, 0 changed.\n');
});

tests('dry runs show the build of a file, and truncate omissions to one line', () => {
  const folder = project({
    ...minimal,
    'instr.yaml': `${config}builds: { docs: { output: docs } }\n`,
    '.instr/project.prs': `${entry}@local { "${'A private note of many words. '.repeat(4)}" }\n`,
  });
  const output = prs(folder, ['compile', '--all-builds', '--dry-run'], { COLUMNS: '200' }).stdout;
  assert.match(output, /^new +0644 +docs\/AGENTS\.md +\(codex, build docs\)$/m);
  assert.match(output, /: "A private note of many words\. A private note of many words\.…" \(\.instr\/project\.prs:\d+\)$/m);
});

tests.run();
