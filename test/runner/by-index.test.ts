/** What the build makes of loops over arrays and of patterns: the same values, and no iterator is asked. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rewriteAll } from '../../scripts/build/by-index.ts';

const source = `
type Pair = readonly [string, number];
const pairs: readonly Pair[] = [['a', 1], ['b', 2], ['é', 3]];
const lists: readonly (readonly number[])[] = [[1, 2, 3], [], [4]];
const say: unknown[] = [];
for (const pair of pairs) say.push(pair[0]);
for (const [name, value] of pairs) { say.push(name + value); }
for (const [at, [name]] of pairs.entries()) say.push([at, name].join(':'));
for (const [first = 'none', ...rest] of lists) say.push({ first, rest });
const [one, [, two], { length }] = [pairs[0]!, pairs[1]!, pairs] as const;
let [text, from] = ['', 7];
[text] = ['changed'];
say.push(one, two, length, text, from);
say.push(pairs.map(([name, value]) => ({ [name]: value })), lists.map(([, second]) => second));
const late = function ([name]: Pair, more: { readonly x: number }) { return () => name + more.x; };
say.push(pairs.map(pair => late(pair, { x: 1 })()));
const growing = [1];
for (const n of growing) if (n < 4) growing.push(n + 1);
say.push(growing);
const later: (() => number)[] = [];
outer: for (const n of [5, 6, 7]) {
  for (const m of [n, 6]) if (m === 6) continue outer;
  later.push(() => n);
}
say.push(later.map(give => give()));
const map = new Map<string, Pair>([['x', ['y', 8]]]);
for (const [key, [name, value]] of map) say.push([key, name, value]);
for (const letter of 'é👍') say.push(letter);
for (const word of new Set(['s'])) say.push(word);
for (const [whole, letter = '-'] of 'a1 b2'.matchAll(/([a-z])\\d/g)) say.push([whole, letter]);
export default say;
`;

const options = { compilerOptions: { target: 'ES2022', lib: ['ES2023'], strict: true }, include: ['src'] };

/** What a module gives, and how often it asked arrays for an iterator. */
function resultOf(code: string): { readonly value: unknown; readonly asked: number } {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'cjs' });
  const usual = Array.prototype[Symbol.iterator];
  const module = { exports: {} as { default?: unknown } };
  let asked = 0;
  const counting = function (this: unknown[]) {
    asked += 1;
    return usual.call(this);
  };
  const run = new Function('module', script) as (module: object) => void;
  try {
    Array.prototype[Symbol.iterator] = counting;
    run(module);
  } finally {
    Array.prototype[Symbol.iterator] = usual;
  }
  return { value: module.exports.default, asked };
}

function rewrite(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'by-index-'));
  try {
    const path = join(folder, 'src', 'module.ts');
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    writeFileSync(path, text);
    return rewriteAll(folder).get(path)!;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tests = suite('by index');

tests('rewritten code gives the same and asks no iterator of an array', () => {
  const before = resultOf(source);
  const after = resultOf(rewrite(source));
  assert.equal(after.value, before.value);
  assert.ok(before.asked > 30, String(before.asked));
  // What is left: an assignment to a pattern, what Map and Set read when they are made, and a loop of esbuild's.
  assert.is(after.asked, 4);
});

tests.run();
