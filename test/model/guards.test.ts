/** The content of a guard combined with the guards it requires. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { composeGuards } from '../../src/model/guards.ts';
import type { Data, Item, Unplaced } from '../../src/model/model.ts';

const tests = suite('guards');

const guard = (name: string, fields: Readonly<Record<string, Data>>): Item => ({
  name,
  path: `guards.${name}`,
  fields: new Map<string, Data>([['name', name], ...Object.entries(fields)]),
  computed: new Set(['name', 'requires']),
  resources: [],
});

const chain = [
  guard('a', { globs: ['*.ts'], content: 'A', requires: ['b'] }),
  guard('b', { content: 'B', requires: ['c', 'a'] }),
  guard('c', { content: 'C' }),
];

function compose(guards: readonly Item[], depth: number) {
  const unplaced: Unplaced[] = [];
  const contents = composeGuards(guards, depth, unplaced).map(item => item.fields.get('content'));
  return { contents, unplaced: unplaced.map(({ path, text }) => `${path}: ${text}`) };
}

tests('requirements are followed up to the given depth, each guard once', () => {
  assert.equal(compose(chain, 1), { contents: ['A\n\nB'], unplaced: ['guards.c.content: C'] });
  assert.equal(compose(chain, 2), { contents: ['A\n\nB\n\nC'], unplaced: [] });
  assert.equal(compose(chain, 9), { contents: ['A\n\nB\n\nC'], unplaced: [] });
});

tests('a guard without content is not written, and its globs are reported', () => {
  const guards = [guard('a', { globs: ['*.ts', '*.js'] })];
  assert.equal(compose(guards, 3), { contents: [], unplaced: ['guards.a.globs: *.ts, *.js'] });
});

tests('only the content of a required guard is written', () => {
  const guards = [chain[0]!, guard('b', { content: 'B', description: 'About b' })];
  assert.equal(compose(guards, 3), { contents: ['A\n\nB'], unplaced: ['guards.b.description: About b'] });
});

tests('a guard without globs that no guard requires is a rule for every file', () => {
  const guards = [guard('house-style', { content: 'C', description: 'D', priority: 3 })];
  assert.equal(compose(guards, 3), { contents: ['C'], unplaced: [] });
});

tests('a guard with only a description is written with the description', () => {
  assert.equal(compose([guard('a', { globs: ['*.ts'], description: 'D' })], 3), { contents: ['D'], unplaced: [] });
});

tests.run();
