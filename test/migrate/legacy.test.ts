/** Migrates and compiles a project with files of several tools, and asserts that nothing is lost. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contextFor, moveProject } from '../../scripts/corpus/projects.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { migrateProject } from '../../src/project/move-in/migrate.ts';
import { undoLastRun } from '../../src/project/write/undo.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { root as repository } from '../support/compile.ts';

const tests = suite('migrate: a project with many tools');

/** `.gitignore` files at two levels. */
const ignored: Readonly<Record<string, string>> = {
  '.gitignore': 'generated/\n*.local.md\n',
  'generated/CLAUDE.md': 'made by somebody\n',
  'packages/web/.gitignore': '/made*/\n!/made-by-hand/\n',
  'packages/web/made-up/CLAUDE.md': 'made by somebody\n',
  'packages/web/made-by-hand/CLAUDE.md': 'Written by hand.\n',
};

async function inProject(git: boolean, run: (root: string, read: (path: string) => string) => Promise<void>) {
  const root = mkdtempSync(join(tmpdir(), 'prs-legacy-'));
  try {
    cpSync(join(repository, 'test/projects/legacy'), root, { recursive: true });
    for (const [path, text] of Object.entries(ignored)) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    if (git) execFileSync('git', ['init', '-q'], { cwd: root });
    await run(root, path => readFileSync(join(root, path), 'utf8'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

for (const git of [true, false]) {
  tests(`nothing is lost, ${git ? 'with' : 'without'} git`, () =>
    inProject(git, async (root, read) => {
      const before = read('.claude/settings.json');
      const { lost, problems, targets, files } = await moveProject('legacy', root);
      assert.equal(problems, []);
      assert.equal(lost, []);
      // One more target represents all tools that read AGENTS.md.
      assert.equal(targets.filter(id => ['claude', 'cursor', 'github'].includes(id)).sort(), ['claude', 'cursor', 'github']);
      assert.is(targets.length, 4);
      assert.is(files, 12);
      const main = read('CLAUDE.md');
      assert.is(main.match(/Use tabs/g)!.length, 1, 'content that two files share is written once');
      assert.not.match(main, 'End files with a line end.');
      assert.match(read('.github/copilot-instructions.md'), 'End files with a line end.');
      assert.not.match(main, 'made by somebody');
      assert.match(read('packages/web/made-by-hand/CLAUDE.md'), 'Written by hand.');
      assert.match(read('packages/api/AGENTS.md'), 'Use problem details.');
      // Cursor and GitHub find skills here.
      assert.is(read('.agents/skills/tide/table.csv'), '0,1.2\n6,3.4\n');
      // Hooks that are not portable are kept, and so are other settings of the user.
      assert.match(before, 'notify-send');
      assert.match(read('.claude/settings.json'), 'notify-send');
      assert.match(read('.claude/settings.json'), '// ours');
      assert.not.match(read('.instr/migrated/hooks.prs'), 'notify-send');
      assert.match(read('.instr/migrated/hooks.prs'), 'command: ["scripts/check.sh", "--all"]');
      // Private notes stay private.
      assert.match(read('.instr/local.prs'), 'lamp-tester');
      assert.match(read('.gitignore'), '\n.instr/local.prs\n');
      assert.not.match(main + read('.github/copilot-instructions.md'), 'lamp-tester');
    }));
}

tests('a migration is one run, and undo reverts all of it', () =>
  inProject(false, async (root, read) => {
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void found.push(diagnostic);
    const context = contextFor(root, report);
    const moved = await migrateProject({ dryRun: false, files: [] }, context);
    assert.ok(moved);
    assert.not.match(moved.steps, 'nothing replaces', 'skills that are used at their path must not be removed');
    assert.ok(existsSync(join(root, '.instr/migrated/all.prs')));
    const request = { root, disk: nodeDisk, clock: context.clock, force: false } as Parameters<typeof undoLastRun>[0];
    const undone = await undoLastRun(request, report);
    assert.ok(undone.ok, JSON.stringify(found.map(({ message }) => message)));
    for (const path of ['.instr/migrated', '.instr/project.prs', '.instr/local.prs', 'instr.yaml'])
      assert.not.ok(existsSync(join(root, path)), path);
    assert.is(read('.gitignore'), ignored['.gitignore']);
  }));

tests('a run that cannot write everything writes nothing', () =>
  inProject(false, async root => {
    const found: Diagnostic[] = [];
    // A folder is at the path of the entry.
    mkdirSync(join(root, '.instr/project.prs/x'), { recursive: true });
    assert.is(await migrateProject({ dryRun: false, files: [] }, contextFor(root, found.push.bind(found))), undefined);
    assert.ok(found.some(({ severity }) => severity === 'error'));
    for (const path of ['.instr/migrated', 'instr.yaml']) assert.not.ok(existsSync(join(root, path)), path);
  }));

tests.run();
