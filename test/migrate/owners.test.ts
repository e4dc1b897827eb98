/** Repositories with unusual content, as found in practice: they are migrated, and a compile reports nothing. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contextFor } from '../../scripts/corpus/projects.ts';
import { type AdoptOutcome, adoptProject } from '../../src/project/adopt/adopt.ts';
import { compileProject } from '../../src/project/compile.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';

type Files = Readonly<Record<string, string | { readonly link: string }>>;

const tests = suite('repositories of owners');

interface Moved {
  readonly outcome: AdoptOutcome;
  /** Warnings of the compile afterwards. */
  readonly warnings: readonly string[];
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  /** Compiles again. */
  readonly compile: () => Promise<unknown>;
}

async function moveIn(files: Files, look: (moved: Moved) => void | Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'prs-owners-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (typeof content === 'string') writeFileSync(join(root, path), content);
      else symlinkSync(content.link, join(root, path));
    }
    const found: Diagnostic[] = [];
    const report = (finding: Diagnostic) => void found.push(finding);
    const outcome = await adoptProject({ dryRun: false, files: [] }, contextFor(root, report));
    assert.ok(outcome, found.map(({ message }) => message).join('\n'));
    found.length = 0;
    const compiled = await compileProject({ mode: 'write' }, contextFor(root, report));
    assert.ok(typeof compiled === 'object' && !compiled.broken);
    const changed = compiled.entries.filter(({ state }) => !['adopted', 'unchanged', 'source'].includes(state));
    assert.equal(changed.map(({ path, state }) => `${state} ${path}`), []);
    for (const [path, content] of Object.entries(files))
      if (typeof content === 'string') assert.is(readFileSync(join(root, path), 'utf8'), content, path);
    const warnings = found.filter(({ severity }) => severity !== 'info').map(({ code, message }) => `${code} ${message}`);
    await look({
      outcome,
      warnings,
      read: path => readFileSync(join(root, path), 'utf8'),
      write: (path, text) => writeFileSync(join(root, path), text),
      compile: () => compileProject({ mode: 'write' }, contextFor(root, report)),
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const main = '# House\n\nKeep it small.\n';
const sourceOf = ({ adoption }: AdoptOutcome, path: string) => adoption.adopted.find(one => one.path === path)?.source;
const reasonOf = ({ adoption }: AdoptOutcome, path: string) => adoption.left.find(left => left.path === path)?.reason;

tests("front matter in a tool's own syntax is not reported if it has only one interpretation", () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.cursor/rules/ts.mdc': '---\ndescription: Note: for TypeScript\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\n\nNo any.\n',
      '.cursor/rules/list.mdc': '---\ndescription: A: b\nglobs:\n  - "src/**"\nalwaysApply: false\n---\n\nA list.\n',
    },
    ({ outcome, warnings, read }) => {
      assert.is(sourceOf(outcome, '.cursor/rules/ts.mdc'), '.instr/rules/ts.md');
      assert.is(sourceOf(outcome, '.cursor/rules/list.mdc'), '.instr/rules/list.md');
      assert.match(read('.instr/rules/ts.md'), 'globs: *.ts,*.tsx');
      assert.equal(warnings, []);
    },
  ));

tests('a command of two tools whose hint is a text with brackets', () => {
  const fix = '---\ndescription: Fixes it\nargument-hint: [issue] [file]\n---\nFix $ARGUMENTS\n';
  const files = { 'CLAUDE.md': main, 'GEMINI.md': main, '.claude/commands/fix.md': fix, '.qwen/commands/fix.md': fix };
  return moveIn(files, ({ outcome }) => {
    assert.is(sourceOf(outcome, '.claude/commands/fix.md'), '.instr/commands/fix.md');
    assert.is(sourceOf(outcome, '.qwen/commands/fix.md'), '.instr/commands/fix.md');
  });
});

