/** Which paths a glob matches, and which globs are refused. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileGlobs, globProblem } from '../../src/text/globs.ts';

const tests = suite('globs');

const table: readonly (readonly [glob: string, matches: readonly string[], others: readonly string[]])[] = [
  ['*.prs', ['a.prs', '.a.prs'], ['x/a.prs', 'prs']],
  ['**/*.prs', ['a.prs', 'x/a.prs', '.x/y/a.prs'], ['a.md']],
  ['src/**', ['src', 'src/a', 'src/a/b'], ['srca', 'a/src']],
  ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c', 'a/b/b/c'], ['a/c', 'a/b']],
  ['./a//b', ['a/b'], ['b']],
  ['{src,lib/*}/a.{ts,tsx}', ['src/a.ts', 'lib/x/a.tsx'], ['lib/a.ts']],
  ['f{1..12}', ['f1', 'f12'], ['f13', 'f0']],
  ['@(a|b)!(c)?(d)', ['ad', 'bxd'], ['cd']],
  ['+(ab)', ['ab', 'abab'], ['aba']],
  ['[[:alpha:]][!a-c]', ['xd', 'a1'], ['1d', 'xa']],
  ['app/(shop)/[id]/a+b^$|c', ['app/(shop)/i/a+b^$|c'], ['app/shop/i/a+b^$|c']],
  ['\\*\\{a,b\\}', ['*{a,b}'], ['xa', '*a']],
  ['a{2}', ['a{2}'], ['aa']],
  ['a?c', ['abc'], ['a/c', 'ac']],
];

tests('a glob matches as in a shell, including names that start with a dot', () => {
  for (const [glob, matches, others] of table) {
    const test = compileGlobs([glob]);
    assert.is(globProblem(glob), undefined, glob);
    for (const path of matches) assert.ok(test(path), `${glob} should match ${path}`);
    for (const path of others) assert.not(test(path), `${glob} should not match ${path}`);
  }
  const chosen = compileGlobs(['src/**', '!src/old/**']);
  assert.equal([chosen('src/a'), chosen('src/old/a')], [true, false]);
  assert.ok(compileGlobs(['@core/(x)/*'], { names: true })('@core/(x)/y'));
});

tests('globs that could take long to match are refused, and match nothing', () => {
  const refused = [
    '*a*a*a*ab',
    `${'!(b)'.repeat(4)}`,
    `${'@(a|aa)'.repeat(20)}b`,
    '+(a|aa)b',
    '*(*)',
    '+(@(a)|b)',
    '{a,b}'.repeat(9),
    '{1..100000}',
    `${'{a,'.repeat(300)}b${'}'.repeat(300)}`,
    'a'.repeat(1001),
    '[[:foo:]]',
  ];
  for (const glob of refused) {
    assert.type(globProblem(glob), 'string', glob.slice(0, 40));
    assert.not(compileGlobs([glob])(glob), glob.slice(0, 40));
  }
});

tests.run();
