/**
 * Bad projects lead to a diagnostic with a location and a hint, exit code 1 (findings) or 2 (no usable configuration), no stack
 * trace and no written files. Valid projects that only look bad compile.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, type Files, makeUnreadable, minimal, program, project, prs, read, tree } from './prs.ts';

const config = minimal['instr.yaml'] as string;
const meta = '@meta { id: "x" syntax: "1.5.0" }\n';
const entry = '.instr/project.prs';

interface Case {
  readonly files: Files;
  /** Pattern that the diagnostics must match. */
  readonly expected: RegExp;
  readonly exit: 1 | 2;
  /** The finding applies to the whole project and has no file. */
  readonly placeless?: boolean;
  readonly before?: (folder: string) => void;
  /** Maximum number of errors: one cause should give one finding. */
  readonly only?: number;
  /** Skips the case for root, who may read any file. */
  readonly skip?: boolean;
}

const isWindows = process.platform === 'win32';

const pipe = (path: string) => (folder: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  assert.is(spawnSync('mkfifo', [join(folder, path)]).status, 0);
};

const source = (text: string | Uint8Array): Files => ({ 'instr.yaml': config, [entry]: text });
const configuration = (text: string | Uint8Array): Files => ({ ...minimal, 'instr.yaml': text });

const cases: Readonly<Record<string, Case>> = {
  'empty source file': { files: source(''), expected: /@meta/, exit: 1 },
  'no @meta': { files: source('@identity { "x" }\n'), expected: /@meta/, exit: 1 },
  'unclosed brace': { files: source(`${meta}@context {\n  a: "b"\n`), expected: /Unexpected/, exit: 1 },
  'unclosed string': { files: source(`${meta}@context {\n  a: "b\n}\n`), expected: /Unexpected/, exit: 1 },
  'unclosed text': { files: source(`${meta}@identity { """\nx\n`), expected: /Unexpected/, exit: 1 },
  'unclosed bracket': { files: source(`${meta}@context { a: ["b" }\n`), expected: /Unexpected/, exit: 1 },
  'unclosed parenthesis': { files: source(`${meta}@use ./x(a: "b"\n`), expected: /Unexpected/, exit: 1 },
  'loose text in an object': { files: source(`${meta}@context { a: { """\nx\n""" } }\n`), expected: /key/i, exit: 1 },
  'more than 10 MB': { files: source(`${meta}# ${'x'.repeat(10 * 1024 * 1024)}\n`), expected: /10/, exit: 1 },
  'deep nesting': { files: source(`${meta}@context { ${'a: { '.repeat(5000)}${'}'.repeat(5000)} }\n`), expected: /deep|nest/i, exit: 1 },
  'binary file': { files: source(new Uint8Array([0, 1, 2, 255, 254, 0])), expected: /text|binary|UTF-8/i, exit: 1 },
  'invalid UTF-8': { files: source(new Uint8Array([...Buffer.from(meta), 0xc3, 0x28])), expected: /UTF-8/, exit: 1 },
  'missing entry': { files: { 'instr.yaml': config }, expected: /project\.prs/, exit: 1 },
  'directory as entry': { files: { 'instr.yaml': config, [`${entry}/x.prs`]: meta }, expected: /project\.prs/, exit: 1 },
  'pipe as entry': { files: { 'instr.yaml': config }, expected: /project\.prs/, exit: 1, before: pipe(entry), skip: isWindows },
  'pipe as configuration': {
    files: { [entry]: meta },
    expected: /instr\.yaml.* is a pipe, a socket or a device, not a file/,
    exit: 2,
    before: pipe('instr.yaml'),
    skip: isWindows,
  },
  'lone surrogate in a configuration': {
    files: configuration('id: "x\\ud83d"\nsyntax: "1.5.0"\ntargets: [claude]\n'),
    expected: /half of a character.*"line":1\b/,
    exit: 2,
  },
  'NUL in a configuration': { files: configuration('id: x\nsyntax: "\0"\n'), expected: /PRS3003.*"line":2\b/, exit: 2 },
  'Latin-1 in a configuration': {
    files: configuration(new Uint8Array([...Buffer.from('id: x\nsyntax: '), 0xe9, 0x0a])),
    expected: /PRS3003.*"line":2\b/,
    exit: 2,
  },
  'NUL in a source': { files: source(`${meta}@identity { "\0" }\n`), expected: /PRS1005.*"line":2\b/, exit: 1 },
  'unreadable entry': {
    files: minimal,
    expected: /project\.prs/,
    exit: 1,
    before: folder => makeUnreadable(folder, entry),
    skip: process.getuid?.() === 0,
  },
  'link to itself': {
    files: source(`${meta}@use ./loop\n`),
    expected: /loop\.prs` goes through symbolic links that lead in a circle\./,
    exit: 1,
    before: folder => symlinkSync('loop.prs', join(folder, '.instr/loop.prs')),
    only: 1,
  },
  'cyclic inheritance': {
    files: { ...source(`${meta}@inherit ./a\n`), '.instr/a.prs': `${meta}@inherit ./project\n` },
    expected: /project[\s\S]*a[\s\S]*project/,
    exit: 1,
  },
  'cyclic use': {
    files: { ...source(`${meta}@use ./a\n`), '.instr/a.prs': `${meta}@use ./b\n`, '.instr/b.prs': `${meta}@use ./a\n` },
    expected: /\ba\b[\s\S]*\bb\b/,
    exit: 1,
  },
  'missing import': { files: source(`${meta}@use ./missing\n`), expected: /missing/, exit: 1 },
  'import outside the project': { files: source(`${meta}@use ../../../../etc/passwd\n`), expected: /etc\/passwd|outside/, exit: 1 },
  'newer syntax': { files: source('@meta { id: "x" syntax: "9.0.0" }\n'), expected: /9\.0\.0/, exit: 1 },
  'missing @override path': { files: source(`${meta}@override context.none { "x" }\n`), expected: /context\.none/, exit: 1 },

  'no configuration': { files: { [entry]: meta }, expected: /prs init/, exit: 2, placeless: true },
  'empty configuration': { files: configuration(''), expected: /instr\.yaml/, exit: 2 },
  'configuration with tabs': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets:\n\t- claude\n'), expected: /tab/i, exit: 2 },
  'duplicate keys': { files: configuration(`${config}id: again\n`), expected: /id/, exit: 2 },
  'wrong type': { files: configuration('id: [1]\nsyntax: "1.5.0"\ntargets: [claude]\n'), expected: /id/, exit: 2 },
  'unknown field': { files: configuration(`${config}taargets: []\n`), expected: /targets/, exit: 2 },
  'unknown field __proto__': { files: configuration(`${config}__proto__: { polluted: true }\n`), expected: /__proto__/, exit: 2 },
  'unknown target': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets: [cladue]\n'), expected: /cladue/, exit: 1 },
  'no targets': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets: []\n'), expected: /targets/, exit: 2 },
  'absent targets': { files: configuration('id: x\nsyntax: "1.5.0"\n'), expected: /targets/, exit: 2 },
  'same target twice': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets: [claude, t02]\n'), expected: /claude|t02/, exit: 1 },
  'YAML alias bomb': {
    files: configuration(`${config}a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`).join('\n')}\n`),
    expected: /alias|expan/i,
    exit: 2,
  },
  'binary configuration': { files: configuration(new Uint8Array([0, 1, 2, 3])), expected: /text|UTF-8/i, exit: 2 },
  'directory as configuration': { files: { 'instr.yaml/x': '', [entry]: meta }, expected: /instr\.yaml/, exit: 2 },
  'configuration that extends itself': { files: configuration(`extends: ./instr.yaml\n${config}`), expected: /instr\.yaml/, exit: 2 },
  'output outside the project': { files: configuration(`${config}output: { baseDir: ../elsewhere }\n`), expected: /baseDir|outside/, exit: 2 },
};

