/** `input`: the files of a project that belong to its program without being referenced. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, project, prs, read, write } from './prs.ts';

const tests = suite('included files');

const says = (text: string) => `@standards { code: ["${text}"] }\n`;

const entry = '@meta { id: "sample" syntax: "1.5.0" }\n@standards { code: ["Entry"] }\n';

/** Returns the bullet points of the compiled file in order. */
function compiled(input: string, files: Files, prepare = (_folder: string): void => {}): string[] {
  const config = `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\ninput: ${input}\n`;
  const folder = project({ 'instr.yaml': config, '.instr/project.prs': entry, ...files });
  prepare(folder);
  const { status, stderr } = prs(folder, ['compile']);
  assert.is(status, 0, stderr);
  return [...read(folder, 'CLAUDE.md').matchAll(/^- (.*)$/gm)].map(([, text]) => text!);
}

tests('--verbose lists the sources read and all patterns, with or without matches', () => {
  const folder = project({
    'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\ninput: { include: ["docs/*.prs", "none/*.prs"] }\n',
    '.instr/project.prs': entry,
    'docs/a.prs': says('A'),
  });
  const { stdout, stderr } = prs(folder, ['compile', '--verbose']);
  assert.match(stdout, 'Read 2 sources:\n  .instr/project.prs\n  docs/a.prs\n');
  assert.match(stdout, 'Patterns of `input`:\n  docs/*.prs\n  none/*.prs\n');
  assert.match(stderr, /PRS3031: No file matches `none\/\*\.prs`/);
  assert.not.match(prs(folder, ['compile']).stdout, 'docs/a.prs');
});

tests('matching files follow the entry, sorted by path', () => {
  const files = {
    'packages/b/.instr/rules.prs': says('B'),
    'packages/a/.instr/rules.prs': says('A'),
    'packages/a/.instr/notes.md': 'No source.\n',
    'packages/a/deep/.instr/rules.prs': says('Too deep for one star'),
    'other/.instr/rules.prs': says('Elsewhere'),
  };
  assert.equal(compiled('{ include: ["packages/*/.instr/*.prs"] }', files), ['Entry', 'A', 'B']);
  assert.equal(compiled('{ include: ["./packages/*/.instr/*.prs"] }', files), ['Entry', 'A', 'B']);
  assert.equal(compiled('{ include: ["other/.instr/rules.prs", "packages/b/**/*.prs"] }', files), ['Entry', 'Elsewhere', 'B']);
});

tests('excludes matching files', () => {
  const files = { 'a.prs': says('A'), 'drafts/b.prs': says('B'), 'c.prs': says('C') };
  assert.equal(compiled('{ include: ["**/*.prs"], exclude: ["./drafts/**"] }', files), ['Entry', 'A', 'C']);
  assert.equal(compiled('{ include: ["*.prs"] }', files), ['Entry', 'A', 'C']);
});

tests('does not read a file twice, and never reads files of packages', () => {
  const files = {
    'a.prs': says('A'),
    'z.prs': '@use ./a\n@standards { code: ["Z"] }\n',
    'node_modules/tool/x.prs': says('A package'),
    '.git/x.prs': says('Version control'),
  };
  assert.equal(compiled('{ include: ["**/*.prs"] }', files), ['Entry', 'A', 'Z']);
});

tests('does not follow links', () => {
  const outside = project({ 'shared/x.prs': says('Outside') });
  const link = (folder: string) => {
    symlinkSync(join(outside, 'shared'), join(folder, 'linked'));
    symlinkSync(join(outside, 'shared/x.prs'), join(folder, 'linked.prs'));
  };
  assert.equal(compiled('{ include: ["**/*.prs"] }', { 'a.prs': says('A') }, link), ['Entry', 'A']);
});

tests('validate reads included files too', () => {
  const folder = project({
    'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\ninput: { include: ["more/*.prs"] }\n',
    '.instr/project.prs': entry,
  });
  assert.is(prs(folder, ['validate']).status, 0);
  write(folder, 'more/broken.prs', '@standards {\n');
  const { status, stderr } = prs(folder, ['validate']);
  assert.is(status, 1);
  assert.match(stderr, /more\/broken\.prs:1/);
});

tests.run();