tests('a folder linked to the path of another tool becomes one source, without a warning', () =>
  moveIn(
    {
      'AGENTS.md': main,
      'CLAUDE.md': { link: 'AGENTS.md' },
      '.github/copilot-instructions.md': { link: '../AGENTS.md' },
      'GEMINI.md': { link: 'AGENTS.md' },
      '.gemini/commands/x.toml': 'prompt = "x"\n',
      '.claude/commands/fix.md': '---\ndescription: Fixes it\n---\nFix it.\n',
      '.cursor/commands': { link: '../.claude/commands' },
    },
    ({ outcome, warnings }) => {
      assert.is(sourceOf(outcome, '.cursor/commands/fix.md'), '.instr/commands/fix.md');
      assert.is(sourceOf(outcome, 'GEMINI.md'), '.instr/project.md');
      assert.equal(warnings.filter(line => !line.startsWith('PRS7030')), []);
    },
  ));

tests('a document is named after the edited file, not after a link to it', () =>
  moveIn(
    { 'AGENTS.md': main, '.github/copilot-instructions.md': { link: '../AGENTS.md' }, 'CLAUDE.md': '# Other\n' },
    ({ outcome }) => assert.is(sourceOf(outcome, '.github/copilot-instructions.md'), '.instr/documents/project-agents.md'),
  ));

tests('folder names keep their spelling', () =>
  moveIn({ 'CLAUDE.md': main, 'пакеты/апи/CLAUDE.md': '# апи\n' }, ({ outcome }) =>
    assert.match(sourceOf(outcome, 'пакеты/апи/CLAUDE.md')!, /пакеты-апи/),
  ));

tests('a tool whose settings name other main files keeps its settings, and its texts are migrated', () =>
  moveIn({ 'AGENTS.md': main, 'CONVENTIONS.md': '# Style\n', '.aider.conf.yml': 'read: [CONVENTIONS.md, docs/api.md]\nauto-commits: false\n' }, ({ outcome, warnings, read }) => {
    assert.ok(sourceOf(outcome, 'CONVENTIONS.md'));
    assert.ok(sourceOf(outcome, 'AGENTS.md'));
    assert.match(read('instr.yaml'), '- aider: { configure: false }');
    assert.equal(warnings, []);
  }));

tests('a file that users pass to a tool by hand is migrated without settings that would always load it', () =>
  moveIn({ 'CONVENTIONS.md': '# Style\n\nUse tabs.\n' }, ({ outcome, read }) => {
    assert.ok(sourceOf(outcome, 'CONVENTIONS.md'));
    assert.match(read('instr.yaml'), '- aider: { configure: false }');
  }));

tests('settings may name one file without a list', () =>
  moveIn({ 'CONVENTIONS.md': '# Style\n', '.aider.conf.yml': 'read: CONVENTIONS.md\n' }, ({ read }) =>
    assert.match(read('instr.yaml'), /- aider$/m),
  ));

tests('main files named in settings of a tool are its main files', () =>
  moveIn(
    {
      '.gemini/settings.json': '{\n  // ours\n  "context": { "fileName": ["AGENTS.md", "./CONTEXT.md", "../outside.md"] }\n}\n',
      'AGENTS.md': main,
      'CONTEXT.md': '# For one\n',
      'GEMINI.md': '# Too\n',
      'packages/a/CONTEXT.md': '# In a\n',
    },
    ({ outcome, read }) => {
      for (const path of ['AGENTS.md', 'CONTEXT.md', 'GEMINI.md', 'packages/a/CONTEXT.md']) assert.ok(sourceOf(outcome, path), path);
      assert.match(read('instr.yaml'), /targets:\n {2}- gemini\noutput/);
    },
  ));

tests('fallback names are main files of a tool that lacks its own, also in folders', () =>
  moveIn(
    {
      '.codex/config.toml': 'model = "o4"\nproject_doc_fallback_filenames = ["TEAM.md", "CONTRIBUTING.md"]\n',
      'TEAM.md': main,
      'packages/a/TEAM.md': '# In a\n',
      'packages/b/AGENTS.md': '# In b\n',
      'packages/b/TEAM.md': '# Nobody reads it\n',
    },
    ({ outcome, read }) => {
      for (const path of ['TEAM.md', 'packages/a/TEAM.md', 'packages/b/AGENTS.md']) assert.ok(sourceOf(outcome, path), path);
      assert.match(read('instr.yaml'), /targets:\n {2}- codex\noutput/);
    },
  ));

