/** The fix of a syntax error does what its hint says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { applyFix } from '../support/fixes.ts';
import { cases } from './cases.ts';

const test = suite('syntax fixes');

const name = 'input.prs';

function parse(text: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  parseDocument({ name, text }, finding => found.push(finding));
  return found;
}

const sentence = ({ message }: Diagnostic) => message.replace(/line \d+/, 'its line');

/**
 * Whether a text has the same diagnostic at the same position, counted from the end, which the edit does not change.
 */
const isThere = (finding: Diagnostic, after: readonly Diagnostic[]) =>
  after.some(other => sentence(other) === sentence(finding) && other.span!.start === finding.span!.start);

const firstFix = (text: string) => parse(text).flatMap(({ fixes = [] }) => fixes)[0];

let count = 0;
for (const folder of cases.names) {
  test(`every fix of ${folder} removes its diagnostic`, () => {
    const text = readFileSync(join(cases.folder, folder, name), 'utf8').replace(/^\ufeff/, '');
    for (const finding of parse(text)) {
      for (const fix of finding.fixes ?? []) {
        const fixed = applyFix(fix, name, text);
        assert.is.not(fixed, text, fix.title);
        assert.not.ok(isThere(finding, parse(fixed)), `${fix.title}\n${fixed}`);
        count += 1;
      }
    }
  });

  test(`applying the first fixes of ${folder} repeatedly terminates`, () => {
    let text = readFileSync(join(cases.folder, folder, name), 'utf8').replace(/^\ufeff/, '');
    const before = parse(text).length;
    let fix = firstFix(text);
    for (let round = 0; fix; round++) {
      assert.ok(round < 40, text);
      text = applyFix(fix, name, text);
      fix = firstFix(text);
    }
    assert.ok(parse(text).length <= before, text);
  });
}

test('many kinds of mistakes have a fix', () => {
  assert.ok(count > 30, `${count} fixes`);
});

const one = (text: string): string => {
  const fix = firstFix(text);
  return fix ? applyFix(fix, name, text) : 'no fix';
};

const fixes: readonly (readonly [string, string])[] = [
  ['@context { project "Demo" }', '@context { project: "Demo" }'],
  ['@context {\n  project "Demo"\n  team: "x"\n}', '@context {\n  project: "Demo"\n  team: "x"\n}'],
  ['@context { a = 1 }', '@context { a : 1 }'],
  ['@context {\n  project: My App, really\n}', '@context {\n  project: "My App, really"\n}'],
  ['@context {\n  a: 1;\n  b: 2\n}', '@context {\n  a: 1\n  b: 2\n}'],
  ['@context {\n  a: “x”\n}', '@context {\n  a: "x"\n}'],
  ['@context {\n  a: "x\n}', '@context {\n  a: "x"\n}'],
  ['@context {\n  // why\n  a: 1\n}', '@context {\n  # why\n  a: 1\n}'],
  ['context {\n  a: 1\n}', '@context {\n  a: 1\n}'],
  ['use ./x\n', '@use ./x\n'],
  ['@a { x: 1 } }', '@a { x: 1 } '],
  ['@shortcuts { /test: "x" }', '@shortcuts { "/test": "x" }'],
  ['@a {\n  @header Some title\n}', '@a {\n  @header "Some title"\n}'],
  ['@context {\n  party: 🎉\n}', '@context {\n  party: "🎉"\n}'],
  ['@a { x: "1", x: "2" }', '@a {  x: "2" }'],
  ['@a { x!: 1 }', '@a { x: 1 }'],
  ['@a { x: "\\d" }', '@a { x: "\\\\d" }'],
];
for (const [wrong, right] of fixes) {
  test(`${JSON.stringify(wrong)} becomes ${JSON.stringify(right)}`, () => {
    assert.is(one(wrong), right);
    assert.equal(parse(right).filter(({ severity }) => severity === 'error'), []);
  });
}

test.run();
