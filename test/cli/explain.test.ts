/** `prs explain <file>:<line>`: traces a line of a generated file to the lines of the sources. */
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

/** Returns the origins of the only line in a file that contains a text. */
function explain(file: string, text: string, occurrence = 0, root = folder): string[] {
  const at = read(root, file)
    .split('\n')
    .flatMap((line, index) => (line.includes(text) ? [index + 1] : []))[occurrence];
  assert.ok(at, `${file} has no line with ${text}`);
  const { stdout, status } = prs(root, ['explain', `${file}:${at}`, '--json']);
  assert.is(status, 0);
  return (JSON.parse(stdout).entries as Entry[]).map(entry => `${entry.file}:${entry.line} ${entry.path}`);
}

tests('traces lines of prose to their source lines', () => {
  assert.equal(explain('CLAUDE.md', 'You maintain'), ['.instr/project.prs:3 identity[0]']);
  assert.equal(explain('CLAUDE.md', 'Small functions'), ['.instr/base.prs:4 standards.code[0]']);
  assert.equal(explain('CLAUDE.md', 'One more rule'), ['.instr/project.prs:4 standards.code[2]']);
  assert.equal(explain('CLAUDE.md', '- Words'), ['.instr/base.prs:5 standards.code[1]']);
});

tests('traces headings, parameters and code inside a text', () => {
  assert.equal(explain('CLAUDE.md', 'Release'), ['.instr/base.prs:10 knowledge[0]']);
  assert.equal(explain('CLAUDE.md', 'Ask Ann'), ['.instr/base.prs:12 knowledge[0]']);
  assert.equal(explain('CLAUDE.md', 'npm publish'), ['.instr/base.prs:14 knowledge[0]']);
});

tests('traces a heading of a key or block to its declaration', () => {
  assert.equal(explain('CLAUDE.md', '### Code'), ['.instr/base.prs:3 standards.code']);
  assert.equal(explain('CLAUDE.md', '## Standards'), ['.instr/base.prs:2 standards']);
  assert.equal(explain('CLAUDE.md', '# Project Instructions'), ['undefined:undefined conventions/sections.yaml: heading']);
});

tests('distinguishes equal values of several entries by position', () => {
  const path = '.claude/agents/reviewer.md';
  assert.equal(explain(path, 'model: sonnet'), ['.instr/project.prs:9 agents.reviewer.model']);
  assert.equal(explain(path, 'name: reviewer'), ['.instr/project.prs:7 agents.reviewer']);
  assert.equal(explain(path, 'Read the diff.', 0), ['.instr/project.prs:11 agents.reviewer.content']);
  assert.equal(explain(path, 'Read the diff.', 1), ['.instr/project.prs:12 agents.reviewer.content']);
});

tests('traces lines of settings files by their content', () => {
  assert.equal(explain('.claude/settings.json', 'tidy-up'), [
    '.instr/project.prs:5 hooks.tidy.command[0]',
    '.instr/project.prs:5 hooks.tidy.command[1]',
    '.instr/project.prs:5 hooks.tidy.command[2]',
  ]);
});

tests('traces files of build profiles, and resolves paths against the working directory', () => {
  assert.is(prs(folder, ['compile', '--all-builds']).status, 0);
  assert.equal(explain('sub/CLAUDE.md', 'You maintain'), ['.instr/project.prs:3 identity[0]']);
  const { stdout } = prs(folder, ['--cwd', '.instr', 'explain', '../CLAUDE.md:5']);
  assert.match(stdout, /\.instr\/project\.prs:3:/);
});

tests('reports unknown files, missing lines and edited lines', () => {
  const unknown = prs(folder, ['explain', 'CLAUD.md:3']);
  assert.is(unknown.status, 1);
  assert.match(unknown.stderr, /PRS9719[\s\S]*Did you mean `CLAUDE\.md`/);
  assert.match(prs(folder, ['explain', 'CLAUDE.md:999']).stderr, /PRS9720/);
  write(folder, 'CLAUDE.md', `An edit.\n${read(folder, 'CLAUDE.md')}`);
  assert.match(prs(folder, ['explain', 'CLAUDE.md:1']).stderr, /PRS9721/);
  assert.equal(explain('CLAUDE.md', 'You maintain'), ['.instr/project.prs:3 identity[0]']);
});

