/** A script whose variables are called like its properties does what it did. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renameVariables } from '../../scripts/build/rename.ts';

const tests = suite('names of variables');

const text = `(require,give)=>{
  const first = 2, second = {content: 3, eval: 4, undefined: 5, "kept name": 6};
  function third(content) { let inner = content + first; return {inner, content, list: [second.content].map(one => one + inner)}; }
  class Owner { #held = 1; held() { return this.#held + second.eval; } static made = third(1); }
  const missing = void 0;
  give(third(7), new Owner().held(), Owner.made, missing === undefined, typeof nowhere, /[\\u00e9]/.source, "é", second.undefined);
  return third;
}`;

function run(script: string): unknown[] {
  const given: unknown[] = [];
  const make = new Function(`return ${script}`)() as (require: unknown, give: (...values: unknown[]) => void) => unknown;
  const made = make(undefined, (...values) => void given.push(...values));
  return [...given, (made as (content: number) => unknown)(5)];
}

tests('what it does stays, and is an expression of ASCII on one line', async () => {
  const renamed = await renameVariables(text);
  assert.equal(run(renamed), run(text));
  assert.match(renamed, /^[ -~]+$/);
  assert.not.match(renamed, /;$/);
});

tests('variables have names that are there already, or one letter', async () => {
  const many = Array.from({ length: 80 }, (_, at) => `variable${at} = {property${at}: ${at}}`);
  const script = `()=>{let ${many.join(',')};return [${many.map(one => one.split(' ')[0]).join(',')}]}`;
  const renamed = await renameVariables(script);
  assert.equal(run(`(_, give) => { give((${renamed})()); return () => 0; }`), run(`(_, give) => { give((${script})()); return () => 0; }`));
  const [, declared] = /let (.*?);/.exec(renamed)!;
  const names = [...declared!.matchAll(/(\w+)=\{/g)].map(([, name]) => name!);
  assert.is(new Set(names).size, 80);
  assert.ok(names.every(name => name.length === 1 || /^property\d+$/.test(name)), names.join(' '));
});

tests('the same text is given the same names', async () => {
  assert.is(await renameVariables(text), await renameVariables(text));
});

tests.run();
