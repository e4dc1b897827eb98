/** Compiles that follow one another with a memory, as watching does, give what a compile by itself would give. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { renderText } from '../../src/diagnostics/render-text.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { compileProject } from '../../src/project/compile.ts';
import type { Context, Memory } from '../../src/project/open/context.ts';
import { createMemory } from '../../src/project/watch/memory.ts';
import { root } from '../support/compile.ts';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'prs-memory-'));
  made.push(copy);
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Everything a compile leaves and says, with contents as text. */
async function compile(folder: string, memory?: Memory, force = false) {
  const found: Diagnostic[] = [];
  const context: Context = {
    disk: nodeDisk,
    clock: () => new Date(0),
    cwd: folder,
    environment: {},
    report: finding => void found.push(finding),
    progress: () => {},
    signal: new AbortController().signal,
    ...(memory && { memory }),
  };
  const result = await compileProject({ mode: 'write', force }, context);
  const compiled = typeof result === 'string' ? result : { ...result, root: '', entries: result.entries.map(({ content, before, ...rest }) => rest) };
  return { compiled, said: renderText(found).replaceAll(folder, ''), tree: treeOf(folder) };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .filter(path => !path.startsWith('.instr/.state'))
    .sort();
}

const treeOf = (folder: string) =>
  Object.fromEntries(filesOf(folder).map(path => [path, readFileSync(join(folder, path), 'latin1')]));

const isSource = (path: string) => /^(?:\.instr\/(?!manifest)|instr\.yaml|\.agents\/)/.test(path);

/**
 * What happens between two compiles; `at` and `what` choose among what there is. Going back also takes over what was
 * edited by hand, because nothing else would be written from then on.
 */
const edits = ['word', 'word', 'word', 'word', 'word', 'back', 'back', 'line away', 'line twice', 'add', 'remove', 'back', 'output', 'output alike', 'target', 'setting', 'nothing'] as const;
interface Edit {
  readonly kind: (typeof edits)[number];
  readonly at: number;
  readonly what: number;
}

function pick<T>(values: readonly T[], at: number): T | undefined {
  return values[Math.floor(at * values.length)];
}

/** Changes a letter: the file is as long as before, and has the times that it had. */
function editAlike(path: string): void {
  const { atime, mtime } = statSync(path);
  const text = readFileSync(path, 'latin1');
  writeFileSync(path, text.replace(/[a-z]/, letter => (letter === 'x' ? 'y' : 'x')), 'latin1');
  utimesSync(path, atime, mtime);
}

/** Carries an edit out; `sources` are those of the start, for going back to. */
function apply({ kind, at, what }: Edit, folder: string, sources: string) {
  const paths = filesOf(folder);
  const change = (path: string | undefined, edit: (lines: string[], line: number) => void) => {
    if (path === undefined || !existsSync(join(folder, path))) return;
    const lines = readFileSync(join(folder, path), 'utf8').split('\n');
    edit(lines, Math.floor(what * lines.length));
    writeFileSync(join(folder, path), lines.join('\n'));
  };
  const source = pick(paths.filter(isSource), at);
  const output = pick(paths.filter(path => !isSource(path) && path !== '.instr/manifest.json'), at);
  const setting = (pattern: RegExp, text: string) =>
    change('instr.yaml', lines => {
      const index = lines.findIndex(line => pattern.test(line));
      if (index === -1) lines.push(text);
      else lines.splice(index, 1);
    });
  switch (kind) {
    case 'word': {
      // A word of a text, so that most compiles stay right.
      const word = /(?<=[\w,.] )[a-z]{4,}(?=[ .,])/;
      const places = paths.filter(isSource).flatMap(path =>
        readFileSync(join(folder, path), 'utf8')
          .split('\n')
          .flatMap((text, line) => (word.test(text) ? [{ path, line }] : [])),
      );
      const place = pick(places, at);
      return change(place?.path, lines => {
        lines[place!.line] = lines[place!.line]!.replace(word, `word${Math.floor(what * 1000)}`);
      });
    }
    case 'line away':
      return change(source, (lines, line) => void lines.splice(line, 1));
    case 'line twice':
      return change(source, (lines, line) => void lines.splice(line, 0, lines[line]!));
    case 'add': {
      const path = join(folder, `.instr/skills/added-${Math.floor(what * 3)}/SKILL.md`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `---\nname: added-${Math.floor(what * 3)}\ndescription: Added.\n---\n\nText ${at}.\n`);
      writeFileSync(join(dirname(path), 'more.txt'), `${at}\n`);
      return;
    }
    case 'remove':
      if (source !== undefined) rmSync(join(folder, source));
      return;
    case 'back':
      cpSync(sources, folder, { recursive: true });
      return;
    case 'output':
      return change(output, (lines, line) => void lines.splice(line, 0, 'Written by hand.'));
    case 'output alike':
      if (output !== undefined) editAlike(join(folder, output));
      return;
    case 'target':
      return setting(/^targets:/, `targets: [${['claude', 'cursor', 'codex', 'github', 'gemini'].slice(0, 1 + Math.floor(what * 4)).join(', ')}]`);
    case 'setting': {
      const texts = ['includeInstrSkill: false', 'output: { header: "# A header" }', 'universalDir: false', 'skillTargets: [claude]'];
      const text = pick(texts, what)!;
      return setting(new RegExp(`^${text.slice(0, 6)}`), text);
    }
    case 'nothing':
      return;
  }
}

const start = (): string => {
  const folder = copyOf(join(root, 'test/projects/kitchen-sink'));
  writeFileSync(join(folder, 'instr.yaml'), 'id: sample\nsyntax: "1.5.0"\ntargets: [claude, cursor, codex, github, gemini, aider]\n');
  return folder;
};

const tests = suite('memory');

tests('after any edits, a compile with a memory does and says what one without does', async () => {
  const sources = start();
  // Without a bias towards the ends, where the same lines would be hit again and again.
  const share = fc.noBias(fc.integer({ min: 0, max: 999 })).map(thousandths => thousandths / 1000);
  const edit = fc.record({ kind: fc.constantFrom(...edits), at: share, what: share });
  let written = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 8, maxLength: 16 }), async steps => {
      const folder = copyOf(sources);
      const memory = createMemory();
      await compile(folder, memory);
      for (const step of steps) {
        apply(step, folder, sources);
        const twin = copyOf(folder);
        const force = step.kind === 'back';
        const plain = await compile(twin, undefined, force);
        const remembered = await compile(folder, memory, force);
        assert.equal(remembered, plain);
        if (typeof plain.compiled !== 'string' && plain.compiled.written) written++;
        rmSync(twin, { recursive: true });
      }
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 5, seed: 5, endOnFailure: true },
  );
  assert.ok(written > 12, `only ${written} compiles were right enough to write something`);
});

tests('an output that was edited by hand is noticed, however alike it looks', async () => {
  const folder = start();
  const memory = createMemory();
  await compile(folder, memory);
  // A time that can be given back exactly.
  utimesSync(join(folder, 'CLAUDE.md'), 1000.5, 1000.5);
  // Long enough for its contents to be kept, which a compile that finds nothing to do then does.
  await new Promise(resolve => setTimeout(resolve, 200));
  const before = await compile(folder, memory);
  editAlike(join(folder, 'CLAUDE.md'));
  const { said, tree } = await compile(folder, memory);
  assert.match(said, /CLAUDE\.md.* error /);
  assert.is(tree['.cursor/rules/project.mdc'], before.tree['.cursor/rules/project.mdc'], 'nothing is written');
});

tests.run();