tests('a name that replaces the default one is the only main file', () =>
  moveIn({ '.qwen/settings.json': '{ "context": { "fileName": "HOUSE.md" } }', 'HOUSE.md': main }, ({ outcome, read }) => {
    assert.ok(sourceOf(outcome, 'HOUSE.md'));
    assert.match(read('instr.yaml'), /- qwen-code$/m);
  }));

tests('commands of the shared folder are not given to tools that did not read them', () =>
  moveIn({ 'AGENTS.md': main, '.agents/commands/z.md': 'Do z.\n', '.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\nA.\n' }, ({ read }) =>
    assert.match(read('instr.yaml'), 'universalDir: false'),
  ));

tests('migrates permissions and ignored files for their tool, and keeps what is not portable', () =>
  moveIn(
    {
      'CLAUDE.md': '# Shop\n',
      '.claude/settings.json': JSON.stringify({
        permissions: {
          allow: ['Bash(npm run test:*)', 'Bash(git status *)', 'WebSearch', 'Read(/src/**)', 'mcp__ladder'],
          deny: ['Read(**/.env)', 'Bash(rm -rf *)'],
          defaultMode: 'acceptEdits',
        },
        hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'npm run lint' }] }] },
      }),
      '.cursor/rules/house.mdc': '---\ndescription: House\nalwaysApply: true\n---\nBe kind.\n',
      '.cursorignore': '# caches\nnode_modules/\n\n*.snap\n!keep.snap\n',
    },
    ({ outcome, warnings, read }) => {
      assert.equal(warnings, []);
      const permissions = read('.instr/permissions-claude.prs');
      for (const subject of ['shell:git status *', 'read:src/**', 'mcp:ladder', 'read:**/.env', 'shell:rm -rf *'])
        assert.match(permissions, JSON.stringify(subject));
      assert.match(permissions, '"shell:npm run test *"');
      assert.match(read('.instr/ignore-cursor.prs'), /"node_modules\/"[\s\S]*"\*\.snap"[\s\S]*"!keep\.snap"/);
      const entry = read('.instr/project.prs');
      assert.match(entry, '@use ./permissions-claude.prs for claude');
      assert.match(entry, '@use ./ignore-cursor.prs for cursor');
      assert.match(reasonOf(outcome, '.claude/settings.json') ?? '', /^1 of 7 permissions stays there.*`WebSearch`/);
    },
  ));

tests('permissions in an alternative notation of a tool keep it until their source changes', () =>
  moveIn(
    {
      'CLAUDE.md': '# Shop\n',
      '.claude/settings.json': '{\n  "permissions": {\n    "allow": ["Bash(ls:*)", "Bash(git log *)", "mcp__docs__*"],\n    "deny": ["Bash(rm:*)"]\n  }\n}\n',
    },
    async ({ outcome, read, compile, write }) => {
      assert.equal(outcome.adoption.left, []);
      const source = '.instr/permissions-claude.prs';
      for (const subject of ['shell:ls *', 'mcp:docs', 'shell:rm *']) assert.match(read(source), JSON.stringify(subject));
      write(source, read(source).replace('"shell:git log *"', '"shell:git log *", "shell:wc *"').replace('"shell:ls *"', '"shell:ls -l *"'));
      await compile();
      assert.equal(JSON.parse(read('.claude/settings.json')).permissions, {
        allow: ['Bash(ls -l *)', 'Bash(git log *)', 'mcp__docs__*', 'Bash(wc *)'],
        deny: ['Bash(rm:*)'],
      });
    },
  ));

tests('a rule that its tool would load from its main file is kept at its path, and does not block a main file', () =>
  moveIn(
    { 'CLAUDE.md': main, '.augment/rules/t.md': '---\ntype: by_mood\nglobs: src/**\n---\n\nUse tabs.\n' },
    ({ outcome, read }) => {
      assert.equal(outcome.adoption.left, []);
      assert.match(read('.instr/rules/t.md'), 'into: .augment/rules/t.md');
    },
  ));

tests('a text of several tools is named after a visible file', () =>
  moveIn({ '.clinerules': main, '.cursorrules': main, 'AGENTS.md': main, 'CLAUDE.md': '# Other\n' }, ({ outcome }) =>
    assert.is(sourceOf(outcome, '.cursorrules'), '.instr/documents/project-agents.md'),
  ));

