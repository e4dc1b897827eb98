/** `formatting`: where options come from, which takes precedence, and what a formatter must not change. */

import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readRecord, writeRecord } from '../../src/host/records.ts';
import { environment, type Files, program, project, prs, read, targetIds, tree, write } from './prs.ts';

const test = suite('formatting');

const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
const code = '```ts\nconst a = {b:1 ,c:2}\n\tif(a)  { }\n```';
const text = `A line: ${words}\n\n* one\n* two\n  * inner\n\n${code}\n\n| a | b |\n|---|---|\n| 1 | 2 |`;

function make(formatting: string, more: Files = {}, targets = 'targets: [claude]'): string {
  return project({
    'instr.yaml': `id: x\nsyntax: "1.5.0"\n${targets}\nincludeInstrSkill: false\n${formatting}`,
    '.instr/project.prs': `@meta { id: "x" syntax: "1.5.0" }\n@knowledge {\n"""\n${text}\n"""\n}\n`,
    ...more,
  });
}

function compiled(folder: string): string {
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  const again = prs(folder, ['compile', '--check']);
  assert.is(again.status, 0, `the second run gives other content: ${again.stdout}`);
  return read(folder, 'CLAUDE.md');
}

const longest = (output: string) => Math.max(...output.split('\n').map(line => line.length));

test('keeps the text unchanged without formatting', () => {
  for (const formatting of ['', 'formatting: { formatter: false }\n']) {
    const output = compiled(make(formatting));
    assert.ok(output.includes(`A line: ${words}\n`));
    assert.ok(output.includes('\n* one\n'));
  }
});

test('applies explicit options', () => {
  const output = compiled(make('formatting: { formatter: { proseWrap: always, printWidth: 40, tabWidth: 4 } }\n'));
  assert.ok(longest(output) <= 40);
  assert.ok(output.includes('\n- one\n- two\n    - inner\n'), output);
});

test('wraps prose only if requested, at a default printWidth of 80', () => {
  assert.ok(compiled(make('formatting: { formatter: {} }\n')).includes(`A line: ${words}\n`));
  const output = compiled(make('formatting: { proseWrap: always }\n'));
  assert.ok(longest(output) <= 80 && longest(output) > 70);
  const joined = compiled(make('formatting: { proseWrap: never }\n'));
  assert.ok(joined.includes(`A line: ${words}\n`));
});

test('detects a configuration of Prettier or EditorConfig, or uses defaults', () => {
  const detect = 'formatting: { formatter: true }\n';
  assert.ok(longest(compiled(make(detect, { '.prettierrc': '{"proseWrap":"always","printWidth":50}' }))) <= 50);
  assert.ok(longest(compiled(make(detect, { 'package.json': '{"prettier":{"proseWrap":"always","printWidth":45}}' }))) <= 45);
  assert.ok(compiled(make(detect, { '.editorconfig': 'root = true\n[*]\nindent_style = space\nindent_size = 4\n' })).includes('\n    - inner'));
  assert.ok(compiled(make(detect)).includes('\n- one\n- two\n  - inner\n'));
});

test('reads a configuration by path', () => {
  const folder = make('formatting: { formatter: tools/prettier.json }\n', {
    'tools/prettier.json': '{"proseWrap":"always","printWidth":40}',
    '.prettierrc': '{"proseWrap":"always","printWidth":70}',
  });
  assert.ok(longest(compiled(folder)) <= 40);
});

test('reports a missing or broken configuration at the setting', () => {
  for (const [formatting, more, problem] of [
    ['formatting: { formatter: tools/none.json }\n', {}, 'for tools/none.json: there is no such file'],
    ['formatting: { formatter: broken.json }\n', { 'broken.json': '{ broken' }, /for broken\.json: line 1: \S+/],
    ['formatting: { formatter: true }\n', { '.prettierrc': '{ broken' }, /for \.prettierrc: line 1: \S+/],
  ] as const) {
    const folder = make(formatting, more);
    const { status, stderr } = prs(folder, ['compile']);
    assert.is(status, 1);
    assert.match(stderr, /^instr\.yaml:5:\d+: error PRS\d+/);
    assert.match(stderr, problem);
    assert.not.ok(tree(folder).includes('CLAUDE.md'));
  }
});

