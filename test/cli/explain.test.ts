/** `prs explain <file>:<line>`: from a line of a generated file back to the lines of the sources. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, project, prs, read, write } from './prs.ts';

const tests = suite('explain a line');

const files: Files = {
  'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nbuilds:\n  other: { output: sub }\n',
  '.instr/base.prs': [
    '@meta { id: "base" syntax: "1.5.0" params: { who: string } }',
    '@standards {',
    '  code: [',
    '    "Small functions only"',
    '    "Words"',
    '  ]',
    '}',
    '@knowledge {',
    '  """',
    '  ## Release',
    '',
    '  Ask {{who}} first.',
    '  ```sh',
    '  npm publish',
    '  ```',
    '  """',
    '}',
    '',
  ].join('\n'),
  '.instr/project.prs': [
    '@meta { id: "sample" syntax: "1.5.0" }',
    '@inherit ./base(who: "Ann")',
    '@identity { "You maintain the sample." }',
    '@standards { code: ["Small functions only" "One more rule"] }',
    '@hooks { tidy: { event: "stop" command: ["npm", "run-script", "tidy-up"] } }',
    '@agents {',
    '  reviewer: {',
    '    description: "Reads a change."',
    '    model: "sonnet"',
    '    content: """',
    '      Read the diff.',
    '      Read the diff.',
    '    """',
    '  }',
    '  writer: { description: "Writes a change." model: "sonnet" content: "Write." }',
    '}',
    '',
  ].join('\n'),
};

const folder = project(files);
assert.is(prs(folder, ['compile']).status, 0);

interface Entry {
  readonly path: string;
  readonly file: string;
  readonly line: number;
}

/** What is told about the only line of a file that holds a text. */
function explain(file: string, text: string, occurrence = 0): string[] {
  const at = read(folder, file)
    .split('\n')
    .flatMap((line, index) => (line.includes(text) ? [index + 1] : []))[occurrence];
  assert.ok(at, `${file} has no line with ${text}`);
  const { stdout, status } = prs(folder, ['explain', `${file}:${at}`, '--json']);
  assert.is(status, 0);
  return (JSON.parse(stdout).entries as Entry[]).map(entry => `${entry.file}:${entry.line} ${entry.path}`);
}

tests('lines of prose lead to the lines they were written in', () => {
  assert.equal(explain('CLAUDE.md', 'You maintain'), ['.instr/project.prs:3 identity[0]']);
  assert.equal(explain('CLAUDE.md', 'Small functions'), ['.instr/base.prs:4 standards.code[0]']);
  assert.equal(explain('CLAUDE.md', 'One more rule'), ['.instr/project.prs:4 standards.code[2]']);
  assert.equal(explain('CLAUDE.md', '- Words'), ['.instr/base.prs:5 standards.code[1]']);
});

tests('headings, parameters and code inside a text do too', () => {
  assert.equal(explain('CLAUDE.md', 'Release'), ['.instr/base.prs:10 knowledge[0]']);
  assert.equal(explain('CLAUDE.md', 'Ask Ann'), ['.instr/base.prs:12 knowledge[0]']);
  assert.equal(explain('CLAUDE.md', 'npm publish'), ['.instr/base.prs:14 knowledge[0]']);
});

tests('headings that a key or a block gave lead to its declaration', () => {
  assert.equal(explain('CLAUDE.md', '### Code'), ['.instr/base.prs:3 standards.code']);
  assert.equal(explain('CLAUDE.md', '## Standards'), ['.instr/base.prs:2 standards']);
  assert.equal(explain('CLAUDE.md', '# CLAUDE.md'), []);
});

tests('equal values of several entries are told apart by where they stand', () => {
  const path = '.claude/agents/reviewer.md';
  assert.equal(explain(path, 'model: sonnet'), ['.instr/project.prs:9 agents.reviewer.model']);
  assert.equal(explain(path, 'name: reviewer'), ['.instr/project.prs:7 agents.reviewer']);
  assert.equal(explain(path, 'Read the diff.', 0), ['.instr/project.prs:11 agents.reviewer.content']);
  assert.equal(explain(path, 'Read the diff.', 1), ['.instr/project.prs:12 agents.reviewer.content']);
});

tests('settings files are traced by what their lines say', () => {
  assert.equal(explain('.claude/settings.json', 'tidy-up'), [
    '.instr/project.prs:5 hooks.tidy.command[0]',
    '.instr/project.prs:5 hooks.tidy.command[1]',
    '.instr/project.prs:5 hooks.tidy.command[2]',
  ]);
});

tests('files of build profiles, and paths from where the user is', () => {
  assert.is(prs(folder, ['compile', '--all-builds']).status, 0);
  assert.equal(explain('sub/CLAUDE.md', 'You maintain'), ['.instr/project.prs:3 identity[0]']);
  const { stdout } = prs(folder, ['--cwd', '.instr', 'explain', '../CLAUDE.md:5']);
  assert.match(stdout, /\.instr\/project\.prs:3:/);
});

tests('other files, other lines and edited lines are said to be that', () => {
  const unknown = prs(folder, ['explain', 'CLAUD.md:3']);
  assert.is(unknown.status, 1);
  assert.match(unknown.stderr, /PRS9719[\s\S]*Did you mean `CLAUDE\.md`/);
  assert.match(prs(folder, ['explain', 'CLAUDE.md']).stderr, /Ask for a line of it: `prs explain CLAUDE\.md:12`/);
  assert.match(prs(folder, ['explain', 'CLAUDE.md:999']).stderr, /PRS9720/);
  write(folder, 'CLAUDE.md', `An edit.\n${read(folder, 'CLAUDE.md')}`);
  assert.match(prs(folder, ['explain', 'CLAUDE.md:1']).stderr, /PRS9721/);
  assert.equal(explain('CLAUDE.md', 'You maintain'), ['.instr/project.prs:3 identity[0]']);
});

tests('warnings about the project are not part of the answer', () => {
  const noisy = project({ ...files, '.instr/local.prs': '@local { }\n' });
  assert.is(prs(noisy, ['explain', 'identity[0]']).stderr, '');
});

tests.run();
