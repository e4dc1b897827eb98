import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HookFacts } from '../../src/generated/types/target.ts';
import { readCommand } from '../../src/kinds/read/hooks.ts';
import { shellInProject } from '../../src/kinds/write/hooks.ts';
import { posixCommand } from '../../src/text/shell.ts';
import { markReference } from '../../src/text/variables.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('import: shell commands of hooks');

/** Commands that no portable hook can run, because they need values that only a shell expands. */
const unreadable = undefined;

const cases: readonly (readonly [text: string, root: HookFacts['root'], found: unknown])[] = [
  ['npm run lint', undefined, { argv: ['npm', 'run', 'lint'] }],
  [`node 'a b.js' "c \\"d\\""`, undefined, { argv: ['node', 'a b.js', 'c "d"'] }],
  ['cd "${X:?}" && npm test', { env: 'X' }, { argv: ['npm', 'test'], cwd: 'project' }],
  ['cd "${X:?}"/packages/web && npm test', { env: 'X' }, { argv: ['npm', 'test'], cwd: 'packages/web' }],
  ['cd "$X" && npm test', { env: 'X' }, { argv: ['npm', 'test'], cwd: 'project' }],
  ['cd "$(git rev-parse --show-toplevel)" && make', { cwd: 'git' }, { argv: ['make'], cwd: 'project' }],
  [`cd "$(git rev-parse --show-toplevel)"'/my web' && make all`, { cwd: 'git' }, { argv: ['make', 'all'], cwd: 'my web' }],
  ['test -z "$X_PROJECT_DIR" || exit 0; cd "${Y:?}" && make', { env: 'Y' }, { argv: ['make'], cwd: 'project' }],
  ['cd packages/web && make', { cwd: 'project' }, { argv: ['make'], cwd: 'packages/web' }],
  ['"$X"/hooks/check.sh --all', { env: 'X' }, { argv: ['hooks/check.sh', '--all'], cwd: 'project' }],
  ['$X/hooks/check.sh', { env: 'X' }, { argv: ['hooks/check.sh'], cwd: 'project' }],
  [`sh -c 'cd "$(git rev-parse --show-toplevel)" && make all'`, { cwd: 'git' }, { argv: ['make', 'all'], cwd: 'project' }],
  ['npm test || true', undefined, { argv: ['sh', '-c', 'npm test || true'] }],
  ['cd "$X" && npm test | tee log', { env: 'X' }, { argv: ['sh', '-c', 'npm test | tee log'], cwd: 'project' }],
  ['CI=1 npm test', undefined, { argv: ['sh', '-c', 'CI=1 npm test'] }],
  ['[ -f x ] && y', undefined, { argv: ['sh', '-c', '[ -f x ] && y'] }],
  ['echo $HOME', undefined, { argv: ['sh', '-c', 'echo $HOME'] }],
  ['rm *.log', undefined, { argv: ['sh', '-c', 'rm *.log'] }],
  ['say "$(date)"', undefined, unreadable],
  ['say `date`', undefined, unreadable],
  ['say "${USER:-nobody}"', undefined, { argv: ['say', markReference({ name: 'USER', fallback: 'nobody' })] }],
  ['say "to ${USER}"', undefined, { argv: ['say', `to ${markReference({ name: 'USER' })}`] }],
  ['say "${USER:?}"', undefined, unreadable],
  ['say "${USER:-$HOME}"', undefined, unreadable],
  ['say ${USER}', undefined, unreadable],
  ['cat a | "$X/run.sh"', { env: 'X' }, unreadable],
  ['', undefined, unreadable],
];

for (const [text, root, found] of cases) {
  tests(text === '' ? '(nothing)' : text, () => assert.equal(readCommand(text, root), found));
}

const word = fc.oneof(
  fc.constantFrom('--deny=rm -rf', "it's", '', '"', '\\', '$HOME', '${X}', '`x`', 'a&&b', '*', '~', '#x', 'שלום', 'two\nlines'),
  fc.string({ maxLength: 12 }).filter(text => !text.includes('\ue000')),
);
const argv = fc.array(word, { maxLength: 4 }).map(words => ['tool', ...words]);

tests('quoted commands of emit are read back, wherever they run', () => {
  const roots = fc.constantFrom<HookFacts['root']>({ env: 'ROOT_DIR' }, { cwd: 'git' }, { cwd: 'project' }, undefined);
  fc.assert(
    fc.property(argv, roots, fc.constantFrom('', 'packages/web'), (words, root, directory) => {
      const text = shellInProject(words, directory, root);
      const cwd = directory === '' ? 'project' : directory;
      // In a tool that runs everything at the root, the file does not contain the directory.
      const known = root?.cwd === 'project' && directory === '' ? {} : { cwd };
      assert.equal(readCommand(text, root), { argv: words, ...known });
      assert.equal(readCommand(posixCommand(['sh', '-c', text]), root), { argv: words, ...known });
    }),
    { numRuns: runs(400) },
  );
});

tests('any text is read or refused, in reasonable time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), text => {
      const found = readCommand(text, { env: 'X' });
      if (found) assert.not.match(found.argv.join(' '), '\ue000');
    }),
    { numRuns: runs(500) },
  );
});

tests.run();