test('shorthands override options, and options override a detected configuration', () => {
  const wide = { '.prettierrc': '{"proseWrap":"always","printWidth":120,"tabWidth":4}' };
  const output = compiled(make('formatting: { formatter: true, printWidth: 40 }\n', wide));
  assert.ok(longest(output) <= 40);
  assert.ok(output.includes('\n    - inner'), 'an unset option must keep its detected value');
  const options = 'formatter: { proseWrap: never, printWidth: 100, tabWidth: 2 }';
  const both = compiled(make(`formatting: { ${options}, proseWrap: always, printWidth: 40, tabWidth: 4 }\n`));
  assert.ok(longest(both) <= 40 && both.includes('\n    - inner'));
});

test('project settings cannot run code, change line endings or select files', () => {
  const folder = make('formatting: { formatter: true }\n', {
    '.prettierrc':
      '{"endOfLine":"crlf","plugins":["./evil.mjs"],"overrides":[{"files":"CLAUDE.md","options":{"proseWrap":"always","printWidth":20}}]}',
    'evil.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('evil.txt', 'ran');\n",
    '.prettierignore': 'CLAUDE.md\n',
  });
  const output = compiled(folder);
  assert.not.match(output, '\r');
  assert.ok(output.includes(`A line: ${words}\n`) && output.includes('\n- one\n'));
  assert.not.ok(tree(folder).includes('evil.txt'));
});

test('keeps code and front matter byte for byte', () => {
  const guards = '@guards { api: { applyTo: ["*.ts", "**/*.{a,b}"] description: "Rules: long # text, and longer than the line may be" content: "Rule." } }\n';
  const entry = (formatting: string) => {
    const folder = make(formatting, {}, 'targets: [claude, cursor, github, cline, windsurf]');
    write(folder, '.instr/project.prs', read(folder, '.instr/project.prs') + guards);
    assert.is(prs(folder, ['compile']).status, 0);
    return folder;
  };
  const [plain, formatted] = [entry(''), entry('formatting: { proseWrap: always, printWidth: 40, tabWidth: 8 }\n')];
  let fronts = 0;
  for (const path of tree(plain).filter(path => /\.mdc?$/.test(path))) {
    const [before, after] = [read(plain, path), read(formatted, path)];
    const front = /^---\n[\s\S]*?\n---\n/.exec(before)?.[0];
    if (front) {
      fronts++;
      assert.ok(after.startsWith(front), `${path}: ${after}`);
    }
    if (before.includes(code)) assert.ok(after.includes(code), path);
  }
  assert.ok(fronts > 3);
  assert.match(read(formatted, '.cursor/rules/api.mdc'), /^globs: \*\.ts/m);
});

/** Returns the Markdown tree as rendered: white space in text is collapsed, and trailing blanks of code lines are ignored. */
function rendered(markdown: string): string {
  const body = markdown.replace(/^---\n(?:[\s\S]*?\n)?---\n/, '');
  const clean = (node: Record<string, unknown>): Record<string, unknown> => {
    const { position, spread, align, ...rest } = node;
    if (typeof rest.value === 'string')
      rest.value = rest.type === 'code' || rest.type === 'html' ? rest.value.replace(/[ \t]+$/gm, '') : rest.value.replace(/\s+/g, ' ').trim();
    if (Array.isArray(rest.children)) rest.children = rest.children.map(clean);
    return rest;
  };
  const root = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return JSON.stringify(clean(root as unknown as Record<string, unknown>));
}

test('keeps the Markdown tree of awkward text for every target', () => {
  const source = fileURLToPath(new URL('../projects/kitchen-sink', import.meta.url));
  const compile = (formatting: string) => {
    const folder = project({});
    cpSync(source, folder, { recursive: true });
    const settings = readFileSync(join(source, 'instr.yaml'), 'utf8').replace(/^targets:.*$/m, `targets: [${targetIds}]`);
    write(folder, 'instr.yaml', settings + formatting);
    const { status, stderr } = prs(folder, ['compile', '--quiet']);
    assert.is(status, 0, stderr);
    return folder;
  };
  const plain = compile('');
  const hard = compile('formatting: { proseWrap: always, printWidth: 40, tabWidth: 4 }\n');
  const again = prs(hard, ['compile', '--check', '--quiet']);
  assert.is(again.status, 0, again.stderr + again.stdout);
  let changed = 0;
  const seen = new Set<string>();
  for (const path of tree(plain)) {
    if (path.startsWith('.instr/')) continue;
    const [before, after] = [read(plain, path), read(hard, path)];
    if (path === 'instr.yaml' || before === after || seen.has(before)) continue;
    assert.match(path, /\.mdc?$|rules|\.md|GUIDE|hints/i, 'only Markdown must be formatted');
    seen.add(before);
    changed++;
    assert.is(rendered(after), rendered(before), path);
  }
  assert.ok(changed > 20);
});

