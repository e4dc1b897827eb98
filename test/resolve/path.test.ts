/** Tests paths of values: parsing, printing, and lookup. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findNode, type NodePath, parseNodePath, printNodePath } from '../../src/resolve/path.ts';
import fc from '../support/property.ts';
import { cases, resolveFolder } from './cases.ts';

const paths = suite('resolve: paths');

paths('parses names, quotes and positions', () => {
  assert.equal(parseNodePath('standards.code[0]'), ['standards', 'code', 0]);
  assert.equal(parseNodePath('@skills."a.b".content'), ['skills', 'a.b', 'content']);
  assert.equal(parseNodePath('shortcuts."/te\\"st"'), ['shortcuts', '/te"st']);
  for (const wrong of ['', '.', 'a..b', 'a[', 'a[x]', '[0]', 'a "b"', 'a."b']) {
    assert.is(parseNodePath(wrong), undefined, wrong);
  }
});

paths('a printed path is parsed to the same path', () => {
  const name = fc.string({ minLength: 1 });
  const rest = fc.array(fc.oneof(name, fc.nat({ max: 999_999_999 })));
  fc.assert(
    fc.property(name, rest, (first, more) => {
      const path: NodePath = [first, ...more];
      assert.equal(parseNodePath(printNodePath(path)), path);
    }),
  );
});

const find = async (name: string, path: string) => {
  const { program } = await resolveFolder(join(cases.folder, name), { universalDir: '.agents' });
  const found = findNode(program, parseNodePath(path)!);
  return found && 'kind' in found && found.kind === 'scalar' ? found.value : found;
};

paths('finds values of blocks, lists, meta and parameters', async () => {
  assert.is(await find('extend', 'standards.git.types[2]'), 'perf');
  assert.is(await find('extend', 'commands."/test".content'), 'More.');
  assert.is(await find('override', 'restrictions[0]'), 'Never');
  assert.is(await find('merge', 'standards[1]'), 'A paragraph of our own.');
  assert.is(await find('merge', 'meta.id'), 'shop');
  assert.is(await find('parameters', 'params.level'), 3);
  assert.is(await find('use', 'agents.team.reviewer.model'), 'opus');
  assert.is(await find('awkward', 'standards.__proto__.constructor'), 'w');
});

paths('finds a whole block, and returns nothing for a missing one', async () => {
  const block = await find('merge', 'restrictions');
  assert.is(block && typeof block === 'object' && 'entries' in block && block.entries.length, 2);
  for (const path of ['nothing', 'standards.nope', 'standards.code[9]', 'standards.code.x', 'meta.toString']) {
    assert.is(await find('merge', path), undefined, path);
  }
});

paths.run();
