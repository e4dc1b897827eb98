/** Originals of a migration that no output replaces: they are reported, listed, removed on request, and restored. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contextFor } from '../../scripts/corpus/projects.ts';
import { adoptProject } from '../../src/project/adopt/adopt.ts';
import { compileProject } from '../../src/project/compile.ts';
import { diffProject } from '../../src/project/diff.ts';
import { migrateProject } from '../../src/project/move-in/migrate.ts';
import { undoLastRun } from '../../src/project/write/undo.ts';
import { prs, startPrs, until } from '../cli/prs.ts';

const tests = suite('originals of a migration');

const files = {
  'package.json': '{}',
  'CLAUDE.md': '# House\n\nRun the tests first.\n',
  '.cursorrules': 'Prefer small functions.\n',
  '.clinerules/one.md': 'Name every constant.\n',
  '.cursor/rules/area/deep.mdc': '---\nglobs: src/deep/**\nalwaysApply: false\n---\n\nMeasure the depth first.\n',
};

interface Project {
  readonly root: string;
  readonly at: (path: string) => string;
  readonly told: string[];
  readonly compile: (more?: object) => Promise<readonly string[]>;
  readonly recorded: () => string[];
}

async function inProject(
  mode: 'static' | 'keep',
  see: (project: Project) => Promise<void>,
  there: Readonly<Record<string, string>> = files,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'prs-originals-'));
  try {
    const at = (path: string) => join(root, path);
    for (const [path, text] of Object.entries(there)) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    }
    const told: string[] = [];
    const context = contextFor(root, ({ code, message }) => void told.push(`${code} ${message}`));
    const migrate = mode === 'static' ? migrateProject : adoptProject;
    assert.ok(await migrate({ dryRun: false, files: [] }, context));
    const compile = async (more = {}) => {
      told.length = 0;
      const compiled = await compileProject({ mode: 'write', ...more }, context);
      if (typeof compiled === 'string') throw new Error(compiled);
      return compiled.entries.filter(({ original }) => original).map(({ path }) => path);
    };
    const recorded = () => {
      const path = at('.instr/manifest.json');
      return existsSync(path) ? Object.keys(JSON.parse(readFileSync(path, 'utf8')).originals ?? {}) : [];
    };
    await see({ root, at, told, compile, recorded });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const deep = '.cursor/rules/area/deep.mdc';
const forced = { force: true, removeOriginals: true };
const isTold = (told: readonly string[]) => told.some(line => line.startsWith('PRS8032'));

tests('they are reported and listed, removed on request, and restored by undo', () =>
  inProject('static', async ({ root, at, told, compile, recorded }) => {
    const before = recorded();
    assert.ok(before.includes(deep), before.join());
    assert.equal(await compile({ force: true }), []);
    assert.ok(isTold(told), told.join('\n'));
    assert.match(told.join('\n'), deep);
    assert.equal(recorded(), before);
    const context = contextFor(root, () => {});
    const differences = await diffProject({ all: true, full: false }, context);
    assert.ok(typeof differences !== 'string' && differences.files.some(({ entry }) => entry.path === deep));
    assert.equal([...(await compile(forced))].sort(), [...before].sort());
    for (const path of before) assert.not(existsSync(at(path)), path);
    assert.equal(recorded(), []);
    await compile();
    assert.not(isTold(told));
    const after = await diffProject({ all: true, full: false }, context);
    assert.equal(typeof after !== 'string' && after.files, []);
    const { disk, clock } = context;
    assert.ok((await undoLastRun({ root, disk, clock, force: false }, () => {})).ok);
    for (const path of before) assert.is(readFileSync(at(path), 'utf8'), files[path as keyof typeof files]);
    assert.equal(recorded(), before);
  }));

const command = '.gemini/commands/git/sync.toml';
const shore = '.gemini/skills/Far Shore/SKILL.md';

tests('a structured file with one item is an original, too; a skill stays a source, and settings belong to the user', () =>
  inProject(
    'static',
    async ({ at, compile, recorded }) => {
      assert.equal(recorded().filter(path => path !== 'GEMINI.md'), [command]);
      await compile(forced);
      assert.not(existsSync(at(command)));
      assert.match(readFileSync(at('.gemini/commands/git-sync.toml'), 'utf8'), 'Sync the branch.');
      for (const path of [shore, '.gemini/skills/Far Shore/map.md', '.gemini/settings.json']) assert.ok(existsSync(at(path)), path);
    },
    {
      'package.json': '{}',
      'GEMINI.md': '# House\n\nRun the tests first.\n',
      [command]: 'prompt = "Sync the branch."\n',
      [shore]: '---\nname: Far Shore\ndescription: Finds the shore.\n---\n\nLook at map.md.\n',
      '.gemini/skills/Far Shore/map.md': '# Map\n',
      '.gemini/settings.json': '{ "mcpServers": { "tide": { "command": "npx" } } }\n',
    },
  ));

tests('keeps an original that was edited since, that is the target of a link, or that is not part of the run', () =>
  inProject('static', async ({ at, compile, recorded }) => {
    const before = recorded();
    writeFileSync(at(deep), 'Something else.\n');
    assert.not((await compile(forced)).includes(deep));
    assert.is(readFileSync(at(deep), 'utf8'), 'Something else.\n');
    assert.ok(recorded().includes(deep));
    writeFileSync(at(deep), files[deep]);
    renameSync(at('.cursor/rules/area'), at('elsewhere'));
    symlinkSync('../../elsewhere', at('.cursor/rules/area'));
    assert.not((await compile(forced)).includes(deep));
    assert.ok(existsSync(at('elsewhere/deep.mdc')));
    rmSync(at('.cursor/rules/area'));
    mkdirSync(at('.cursor/rules/area'));
    renameSync(at('elsewhere/deep.mdc'), at(deep));
    assert.not((await compile({ ...forced, targets: ['claude'] })).includes(deep));
    assert.ok((await compile(forced)).includes(deep));
    assert.ok(before.length > 0);
  }));

tests('does not remove an original that is the target of a kept link', () =>
  inProject('static', async ({ at, compile }) => {
    await compile({ force: true });
    const output = '.cursor/rules/area-deep.mdc';
    writeFileSync(at(deep), readFileSync(at(output)));
    const hash = createHash('sha256').update(readFileSync(at(deep))).digest('hex');
    const manifest = readFileSync(at('.instr/manifest.json'), 'utf8');
    writeFileSync(at('.instr/manifest.json'), manifest.replace(new RegExp(`("${deep}": )"\\w+"`), `$1"${hash}"`));
    rmSync(at(output));
    symlinkSync('area/deep.mdc', at(output));
    assert.not((await compile(forced)).includes(deep));
    assert.ok(existsSync(at(output)));
    rmSync(at(output));
    assert.ok((await compile(forced)).includes(deep));
  }));

tests('does not record an original to which another file of a tool is a link', async () => {
  const root = mkdtempSync(join(tmpdir(), 'prs-originals-'));
  try {
    mkdirSync(join(root, '.clinerules'));
    writeFileSync(join(root, '.clinerules/one.md'), 'Name every constant.\n');
    writeFileSync(join(root, '.clinerules/two.md'), 'Test every branch.\n');
    symlinkSync('one.md', join(root, '.clinerules/other.md'));
    assert.ok(await migrateProject({ dryRun: false, files: [] }, contextFor(root, () => {})));
    const { originals } = JSON.parse(readFileSync(join(root, '.instr/manifest.json'), 'utf8'));
    assert.equal(Object.keys(originals), ['.clinerules/two.md']);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

tests('an original that the user removed needs no compile in continuous integration, and the next compile forgets it', () =>
  inProject('static', async ({ root, at, compile, recorded }) => {
    await compile({ force: true });
    for (const path of recorded()) rmSync(at(path));
    const checked = await compileProject({ mode: 'plan' }, contextFor(root, () => {}));
    assert.not(typeof checked === 'string' || checked.sharedWork);
    await compile();
    assert.equal(recorded(), []);
  }));

for (const [how, run] of [
  ['compile --watch --force', (root: string) => watchOnce(root)],
  ['compile --recursive --force', (root: string) => void assert.is(prs(root, ['compile', '--recursive', '--force']).status, 0)],
] as const)
  tests(`${how} never removes an original, because it cannot prompt`, () =>
    inProject('static', async ({ root, at, compile, recorded }) => {
      const before = recorded();
      assert.ok(before.includes(deep));
      await run(root);
      assert.ok(existsSync(at('.clinerules/project.md')), 'the run wrote');
      for (const path of before) assert.is(readFileSync(at(path), 'utf8'), files[path as keyof typeof files], path);
      assert.equal(recorded(), before);
      // The same run would remove them if it can prompt, or with the option.
      assert.ok((await compile(forced)).includes(deep));
    }));

/** Starts the program in watch mode, waits until it has written, and stops it. */
async function watchOnce(root: string): Promise<void> {
  const { child, ended, output } = startPrs(root, ['compile', '--watch', '--force']);
  try {
    await until(() => output.stderr.includes('Watching'), `it watches: ${output.stderr}`);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

tests('a project that was migrated by keeping its files has none', () =>
  inProject('keep', async ({ at, told, compile, recorded }) => {
    assert.equal(recorded(), []);
    assert.equal(await compile(forced), []);
    assert.not(isTold(told));
    for (const [path, text] of Object.entries(files)) assert.is(readFileSync(at(path), 'utf8'), text);
  }));

tests.run();
