/**
 * Bad projects: a diagnostic with a place and a way out, exit 1 (findings) or 2 (no usable configuration), no stack,
 * nothing written. Projects that only look bad compile.
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
  /** Code of a diagnostic that has to be there. */
  readonly said: RegExp;
  readonly exit: 1 | 2;
  /** The finding is about the project as a whole: it has no file. */
  readonly placeless?: boolean;
  readonly before?: (folder: string) => void;
  /** How many errors there may be: one cause should be one finding. */
  readonly only?: number;
  /** Root may read everything, whatever the permissions say. */
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
  'empty source file': { files: source(''), said: /@meta/, exit: 1 },
  'no @meta': { files: source('@identity { "x" }\n'), said: /@meta/, exit: 1 },
  'unclosed brace': { files: source(`${meta}@context {\n  a: "b"\n`), said: /Unexpected/, exit: 1 },
  'unclosed string': { files: source(`${meta}@context {\n  a: "b\n}\n`), said: /Unexpected/, exit: 1 },
  'unclosed text': { files: source(`${meta}@identity { """\nx\n`), said: /Unexpected/, exit: 1 },
  'unclosed bracket': { files: source(`${meta}@context { a: ["b" }\n`), said: /Unexpected/, exit: 1 },
  'unclosed parenthesis': { files: source(`${meta}@use ./x(a: "b"\n`), said: /Unexpected/, exit: 1 },
  'loose text in an object': { files: source(`${meta}@context { a: { """\nx\n""" } }\n`), said: /key/i, exit: 1 },
  'more than 10 MB': { files: source(`${meta}# ${'x'.repeat(10 * 1024 * 1024)}\n`), said: /10/, exit: 1 },
  'deep nesting': { files: source(`${meta}@context { ${'a: { '.repeat(5000)}${'}'.repeat(5000)} }\n`), said: /deep|nest/i, exit: 1 },
  'binary file': { files: source(new Uint8Array([0, 1, 2, 255, 254, 0])), said: /text|binary|UTF-8/i, exit: 1 },
  'invalid UTF-8': { files: source(new Uint8Array([...Buffer.from(meta), 0xc3, 0x28])), said: /UTF-8/, exit: 1 },
  'missing entry': { files: { 'instr.yaml': config }, said: /project\.prs/, exit: 1 },
  'directory as entry': { files: { 'instr.yaml': config, [`${entry}/x.prs`]: meta }, said: /project\.prs/, exit: 1 },
  'pipe as entry': { files: { 'instr.yaml': config }, said: /project\.prs/, exit: 1, before: pipe(entry), skip: isWindows },
  'pipe as configuration': {
    files: { [entry]: meta },
    said: /instr\.yaml.* is a pipe, a socket or a device, not a file/,
    exit: 2,
    before: pipe('instr.yaml'),
    skip: isWindows,
  },
  'half of a character in a configuration': {
    files: configuration('id: "x\\ud83d"\nsyntax: "1.5.0"\ntargets: [claude]\n'),
    said: /half of a character.*"line":1\b/,
    exit: 2,
  },
  'NUL in a configuration': { files: configuration('id: x\nsyntax: "\0"\n'), said: /PRS3003.*"line":2\b/, exit: 2 },
  'Latin-1 in a configuration': {
    files: configuration(new Uint8Array([...Buffer.from('id: x\nsyntax: '), 0xe9, 0x0a])),
    said: /PRS3003.*"line":2\b/,
    exit: 2,
  },
  'NUL in a source': { files: source(`${meta}@identity { "\0" }\n`), said: /PRS1005.*"line":2\b/, exit: 1 },
  'unreadable entry': {
    files: minimal,
    said: /project\.prs/,
    exit: 1,
    before: folder => makeUnreadable(folder, entry),
    skip: process.getuid?.() === 0,
  },
  'link that leads to itself': {
    files: source(`${meta}@use ./loop\n`),
    said: /loop\.prs` goes through symbolic links that lead in a circle\./,
    exit: 1,
    before: folder => symlinkSync('loop.prs', join(folder, '.instr/loop.prs')),
    only: 1,
  },
  'cyclic inheritance': {
    files: { ...source(`${meta}@inherit ./a\n`), '.instr/a.prs': `${meta}@inherit ./project\n` },
    said: /project[\s\S]*a[\s\S]*project/,
    exit: 1,
  },
  'cyclic use': {
    files: { ...source(`${meta}@use ./a\n`), '.instr/a.prs': `${meta}@use ./b\n`, '.instr/b.prs': `${meta}@use ./a\n` },
    said: /\ba\b[\s\S]*\bb\b/,
    exit: 1,
  },
  'missing import': { files: source(`${meta}@use ./missing\n`), said: /missing/, exit: 1 },
  'import outside the project': { files: source(`${meta}@use ../../../../etc/passwd\n`), said: /etc\/passwd|outside/, exit: 1 },
  'newer syntax': { files: source('@meta { id: "x" syntax: "9.0.0" }\n'), said: /9\.0\.0/, exit: 1 },
  'missing @override path': { files: source(`${meta}@override context.none { "x" }\n`), said: /context\.none/, exit: 1 },

  'no configuration': { files: { [entry]: meta }, said: /prs init/, exit: 2, placeless: true },
  'empty configuration': { files: configuration(''), said: /instr\.yaml/, exit: 2 },
  'configuration with tabs': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets:\n\t- claude\n'), said: /tab/i, exit: 2 },
  'duplicate keys': { files: configuration(`${config}id: again\n`), said: /id/, exit: 2 },
  'wrong type': { files: configuration('id: [1]\nsyntax: "1.5.0"\ntargets: [claude]\n'), said: /id/, exit: 2 },
  'unknown field': { files: configuration(`${config}taargets: []\n`), said: /targets/, exit: 2 },
  'unknown field __proto__': { files: configuration(`${config}__proto__: { polluted: true }\n`), said: /__proto__/, exit: 2 },
  'unknown target': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets: [cladue]\n'), said: /cladue/, exit: 1 },
  'no targets': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets: []\n'), said: /targets/, exit: 2 },
  'absent targets': { files: configuration('id: x\nsyntax: "1.5.0"\n'), said: /targets/, exit: 2 },
  'same target twice': { files: configuration('id: x\nsyntax: "1.5.0"\ntargets: [claude, t02]\n'), said: /claude|t02/, exit: 1 },
  'YAML alias bomb': {
    files: configuration(`${config}a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`).join('\n')}\n`),
    said: /alias|expan/i,
    exit: 2,
  },
  'binary configuration': { files: configuration(new Uint8Array([0, 1, 2, 3])), said: /text|UTF-8/i, exit: 2 },
  'directory as configuration': { files: { 'instr.yaml/x': '', [entry]: meta }, said: /instr\.yaml/, exit: 2 },
  'configuration that extends itself': { files: configuration(`extends: ./instr.yaml\n${config}`), said: /instr\.yaml/, exit: 2 },
  'output outside the project': { files: configuration(`${config}output: { baseDir: ../elsewhere }\n`), said: /baseDir|outside/, exit: 2 },
};