const tests = suite('bad input');

for (const [name, { files, expected, exit, placeless, before, skip, only }] of Object.entries(cases)) {
  if (skip) continue;
  tests(name, () => {
    const folder = project(files);
    before?.(folder);
    const written = tree(folder);
    for (const command of ['compile', 'validate']) {
      const { status, stdout, stderr } = prs(folder, [command, '--json']);
      assert.is(stderr, '', command);
      const report = JSON.parse(stdout);
      const errors = report.diagnostics.filter((found: { severity: string }) => found.severity === 'error');
      const summary = errors.map((found: { code: string; message: string }) => `${found.code} ${found.message}`).join('\n');
      assert.is(status, exit, `${command}: ${summary}`);
      assert.ok(errors.length > 0);
      if (only !== undefined) assert.is(errors.length, only, summary);
      for (const found of errors) {
        assert.ok(found.hint, `${found.code} must have a hint`);
        if (!placeless) assert.ok(found.file, `${found.code} must have a location: ${found.message}`);
      }
      const text = errors.map((found: object) => JSON.stringify(found)).join('\n');
      assert.match(text, expected);
      assert.not.match(text, /at .*\(.*:\d+:\d+\)|node_modules/);
      assert.not.match(text, new RegExp(folder), 'the output must not contain an absolute path');
    }
    const plain = prs(folder, ['compile']);
    assert.is(plain.status, exit);
    assert.not.match(plain.stderr, /\n {4}at |hit a bug/);
    assert.equal(tree(folder).filter(path => !path.startsWith('.instr/.state/')), written, 'nothing must be written');
  });
}

