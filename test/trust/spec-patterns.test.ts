/** Path templates of a project's spec: refused above the limit, and matched in reasonable time. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { target as validate } from '../../src/generated/validators/target.ts';
import { matchTemplate } from '../../src/kinds/write/permissions.ts';
import { recognise } from '../../src/migrate/import/recognise.ts';

const test = suite('patterns of specs');

const specWith = (path: string, reads = '.x/none.md') =>
  ({
    id: 'x',
    title: 'X',
    defaultVersion: '1',
    files: { rules: { kind: 'items', of: 'guards', path } },
    reads: { mode: 'all', files: [reads] },
  }) as unknown as TargetSpec;

test('many wildcards do not multiply the time of a match', () => {
  const cases = [
    [`.x/${'*a'.repeat(20)}{name}.md`, `.x/${'a'.repeat(200)}.mdx`],
    [`.x/${'**/'.repeat(30)}{name}.md`, `.x/${'a/'.repeat(60)}y.mdx`],
  ] as const;
  for (const [template, path] of cases) {
    const start = performance.now();
    recognise(path, [specWith(template)]);
    recognise(path, [specWith('.x/{name}.md', template)]);
    assert.ok(performance.now() - start < 2000, template);
  }
});

test('a path template has at most three wildcards and placeholders', () => {
  const isAllowed = (path: string) => {
    validate(specWith(path));
    const { errors } = validate as unknown as { errors: { instancePath: string; keyword: string }[] | null };
    return !errors?.some(({ instancePath, keyword }) => instancePath.endsWith('/path') && keyword === 'pattern');
  };
  for (const path of ['.x/{name}.md', '{universal}/{name}/{event}.md', 'a/**/*/{name}.md']) assert.ok(isAllowed(path), path);
  for (const path of ['.x/*a*a*a{name}.md', '{a}{b}{c}{name}', '**/**/**/**/x', '/x']) assert.not(isAllowed(path), path);
});

test('a repeated placeholder matches the same text each time', () => {
  assert.equal({ ...matchTemplate('{tool}({tool})', 'a(a)') }, { tool: 'a' });
  assert.is(matchTemplate('{tool}({tool})', 'a(b)'), undefined);
});

test.run();
