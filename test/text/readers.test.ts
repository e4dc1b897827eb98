/** Texts designed to take long, or to grow, are read completely or refused with a reason and a position. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readFrontMatter } from '../../src/text/front-matter.ts';
import { lineText, positionAt } from '../../src/text/source.ts';
import { readYaml } from '../../src/text/yaml.ts';

const tests = suite('readers');

const yaml = (text: string) => readYaml({ name: 'a.yaml', text });
const front = (lines: string) => readFrontMatter({ name: 'a.md', text: `---\n${lines}---\nText.\n` });

tests('of 8000 equal keys of front matter the last one counts, and its position is reported', () => {
  const { fields, repeated, problem, isClear, lines, spanOf } = front(
    Array.from({ length: 8000 }, (_, index) => `a: ${index}\n`).join(''),
  );
  assert.equal([...fields], [['a', 7999]]);
  assert.is(lines, 8002);
  assert.not(isClear);
  const { source, start, end } = repeated.get('a')!;
  assert.is(positionAt(source, start).line, 8001);
  assert.is(source.text.slice(start, end), 'a: 7999');
  assert.is(spanOf(['a']).start, start + 3);
  assert.match(problem!.title, 'occurs twice');
  assert.is(positionAt(source, problem!.span.start).line, 3);
});

tests('8000 equal keys of a configuration are refused with both positions', () => {
  const { problems, data } = yaml('a: 1\n'.repeat(8000));
  assert.is(data, undefined);
  assert.is(problems.length, 50);
  assert.is(problems[0]!.span.start, 5);
  assert.is(problems[0]!.first!.start, 0);
});

tests('finds 20000 aliases and as many anchors', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: &a${index} ${index}\n`).join('');
  const { data, problems, spanOf } = yaml(`${keys}last: [*a0, *a19999, *a7]\n`);
  assert.equal(problems, []);
  assert.equal((data as { last: unknown }).last, [0, 19_999, 7]);
  assert.is(spanOf(['last', 1])!.end - spanOf(['last', 1])!.start, '*a19999'.length);
});

tests('an alias refers to the nearest anchor above it', () => {
  assert.equal((yaml('a: &x 1\nb: *x\nc: &x 2\nd: *x\n').data as { b: number; d: number }).d, 2);
});

tests('reports aliases that expand excessively, in front matter too', () => {
  const bomb = `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`).join('')}`;
  for (const problem of [yaml(bomb).problems[0]!, front(`name: bomb\n${bomb}`).problem!]) {
    assert.is(problem.kind, 'expansion');
    assert.match(problem.title, 'grows beyond 100000 values');
  }
  assert.is(front(`name: bomb\n${bomb}`).fields.get('name'), 'bomb');
  assert.not(front(`name: bomb\n${bomb}`).isClear);
});

tests('front matter of more than 256 kB is refused', () => {
  const { fields, problem, bodyStart } = front(`a: ${'x'.repeat(262_144)}\n`);
  assert.is(fields.size, 0);
  assert.match(problem!.title, '262144 characters');
  assert.ok(bodyStart > 262_144);
});

tests('half of a character is reported with its position', () => {
  const { problems } = yaml('a: "x"\nb: ["\\ud83d", "\\ud83d\\ude00"]\n');
  assert.is(problems.length, 1);
  assert.is(lineText({ name: '', text: 'b: ["\\ud83d"' }, 1).indexOf('"\\ud83d"'), problems[0]!.span.start - 7);
  assert.match(problems[0]!.title, 'half of a character');
  assert.match(front('name: "\\udc00"\n').problem!.title, 'half of a character');
});

tests.run();