tests('private notes never become a shared source, whether or not Git ignores them', () =>
  moveIn({ 'CLAUDE.md': main, 'CLAUDE.local.md': 'My sandbox is at 10.0.0.7.\n' }, ({ outcome }) => {
    assert.is(sourceOf(outcome, 'CLAUDE.local.md'), undefined);
    assert.match(reasonOf(outcome, 'CLAUDE.local.md')!, 'notes of one person');
    assert.not.ok(outcome.files.some(({ text }) => String(text).includes('sandbox')));
  }));

tests('a server whose command is a single string is kept, and does not block another server', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.mcp.json': '{"mcpServers":{"line":{"command":"npx -y line"},"a":{"command":"a"}}}\n',
      '.cursor/mcp.json': '{"mcpServers":{"line":{"command":"npx -y line"}}}\n',
    },
    ({ outcome, read }) => {
      assert.is(sourceOf(outcome, '.mcp.json'), '.instr/mcp.json');
      assert.not.match(read('.instr/mcp.json'), 'line');
      for (const path of ['.mcp.json', '.cursor/mcp.json']) assert.match(reasonOf(outcome, path)!, /^1 of [12] servers stays there: the command of `line`/);
    },
  ));

tests('settings in another notation do not block servers, for any tool', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.mcp.json': '{"mcpServers":{"a":{"command":"a"}}}\n',
      '.cursor/mcp.json': '{"mcpServers":{"a":{"command":"a","args":["-x"]}}}\n',
      'opencode.json': '{"mcp":{"a":{"type":"local","command":["a"],"enabled":true}},"permission":{"bash":{"*":"ask","git *":"allow"}}}\n',
    },
    ({ outcome }) => {
      for (const path of ['.mcp.json', '.cursor/mcp.json', 'opencode.json']) assert.is(sourceOf(outcome, path), '.instr/mcp.json', path);
    },
  ));

tests('permissions that no source can express leave the rest of their file unchanged', () =>
  moveIn(
    { 'CLAUDE.md': '# Shop\n', '.claude/settings.json': '{ "permissions": { "allow": ["WebSearch", "Task(Explore)"] } }' },
    ({ outcome }) => assert.is(sourceOf(outcome, '.claude/settings.json'), undefined),
  ));

tests('an empty list of a server stays an empty list, and does not block another file', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.mcp.json': '{"mcpServers":{"s":{"command":"s","cwd":"tools"}}}\n',
      '.zed/settings.json': '{\n  // mine\n  "context_servers": { "z": { "source": "custom", "command": "z", "args": [], "env": {} } },\n}\n',
    },
    ({ outcome }) => {
      assert.is(sourceOf(outcome, '.zed/settings.json'), '.instr/mcp.json');
      assert.is(sourceOf(outcome, '.mcp.json'), '.instr/mcp.json');
    },
  ));

tests('nested folders below a rules folder follow their own path; scripts and mode rules are found', () =>
  moveIn(
    {
      'AGENTS.md': main,
      '.clinerules/01.md': 'Always this.\n',
      '.clinerules/workflows/release.md': '# Release\n\nRelease it.\n',
      '.clinerules/hooks/PreToolUse': '#!/bin/sh\nexit 0\n',
      '.roo/rules-code/style.md': 'Only in code mode.\n',
    },
    ({ outcome }) => {
      assert.is(sourceOf(outcome, '.clinerules/workflows/release.md'), '.instr/commands/release.md');
      assert.is(reasonOf(outcome, '.clinerules/hooks/PreToolUse'), 'it is a script that hooks run');
      assert.match(sourceOf(outcome, '.roo/rules-code/style.md')!, /^\.instr\/rules\//);
    },
  ));

tests('a main file that exists only in a folder belongs to the tool that uses its name', () =>
  moveIn({ 'packages/api/CLAUDE.md': 'Answer in JSON.\n' }, ({ outcome }) =>
    assert.equal(outcome.adoption.targets.map(({ spec }) => spec.id), ['claude']),
  ));

tests.run();