tests('does not report warnings about the project', () => {
  const noisy = project({ ...files, '.instr/local.prs': '@local { }\n' });
  assert.is(prs(noisy, ['explain', 'identity[0]']).stderr, '');
});

tests('traces text that the formatter has changed', () => {
  const formatted = project({
    ...files,
    'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nformatting: { proseWrap: always, printWidth: 40 }\n',
    '.instr/project.prs': [
      '@meta { id: "sample" syntax: "1.5.0" }',
      '@identity { "You maintain the sample." }',
      '@standards {',
      '  code: ["Twice the same" "Small functions only, whatever the size of the whole may be"]',
      '  tests: ["Twice the same"]',
      '}',
      '@knowledge { """',
      '* one star',
      '* Twice the same',
      '* another star',
      '* Twice the same',
      '""" }',
      '',
    ].join('\n'),
  });
  assert.is(prs(formatted, ['compile']).status, 0);
  const originsOf = (text: string, occurrence = 0) => explain('CLAUDE.md', text, occurrence, formatted);
  assert.equal(originsOf('You maintain'), ['.instr/project.prs:2 identity[0]']);
  assert.equal(originsOf('Twice', 0), ['.instr/project.prs:4 standards.code[0]']);
  assert.equal(originsOf('Small functions'), ['.instr/project.prs:4 standards.code[1]']);
  assert.equal(originsOf('  size of the whole'), ['.instr/project.prs:4 standards.code[1]']);
  assert.equal(originsOf('Twice', 1), ['.instr/project.prs:5 standards.tests[0]']);
  assert.equal(originsOf('one star'), ['.instr/project.prs:8 knowledge[0]']);
  assert.equal(originsOf('Twice', 2), ['.instr/project.prs:9 knowledge[0]']);
  assert.equal(originsOf('Twice', 3), ['.instr/project.prs:11 knowledge[0]']);
});

tests('traces the equal line that follows the marked line above it', () => {
  const table = ['', '| aaa | bbb |', '| --- | --- |', ''];
  const tables = project({
    'instr.yaml': files['instr.yaml']!,
    '.instr/project.prs': [
      '@meta { id: "sample" syntax: "1.5.0" }',
      '@knowledge { """',
      'The first table:',
      ...table,
      'The second table:',
      ...table,
      '""" }',
      '',
    ].join('\n'),
  });
  assert.is(prs(tables, ['compile']).status, 0);
  assert.equal(explain('CLAUDE.md', '| aaa', 0, tables), ['.instr/project.prs:5 knowledge[0]']);
  assert.equal(explain('CLAUDE.md', '| aaa', 1, tables), ['.instr/project.prs:10 knowledge[0]']);
});

tests('traces single words, labels and lists in one line to their sources, and titles of the layout to the layout', () => {
  const shop = project({
    'instr.yaml': 'id: shop\nsyntax: "1.5.0"\ntargets: [claude]\n',
    '.instr/project.prs': [
      '@meta { id: "shop" syntax: "1.5.0" }',
      '@identity { "You." }',
      '@context {',
      '  project: "Shop"',
      '  stack: ["TypeScript", "PostgreSQL"]',
      '}',
      '@guards { api: { applyTo: ["src/**"] excludeAgent: "cloud" content: "Check." } }',
      '',
    ].join('\n'),
  });
  const { stdout } = prs(shop, ['compile', '--json']);
  const originsOf = (text: string) => explain('CLAUDE.md', text, 0, shop);
  assert.equal(originsOf('You.'), ['.instr/project.prs:2 identity[0]']);
  assert.equal(originsOf('## Context'), ['.instr/project.prs:3 context']);
  assert.equal(originsOf('- Project: Shop'), ['.instr/project.prs:4 context.project']);
  assert.equal(originsOf('- Stack'), ['.instr/project.prs:5 context.stack[0]', '.instr/project.prs:5 context.stack[1]']);
  assert.equal(originsOf('## Project'), ['undefined:undefined conventions/sections.yaml: sections.identity.title']);
  const lost = JSON.parse(stdout).omissions.find(({ source }: { source: string }) => source === 'guards.api.excludeAgent');
  assert.equal([lost.file, lost.line], ['.instr/project.prs', 7]);
});

tests('reports that a line comes from the layout', () => {
  const { stdout, status } = prs(folder, ['explain', 'CLAUDE.md:2']);
  assert.is(status, 0);
  assert.match(stdout, /^CLAUDE\.md:2\n {2}from no line of the sources/);
});

