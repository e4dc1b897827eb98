/** Migration into blocks: which files it reads, what it writes, and what it leaves alone. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrateText } from '../../src/cli/commands/migrate.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { importInstructions } from '../../src/project/move-in/import.ts';
import { migrateProject, promptForMigration } from '../../src/project/move-in/migrate.ts';
import { upgradeProject } from '../../src/project/move-in/upgrade.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { newestSyntax } from '../../src/text/version.ts';

const test = suite('migrate, import and upgrade of projects');

/** Runs in a project in a temporary directory, which is removed afterwards. */
async function inProject(files: Record<string, string | Uint8Array>, run: (root: string, found: Diagnostic[]) => Promise<void>) {
  const root = mkdtempSync(join(tmpdir(), 'prs-migrate-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    await run(root, []);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const contextFor = (cwd: string, found: Diagnostic[]) => ({
  disk: nodeDisk,
  clock: () => new Date(0),
  cwd,
  environment: {},
  report: (diagnostic: Diagnostic) => void found.push(diagnostic),
  progress: () => {},
});

const codes = (found: readonly Diagnostic[]) => found.map(({ code }) => code);
const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

const project = {
  'package.json': '{ "name": "harbour" }',
  '.gitignore': 'generated/\n',
  'CLAUDE.md': '# Harbour\n\nA harbour in TypeScript.\n\n## Code style\n\n- Use tabs.\n- Prefer `const`.\n- Name things plainly.\n',
  '.github/copilot-instructions.md': '## Code style\n\n- Use tabs.\n- Prefer `const`.\n- End files with a line end.\n',
  '.cursor/rules/charts.mdc': '---\nglobs: **/*.chart\n---\nKeep depths in metres.\n',
  '.github/instructions/charts.instructions.md': '---\napplyTo: "**/*.chart"\n---\nKeep depths in metres.\n',
  'packages/api/CLAUDE.md': '# API\n\nAnswer in JSON.\n',
  '.claude/skills/tide/SKILL.md': '---\nname: tide\ndescription: Reads tides\n---\nRead.\n',
  '.claude/skills/tide/table.csv': '1,2\n',
  '.agents/skills/moor/SKILL.md': '---\nname: moor\ndescription: Moors\n---\nMoor.\n',
  '.claude/settings.json': '{ "permissions": {} }',
  'generated/CLAUDE.md': 'not ours',
  'node_modules/x/AGENTS.md': 'not ours',
};

test('migrates a project without changing its files', () =>
  inProject(project, async (root, found) => {
    const outcome = await migrateProject({ dryRun: false, files: [] }, contextFor(root, found));
    assert.ok(outcome, JSON.stringify(found));
    assert.equal(
      outcome.files.map(({ path, state }) => [path, state]),
      [
        ['.instr/migrated/document.md', 'new'],
        ['.instr/migrated/kept-packages-api-claude.md', 'new'],
        ['.instr/migrated/instructions.prs', 'new'],
        ['.instr/migrated/rules.prs', 'new'],
        ['.instr/migrated/all.prs', 'new'],
        ['instr.yaml', 'new'],
        ['.instr/project.prs', 'new'],
      ],
    );
    for (const [path, content] of Object.entries(project)) assert.is(read(root, path), content);
    const rules = read(root, '.instr/migrated/rules.prs');
    assert.is(rules.match(/Keep depths in metres/g)!.length, 1, 'equal rules are written once');
    const instructions = read(root, '.instr/migrated/instructions.prs');
    assert.is(instructions.match(/Use tabs/g)!.length, 1);
    assert.match(instructions, '# REVIEW: only in .github/copilot-instructions.md: Name things plainly.'.replace('.github/copilot-instructions.md', 'CLAUDE.md'));
    assert.match(instructions, '# REVIEW: only in .github/copilot-instructions.md: End files with a line end.');
    const all = read(root, '.instr/migrated/all.prs');
    assert.match(all, '@use ../../.claude/skills/tide');
    assert.match(all, '@use ./kept-packages-api-claude.md into "packages/api/CLAUDE.md"');
    assert.not.match(all, 'moor');
    assert.not.match(instructions + rules, 'not ours');
    assert.equal([...outcome.targets].sort(), ['claude', 'cursor', 'github']);
    assert.match(outcome.steps, 'prs compile --force');
    assert.match(outcome.steps, 'CLAUDE.md');
  }));

test('no text is lost if several files have similar wording', () =>
  inProject(
    {
      'package.json': '{}',
      'CLAUDE.md': [
        '# Harbour',
        'A harbour in TypeScript. It moors boats.',
        'It is written for harbour masters.',
        'It runs without a network.',
        '## Testing of moorings',
        'Run the tests before every commit, without exception.',
        `Write a test for every bug you find, ${'and for that '.repeat(9)}too.`,
      ].join('\n\n'),
      '.github/copilot-instructions.md': [
        '# Port',
        'A harbour in TypeScript. It moors boats.',
        'It is written for harbour masters.',
        '1. It has two modes.\n2. It has a simulator.',
        '## Testing of moorings',
        'Run the tests before every commit, without exception.',
      ].join('\n\n'),
      '.claude/commands/deploy.md': '---\ndescription: Deploys\n---\nDeploy to staging.\n',
      '.cursor/commands/deploy.md': 'Deploy to production with care.\n',
    },
    async (root, found) => {
      const outcome = await migrateProject({ dryRun: false, files: [] }, contextFor(root, found));
      assert.equal(
        read(root, '.instr/migrated/instructions.prs').split('\n\n').slice(1).join('\n\n'),
        `@context {
  # REVIEW: only in .github/copilot-instructions.md: 1. It has two modes.
  # REVIEW: only in .github/copilot-instructions.md: 2. It has a simulator.
  # REVIEW: only in CLAUDE.md: It runs without a network.
  # REVIEW: only in CLAUDE.md: the title Harbour
  """
  A harbour in TypeScript. It moors boats.

  It is written for harbour masters.

  It runs without a network.

  1. It has two modes.
  2. It has a simulator.
  """
}

@standards {
  # REVIEW: only in CLAUDE.md: ${`Write a test for every bug you find, ${'and for that '.repeat(9)}too.`.slice(0, 97)}…
  @header testing-of-moorings "Testing of moorings"

  testing-of-moorings: """
    Run the tests before every commit, without exception.

    Write a test for every bug you find, ${'and for that '.repeat(9)}too.
  """
}
`,
      );
      const commands = read(root, '.instr/migrated/commands.prs');
      assert.match(commands, /"\/deploy": \{[^}]*Deploy to staging\./);
      assert.match(commands, /# REVIEW: There is another `\/deploy`\.\n {2}"\/deploy-2": \{[^}]*Deploy to production with care\./);
      assert.match(migrateText(outcome!, false), '\n3 places to review: search for # REVIEW:\n');
    },
  ));

test('a short text whose sentences are part of a longer one is a variant of it', () =>
  inProject(
    {
      'package.json': '{}',
      'CLAUDE.md': `## Code style\n\n${['Use tabs.', 'Prefer const.', 'Name things plainly.', 'No globals.', 'No classes.'].map(line => `- ${line}\n`).join('')}`,
      '.github/copilot-instructions.md': '## Code style\n\n- No globals.\n- Use tabs.\n',
    },
    async (root, found) => {
      const outcome = await migrateProject({ dryRun: true, files: [] }, contextFor(root, found));
      const [near, ...more] = outcome!.migration.repetitions;
      assert.equal(more, []);
      assert.equal(near?.only.map(({ file, text }) => `${file} ${text}`), ['CLAUDE.md Prefer const.', 'CLAUDE.md Name things plainly.', 'CLAUDE.md No classes.']);
    },
  ));

test('changes nothing the second time', () =>
  inProject(project, async (root, found) => {
    await migrateProject({ dryRun: false, files: [] }, contextFor(root, found));
    const again = await migrateProject({ dryRun: false, files: [] }, contextFor(root, found));
    assert.ok(again?.files.every(({ state }) => state === 'unchanged'), JSON.stringify(again?.files.map(f => [f.path, f.state])));
  }));

test('does not overwrite sources of an earlier migration', () =>
  inProject({ ...project, '.instr/migrated/rules.prs': '# mine\n' }, async (root, found) => {
    assert.is(await migrateProject({ dryRun: false, files: [] }, contextFor(root, found)), undefined);
    assert.ok(codes(found).includes('PRS9432'));
    assert.is(read(root, '.instr/migrated/rules.prs'), '# mine\n');
  }));

test('writes nothing in a dry run, and can be limited by globs', () =>
  inProject(project, async (root, found) => {
    const outcome = await migrateProject({ dryRun: true, files: ['.cursor/**'] }, contextFor(root, found));
    assert.equal(outcome?.found.map(({ path }) => path), ['.cursor/rules/charts.mdc']);
    assert.not.ok(nodeDisk.stat(join(root, '.instr')));
  }));

test('reads a linked file once and keeps both tools', () =>
  inProject({ 'AGENTS.md': '# Rules\n\n- Use tabs.\n- Keep it short.\n' }, async (root, found) => {
    symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
    const outcome = await migrateProject({ dryRun: true, files: [] }, contextFor(root, found));
    assert.equal(outcome?.found.map(({ path }) => path), ['AGENTS.md']);
    assert.ok(outcome?.targets.includes('claude'));
  }));

test('adds one @use to an entry and keeps its comments', () =>
  inProject(
    {
      ...project,
      'instr.yaml': 'id: x\nsyntax: "1.5.0"\ntargets: [claude]\n',
      '.instr/project.prs': '# ours\n@meta { id: "x" syntax: "1.5.0" } # here\n\n@identity { """A pilot.""" }\n',
    },
    async (root, found) => {
      await migrateProject({ dryRun: false, files: [] }, contextFor(root, found));
      assert.is(
        read(root, '.instr/project.prs'),
        '# ours\n@meta { id: "x" syntax: "1.5.0" } # here\n\n@use ./migrated/all\n\n@identity { """A pilot.""" }\n',
      );
      assert.is(read(root, 'instr.yaml'), 'id: x\nsyntax: "1.5.0"\ntargets: [claude]\n');
    },
  ));

test('reports that there is nothing to migrate', () =>
  inProject({ 'package.json': '{}' }, async (root, found) => {
    assert.is(await migrateProject({ dryRun: false, files: [] }, contextFor(root, found)), undefined);
    assert.equal(codes(found), ['PRS9430']);
  }));

test('writes all files into one prompt', () =>
  inProject(project, async (root, found) => {
    const prompt = await promptForMigration({ dryRun: true, files: [] }, contextFor(root, found));
    assert.match(prompt!.text, '### .cursor/rules/charts.mdc');
    assert.match(prompt!.text, 'Keep depths in metres.');
    assert.match(prompt!.text, '@guards');
    assert.ok(prompt!.tokens > 1000);
  }));

test('refuses files that cannot be imported, and writes nothing', () =>
  inProject(
    { 'empty.md': ' \n', 'binary.md': new Uint8Array([104, 0, 105]), 'latin.md': new Uint8Array([0xe4, 0x20]), 'x.ini': 'a=1', '.mcp.json': '{ "mcpServers": ' },
    async root => {
      const expected: Record<string, string> = {
        'empty.md': 'PRS9402',
        'x.ini': 'PRS9401',
        '.mcp.json': 'PRS9403',
        'missing.md': 'PRS9410',
        '.': 'PRS9411',
        '../outside.md': 'PRS9409',
      };
      for (const file of [...Object.keys(expected), 'binary.md', 'latin.md']) {
        const found: Diagnostic[] = [];
        assert.is(await importInstructions({ file, dryRun: false, force: true }, contextFor(root, found)), undefined, file);
        assert.ok(found.some(({ severity }) => severity === 'error') || codes(found).includes('PRS9402'), file);
        if (expected[file]) assert.equal(codes(found), [expected[file]], file);
      }
      assert.not.ok(nodeDisk.stat(join(root, '.instr')));
    },
  ));

test('imports to the default path and never overwrites without being asked', () =>
  inProject({ 'CLAUDE.md': '# A\n\n- Use tabs.\n- Use LF.\n' }, async (root, found) => {
    const first = await importInstructions({ file: 'CLAUDE.md', dryRun: false, force: false }, contextFor(root, found));
    assert.ok(typeof first === 'object' && first.written && first.output === '.instr/imported/claude.prs');
    writeFileSync(join(root, '.instr/imported/claude.prs'), '# edited\n');
    assert.is(await importInstructions({ file: 'CLAUDE.md', dryRun: false, force: false }, contextFor(root, found)), undefined);
    assert.ok(codes(found).includes('PRS9412'));
    const forced = await importInstructions({ file: 'CLAUDE.md', dryRun: false, force: true }, contextFor(root, found));
    assert.ok(typeof forced === 'object' && forced.state === 'changed');
    assert.is(await importInstructions({ file: 'CLAUDE.md', format: 'nothing', dryRun: false, force: true }, contextFor(root, found)), 'wrong-request');
  }));

test('upgrades sources and configuration, keeping comments and meaning', () =>
  inProject(
    {
      'instr.yaml': '# ours\nid: x\nsyntax: 1.2.0 # old\ntargets: [claude]\n',
      '.instr/project.prs':
        '# top\n@meta {\n  id: "x"\n  syntax: "1.2.0" # old\n}\n\n# first\n@identity { """A pilot.""" }\n\n# base\n@inherit ./base # from here\n\n@extend identity { """B""" }\n\n@use ./more\n',
      '.instr/base.prs': '@meta { id: "b" syntax: "1.6.0" }\n',
      '.instr/more.prs': '# a fragment\n@standards { a: ["x"] }\n',
    },
    async (root, found) => {
      const dry = await upgradeProject(true, contextFor(root, found));
      assert.equal(dry?.files.map(({ path }) => path), ['.instr/project.prs', 'instr.yaml']);
      assert.match(read(root, 'instr.yaml'), '1.2.0');
      await upgradeProject(false, contextFor(root, found));
      assert.is(read(root, 'instr.yaml'), `# ours\nid: x\nsyntax: ${newestSyntax} # old\ntargets: [claude]\n`);
      assert.is(
        read(root, '.instr/project.prs'),
        `# top\n@meta {\n  id: "x"\n  syntax: "${newestSyntax}" # old\n}\n\n# base\n@inherit ./base # from here\n\n@use ./more\n\n# first\n@identity { """A pilot.""" }\n\n@extend identity { """B""" }\n`,
      );
      const again = await upgradeProject(false, contextFor(root, found));
      assert.equal(again?.files, []);
    },
  ));

test('upgrades nothing if one file is broken or has a newer version', () =>
  inProject(
    { 'instr.yaml': 'id: x\nsyntax: 1.2.0\ntargets: [claude]\n', 'a.prs': '@meta { id: "a" syntax: "1.0.0" }\n', 'b.prs': '@meta { id: "b" syntax: "9.0.0" }\n' },
    async (root, found) => {
      assert.is(await upgradeProject(false, contextFor(root, found)), undefined);
      assert.equal(codes(found), ['PRS9440']);
      assert.match(read(root, 'a.prs'), '1.0.0');
    },
  ));

test('upgrading keeps quotes and byte order marks, and skips ignored files and broken fixtures', () =>
  inProject(
    {
      '.gitignore': 'dist/\n',
      'instr.yaml': "id: x\nsyntax: '1.2.0'\ntargets: [claude]\n",
      '.instr/project.prs': "\ufeff@meta { id: 'x' syntax: '1.2.0' }\r\n",
      '.instr/bare.prs': '@meta { id: "x" syntax: 1.2.0 }\n',
      'dist/old.prs': '@meta { id: "x" syntax: "1.2.0" }\n',
      'test/broken.prs': '@meta { id: "x" syntax: "1.2.0" @@ {\n',
    },
    async (root, found) => {
      const done = await upgradeProject(false, contextFor(root, found));
      assert.equal(done?.files.map(({ path }) => path), ['.instr/bare.prs', '.instr/project.prs', 'instr.yaml']);
      assert.equal(codes(found), ['PRS9450']);
      assert.is(read(root, 'instr.yaml'), `id: x\nsyntax: '${newestSyntax}'\ntargets: [claude]\n`);
      assert.is(read(root, '.instr/project.prs'), `\ufeff@meta { id: 'x' syntax: '${newestSyntax}' }\r\n`);
      assert.is(read(root, '.instr/bare.prs'), `@meta { id: "x" syntax: ${newestSyntax} }\n`);
    },
  ));

test.run();
