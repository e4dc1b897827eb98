/** The split of a script: the two together do what the one did, and the second is loaded when something in it is called. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { splitRare } from '../../scripts/build/rare.ts';

const tests = suite('rare functions');

/** Calls of `tell`, which every function of an example is given, and what the example exports. */
interface Run {
  readonly told: unknown[];
  readonly exported: Record<string, (...values: unknown[]) => unknown>;
}

/** Evaluates a script of which `rare` functions are taken out; `told` says when the second is loaded. */
function split(body: string, rare: readonly string[]): Run & { readonly moved: readonly string[] } {
  const text = `(require,tell)=>{const module={exports:{}};${body}\nreturn module.exports}`;
  const isRare = (start: number) =>
    rare.some(name => text.startsWith(`function ${name}(`, start) || text.slice(0, start).endsWith(`${name} = `));
  const two = splitRare(text, isRare, () => 'second');
  const told: unknown[] = [];
  const tell = (value: unknown) => void told.push(value);
  const load = (name: string) => {
    told.push(`loads ${name}`);
    return evaluate(two.rare)(load, tell);
  };
  const exported = evaluate(two.often)(load, tell) as Run['exported'];
  const [, list] = /return \[(.*)\];\n\}$/.exec(two.rare) ?? [];
  return { told, exported, moved: list === '' ? [] : list!.split(', ') };
}

const evaluate = (text: string) => new Function(`return ${text}`)() as (...given: unknown[]) => unknown;

tests('a function is loaded when it is first called, and knows the others', () => {
  const { told, exported, moved } = split(
    `function often(a) { return a > 1 ? seldom(a) : a; }
     function seldom(a, ...rest) { return twice(arrow(a)) + limit + rest.length; }
     const arrow = a => [a].map(b => often(0) + b)[0], limit = 10;
     function twice(a) { return a * 2; }
     module.exports = { often };`,
    ['seldom', 'arrow'],
  );
  assert.equal(moved, ['seldom', 'arrow']);
  assert.is(exported.often!(1), 1);
  assert.equal(told, []);
  assert.is(exported.often!(4), 18);
  assert.is(exported.often!(5), 20);
  assert.equal(told, ['loads second']);
});

tests('what is exported stands for itself until it is called', () => {
  const { told, exported, moved } = split(
    `function seldom(a) { tell(a); return a; }
     module.exports = { at: n => { switch (n) { case 0: return seldom; } } };`,
    ['seldom'],
  );
  assert.equal(moved, ['seldom']);
  const found = exported.at!(0) as (value: number) => number;
  assert.equal(told, []);
  assert.is(found(3), 3);
  assert.equal(told, ['loads second', 3]);
});

tests('what is more than called stays, and so does what shares a variable that changes', () => {
  const { moved, exported } = split(
    `let count = 0;
     function counts() { return ++count; }
     function resets() { count = 0; }
     function compared(a) { return a; }
     function passed(a) { return a + 1; }
     function loaded() { return 1; }
     function owner() { return this; }
     function made() { return new.target; }
     function replaced() { return 1; }
     const table = { key: passed }, first = loaded();
     function often(f) { replaced = () => 2; return [f === compared, table.key(1), first, counts(), replaced()]; }
     function fine() { return resets; }
     module.exports = { run: f => often(f), again: () => fine() };`,
    ['counts', 'resets', 'compared', 'passed', 'loaded', 'owner', 'made', 'replaced', 'fine'],
  );
  assert.equal(moved, ['fine']);
  assert.equal(exported.run!(0), [false, 2, 1, 1, 2]);
  assert.type(exported.again!(), 'function');
});

tests('members of a function are those of the one that is called', () => {
  const { exported, moved } = split(
    `function check(data) { check.errors = data ? undefined : [1]; return data; }
     function often(data) { return check(data) || check.errors; }
     module.exports = { often: data => often(data) };`,
    ['check'],
  );
  assert.equal(moved, ['check']);
  assert.equal(exported.often!(0), [1]);
});

tests('what is made by a member of a function is', () => {
  const { exported } = split(
    `function holder() {}
     function often() { holder.Made = holder.Made ?? class { constructor(a) { this.a = a; } }; return new holder.Made(3).a; }
     module.exports = { often: () => often() };`,
    ['holder'],
  );
  assert.is(exported.often!(), 3);
});

tests('what is called while the script is loaded would not know the others', () => {
  const body = 'function seldom() { return later; } const run = f => f(), now = run(() => seldom()), later = 1; module.exports = { run };';
  assert.throws(() => split(body, ['seldom']), 'while the script is loaded');
});

tests('patterns, defaults and names of members are told from uses', () => {
  const { exported, moved } = split(
    `const { a: one, ...others } = { a: 1, b: 2 };
     function seldom({ x = one, y: [z] = [others.b] } = {}) { const { seldom: inner = 7 } = { x }; return { x, z, inner, one }; }
     function often(o) { for (const key of [1]) o = { seldom: key, ...o }; return { found: seldom(), own: o.seldom }; }
     module.exports = { often: o => often(o) };`,
    ['seldom'],
  );
  assert.equal(moved, ['seldom']);
  assert.equal(exported.often!({}), { found: { x: 1, z: 2, inner: 7, one: 1 }, own: 1 });
});

tests('a variable that stands in a block of the script is not left behind', () => {
  const body = 'if (tell) { var hidden = 1; } function seldom() { return hidden; } module.exports = { often: () => seldom() };';
  assert.throws(() => split(body, ['seldom']), 'seldom would not know hidden');
});

tests('a name with two meanings is refused: the split would take one for the other', () => {
  assert.throws(
    () => split('function seldom() {} function often() { { const seldom = 1; return seldom; } } module.exports = { often };', ['seldom']),
    'seldom is two things',
  );
  assert.throws(() => split('function seldom() {} function often(seldom) {} module.exports = { often };', ['seldom']), 'two things');
});

tests.run();
