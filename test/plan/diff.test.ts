/** Tests differences between files: hunks, limits, binary files. */
import { applyPatch } from 'diff';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diffEntry, shortenHunks, unifiedPatch } from '../../src/plan/diff.ts';
import { Project, whole } from './support/project.ts';

const test = suite('diff');

async function diffOf(old: string | undefined, next: string, full = false) {
  const project = new Project();
  if (old !== undefined) project.write('a.md', old);
  const { plan } = await project.plan([whole('a.md', next)]);
  return diffEntry(plan!.entries[0]!, { full });
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}\n`).join('');

test('hunks have three lines of context, and applying them gives the new text', async () => {
  const old = numbers(50);
  const next = old.replace('10\n', 'ten\n').replace('40\n', '');
  const { hunks } = await diffOf(old, next);
  assert.is(hunks.length, 2);
  assert.equal(hunks[0]!.lines, [' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13']);
  assert.is(applyPatch(old, { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', index: '', hunks: hunks.map(hunk => ({ ...hunk, lines: [...hunk.lines] })) }), next);
});

test('a long difference is truncated, and the counts include the rest', async () => {
  const { hunks } = await diffOf(undefined, numbers(500));
  const short = shortenHunks(hunks, 200);
  assert.is(short.hunks[0]!.lines.length, 200);
  assert.is(short.hunks[0]!.newLines, 200);
  assert.is(short.omitted, 300);
  assert.equal(shortenHunks(hunks, 500), { hunks, omitted: 0 });
});

test('patch programs accept the unified format', async () => {
  const old = numbers(50);
  const long = numbers(20_000);
  for (const [before, after] of [['', long], ['x', long.trimEnd()], [long, ''], [old, ''], ['', old], [old, old.replace('10\n', '').replace('40\n', '--- x\n')], ['a', 'b\n']] as const) {
    const project = new Project();
    project.write('a.md', before);
    const { plan } = await project.plan([whole('a.md', after)], { force: true });
    const entry = plan!.entries[0]!;
    assert.is(applyPatch(before, unifiedPatch(entry, (await diffEntry(entry, { full: false })).hunks)), after);
  }
});

test('full includes the unchanged lines', async () => {
  const { hunks } = await diffOf(numbers(50), numbers(50).replace('10\n', 'ten\n'), true);
  assert.is(hunks.length, 1);
  assert.is(hunks[0]!.lines.length, 51);
});

test('texts without common lines are compared in reasonable time', async () => {
  const old = Array.from({ length: 20_000 }, (_, at) => `old ${at}\n`).join('');
  const next = Array.from({ length: 20_000 }, (_, at) => `new ${at}\n`).join('');
  const { hunks } = await diffOf(old, next, true);
  assert.is(hunks.reduce((sum, { lines }) => sum + lines.length, 0), 40_000);
});

test('reports no difference, a removed file and a binary file', async () => {
  assert.equal((await diffOf('x\n', 'x\n')).hunks, []);
  assert.ok((await diffOf('x\0', 'x\n')).binary);
  const project = new Project();
  await project.compile([whole('a.md', 'a\n')]);
  const { plan } = await project.plan([]);
  assert.equal((await diffEntry(plan!.entries[0]!, { full: false })).hunks[0]!.lines, ['-a']);
});

test('reports a missing line end at the end of a file', async () => {
  const { hunks } = await diffOf('a', 'b\n');
  assert.ok(hunks[0]!.lines.some(line => line.startsWith('\\')));
});

test.run();
