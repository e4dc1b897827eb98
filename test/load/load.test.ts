/**
 * What a tool loads, computed from the load model of its spec: order, fallback names, imports, nested files, limits.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Limit, Reads, TargetSpec } from '../../src/generated/types/target.ts';
import { chainsOf, loadTexts } from '../../src/spec/loading/load.ts';

const tests = suite('load');

function specWith(reads: Reads, limits?: Limit[]): TargetSpec {
  return {
    id: 'lantern',
    title: 'Lantern',
    homepage: 'https://example.com',
    evidence: [{ url: 'https://example.com', checked: '2026-01-01' }],
    versions: { full: 'All.' },
    defaultVersion: 'full',
    files: { instructions: { kind: 'document', of: 'instructions', path: 'L.md' } },
    reads,
    ...(limits && { limits }),
  };
}

function load(reads: Reads, files: Record<string, string>, at = '', read: string[] = [], limits?: Limit[]) {
  return loadTexts(specWith(reads, limits), new Map(Object.entries(files)), { at, read });
}

const paths = (...args: Parameters<typeof load>) => load(...args).parts.map(({ path }) => path);

const all = { mode: 'all', files: ['L.md', '.l/L.md'], fallback: ['A.md'] } satisfies Reads;

tests('all: every file in the order of the spec', () => {
  assert.equal(paths(all, { '.l/L.md': '2', 'L.md': '1', 'A.md': '3' }), ['L.md', '.l/L.md']);
});

tests('a fallback name counts only if none of the main names exists', () => {
  assert.equal(paths(all, { 'A.md': '3' }), ['A.md']);
  assert.equal(paths(all, { 'A.md': '3', '.l/L.md': '2' }), ['.l/L.md']);
});

tests('a fallback name is not used below a folder that has a main name', () => {
  const reads: Reads = { ...all, nested: { start: 'root-down', read: false } };
  assert.equal(paths(reads, { 'L.md': '1', 'a/A.md': '2' }, 'a'), ['L.md']);
  assert.equal(paths(reads, { 'A.md': '1', 'a/L.md': '2' }, 'a'), ['A.md', 'a/L.md']);
});

tests('first: the first existing name', () => {
  const reads: Reads = { mode: 'first', files: ['O.md', 'L.md'] };
  assert.equal(paths(reads, { 'L.md': '1', 'O.md': '2' }), ['O.md']);
  assert.equal(paths(reads, { 'L.md': '1' }), ['L.md']);
});

tests('alternatives in a list of names that all count', () => {
  const reads: Reads = { mode: 'all', files: ['r.md', ['A.md', 'B.md']] };
  assert.equal(paths(reads, { 'A.md': '1', 'B.md': '2', 'r.md': '3' }), ['r.md', 'A.md']);
  assert.equal(paths(reads, { 'B.md': '2' }), ['B.md']);
});

tests('follows imports up to their depth, never inside code, each file once', () => {
  const reads: Reads = { mode: 'all', files: ['L.md'], imports: { depth: 2 } };
  const files = {
    'L.md': 'See @docs/a.md, and `@docs/no.md`.\n```\n@docs/no.md\n```\n@docs/a.md',
    'docs/a.md': '@b.md',
    'docs/b.md': '@c.md',
    'docs/c.md': 'c',
    'docs/no.md': 'no',
  };
  assert.equal(paths(reads, files), ['L.md', 'docs/a.md', 'docs/b.md']);
  assert.is(load(reads, files).parts[1]!.importedBy, 'L.md');
});

tests('follows imports only in some files', () => {
  const reads: Reads = { mode: 'all', files: ['L.md', 'A.md'], imports: { depth: 5, in: ['A.md'] } };
  assert.equal(paths(reads, { 'L.md': '@x.md', 'A.md': '@y.md', 'x.md': 'x', 'y.md': '@x.md' }), [
    'L.md',
    'A.md',
    'y.md',
    'x.md',
  ]);
});

tests('a mention of an external or missing file is text', () => {
  const reads: Reads = { mode: 'all', files: ['L.md'], imports: { depth: 2 } };
  assert.equal(paths(reads, { 'L.md': '@../up.md @~/home.md @/etc/passwd me@example.com @nobody' }), ['L.md']);
});

tests('nested files: from the root down, nearest first, only the root, only the folder', () => {
  const files = { 'L.md': '1', 'a/L.md': '2', 'a/b/L.md': '3' };
  const at = (start: 'root-down' | 'nearest-first' | 'root' | 'here') =>
    paths({ mode: 'all', files: ['L.md'], nested: { start } }, files, 'a/b');
  assert.equal(at('root-down'), ['L.md', 'a/L.md', 'a/b/L.md']);
  assert.equal(at('nearest-first'), ['a/b/L.md', 'a/L.md', 'L.md']);
  assert.equal(at('root'), ['L.md']);
  assert.equal(at('here'), ['a/b/L.md']);
});

tests('loads a nested file once, when a file in its folder is read', () => {
  const reads: Reads = { mode: 'all', files: ['L.md'], nested: { start: 'root', read: true } };
  const files = { 'L.md': '1', 'a/L.md': '2', 'b/L.md': '3' };
  const { parts } = load(reads, files, '', ['a/x/y.ts', 'a/z.ts']);
  assert.equal(parts.map(({ path, onReadOf }) => [path, onReadOf]), [
    ['L.md', undefined],
    ['a/L.md', 'a'],
  ]);
});

tests('loads identical files once if the tool does so', () => {
  const reads: Reads = { mode: 'all', files: ['L.md', 'A.md'] };
  assert.equal(paths(reads, { 'L.md': 'x', 'A.md': 'x' }), ['L.md', 'A.md']);
  assert.equal(paths({ ...reads, identical: 'once' }, { 'L.md': 'x', 'A.md': 'x' }), ['L.md']);
});

tests('truncates the chain at the limit of the total size, and names the first lost text', () => {
  const reads: Reads = { mode: 'first', files: ['L.md'], nested: { start: 'root-down' } };
  const limit: Limit = { file: 'instructions', max: 10, unit: 'bytes', scope: 'total', then: 'cut' };
  const files = { 'L.md': '123\n567\n', 'a/L.md': 'ü\nb\nc\n' };
  const loaded = load(reads, files, 'a', [], [limit]);
  assert.is(loaded.size, 8 + 7);
  assert.equal(loaded.parts.map(({ text }) => text), ['123\n567\n', 'ü']);
  assert.equal([loaded.cut?.path, loaded.cut?.line], ['a/L.md', 1]);
  assert.is(load(reads, files, '', [], [limit]).cut, undefined);
});

tests('an option of the tool overrides the value of a limit', () => {
  const reads: Reads = { mode: 'first', files: ['L.md'] };
  const limit: Limit = { file: 'instructions', max: 2, unit: 'bytes', scope: 'total', then: 'cut', option: 'most' };
  const cut = (options: [string, number][]) =>
    loadTexts(specWith(reads, [limit]), new Map([['L.md', '123']]), { at: '', read: [], options: new Map(options) }).cut;
  assert.is(cut([])?.limit.max, 2);
  assert.is(cut([['most', 3]]), undefined);
});

tests('chains: the root and every folder with a main file, without siblings', () => {
  const limit: Limit = { file: 'instructions', max: 7, unit: 'bytes', scope: 'total', then: 'cut' };
  const texts = new Map([['L.md', '1234\n'], ['a/L.md', 'a\n'], ['b/L.md', 'b\nc\n'], ['c/x.md', 'x']]);
  const found = (reads: Reads) =>
    chainsOf(specWith(reads, [limit]), texts, texts.keys()).map(({ whole, loaded: { size, cut } }) =>
      [whole.map(({ path }) => path).join(' '), size, cut && `${cut.path}:${cut.line}`]);
  const expected = [['L.md', 5, undefined], ['L.md a/L.md', 7, undefined], ['L.md b/L.md', 9, 'b/L.md:2']];
  assert.equal(found({ mode: 'first', files: ['L.md'], nested: { start: 'root-down' } }), expected);
  assert.equal(found({ mode: 'first', files: ['L.md'], nested: { start: 'root', read: true } }), expected);
  assert.equal(found({ mode: 'first', files: ['L.md'] }), expected.slice(0, 1));
});

tests('a tool without a load model loads nothing known', () => {
  const { reads: _, ...spec } = specWith(all);
  assert.equal(loadTexts(spec as TargetSpec, new Map([['L.md', '1']]), { at: '', read: [] }).parts, []);
});

tests('the root first, then the nearest', () => {
  const reads: Reads = { mode: 'all', files: ['L.md'], nested: { start: 'root-then-nearest', read: true, readOrder: 'nearest-first' } };
  const files = { 'L.md': '1', 'a/L.md': '2', 'a/b/L.md': '3' };
  assert.equal(paths(reads, files, 'a/b'), ['L.md', 'a/b/L.md', 'a/L.md']);
  assert.equal(paths(reads, files, '', ['a/b/x.ts']), ['L.md', 'a/b/L.md', 'a/L.md']);
});

tests('tools that do not follow links ignore them', () => {
  const texts = new Map([['L.md', '1'], ['.l/L.md', '2'], ['A.md', '3']]);
  const linked = (links: string[]) => ({ has: (path: string) => texts.has(path), get: (path: string) => texts.get(path), isLink: (path: string) => links.includes(path) });
  const given = (reads: Reads, links: string[]) => loadTexts(specWith(reads), linked(links), { at: '', read: [] }).parts.map(({ path }) => path);
  assert.equal(given({ ...all, links: 'ignored' }, ['L.md']), ['.l/L.md']);
  assert.equal(given({ ...all, links: 'ignored' }, ['L.md', '.l/L.md']), ['A.md']);
  assert.equal(given({ ...all, links: ['L.md'] }, ['L.md', '.l/L.md']), ['.l/L.md']);
  assert.equal(given(all, ['L.md']), ['L.md', '.l/L.md']);
});

tests('a limit per file truncates each file separately', () => {
  const reads: Reads = { mode: 'all', files: ['L.md', '.l/L.md'] };
  const limits: Limit[] = [{ file: 'instructions', max: 3, unit: 'characters', then: 'cut' }];
  const { parts, cut } = load(reads, { 'L.md': '12345', '.l/L.md': '12' }, '', [], limits);
  assert.equal(parts.map(({ text }) => text), ['123', '12']);
  assert.is(cut?.path, 'L.md');
});

tests.run();
