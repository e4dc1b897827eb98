/** The layout `once` is optimal for any set of tools, measured by what each tool then loads. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reads, TargetSpec } from '../../src/generated/types/target.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { chooseLayout, chooseLayoutInSteps, type Layout } from '../../src/spec/loading/layout.ts';
import { importLine, loadTexts } from '../../src/spec/loading/load.ts';
import type { ExistingContent, LayoutReader, MainFile } from '../../src/spec/loading/main-files.ts';
import { readablePaths } from '../../src/spec/reads.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('layout');

const text = 'The main text.\n';

function reader(id: string, own: string, reads: Reads, needs: string[] = []): LayoutReader {
  const spec = { id, reads, files: {}, versions: {} } as unknown as TargetSpec;
  return { spec, own, places: reads.places ?? [], ownOnly: false, plain: true, needs };
}

/** A supported tool as a reader of its own main file. */
function builtin(id: string): LayoutReader[] {
  const loaded = builtinSpec(id)!;
  const main = Object.values(loaded.spec.files).find(file => 'of' in file && file.of === 'instructions');
  if (!main) return [];
  const own = main.path.replace(/\{(\w+)\}/g, (_, name: string) => String(loaded.spec.options?.[name]?.default));
  const plain = !('frontmatter' in main && (main.frontmatter ?? []).length > 0);
  return [{ spec: loaded.spec, own, places: loaded.spec.reads?.places ?? [], ownOnly: false, plain, needs: [] }];
}

/** The files of a layout as they would be on disk. */
function written(files: ReadonlyMap<string, MainFile>, present: ReadonlyMap<string, ExistingContent> = new Map()) {
  const texts = new Map<string, string>();
  for (const [path, kind] of present) texts.set(path, kind === 'text' ? text : `Something else at ${path}.\n`);
  for (const [path, file] of files) {
    texts.set(path, file === 'text' ? text : `${importLine(path, file.imports)}\n`);
  }
  return texts;
}

/**
 * How often a tool loads the text, according to its load model. `sure` excludes files that some programs do not load.
 */
function copies({ spec }: LayoutReader, texts: ReadonlyMap<string, string>): { all: number; sure: number } {
  const parts = loadTexts(spec, texts, { at: '', read: [] }).parts.filter(part => part.text === text);
  const partial = spec.reads?.partial ?? [];
  return {
    all: parts.length,
    sure: parts.filter(({ path, importedBy }) => !partial.includes(importedBy ?? path)).length,
  };
}

function judge(
  readers: readonly LayoutReader[],
  files: ReadonlyMap<string, MainFile>,
  otherReads: readonly Reads[] = [],
): [number, number, number, number, number] {
  const texts = written(files);
  let missing = 0;
  let extra = 0;
  for (const one of readers) {
    const { all, sure } = copies(one, texts);
    if (sure === 0) missing++;
    extra += Math.max(0, all - 1);
  }
  const kinds = [...files.values()];
  const needless = otherReads.filter(reads => loadTexts(reader('', '', reads).spec, texts, { at: '', read: [] }).parts.length > 0).length;
  return [missing, extra, needless, kinds.filter(kind => kind === 'text').length, kinds.filter(kind => kind !== 'text').length];
}

const less = (a: readonly number[], b: readonly number[]): boolean => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index !== -1 && a[index]! < b[index]!;
};

const names = ['A.md', 'B.md', 'C.md', 'D.md'];
const anyReads: fc.Arbitrary<Reads> = fc
  .record({
    mode: fc.constantFrom('all' as const, 'first' as const),
    files: fc.shuffledSubarray(names, { minLength: 1 }),
    rest: fc.shuffledSubarray(names),
    imports: fc.option(fc.boolean()),
    once: fc.boolean(),
    partial: fc.subarray(names),
  })
  .map(({ mode, files, rest, imports, once, partial }) => ({
    mode,
    files,
    fallback: rest.filter(name => !files.includes(name)).slice(0, 1),
    ...(imports !== null && { imports: { depth: 2, repeat: imports } }),
    ...(once && { identical: 'once' as const }),
    partial: partial.filter(name => name !== files[0]),
  }));

tests('no other choice of files is better, for any tools', () => {
  fc.assert(
    fc.property(fc.array(anyReads, { minLength: 1, maxLength: 4 }), fc.array(anyReads, { maxLength: 2 }), (all, otherReads) => {
      const readers = all.map((reads, index) => reader(`t${index}`, reads.files[0] as string, reads));
      const found = judge(readers, chooseLayout(readers, new Map(), otherReads).files, otherReads);
      const candidates = [...new Set(readers.flatMap(({ spec, own }) => [own, ...readablePaths(spec.reads!)]))];
      const own = new Set(readers.map(one => one.own));
      const imports = new Set(readers.filter(({ spec }) => spec.reads!.imports).map(one => one.own));
      // Enumerates all assignments of nothing, the text, or an import of another text to every path.
      const assign = (at: number, files: Map<string, MainFile>): void => {
        const path = candidates[at];
        if (path === undefined) {
          const other = judge(readers, files, otherReads);
          assert.not(less(other, found), `${JSON.stringify([...files])} is better: ${other} < ${found}`);
          return;
        }
        assign(at + 1, files);
        const shared = readers.filter(
          ({ spec }) => readablePaths(spec.reads!).includes(path) && !spec.reads!.partial!.includes(path),
        ).length;
        if (own.has(path) || shared > 1) assign(at + 1, new Map(files).set(path, 'text'));
        if (!imports.has(path)) return;
        for (const [target, kind] of files) {
          if (kind === 'text') assign(at + 1, new Map(files).set(path, { imports: target }));
        }
      };
      assign(0, new Map());
    }),
    { numRuns: runs(200), seed: 20261122 },
  );
});

