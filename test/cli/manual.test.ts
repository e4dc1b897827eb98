/** The manual of the program: topics, blocks and configuration fields, wrapped for a terminal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { manualFiles } from '../../src/cli/manual.ts';
import type { BlockCatalogue } from '../../src/generated/types/blocks.ts';
import { blockNames } from '../../src/resolve/catalogue.ts';
import { root } from '../support/compile.ts';
import { program, project, prs } from './prs.ts';

const tests = suite('manual');
const folder = project({});

/** Checks that the text has no Markdown syntax and no line that is too long for the screen. */
function assertReadable(text: string, what: string): void {
  for (const line of text.split('\n')) {
    // Examples must stay copyable, and a long word cannot be wrapped.
    if (/^ {4}/.test(line) || !/\S\s+\S/.test(line)) continue;
    // Globs may contain `**` too.
    assert.not.match(line, /(?:^|\s)\*\*\w/, `${what}: ${line}`);
    assert.ok(line.length <= 80, `${what}: ${line}`);
    assert.not.match(line, /^#+ |\]\(|^\s*\|.*\|$|<!--/, `${what}: ${line}`);
  }
}

tests('the program includes the documents of the repository unchanged', () => {
  const manual = join(program, '../manual');
  assert.equal(readdirSync(manual).sort(), Object.keys(manualFiles).map(name => `${name}.md`).sort());
  for (const [name, file] of Object.entries(manualFiles))
    assert.is(readFileSync(join(manual, `${name}.md`), 'utf8'), readFileSync(join(root, file), 'utf8'));
});

tests('every listed topic can be shown', () => {
  const { stdout, status } = prs(folder, ['help', 'topics']);
  assert.is(status, 0);
  const topics = [...stdout.matchAll(/^(?: {2})?([a-z][a-z-]+)(?::| {2}|$)/gm)].map(([, name]) => name!);
  assert.ok(topics.length > 25, stdout);
  for (const name of ['migrating', 'organisations', 'continuous-integration', 'undo-a-run']) {
    assert.ok(topics.includes(name), name);
    const page = prs(folder, ['help', name]);
    assert.is(page.status, 0, page.stderr);
    assert.ok(page.stdout.length > 300);
    assertReadable(page.stdout, name);
  }
  assert.match(prs(folder, ['help', 'convert', 'a', 'single', 'file']).stdout, /^Convert a single file\n=+\n/);
});

tests('suggests the nearest topic for an unknown one', () => {
  const { status, stderr } = prs(folder, ['help', 'organisatons']);
  assert.is(status, 2);
  assert.match(stderr, /prs help organisations/);
});

tests('explains every block and its fields with the texts of the catalogue', () => {
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

tests('explains configuration fields at any depth', () => {
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
