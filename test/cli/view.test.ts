/** The text that a tool receives: `prs view` and `prs targets --overlap` on real projects. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, project, prs, tree } from './prs.ts';

const schema = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../schema/report.schema.json', import.meta.url)), 'utf8'),
);
const validate = new Ajv({ allErrors: true }).compile(schema);

const tests = suite('view');

const shop = (output: string, extra: Files = {}): Files => ({
  'instr.yaml': `id: shop\nsyntax: "1.5.0"\ntargets: [claude, codex, github]\nincludeInstrSkill: false\n${output}`,
  '.instr/project.prs': `@meta { id: "shop" syntax: "1.5.0" }
@identity { "You work on a shop." }
@guards { api: { applyTo: ["packages/api/**"] description: "Rules for the api" content: "Validate input." } }
@skills { review: { description: "Reviews a change" content: "Read the diff." } }
`,
  ...extra,
});

function json(folder: string, ...args: string[]) {
  const { status, stdout } = prs(folder, [...args, '--json']);
  assert.is(status, 0, stdout);
  const report = JSON.parse(stdout);
  assert.ok(validate(JSON.parse(stdout)), JSON.stringify(validate.errors));
  return report;
}

tests('shows the text before files are written, and items that load on demand', () => {
  const folder = project(shop(''));
  const before = tree(folder);
  const { view } = json(folder, 'view', '--as', 'claude');
  assert.is(view.target, 'claude');
  assert.equal(view.parts.map(({ path }: { path: string }) => path), ['CLAUDE.md']);
  assert.match(view.parts[0].text, /You work on a shop\./);
  assert.is(view.parts[0].bytes, Buffer.byteLength(view.parts[0].text));
  assert.is(view.parts[0].endLine, view.parts[0].text.trimEnd().split('\n').length);
  assert.equal(view.onDemand, [
    { kind: 'guards', name: 'api', path: '.claude/rules/api.md' },
    { kind: 'skills', name: 'review', path: '.claude/skills/review/SKILL.md' },
  ]);
  assert.equal(tree(folder), before);
});

tests('includes nested files written by hand, for a folder and after reading a file in it', () => {
  const folder = project(shop('', { 'packages/api/CLAUDE.md': 'Of the api.\n', 'packages/api/main.ts': '' }));
  const paths = (...args: string[]) =>
    json(folder, 'view', '--as', 'claude', ...args).view.parts.map((part: { path: string; onReadOf?: string }) => [
      part.path,
      part.onReadOf,
    ]);
  assert.equal(paths(), [['CLAUDE.md', undefined]]);
  assert.equal(paths('--at', 'packages/api'), [
    ['CLAUDE.md', undefined],
    ['packages/api/CLAUDE.md', undefined],
  ]);
  assert.equal(paths('--file', 'packages/api/main.ts'), [
    ['CLAUDE.md', undefined],
    ['.claude/rules/api.md', undefined],
    ['packages/api/CLAUDE.md', 'packages/api'],
  ], 'the rule for the file must be included');
  const { onDemand } = json(folder, 'view', '--as', 'claude', '--file', 'packages/api/main.ts').view;
  assert.not.ok(onDemand.some((item: { name: string }) => item.name === 'api'));
});

tests('truncates a chain that is too long where the tool does', () => {
  const folder = project(shop('', { 'packages/api/AGENTS.md': 'x'.repeat(99).concat('\n').repeat(400) }));
  const { view } = json(folder, 'view', '--as', 'codex', '--at', 'packages/api');
  assert.equal(view.limit, { bytes: 32768 });
  assert.is(view.cut.path, 'packages/api/AGENTS.md');
  const bytes = view.parts.reduce((sum: number, part: { bytes: number }) => sum + part.bytes, 0);
  assert.is(bytes, 32768);
  const output = prs(folder, ['view', '--as', 'codex', '--at', 'packages/api']).stdout;
  assert.match(output, new RegExp(`cut here, at line ${view.cut.line}`));
});

tests('layout once: shows the import line and the imported text in the order of the tool', () => {
  const folder = project({
    ...shop('output: { layout: once }\n'),
    '.instr/local.prs': '@local { "Port 8080." }\n',
  });
  const { view } = json(folder, 'view', '--as', 'claude');
  assert.equal(view.parts.map(({ path, importedBy }: Record<string, string>) => [path, importedBy]), [
    ['.claude/CLAUDE.md', undefined],
    ['AGENTS.md', '.claude/CLAUDE.md'],
    ['CLAUDE.local.md', undefined],
  ]);
});

tests('a tool that is not enabled reads files of other tools', () => {
  const folder = project(shop(''));
  assert.equal(json(folder, 'view', '--as', 'opencode').view.parts.map(({ path }: { path: string }) => path), ['AGENTS.md']);
});

tests('compares with another commit of the repository', () => {
  const folder = project(shop(''));
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '-q');
  git('add', '-A');
  assert.is(git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first').status, 0);
  assert.match(prs(folder, ['view', '--as', 'claude', '--diff', 'HEAD']).stdout, /the same text/);
  const entry = join(folder, '.instr/project.prs');
  writeFileSync(entry, readFileSync(entry, 'utf8').replace('on a shop.', 'on two shops.'));
  const { view } = json(folder, 'view', '--as', 'claude', '--diff', 'HEAD');
  assert.match(view.diff, /^-You work on a shop\.$/m);
  assert.match(view.diff, /^\+You work on two shops\.$/m);
  const { status, stdout } = prs(folder, ['view', '--as', 'claude', '--diff', '--nope', '--json']);
  assert.is(status, 2, stdout);
  const unknown = prs(folder, ['view', '--as', 'claude', '--diff', 'nope', '--json']);
  assert.is(JSON.parse(unknown.stdout).diagnostics[0].code, 'PRS9462');
});

tests('lines of generated parts name their sources', () => {
  const folder = project(shop(''));
  const [part] = json(folder, 'view', '--as', 'claude').view.parts;
  const line = part.text.split('\n').indexOf('You work on a shop.') + 1;
  const range = part.origins.find(
    (one: { startLine: number; endLine: number }) => one.startLine <= line && line <= one.endLine,
  );
  assert.is(range.file, '.instr/project.prs');
  assert.is(range.line + line - range.startLine, 2);
});

tests('reports a missing tool, an unknown tool and a path outside the project', () => {
  const folder = project(shop(''));
  const codesOf = (...args: string[]) => {
    const { status, stdout } = prs(folder, ['view', ...args, '--json']);
    assert.is(status, 2);
    return JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
  };
  assert.equal(codesOf('--at', 'src'), ['PRS9460']);
  assert.equal(codesOf('--as', 'claud'), ['PRS9713']);
  assert.equal(codesOf('--as', 'claude', '--at', '..'), ['PRS9461']);
  assert.equal(codesOf('--as', 'claude', '--file', '../x.ts'), ['PRS9461']);
});

tests('counts copies of the main text, now and with the layout once', () => {
  const rows = (output: string) =>
    json(project(shop(output)), 'targets', '--overlap').overlap.map((row: Record<string, unknown>) => [
      row.target,
      row.copies,
      row.once,
    ]);
  assert.equal(rows('output: { layout: once }\n'), [
    ['claude', 1, 1],
    ['codex', 1, 1],
    ['github', 1, 1],
  ]);
  const now = rows('');
  assert.equal(now.map((row: unknown[]) => row[2]), [1, 1, 1]);
  assert.ok(now.find((row: unknown[]) => row[0] === 'github')[1] > 1);
  const output = prs(project(shop('')), ['targets', '--overlap']).stdout;
  assert.match(output, /^tool +copies +once +from\n/);
});

tests('lists items that a tool also loads from files of other tools below the copies', () => {
  const source = '@meta { id: "shop" syntax: "1.6.0" }\n@identity { "You." }\n@hooks { log: { event: "post-tool-use" command: ["node", "log.mjs"] } }\n@guards { api: { applyTo: ["api/**"] content: "Ask." } }\n';
  const files = { 'instr.yaml': 'id: shop\nsyntax: "1.6.0"\ntargets: [claude, github]\noutput: { layout: once }\n', '.instr/project.prs': source };
  const [claude, github] = json(project(files), 'targets', '--overlap').overlap;
  assert.is(claude.elsewhere, undefined);
  assert.equal(github.elsewhere, [
    { kind: 'rules', how: 'twice', entries: ['guards.api'], own: ['.github/instructions/api.instructions.md'], files: ['.claude/rules/api.md'], by: ['claude'] },
    { kind: 'hooks', how: 'twice', clients: 'VS Code', entries: ['hooks.log'], own: ['.github/hooks/instr.json'], files: ['.claude/settings.json'], by: ['claude'] },
  ]);
  assert.match(prs(project(files), ['targets', '--overlap']).stdout.replace(/\s+/g, ' '), 'github (in VS Code) runs 1 hook twice');
  // Only with the layout `once` do hooks exit if a client runs them in addition to its own. The client is recognised by a
  // variable.
  const each = { ...files, 'instr.yaml': files['instr.yaml'].replace('output: { layout: once }\n', '') };
  const hooks = json(project(each), 'targets', '--overlap').overlap[1].elsewhere.find((one: { kind: string }) => one.kind === 'hooks');
  assert.equal(hooks, { kind: 'hooks', how: 'twice', entries: ['hooks.log'], own: ['.github/hooks/instr.json'], files: ['.claude/settings.json'], by: ['claude'] });
  const output = prs(project(each), ['targets', '--overlap']).stdout.replace(/\s+/g, ' ');
  assert.match(output, 'github runs 1 hook twice, from .github/hooks/instr.json and from .claude/settings.json (for claude): hooks.log.');
});

tests.run();