tests('reports a manifest that is a pipe or damaged, with its location', () => {
  const damaged = project({ ...minimal, '.instr/manifest.json': '{\n  "version": 1,\n  "files": [}\n}\n' });
  const { status, stderr } = prs(damaged, ['compile']);
  assert.is(status, 1);
  assert.match(stderr, /manifest\.json:3:13: error PRS8008/);
  if (isWindows) return;
  const folder = project(minimal);
  pipe('.instr/manifest.json')(folder);
  const piped = prs(folder, ['compile']);
  assert.is(piped.status, 1);
  assert.match(piped.stderr, /manifest\.json cannot be used: it is a pipe/);
});

tests('reports front matter aliases that expand too far', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`);
  const skill = `---\nname: bomb\ndescription: Bomb.\na0: &a0 [x, x]\n${lines.join('')}---\nText.\n`;
  const { stderr } = prs(project({ ...minimal, '.instr/skills/bomb/SKILL.md': skill }), ['compile']);
  assert.match(stderr, /SKILL\.md:\d+:\d+: warning PRS2307: .*grows beyond/);
});

tests('accepts a source with many tokens', () => {
  const items = Array.from({ length: 30_000 }, (_, at) => `"rule ${at}"`).join(', ');
  const folder = project(source(`${meta}@standards { code: [${items}] }\n`));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  assert.match(read(folder, 'CLAUDE.md'), /rule 29999/);
});

tests('treats fields named like built-in object members as ordinary fields', () => {
  const folder = project(source(`${meta}@standards { __proto__: ["first"] constructor: ["second"] toString: ["third"] }\n`));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  for (const rule of ['first', 'second', 'third']) assert.match(read(folder, 'CLAUDE.md'), new RegExp(rule));
});

tests('writes nothing if there is a conflict', () => {
  const folder = project({ ...minimal, 'CLAUDE.md': 'mine\n' });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 1);
  assert.match(stderr, /CLAUDE\.md/);
  assert.match(stderr, /--force/);
  assert.is(read(folder, 'CLAUDE.md'), 'mine\n');
  assert.not.ok(existsSync(join(folder, 'AGENTS.md')));
  assert.not.ok(existsSync(join(folder, '.instr/manifest.json')));
});

tests('reports a working directory that was removed', () => {
  const folder = project({});
  const words = `cd "${folder}" && rmdir "${folder}" && exec "${process.execPath}" "${program}"`;
  for (const args of ['compile', 'validate --json', 'init --yes', 'targets']) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `${words} ${args}`], { env: environment(), encoding: 'utf8' });
    assert.is(status, 2, stderr);
    assert.match(stdout + stderr, /There is no folder `.*` to work in/);
    mkdirSync(folder);
  }
  const { status } = spawnSync('sh', ['-c', `${words} validate --cwd "${project(minimal)}"`], { env: environment() });
  assert.is(status, 0);
  mkdirSync(folder);
});

tests.run();
