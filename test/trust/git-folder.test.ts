/** Files in `.git` are neither sources nor outputs, and a `.git` folder from an archive leads nowhere else. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs } from '../cli/prs.ts';
import { needing } from '../support/machine.ts';

const tests = suite('the folder of Git');
const test = needing(tests, 'git', 'symbolic links');

const config = (more = '') => `id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [agents]\n${more}`;
const secret = 'SECRET-OF-GIT';

/** A repository whose configuration contains a credential, as in a clone with a token in its URL. */
function repository(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}): string {
  const folder = project(files);
  execFileSync('git', ['init', '-q', folder]);
  execFileSync('git', ['-C', folder, 'config', 'http.extraheader', secret]);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
  return folder;
}

function assertUnread(folder: string, ...args: string[]): void {
  const { stdout, stderr, status } = prs(folder, args);
  assert.is.not(status, 70);
  assert.not.match(stdout + stderr, secret);
  const walk = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') walk(path);
      else if (entry.isFile()) assert.not.match(readFileSync(path, 'utf8'), secret, path);
    }
  };
  walk(folder);
}

test('a link to a file of Git is not a source', () => {
  const meta = '@meta { id: "shop" syntax: "1.6.0" }\n';
  const link = { 'notes.md': '.git/config', inner: '.git' };
  for (const reference of ['./notes.md', './inner/config.md', './.git/config.md']) {
    const folder = repository({ 'instr.yaml': config('input: { entry: a.prs }\n'), 'a.prs': `${meta}@use ${reference}\n` }, link);
    writeFileSync(join(folder, '.git', 'config.md'), secret);
    assertUnread(folder, 'compile');
  }
  assertUnread(repository({ 'instr.yaml': config('input: { entry: notes.md }\n') }, link), 'compile');
  const included = 'input: { entry: a.prs, include: [".git/**", "inner/**"] }\n';
  assertUnread(repository({ 'instr.yaml': config(included), 'a.prs': meta }, link), 'compile');
});

test('a link to a file of Git is not migrated', () => {
  assertUnread(repository({}, { 'AGENTS.md': '.git/config' }), 'migrate');
  assertUnread(repository({}, { 'notes.md': '.git/config' }), 'import', 'notes.md');
});

test('a registry in the project and a linked package read neither Git nor a folder of the user', () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'notes.md'), secret);
  for (const reference of ['@own/notes.md', 'npm:evil/notes.md', 'npm:evil/notes']) {
    const files = {
      'instr.yaml': config('input: { entry: a.prs }\nregistries: { "@own": { path: . } }\n'),
      'a.prs': `@meta { id: "shop" syntax: "1.6.0" }\n@use ${reference}\n`,
      'node_modules/other/package.json': '{}',
    };
    assertUnread(repository(files, { 'notes.md': '.git/config', 'node_modules/evil': outside }), 'compile');
  }
  rmSync(outside, { recursive: true });
});

test('patterns do not search folders behind a link that leads outside', () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'secret-name.md'), secret);
  const files = { 'instr.yaml': config('input: { entry: a.prs, include: ["out/**"] }\n'), 'a.prs': '@meta { id: "shop" syntax: "1.6.0" }\n' };
  const { stdout, stderr } = prs(repository(files, { out: outside }), ['validate']);
  assert.not.match(stdout + stderr, 'secret-name');
  assert.match(stdout + stderr, 'PRS3031');
  rmSync(outside, { recursive: true });
});

test('hooks and exclude files of Git are not written through links and settings that lead out of the repository', () => {
  const files = { 'instr.yaml': config(), '.instr/project.md': 'Hi\n' };
  const traps: Record<string, (folder: string, outside: string) => void> = {
    hooks(folder, outside) {
      rmSync(join(folder, '.git/hooks'), { recursive: true, force: true });
      symlinkSync(outside, join(folder, '.git/hooks'));
    },
    attributes(folder, outside) {
      mkdirSync(join(folder, '.git/info'), { recursive: true });
      symlinkSync(join(outside, 'precious'), join(folder, '.git/info/attributes'));
    },
    info(folder, outside) {
      rmSync(join(folder, '.git/info'), { recursive: true, force: true });
      symlinkSync(outside, join(folder, '.git/info'));
    },
    setting: (folder, outside) => void execFileSync('git', ['-C', folder, 'config', 'core.hooksPath', outside]),
  };
  for (const [name, trap] of Object.entries(traps)) {
    const folder = repository(files);
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'precious'), 'precious\n');
    trap(folder, outside);
    const { status, stdout, stderr } = prs(folder, ['hook', 'install']);
    assert.is(status, 1, name + stdout + stderr);
    assert.match(stderr, /refused/, name);
    assert.equal(readdirSync(outside), ['precious'], name);
    assert.is(readFileSync(join(outside, 'precious'), 'utf8'), 'precious\n', name);
    rmSync(outside, { recursive: true });
  }
});

test('a folder name cannot add lines to a hook', () => {
  const folder = repository({});
  const place = join(folder, 'x\ntouch owned #');
  mkdirSync(join(place, '.instr'), { recursive: true });
  writeFileSync(join(place, 'instr.yaml'), config());
  writeFileSync(join(place, '.instr/project.md'), 'Hi\n');
  const { status, stderr } = prs(place, ['hook', 'install']);
  assert.is(status, 1);
  assert.match(stderr, 'Rename the folder');
  assert.not(existsSync(join(folder, '.git/hooks/post-checkout')));
});

tests.run();