/** The number of copies that each reader loads from a layout, according to its load model. */
function copiesOf(readers: readonly LayoutReader[], layout: Layout, present?: ReadonlyMap<string, ExistingContent>) {
  const texts = written(layout.files, present);
  return readers.map(one => [one.spec.id, spec(one) ? copies(one, texts).all : 1] as const);
}
const spec = ({ spec }: LayoutReader): boolean => spec.reads !== undefined;

tests('every set of the most used tools loads the text once', () => {
  const used = builtinIds().filter(id => ['t01', 't02', 't03', 't06', 't07', 't08', 't09', 't11'].includes(builtinSpec(id)!.spec.label!));
  assert.is(used.length, 8);
  for (let set = 1; set < 1 << used.length; set++) {
    const readers = used.filter((_, index) => (set >> index) & 1).flatMap(builtin);
    const layout = chooseLayout(readers);
    assert.equal(copiesOf(readers, layout).filter(([, count]) => count !== 1), [], readers.map(one => one.spec.id).join(' '));
    assert.is(layout.repeated.size, 0);
    assert.equal([...layout.sources.keys()].length, readers.length);
  }
});

tests('all supported tools together load the text once', () => {
  const readers = builtinIds().flatMap(builtin);
  const layout = chooseLayout(readers);
  assert.equal(copiesOf(readers, layout).filter(([, count]) => count !== 1), []);
});

tests('the order of the tools does not matter', () => {
  const readers = builtinIds().flatMap(builtin);
  fc.assert(
    fc.property(fc.shuffledSubarray(readers, { minLength: 2, maxLength: 12 }), chosen => {
      const sorted = [...chosen].sort((a, b) => (a.spec.id < b.spec.id ? -1 : 1));
      assert.equal([...chooseLayout(chosen).files], [...chooseLayout(sorted).files]);
    }),
    { numRuns: runs(50) },
  );
});

const plain = (files: string[], more: Partial<Reads> = {}): Reads => ({ mode: 'all', files, ...more }) as Reads;

tests('a single tool keeps its own file', () => {
  assert.equal([...chooseLayout([reader('a', 'A.md', plain(['B.md', 'A.md']))]).files], [['A.md', 'text']]);
});

tests('writes an import line where a tool requires its own file name', () => {
  const a = reader('a', 'A.md', plain(['A.md'], { imports: { depth: 1 } }));
  const b = reader('b', 'B.md', plain(['B.md']));
  assert.equal([...chooseLayout([a, b]).files], [
    ['A.md', { imports: 'B.md' }],
    ['B.md', 'text'],
  ]);
});

tests('an existing file disables a fallback name, so another file of the tool gets the import line', () => {
  const a = reader('a', 'A.md', plain(['A.md', '.a/A.md', 'L.md'], { fallback: ['B.md'], imports: { depth: 1 }, places: ['.a/A.md'] }));
  const b = reader('b', 'B.md', plain(['B.md', 'A.md'], { imports: { depth: 1, repeat: true }, partial: ['A.md'] }));
  const present = new Map<string, ExistingContent>([['L.md', 'other']]);
  assert.equal([...chooseLayout([a, b]).files], [['B.md', 'text']]);
  assert.equal([...chooseLayout([a, b], present).files], [
    ['.a/A.md', { imports: 'B.md' }],
    ['B.md', 'text'],
  ]);
});

tests('never writes a source that a tool reads directly, and counts it', () => {
  const a = reader('a', 'A.md', plain(['A.md']));
  const b = reader('b', 'B.md', plain(['A.md', 'B.md']));
  const layout = chooseLayout([a, b], new Map<string, ExistingContent>([['A.md', 'text']]));
  assert.equal([...layout.files], []);
  assert.equal([...layout.sources], [
    ['a', 'A.md'],
    ['b', 'A.md'],
  ]);
});

tests('a file with other content may also contain the text or the import line', () => {
  const a = reader('a', 'A.md', plain(['A.md'], { imports: { depth: 1 } }));
  const b = reader('b', 'B.md', plain(['B.md']));
  const open = new Map<string, ExistingContent>([['A.md', 'open']]);
  assert.equal([...chooseLayout([a, b], open).files], [
    ['A.md', { imports: 'B.md' }],
    ['B.md', 'text'],
  ]);
});

tests('a tool with sections that others do not need gets its own file if it has one', () => {
  const a = reader('a', 'A.md', { mode: 'first', files: ['A.md', 'B.md'] }, ['guards']);
  const b = reader('b', 'B.md', plain(['B.md']));
  assert.equal([...chooseLayout([a, b]).files.keys()], ['A.md', 'B.md']);
});

tests('reports tools that cannot load the text exactly once', () => {
  const a = { ...reader('a', 'A.md', plain(['A.md'])), ownOnly: true };
  const b = reader('b', 'B.md', plain(['A.md', 'B.md']));
  const c = { ...reader('c', 'B.md', plain(['B.md'])), ownOnly: true };
  assert.equal([...chooseLayout([a, b, c]).repeated], [['b', ['A.md', 'B.md']]]);
});

tests('the search for all tools yields to other work, and gives the same result', () => {
  const readers = builtinIds().flatMap(builtin);
  const pieces = chooseLayoutInSteps(readers);
  let count = 0;
  let piece = pieces.next();
  for (; !piece.done; piece = pieces.next()) count++;
  assert.ok(count > 1);
  assert.equal(piece.value, chooseLayout(readers));
});

tests.run();
