/** Successive compiles in one session, as in watch mode, give the same results as separate compiles. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { overlayDisk } from '../../src/host/overlay.ts';
import { compileProject } from '../../src/project/compile.ts';
import { projectRegistries } from '../../src/project/gather/registries.ts';
import { persistentSession, type Session } from '../../src/project/session/session.ts';
import type { CompileContext } from '../../src/project/session/world.ts';
import { validateProject } from '../../src/project/validate.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { root } from '../support/compile.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'prs-session-'));
  folders.push(copy);
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

const worldOf = (folder: string, disk = nodeDisk): Omit<CompileContext, 'report'> => ({
  disk,
  clock: () => new Date(0),
  cwd: folder,
  environment: {},
  progress: () => {},
});

/** Returns everything a compile writes and reports, with contents as text. */
async function compile(folder: string, session?: Session, force = false) {
  const found: Diagnostic[] = [];
  const context = { ...worldOf(folder), report: (finding: Diagnostic) => void found.push(finding) };
  session?.change();
  const result = await compileProject({ mode: 'write', force }, context, session);
  const compiled = typeof result === 'string' ? result : {
    ...result,
    root: '',
    locate: undefined,
    pinned: result.pinned(),
    entries: result.entries.map(({ content, before, ...rest }) => rest),
    places: result.omissions.map(result.locate).map(place => place && `${place.file}:${place.line}`),
  };
  return { compiled, findings: renderText(found).replaceAll(folder, ''), tree: treeOf(folder) };
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
 * The kinds of edits between two compiles. `at` and `what` select where and what to change. `back` also overwrites outputs
 * edited by hand, because no later compile would write otherwise.
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

/** Changes one letter. Size and timestamps of the file stay the same. */
function editAlike(path: string): void {
  const { atime, mtime } = statSync(path);
  const text = readFileSync(path, 'latin1');
  writeFileSync(path, text.replace(/[a-z]/, letter => (letter === 'x' ? 'y' : 'x')), 'latin1');
  utimesSync(path, atime, mtime);
}

/** Applies an edit. `sources` holds the original files, which `back` restores. */
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
      // Changes a word of a text, so that most compiles succeed.
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
  writeFileSync(join(folder, 'instr.yaml'), 'id: sample\nsyntax: "1.5.0"\ntargets: [claude, cursor, codex, github]\n');
  return folder;
};

const tests = suite('session');

tests('after any edits, a compile in a long-lived session matches a separate compile', async () => {
  const sources = start();
  // Without bias towards the ends, which would select the same lines again and again.
  const share = fc.noBias(fc.integer({ min: 0, max: 999 })).map(thousandths => thousandths / 1000);
  const edit = fc.record({ kind: fc.constantFrom(...edits), at: share, what: share });
  let written = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 9, maxLength: 13 }), async steps => {
      const folder = copyOf(sources);
      const session = persistentSession(worldOf(folder));
      await compile(folder, session);
      for (const step of steps) {
        apply(step, folder, sources);
        // State is bound to the path of the project, so the copy is compiled at that path.
        const twin = copyOf(folder);
        const aside = `${folder}-aside`;
        const force = step.kind === 'back';
        renameSync(folder, aside);
        renameSync(twin, folder);
        const plain = await compile(folder, undefined, force);
        renameSync(folder, twin);
        renameSync(aside, folder);
        const remembered = await compile(folder, session, force);
        assert.equal(remembered, plain);
        if (typeof plain.compiled !== 'string' && plain.compiled.written) written++;
        rmSync(twin, { recursive: true });
      }
      rmSync(folder, { recursive: true });
    }),
    { numRuns: runs(3), seed: 5, endOnFailure: true },
  );
  assert.ok(written > runs(8), `only ${written} compiles succeeded and wrote files`);
});

tests('detects an edited output of the same size and time', async () => {
  const folder = start();
  const session = persistentSession(worldOf(folder));
  await compile(folder, session);
  // A timestamp that can be restored exactly.
  utimesSync(join(folder, 'CLAUDE.md'), 1000.5, 1000.5);
  // After this time the session may cache the contents of the file. The next compile, which has nothing to do, caches them.
  await new Promise(resolve => setTimeout(resolve, 200));
  const before = await compile(folder, session);
  editAlike(join(folder, 'CLAUDE.md'));
  const { findings, tree } = await compile(folder, session);
  assert.match(findings, /CLAUDE\.md.* error /);
  assert.is(tree['.cursor/rules/project.mdc'], before.tree['.cursor/rules/project.mdc'], 'nothing must be written');
});

