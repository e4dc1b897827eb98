/** Output paths that are refused, and random paths that never leave the project. */
import { posix, win32 } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkOutputPath } from '../../src/plan/manifest.ts';
import { checkRelativePath, pathKey } from '../../src/text/portable-path.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const test = suite('safe paths');

test('accepts ordinary paths', () => {
  for (const path of ['AGENTS.md', '.agents/skills/a-b/SKILL.md', 'docs/Größe.md', 'a b/c.d.e', '文档/読.md', '.gitignore', 'com10.md']) {
    assert.is(checkOutputPath(path), undefined, path);
  }
});

test('refuses paths that escape, or that a system does not support', () => {
  for (const path of [
    '', '.', '..', '/a', '\\a', 'a/../b', '../a', 'a/..', './a', 'a//b', 'a/', 'C:/a', 'c:a', '//host/a', '\\\\host\\a',
    'a\\b', 'a\0b', 'a\nb', 'a\u007fb', 'a\u202eb', 'a\u200bb', 'CON', 'a/nul.txt', 'com1', 'LPT9.md', 'a.', 'a /b', 'a/ b', 'a:b', 'a?b', 'a*',
    'a|b', 'a<b', 'a"b', '.git/config', 'sub/.GIT/hooks/x', 'git~1/config', '.hg/x', `${'ä'.repeat(128)}`, '\ud800',
  ]) {
    assert.type(checkRelativePath(path), 'string', JSON.stringify(path));
  }
  for (const path of ['.instr/project.prs', '.INSTR/x', 'instr.yaml', 'Instr.YML', 'instr.lock']) {
    assert.type(checkOutputPath(path), 'string', path);
  }
});

test('accepted paths stay below the root on every system', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '/', '\\', 'C:', '', ' ', '\0', 'a', 'nul'), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), parts => {
      const path = parts.join('');
      if (checkRelativePath(path) !== undefined) return;
      assert.ok(posix.resolve('/root', path).startsWith('/root/'));
      assert.ok(win32.resolve('C:\\root', path).startsWith('C:\\root\\'));
    }),
    { numRuns: runs(2000) },
  );
});

test('names that a system treats as equal have the same key', () => {
  assert.is(pathKey('Caf\u00c9.md'), pathKey('cafe\u0301.MD'));
  assert.is.not(pathKey('a'), pathKey('b'));
});

test.run();