const tests = suite('bad input');

for (const [name, { files, said, exit, placeless, before, skip, only }] of Object.entries(cases)) {
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
      const shown = errors.map((found: { code: string; message: string }) => `${found.code} ${found.message}`).join('\n');
      assert.is(status, exit, `${command}: ${shown}`);
      assert.ok(errors.length > 0);
      if (only !== undefined) assert.is(errors.length, only, shown);
      for (const found of errors) {
        assert.ok(found.hint, `${found.code} has a way out`);
        if (!placeless) assert.ok(found.file, `${found.code} has a place: ${found.message}`);
      }
      const text = errors.map((found: object) => JSON.stringify(found)).join('\n');
      assert.match(text, said);
      assert.not.match(text, /at .*\(.*:\d+:\d+\)|node_modules/);
      assert.not.match(text, new RegExp(folder), 'no path of this machine');
    }
    const plain = prs(folder, ['compile']);
    assert.is(plain.status, exit);
    assert.not.match(plain.stderr, /\n {4}at |hit a bug/);
    assert.equal(tree(folder).filter(path => !path.startsWith('.instr/.state/')), written, 'nothing was written');
  });
}

tests('a manifest that is a pipe, or damaged, is told with its place', () => {
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

tests('aliases in front matter that grow beyond all measure are told', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`);
  const skill = `---\nname: bomb\ndescription: Bomb.\na0: &a0 [x, x]\n${lines.join('')}---\nText.\n`;
  const { stderr } = prs(project({ ...minimal, '.instr/skills/bomb/SKILL.md': skill }), ['compile']);
  assert.match(stderr, /SKILL\.md:\d+:\d+: warning PRS2307: .*grows beyond/);
});

tests('many tokens are no mistake', () => {
  const items = Array.from({ length: 30_000 }, (_, at) => `"rule ${at}"`).join(', ');
  const folder = project(source(`${meta}@standards { code: [${items}] }\n`));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  assert.match(read(folder, 'CLAUDE.md'), /rule 29999/);
});

tests('fields named like members of objects are fields', () => {
  const folder = project(source(`${meta}@standards { __proto__: ["first"] constructor: ["second"] toString: ["third"] }\n`));
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  for (const rule of ['first', 'second', 'third']) assert.match(read(folder, 'CLAUDE.md'), new RegExp(rule));
});

tests('a conflict writes nothing at all', () => {
  const folder = project({ ...minimal, 'CLAUDE.md': 'mine\n' });
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 1);
  assert.match(stderr, /CLAUDE\.md/);
  assert.match(stderr, /--force/);
  assert.is(read(folder, 'CLAUDE.md'), 'mine\n');
  assert.not.ok(existsSync(join(folder, 'AGENTS.md')));
  assert.not.ok(existsSync(join(folder, '.instr/manifest.json')));
});

tests('a directory that was removed under the terminal', () => {
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