tests('shows blocks and objects with all their content, and truncates long values only in text output', () => {
  const block = JSON.parse(prs(folder, ['explain', 'standards', '--json']).stdout).entries;
  assert.equal(block.at(-1).value, [{ code: ['Small functions only', 'Words', 'One more rule'] }]);
  assert.equal(block.map(({ file, line }: Entry) => `${file}:${line}`), ['.instr/base.prs:2', '.instr/project.prs:2', '.instr/project.prs:4']);
  const object = JSON.parse(prs(folder, ['explain', 'agents.writer', '--json']).stdout).entries;
  assert.equal(object[0].value, { description: 'Writes a change.', model: 'sonnet', content: 'Write.' });
  const long = project({
    'instr.yaml': files['instr.yaml']!,
    '.instr/project.prs': `@meta { id: "sample" syntax: "1.5.0" }\n@identity { "${'You maintain the sample. '.repeat(9)}" }\n`,
  });
  assert.is(prs(long, ['compile']).status, 0);
  const at = read(long, 'CLAUDE.md').split('\n').findIndex(line => line.includes('You maintain')) + 1;
  const output = prs(long, ['explain', `CLAUDE.md:${at}`]).stdout.replace(/\s+/g, ' ');
  assert.ok(output.endsWith(`${'You maintain the sample. '.repeat(9).slice(0, 59)}… `), output);
});

tests('compares a mistyped path with its siblings', () => {
  const meant = (path: string) => /Did you mean `([^`]+)`/.exec(prs(folder, ['explain', path]).stderr)?.[1];
  assert.is(meant('standrads.code[0]'), 'standards.code[0]');
  assert.is(meant('standards.cod[0]'), 'standards.code[0]');
  assert.is(meant('agents.writer.modle'), 'agents.writer.model');
  assert.is(meant('agents.writr.nothing-like-it'), 'agents.writer');
  assert.is(meant('identity[0].zzzzzz'), undefined);
});

tests('does not find a path of ten thousand parts, and truncates it in the message', () => {
  const { status, stderr } = prs(folder, ['explain', Array(10_000).fill('a').join('.')]);
  assert.is(status, 1);
  assert.match(stderr, /PRS\d+: There is nothing named|nothing named/);
  assert.ok(stderr.length < 1000, `${stderr.length} characters`);
});

tests('formats a page for a terminal: no Markdown, wrapped prose, unchanged examples', () => {
  const lines = prs(folder, ['explain', 'PRS8001']).stdout.split('\n');
  assert.equal(
    lines.filter(line => /^\s*(```|#+ )/.test(line)),
    [],
  );
  assert.equal(
    lines.filter(line => line.length > 80 && !line.startsWith('    ')),
    [],
  );
  for (const line of ['Wrong:', '  MY-TOOL.md:', '    $ prs compile --force', '<path> was not generated and <reason>.'])
    assert.ok(lines.includes(line), line);
});

tests('the page of a tool shows the values of its options', () => {
  const { stdout } = prs(folder, ['targets', 't11']);
  assert.match(stdout, /maxThreads +integer from 1 +\S/);
  assert.match(stdout, /agentsFile +"AGENTS.md" \| "AGENTS.override.md"; default "AGENTS.md".* {2}Name of/);
  assert.match(prs(folder, ['targets', 't05']).stdout, /split needs version multifile or full/);
});

tests('explains a file without a line by its declarations', () => {
  const { stdout, status } = prs(folder, ['explain', 'CLAUDE.md']);
  assert.is(status, 0);
  assert.match(stdout, /^CLAUDE\.md\n/);
  assert.match(stdout, /^ {2}lines? \d+.* identity .*\.instr\/project\.prs:3:/m);
  assert.match(stdout, /^ {2}lines \d+ to \d+ +standards(?:\.code)? +\.instr\/(?:base|project)\.prs:\d+:/m);
  assert.match(stdout, /One line: prs explain CLAUDE\.md:\d+\n$/);
});

tests('names the command that shows the rules for a file that is not generated', () => {
  write(folder, 'src/cart.ts', '');
  const { stderr, status } = prs(folder, ['explain', 'src/cart.ts']);
  assert.is(status, 1);
  assert.match(stderr, /`prs view --as <target> --file src\/cart\.ts`/);
});

tests.run();