test('the program formats without installed packages', () => {
  const alone = project({});
  cpSync(dirname(program), join(alone, 'dist'), { recursive: true });
  write(alone, 'package.json', '{"type":"module"}');
  const folder = make('formatting: { proseWrap: always }\n');
  const { status, stderr } = spawnSync(process.execPath, [join(alone, 'dist/prs.cjs'), 'compile'], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  assert.ok(longest(read(folder, 'CLAUDE.md')) <= 80);
});

test('caches formatted texts between runs by content and settings', () => {
  const cache = project({});
  const folder = make('formatting: { proseWrap: never }\n');
  const compile = () => {
    rmSync(join(folder, 'CLAUDE.md'), { force: true });
    const { status, stderr } = prs(folder, ['compile'], { INSTR_CACHE_DIR: cache, INSTR_STAMP: '0' });
    assert.is(status, 0, stderr);
    return read(folder, 'CLAUDE.md');
  };
  const first = compile();
  const [name, ...more] = readdirSync(join(cache, 'formatted'));
  assert.equal(more, []);
  const path = join(cache, 'formatted', name!);
  const texts = readRecord<Record<string, string>>(path)!.header;
  assert.equal(Object.values(texts), [first]);
  // Uses the cached text without running the formatter.
  writeRecord(path, Object.fromEntries(Object.keys(texts).map(hash => [hash, '# Kept\n'])), []);
  assert.is(compile(), '# Kept\n');
  // Ignores a damaged cache file. Other settings and texts have other keys.
  writeFileSync(path, readFileSync(path, 'utf8').replace('Kept', 'Cut!'));
  assert.is(compile(), first);
  writeRecord(path, Object.fromEntries(Object.keys(texts).map(hash => [hash, '# Kept\n'])), []);
  write(folder, 'instr.yaml', read(folder, 'instr.yaml').replace('never', 'always'));
  assert.ok(longest(compile()) <= 80);
  write(folder, 'instr.yaml', read(folder, 'instr.yaml').replace('always', 'never'));
  write(folder, '.instr/project.prs', read(folder, '.instr/project.prs').replace('A line', 'Another line'));
  assert.ok(compile().includes(`Another line: ${words}\n`));
  // Works with a cache that cannot be written.
  rmSync(join(cache, 'formatted'), { recursive: true });
  writeFileSync(join(cache, 'formatted'), '');
  assert.ok(compile().includes('Another line'));
});

test('reports an invalid value with its file and option', () => {
  for (const [name, text, problem] of [
    ['.prettierrc', '{ "tabWidth": "wide" }', /for \.prettierrc: `tabWidth` must be/],
    ['.prettierrc.toml', 'printWidth = 1000000000', /`printWidth` must be/],
    ['.prettierrc.json5', "{ proseWrap: 'sometimes' }", /`proseWrap` must be/],
    ['package.json', '{"prettier":[]}', /for package\.json: it is no object/],
  ] as const) {
    const { status, stderr } = prs(make('formatting: { formatter: true }\n', { [name]: text }), ['compile']);
    assert.is(status, 1);
    assert.match(stderr, /^instr\.yaml:5:\d+: error PRS7101/);
    assert.match(stderr, problem);
  }
});

test('reads every data format of a configuration, with overrides for Markdown', () => {
  for (const [name, text] of [
    ['.prettierrc', 'proseWrap: always\nprintWidth: 41\n'],
    ['.prettierrc.yml', 'proseWrap: always\nprintWidth: 41\n'],
    ['.prettierrc.toml', 'proseWrap = "always"\nprintWidth = 41\n'],
    ['.prettierrc.json5', "{ proseWrap: 'always', printWidth: 41, }"],
    ['package.yaml', 'prettier: { proseWrap: always, printWidth: 41 }\n'],
    ['.prettierrc.json', '{"overrides":[{"files":["*.{md,mdx}"],"options":{"proseWrap":"always","printWidth":41}},{"files":"*.md","excludeFiles":"*.md","options":{"printWidth":90}}]}'],
  ] as const)
    assert.ok(longest(compiled(make('formatting: { formatter: true }\n', { [name]: text }))) <= 41, name);
});

test.run();