/** What an editor requests: the findings, and the files that a compile would write, based on unsaved files. */
async function ask(world: Omit<CompileContext, 'report'>, session?: Session) {
  const found: Diagnostic[] = [];
  const report = (finding: Diagnostic) => void found.push(finding);
  const validated = await validateProject({ files: [] }, { ...world, report }, session);
  const compiled = await compileProject({ mode: 'plan' }, { ...world, report: () => {} }, session);
  const files = typeof compiled === 'string' ? compiled : compiled.entries.map(({ before, ...entry }) => entry);
  return { validated, findings: renderText(found), files };
}

tests('after any change reported by path, a session over unsaved files matches a new session', async () => {
  const folder = start();
  const share = fc.noBias(fc.integer({ min: 0, max: 999 })).map(thousandths => thousandths / 1000);
  const kinds = ['word', 'word', 'word', 'line away', 'add', 'remove', 'save', 'target'] as const;
  const edit = fc.record({ kind: fc.constantFrom(...kinds), at: share, what: share });
  let differing = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 10, maxLength: 14 }), async steps => {
      const disk = overlayDisk(nodeDisk);
      const world = worldOf(folder, disk);
      const session = persistentSession(world);
      let last = await ask(world, session);
      const sources = filesOf(folder).filter(isSource);
      for (const { kind, at, what } of steps) {
        const path = kind === 'add' ? `.instr/rules/new-${Math.floor(what * 3)}.md` : kind === 'target' ? 'instr.yaml' : pick(sources, at)!;
        const absolute = join(folder, path);
        const lines = Buffer.from(disk.readBytes(absolute) ?? '').toString('utf8').split('\n');
        const line = Math.floor(what * lines.length);
        const write = (text: string) => disk.writeBytes(absolute, Buffer.from(text));
        if (kind === 'word') write(lines.map((one, index) => (index < line ? one : one.replace(/(?<=[\w,.] )[a-z]{4,}(?=[ .,])/, `word${line}`))).join('\n'));
        else if (kind === 'line away') write(lines.toSpliced(line, 1).join('\n'));
        else if (kind === 'add') write(`---\ndescription: Rule ${at}\nglobs: ["src/**"]\n---\n\nText ${at}.\n`);
        else if (kind === 'target') write(lines.map(one => one.replace(/^targets:.*/, `targets: [claude, ${what < 0.5 ? 'cursor' : 'gemini'}]`)).join('\n'));
        else if (kind === 'save') disk.writeBytes(absolute, readFileSync(absolute));
        else if (disk.lstat(absolute)) disk.removeFile(absolute);
        session.change([absolute]);
        const answer = await ask(world, session);
        assert.equal(answer, await ask(world));
        if (answer.findings !== last.findings || JSON.stringify(answer.files) !== JSON.stringify(last.files)) differing++;
        last = answer;
      }
    }),
    { numRuns: runs(2), seed: 7, endOnFailure: true },
  );
  assert.ok(differing > runs(9), `only ${differing} edits changed the result`);
});

tests('does not read an unchanged file again', async () => {
  const folder = start();
  const changed = '.instr/rules/plain.md';
  mkdirSync(join(folder, dirname(changed)), { recursive: true });
  writeFileSync(join(folder, changed), '---\ndescription: Plain.\nglobs: ["src/**"]\n---\n\nOne line.\n');
  const reads: string[] = [];
  const disk: typeof nodeDisk = {
    ...nodeDisk,
    readBytes: path => {
      reads.push(relative(folder, path));
      return nodeDisk.readBytes(path);
    },
  };
  const world = worldOf(folder, disk);
  const session = persistentSession(world);
  const report = () => {};
  const model = async () => {
    const project = (await session.project(report))!;
    const chosen = await session.builds(project, {}, report);
    const [build] = typeof chosen === 'string' ? [] : chosen.builds;
    const loaded = await session.program(project, build!.entry, projectRegistries(project, {}, { ...world, report }), report);
    return session.model(loaded, project, build!, report);
  };
  const first = await model();
  assert.ok(reads.length > 5);
  reads.length = 0;
  assert.is(await model(), first);
  assert.equal(reads, []);

  writeFileSync(join(folder, changed), `${readFileSync(join(folder, changed), 'utf8')}\nOne more line.\n`);
  session.change([join(folder, changed)]);
  assert.is.not(await model(), first);
  assert.equal([...new Set(reads)], [changed]);
  // The existence of the entry file is part of the project, its size is not.
  const project = await session.project(report);
  const entry = join(folder, '.instr/project.prs');
  writeFileSync(entry, `${readFileSync(entry, 'utf8')}\n# More.\n`);
  session.change([entry]);
  assert.is(await session.project(report), project);
  rmSync(entry);
  session.change([entry]);
  assert.is.not(await session.project(report), project);
});

tests.run();
