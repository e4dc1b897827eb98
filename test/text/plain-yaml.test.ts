/** Reading plain YAML without the parser gives what the parser gives: data, places and all. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../../scripts/generate.ts';
import { readPlainYaml } from '../../src/text/plain-yaml.ts';
import { type DataPath, parseYaml, readYaml } from '../../src/text/yaml.ts';

const tests = suite('plain YAML');

function pathsIn(value: unknown, path: DataPath = []): DataPath[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, at) => pathsIn(item, [...path, at]))];
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

/** Whether the text is plain; then the parser must say the same. */
function compare(text: string): boolean {
  if (!readPlainYaml(text)) return false;
  const source = { name: 'instr.yaml', text };
  const [short, long] = [readYaml(source), parseYaml(source)];
  assert.equal(long.problems, [], text);
  assert.equal(short.data, long.data, text);
  for (const path of [...pathsIn(long.data), ['nothing'], ['targets', 99]]) {
    for (const part of ['key', 'value'] as const)
      assert.equal(short.spanOf(path, part), long.spanOf(path, part), `${part} of ${path} in ${text}`);
  }
  return true;
}

const plainWord = fc.constantFrom(
  ...['id', 'targets', 'claude', 'yes', 'on', '0', '12', './base', '../up/x.prs', '/abs', '.instr/x', '.agents', 'a b', 'a  b', 'a-b', 'a/b@1'],
  ...['"1.0"', '"*.ts # no"', '""', "'it'", 'true', 'false'],
);
const oddWord = fc.constantFrom(
  ...['False', 'null', 'NULL', '~', '007', '1.5', '1_000', '0x1f', '.5', '.inf', '.NaN', '..', '...', '@team/base', '-', '--- ', '- x'],
  ...['"a, b"', '"\\n"', "'it''s'", '"open', '"a"b', 'a"b', '*', '&a', '!t', '%', '|', '>', '?', 'a:b', 'a: b', ':'],
  ...['#', 'a #b', 'a#b', 'a, b', '-x', '?x', ':x', '[?x', 'x:', 'e5', 'a "b"', 'a[0]', 'Yes', 'y', '=', '{}', '{ a: 1 }', '[', ']', 'x,', '<<', '__proto__', '2026-11-23', '1e3', '-1', '+1', 'é'],
  ...['\t', ''],
);
const word = fc.oneof({ weight: 9, arbitrary: plainWord }, { weight: 1, arbitrary: oddWord });
const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f-g', 'h_i', 'targets') },
  { weight: 1, arbitrary: oddWord },
);
const flow = fc
  .tuple(fc.array(word, { maxLength: 3 }), fc.constantFrom(', ', ',', ' , '), fc.constantFrom('', '', ' ', ','))
  .map(([items, comma, end]) => `[${end}${items.join(comma)}${end}]`);
const pairs = fc
  .tuple(
    fc.array(fc.tuple(key, fc.constantFrom(': ', ': ', ':  ', ':', ''), word), { maxLength: 3 }),
    fc.constantFrom('', '', ' ', ','),
  )
  .map(([items, end]) => `{${end}${items.map(all => all.join('')).join(', ')}${end}}`);
const value = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: flow },
  { weight: 2, arbitrary: pairs },
);
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '', '', '  ', '  ', '    ', ' ', '\t'),
    fc.oneof(
      { weight: 5, arbitrary: fc.tuple(key, fc.constantFrom(': ', ': ', ': ', ':  ', ':', ' : '), value).map(all => all.join('')) },
      { weight: 2, arbitrary: key.map(name => `${name}:`) },
      { weight: 3, arbitrary: fc.tuple(fc.constantFrom('- ', '- ', '- ', '-  ', '-'), value).map(all => all.join('')) },
      { weight: 1, arbitrary: fc.constantFrom('', '# said', '---', '...', 'word') },
    ),
    fc.constantFrom('', '', '', '', '', '', '', ' ', ' # said', ' #', ' # "a" #', '\r'),
  )
  .map(all => all.join(''));

tests('any text that is plain is read as the parser reads it', () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '\n', '\n\n'), (lines, end) => {
      if (compare(lines.join('\n') + end)) plain += 1;
    }),
    { numRuns: 40_000 },
  );
  assert.ok(plain > 500, `${plain} were plain`);
});

tests('what the parser refuses, or may take long, is left to it', () => {
  const deep = Array.from({ length: 22 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
  const long = 'k'.repeat(1025);
  for (const text of [`${long}: x`, `a: [${'x, '.repeat(100_000)}x]`, `${deep} x`, `a:\n  ${long}: x`, ''])
    assert.is(readPlainYaml(text), undefined, text.slice(0, 40));
  // Front matter is read with blanks or line feeds in place of what stands above it.
  for (const above of ['   \n', '\n'.repeat(900)]) assert.ok(compare(`${above}name: a\ntools: [Read]`));
});

tests('the configurations of the projects are plain for the most part', () => {
  const projects = join(root, 'test');
  const all = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('instr.yaml'));
  const plain = all.filter(path => compare(readFileSync(join(projects, path), 'utf8')));
  assert.ok(plain.length > all.length / 2, `${plain.length} of ${all.length}`);
});

tests.run();
