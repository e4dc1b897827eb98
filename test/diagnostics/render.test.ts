/** Diagnostics as text, JSON and annotations: code frames, widths, colours, limits. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { styled } from '../../src/text/diagnostics/palette.ts';
import { renderGithub } from '../../src/text/diagnostics/render-github.ts';
import { renderJson } from '../../src/text/diagnostics/render-json.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { sortDiagnostics } from '../../src/text/diagnostics/report.ts';
import { cellsOf } from '../../src/text/display.ts';
import { renderStyles } from '../../src/text/style.ts';
import { addCases } from '../support/cases.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';
import { cases } from './cases.ts';

const test = suite('rendering findings');

addCases(test, cases);

const source = { name: 'a.prs', text: 'one\ntwo\nthree\n' };
const finding = (start: number, severity: 'error' | 'warning' | 'info' = 'error', code = 'PRS1') => ({
  code,
  severity,
  message: `m${start}`,
  span: { source, start, end: start + 1 },
});

test('sorts by file, position and code, and removes duplicates', () => {
  const found = sortDiagnostics([
    finding(4),
    finding(0, 'info', 'PRS2'),
    finding(0, 'info', 'PRS1'),
    finding(4),
    { code: 'PRS9', severity: 'error', message: 'whole' },
    { code: 'PRS9', severity: 'error', message: 'file', file: 'Z' },
  ]);
  assert.equal(
    found.map(one => `${one.code} ${one.message}`),
    ['PRS9 whole', 'PRS9 file', 'PRS1 m0', 'PRS2 m0', 'PRS1 m4'],
  );
});

test('keeps errors beyond the limit and counts the rest', () => {
  const many = [...Array(60)].map((_, at) => finding(at % 14, at === 59 ? 'error' : 'warning', `PRS${at}`));
  const text = renderText(many, { limit: 50 });
  assert.match(text, 'PRS59');
  assert.match(text, '… and 10 more warnings.');
  assert.is(renderText([]), '');
});

test('truncates long names in every report, but not code to copy or short words', () => {
  const path = Array(10_000).fill('part').join('.');
  const blanks = Array(10_000).fill('word').join(' ');
  const command = `["npx", ${Array(40).fill('"argument"').join(', ')}]`;
  const found = [
    { ...finding(4), message: `\`${path}\` and \`${blanks}\` are not there.`, hint: `Write ${path}, or \`${command}\`.` },
    { ...finding(0), related: [{ message: path, span: finding(8).span }] },
  ];
  const data = renderJson(found);
  for (const text of [renderText(found), renderGithub(found), JSON.stringify(data)]) {
    assert.ok(text.length < 3000, String(text.length));
    assert.match(text, /part\.part\.….*part\.part/);
  }
  assert.match(data[0]!.message, /`word word .*….* word word` are not there\.$/);
  assert.ok(data[0]!.hint!.includes(command), 'code of a hint must not be truncated');
  assert.is(renderJson([finding(4)])[0]!.message, 'm4');
});

test('masks a secret before truncating a name', () => {
  const key = 'AKIAQ7RT2N5XKV3MWB6D';
  const at = (filler: number) => `${'a.'.repeat(filler)}${key}${'.a'.repeat(200)}`;
  for (const filler of [10, 50, 55, 58])
    assert.not.match(renderJson([{ ...finding(4), message: at(filler) }])[0]!.message, /AKIAQ7RT/);
});

test('adds colours without changing the text', () => {
  const painted = renderStyles(renderText([finding(4)], { palette: styled }), true);
  assert.match(painted, '\x1b[31merror\x1b[39m');
  assert.is(painted.replace(/\x1b\[\d+m/g, ''), renderText([finding(4)]));
});

test('gives both ends of a range in the JSON form and leaves out empty keys', () => {
  const [one] = renderJson([{ ...finding(4), hint: 'h', related: [{ message: 'r', span: finding(0).span }] }]);
  assert.equal(one, {
    code: 'PRS1',
    severity: 'error',
    message: 'm4',
    hint: 'h',
    file: 'a.prs',
    line: 2,
    column: 1,
    endLine: 2,
    endColumn: 2,
    related: [{ message: 'r', file: 'a.prs', line: 1, column: 1 }],
  });
  assert.equal(renderJson([{ code: 'PRS1', severity: 'info', message: 'm' }]), [
    { code: 'PRS1', severity: 'info', message: 'm' },
  ]);
});

test('a message cannot end or extend an annotation', () => {
  const text = renderGithub([{ ...finding(4), message: 'a\n::error::b%', rule: 'x,y:z' }], 'sub');
  assert.is(
    text,
    '::error file=sub/a.prs,line=2,endLine=2,col=1,endColumn=2,title=PRS1 x%2Cy%3Az::a%0A::error::b%25\n',
  );
  assert.is(renderGithub([{ code: 'P', severity: 'info', message: 'm' }]), '::notice title=P::m\n');
});

test('a code frame fits the width and has no control characters, whatever the text', () => {
  const character = fc.constantFrom(...'ab \t\r\n日é👩\u200d\u202e\u001b\u200b"'.split(''), '👩‍👩‍👧', '\ud800');
  const text = fc.array(character, { maxLength: 200 }).map(parts => parts.join(''));
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), fc.integer({ min: 30, max: 80 }), (content, from, length, width) => {
      const start = from % (content.length + 1);
      const span = { source: { name: 'x', text: content }, start, end: Math.min(content.length, start + (length % 40)) };
      const lines = renderText([{ code: 'PRS1', severity: 'error', message: 'm', span }], { width }).split('\n');
      const frame = lines.slice(1, -1);
      assert.ok(frame.some(line => line.includes('^')));
      for (const line of frame) {
        assert.not.match(line, /[\x00-\x1f\x7f\u202e\u200b]/);
        const columns = cellsOf(line).reduce((sum, cell) => sum + cell.width, 0);
        assert.ok(columns <= width + 1, `${columns} > ${width}: ${line}`);
      }
    }),
    { numRuns: runs(500) },
  );
});

test.run();
