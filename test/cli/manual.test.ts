/** The manual that comes with the program: topics, blocks, fields of the configuration, wrapped for a terminal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { manualFiles } from '../../src/cli/manual/read.ts';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';
import { blockNames } from '../../src/resolve/catalogue.ts';
import { root } from '../support/compile.ts';
import { program, project, prs } from './prs.ts';

const tests = suite('manual');
const folder = project({});

/** What a reader of a terminal must not see: signs of Markdown, and lines that a screen breaks. */
function assertReadable(text: string, what: string): void {
  for (const line of text.split('\n')) {
    // Examples are copied by people, and a long word cannot be broken.
    if (/^ {4}/.test(line) || !/\S\s+\S/.test(line)) continue;
    // Globs have stars too.
    assert.not.match(line, /(?:^|\s)\*\*\w/, `${what}: ${line}`);
    assert.ok(line.length <= 80, `${what}: ${line}`);
    assert.not.match(line, /^#+ |\]\(|^\s*\|.*\|$|<!--/, `${what}: ${line}`);
  }
}

tests('the documents of the repository come with the program as they are', () => {
  const there = join(program, '../manual');
  assert.equal(readdirSync(there).sort(), Object.keys(manualFiles).map(name => `${name}.md`).sort());
  for (const [name, file] of Object.entries(manualFiles))
    assert.is(readFileSync(join(there, `${name}.md`), 'utf8'), readFileSync(join(root, file), 'utf8'));
});

tests('every topic that is listed can be shown', () => {
  const { stdout, status } = prs(folder, ['help', 'topics']);
  assert.is(status, 0);
  const topics = [...stdout.matchAll(/^(?: {2})?([a-z][a-z-]+)(?::| {2}|$)/gm)].map(([, name]) => name!);
  assert.ok(topics.length > 25, stdout);
  for (const name of ['migrating', 'organisations', 'continuous-integration', 'undo-a-run']) {
    assert.ok(topics.includes(name), name);
    const shown = prs(folder, ['help', name]);
    assert.is(shown.status, 0, shown.stderr);
    assert.ok(shown.stdout.length > 300);
    assertReadable(shown.stdout, name);
  }
  assert.match(prs(folder, ['help', 'convert', 'a', 'single', 'file']).stdout, /^Convert a single file\n=+\n/);
});

tests('a topic that there is not leads to the nearest', () => {
  const { status, stderr } = prs(folder, ['help', 'organisatons']);
  assert.is(status, 2);
  assert.match(stderr, /prs help organisations/);
});

tests('every block and its fields are explained as the catalogue has them', () => {
  const { blocks } = parse(readFileSync(join(root, 'schema/blocks.yaml'), 'utf8')) as BlockCatalogue;
  assert.ok(blocks.length <= blockNames.length);
  for (const { name, doc } of [blocks.find(one => one.name === 'guards')!, blocks.find(one => one.name === 'mcpServers')!]) {
    const { status, stdout } = prs(folder, ['explain', `@${name}`]);
    assert.is(status, 0);
    assert.ok(stdout.replace(/\s+/g, ' ').includes(doc.replace(/\s+/g, ' ')), stdout);
    assertReadable(stdout, name);
  }
  const { stdout } = prs(folder, ['explain', '@guards.applyTo']);
  assert.match(stdout, /^@guards\.applyTo\n/);
  assert.match(stdout, /Files to which it applies\./);
  assert.not.match(stdout, /excludeAgent/);
});

tests('fields of the configuration are explained down to the last', () => {
  const targets = prs(folder, ['explain', 'instr.yaml', 'targets']).stdout;
  assert.match(targets, /The assistants to write files for, in order\./);
  assert.match(targets, /^guardsAsSkills\n/m);
  assertReadable(targets, 'targets');
  assert.match(prs(folder, ['explain', 'instr.yaml', 'output.layout']).stdout, /Default: `"each"`/);
  assert.match(prs(folder, ['explain', 'instr.yaml', 'registry.git.url']).stdout, /Address of the Git repository/);
  assert.match(prs(folder, ['explain', 'instr.yaml']).stdout, /^universalDir\n/m);
  const wrong = prs(folder, ['explain', 'instr.yaml', 'target']);
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, /prs explain instr\.yaml/);
});

tests.run();
