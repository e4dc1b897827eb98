/**
 * Migration that keeps files: every file has the same meaning after migrate and compile, and no other file is added.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { adoptText } from '../../src/cli/report/move-in.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { type AdoptOutcome, adoptProject } from '../../src/project/adopt/adopt.ts';
import { compileProject } from '../../src/project/compile.ts';
import { withTextLinks } from '../../src/project/text-links.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { needing } from '../support/machine.ts';

type Files = Readonly<Record<string, string | { readonly link: string }>>;

const test = suite('moving in by keeping');

const contextFor = (cwd: string, found: Diagnostic[]) => ({
  disk: nodeDisk,
  clock: () => new Date(0),
  cwd,
  environment: {},
  report: (diagnostic: Diagnostic) => void found.push(diagnostic),
  progress: () => {},
});

/** Everything outside of `.instr` and `instr.yaml`: bytes, links and modes. */
function stateOf(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder)).sort().flatMap(name => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === '.instr' || path === 'instr.yaml') return [];
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) return stateOf(root, path);
    const content = stat.isSymbolicLink() ? '' : readFileSync(join(root, path), 'latin1');
    return [`${path} ${stat.mode} ${stat.isSymbolicLink()} ${content}`];
  });
}

/** Migrates a repository, compiles it, and asserts that its files keep their meaning. */
async function moveIn(
  files: Files,
  look: (outcome: AdoptOutcome, root: string) => void | Promise<void> = () => {},
  only: readonly string[] = [],
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'prs-keep-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (typeof content === 'string') writeFileSync(join(root, path), content);
      else symlinkSync(content.link, join(root, path));
      if (path.endsWith('.sh')) chmodSync(join(root, path), 0o755);
    }
    const before = stateOf(root);
    const found: Diagnostic[] = [];
    const outcome = await adoptProject({ dryRun: false, files: only }, contextFor(root, found));
    assert.ok(outcome, found.map(({ message }) => message).join('\n'));
    const compiled = await compileProject({ mode: 'write' }, contextFor(root, found));
    assert.ok(typeof compiled === 'object' && !compiled.broken);
    assert.equal(compiled.entries.filter(({ state }) => !['adopted', 'unchanged', 'source'].includes(state)).map(({ path }) => path), []);
    assert.equal(stateOf(root), before);
    assert.equal(found.filter(({ severity }) => severity === 'error').map(({ message }) => message), []);
    await look(outcome, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const keptPaths = ({ adoption }: AdoptOutcome) => adoption.adopted.map(({ path }) => path).sort();
const main = '# The harbour\n\nKeep depths in metres.\n\n<!-- one -->\n<!-- two -->\n';
const skill = '---\nname: release\ndescription: Releases the program.\n---\n\n# Release\n\nRun it.\n';

needing(test, 'symbolic links')('one main file and links to it', () =>
  moveIn({ 'AGENTS.md': main, 'CLAUDE.md': { link: 'AGENTS.md' }, 'GEMINI.md': { link: 'AGENTS.md' } }, (outcome, root) => {
    assert.equal(keptPaths(outcome), ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']);
    assert.is(readFileSync(join(root, '.instr/project.md'), 'utf8'), main);
    assert.not.ok(existsSync(join(root, '.instr/project.prs')));
    assert.match(readFileSync(join(root, 'instr.yaml'), 'utf8'), /^# yaml-language-server: \$schema=https:/);
    assert.match(readFileSync(join(root, 'instr.yaml'), 'utf8'), 'layout: once');
    assert.not.match(readFileSync(join(root, 'instr.yaml'), 'utf8'), 'formatt');
  }));

test('links that a checkout stored as text files count as links', () =>
  moveIn({ 'AGENTS.md': main, 'CLAUDE.md': 'AGENTS.md', '.agents/skills/release/SKILL.md': skill, '.claude/skills': '../.agents/skills', 'packages/api/AGENTS.md': 'Api.\n', 'packages/api/CLAUDE.md': '../../AGENTS.md\n' }, async (outcome, root) => {
    assert.equal(keptPaths(outcome), ['.agents/skills/release/SKILL.md', '.claude/skills/release/SKILL.md', 'AGENTS.md', 'CLAUDE.md', 'packages/api/AGENTS.md', 'packages/api/CLAUDE.md']);
    assert.is(readFileSync(join(root, '.instr/project.md'), 'utf8'), main);
    writeFileSync(join(root, '.instr/project.md'), 'Changed.\n');
    await compileProject({ mode: 'write' }, contextFor(root, []));
    assert.is(readFileSync(join(root, 'AGENTS.md'), 'utf8'), 'Changed.\n');
    assert.is(readFileSync(join(root, 'CLAUDE.md'), 'utf8'), 'AGENTS.md');
  }));

test('a text that names a file is not a link if Git tracks it as an ordinary file', () => {
  const root = mkdtempSync(join(tmpdir(), 'text-link-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const kindOf = (path: string) => withTextLinks(root, nodeDisk).files.find(file => file.path === path)?.kind;
  try {
    git('init', '-q');
    writeFileSync(join(root, 'AGENTS.md'), main);
    writeFileSync(join(root, 'CLAUDE.md'), 'AGENTS.md');
    assert.is(kindOf('CLAUDE.md'), 'link');
    git('add', '.');
    assert.is(kindOf('CLAUDE.md'), 'file');
    git('update-index', '--cacheinfo', `120000,${git('hash-object', '-w', 'CLAUDE.md')},CLAUDE.md`);
    assert.is(kindOf('CLAUDE.md'), 'link');
  } finally {
    rmSync(root, { recursive: true });
  }
});

needing(test, 'symbolic links')('a file written through a link is recorded as a file of the project', () =>
  moveIn({ 'docs/ai.md': main, 'AGENTS.md': { link: 'docs/ai.md' }, 'CLAUDE.md': { link: 'AGENTS.md' } }, async (_outcome, root) => {
    writeFileSync(join(root, '.instr/project.md'), 'Changed.\n');
    const compiled = await compileProject({ mode: 'write' }, contextFor(root, []));
    assert.ok(typeof compiled === 'object' && compiled.written);
    assert.is(readFileSync(join(root, 'docs/ai.md'), 'utf8'), 'Changed.\n');
    for (const path of ['AGENTS.md', 'CLAUDE.md']) assert.ok(lstatSync(join(root, path)).isSymbolicLink(), path);
  }));

needing(test, 'symbolic links')('links to a main file are kept while it exists and removed with it, whatever tool it was written for', () =>
  moveIn({ 'AGENTS.md': main, 'CLAUDE.md': { link: 'AGENTS.md' }, 'packages/api/AGENTS.md': 'Api.\n', 'packages/api/CLAUDE.md': { link: 'AGENTS.md' }, 'docs/ai.md': 'Mine.\n' }, async (_outcome, root) => {
    const config = readFileSync(join(root, 'instr.yaml'), 'utf8');
    const compileFor = async (id: string) => {
      writeFileSync(join(root, 'instr.yaml'), config.replace(/targets:\n(?: {2}- .*\n)+/, `targets:\n  - ${id}\n`));
      await compileProject({ mode: 'write' }, contextFor(root, []));
      return stateOf(root).map(line => line.slice(0, line.indexOf(' ')));
    };
    assert.equal(await compileFor('codex'), ['AGENTS.md', 'CLAUDE.md', 'docs/ai.md', 'packages/api/AGENTS.md', 'packages/api/CLAUDE.md']);
    assert.equal(await compileFor('windsurf'), ['.windsurf/rules/project.md', 'docs/ai.md', 'packages/api/AGENTS.md', 'packages/api/CLAUDE.md']);
  }));

needing(test, 'symbolic links')('a plain main file without signs of a specific tool belongs to the open format, next to other files', async () => {
  const targets = ({ adoption }: AdoptOutcome) => adoption.targets.map(({ spec }) => spec.id);
  await moveIn({ 'AGENTS.md': main }, outcome => assert.equal(targets(outcome), ['agents']));
  await moveIn({ 'AGENTS.md': main, 'packages/api/AGENTS.md': '# Api\n' }, outcome => assert.equal(targets(outcome), ['agents']));
  await moveIn({ 'AGENTS.md': main, 'CLAUDE.md': main }, outcome => assert.equal(targets(outcome).sort(), ['agents', 'claude']));
  // A settings file shared by several tools is assigned to the tool that is suggested first.
  await moveIn({ 'AGENTS.md': main, '.mcp.json': server('a') }, outcome => assert.equal(targets(outcome).sort(), ['agents', 'claude']));
  await moveIn({ 'AGENTS.md': main, 'CLAUDE.md': { link: 'AGENTS.md' } }, outcome => assert.equal(targets(outcome).sort(), ['agents', 'claude']));
});

test('files that reviews read are kept at their path, for the tools that read them', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      'REVIEW.md': '# Reviews\n\nLook for races.\n\n## SQL\n\nNo string concatenation.\n',
      '.cursor/rules/project.mdc': '---\nalwaysApply: true\n---\nBe brief.\n',
      '.cursor/BUGBOT.md': 'Be strict about money.\r\n',
      'packages/api/.cursor/BUGBOT.md': 'Look at the border.\n',
      '.amp/settings.json': '{}\n',
      '.agents/checks/loops.md': '---\nname: Loops!\ndescription: Slow loops\nseverity-default: high\ntools: [Read]\n---\n\nFlag N+1 queries.\n',
    },
    ({ adoption }, root) => {
      const sources = Object.fromEntries(adoption.adopted.map(({ path, source }) => [path, source]));
      assert.is(sources['REVIEW.md'], '.instr/checks/review.md');
      assert.is(sources['.cursor/BUGBOT.md'], '.instr/checks/bugbot.md');
      assert.is(sources['.agents/checks/loops.md'], '.instr/checks/loops.md');
      assert.match(readFileSync(join(root, '.instr/checks/review.md'), 'utf8'), 'targets: [claude]');
      assert.ok(adoption.left.some(({ path }) => path === 'packages/api/.cursor/BUGBOT.md'));
    },
  ));

test('different main files stay different, even if one is only an import line', () =>
  moveIn({ 'AGENTS.md': main, 'CLAUDE.md': '@AGENTS.md\n', 'GEMINI.md': 'No end of line' }, outcome => {
    assert.equal(keptPaths(outcome), ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']);
  }));

test('keeps front matter, byte order marks and line ends of main files', () =>
  moveIn({ 'AGENTS.md': '\ufeff---\ntitle: x\n---\r\n\r\nText.\r\n', 'CLAUDE.md': '---\nname: x\ndescription: y\n---\nText.\n' }, outcome => {
    assert.equal(keptPaths(outcome), ['AGENTS.md', 'CLAUDE.md']);
  }));

needing(test, 'symbolic links')('keeps the path of nested main files; skips and counts fixtures, web pages and samples', () =>
  moveIn(
    {
      'AGENTS.md': main,
      'CLAUDE.md': '@AGENTS.md\n',
      'packages/api/AGENTS.md': 'Answer in JSON.\n',
      'packages/api/CLAUDE.md': { link: 'AGENTS.md' },
      'tests/fixtures/AGENTS.md': 'A fixture.\n',
      'docs/agents.md': 'A page.\n',
      '.ruler/agents.md': 'Not the letters of a tool.\n',
    },
    outcome => {
      assert.equal(keptPaths(outcome), ['AGENTS.md', 'CLAUDE.md', 'packages/api/AGENTS.md', 'packages/api/CLAUDE.md']);
      assert.equal([...outcome.found.skippedFolders], [['tests', 1]]);
      assert.match(adoptText(outcome, false), /tests\/: 1 instruction file\n[\s\S]*^Ready: /m);
    },
  ));

needing(test, 'symbolic links')('a linked skills folder stays a link, and its target stays a source', () =>
  moveIn({
    'AGENTS.md': main,
    'CLAUDE.md': { link: 'AGENTS.md' },
    '.agents/skills/release/SKILL.md': skill,
    '.agents/skills/release/run.sh': '#!/bin/sh\n',
    '.claude/skills': { link: '../.agents/skills' },
  }));

test('a skill of one tool is moved with all files and modes, and owns everything in its folder', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      'AGENTS.md': 'Other.\n',
      '.claude/skills/release/SKILL.md': skill,
      '.claude/skills/release/run.sh': '#!/bin/sh\n',
      '.claude/skills/release/AGENTS.md': 'Part of the skill.\n',
    },
    (outcome, root) => {
      assert.equal(keptPaths(outcome), ['.claude/skills/release/SKILL.md', 'AGENTS.md', 'CLAUDE.md']);
      // Windows has no permission bits.
      if (process.platform !== 'win32') assert.ok(statSync(join(root, '.instr/skills/release/run.sh')).mode & 0o100);
      assert.ok(existsSync(join(root, '.instr/skills/release/AGENTS.md')));
      assert.not.ok(existsSync(join(root, '.agents')));
    },
  ));

const server = (level: string) => `${JSON.stringify({ mcpServers: { tide: { command: 'npx', args: ['tide'], env: { LEVEL: level } } } }, null, 2)}\n`;

test('an equal server of two tools becomes one, with its environment', () =>
  moveIn({ 'CLAUDE.md': main, '.mcp.json': server('debug'), '.cursor/mcp.json': server('debug') }, (outcome, root) => {
    assert.equal(keptPaths(outcome), ['.cursor/mcp.json', '.mcp.json', 'CLAUDE.md']);
    assert.equal(Object.keys(JSON.parse(readFileSync(join(root, '.instr/mcp.json'), 'utf8')).mcpServers), ['tide']);
  }));

test('different servers become two, one per tool; servers of plug-ins are not adopted', () =>
  moveIn({ 'CLAUDE.md': main, '.mcp.json': server('debug'), '.cursor/mcp.json': server('info'), 'plugins/x/.mcp.json': server('x') }, (outcome, root) => {
    assert.equal(keptPaths(outcome), ['.cursor/mcp.json', '.mcp.json', 'CLAUDE.md']);
    const { mcpServers } = JSON.parse(readFileSync(join(root, '.instr/mcp.json'), 'utf8'));
    assert.equal(Object.keys(mcpServers), ['tide', 'tide-claude']);
    assert.equal([mcpServers['tide-claude'].name, mcpServers['tide-claude'].targets], ['tide', ['claude']]);
  }));

test('server fields of a single tool apply only to that tool', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.mcp.json': server('debug'),
      '.kiro/settings/mcp.json': server('debug').replace('"command"', '"autoApprove": ["read"], "disabled": false, "command"'),
      '.vscode/mcp.json': '{ "servers": { "tide": { "command": "npx", "args": ["tide"], "env": { "LEVEL": "debug" } } } }\n',
      '.github/copilot-instructions.md': 'Other.\n',
    },
    (outcome, root) => {
      assert.equal(keptPaths(outcome).filter(path => path.endsWith('.json')), ['.kiro/settings/mcp.json', '.mcp.json', '.vscode/mcp.json']);
      const { tide } = JSON.parse(readFileSync(join(root, '.instr/mcp.json'), 'utf8')).mcpServers;
      assert.equal(tide.tools.kiro, { autoApprove: ['read'], disabled: false });
      assert.equal(tide.into, ['.kiro/settings/mcp.json', '.mcp.json', '.vscode/mcp.json']);
    },
  ));

test('migrates a disabled server, whether or not the tool has a field for it', async () => {
  const off = server('debug').replace('"command"', '"disabled": true, "command"');
  const places = { '.mcp.json': off, '.cursor/mcp.json': off, '.roo/mcp.json': off, '.kiro/settings/mcp.json': off, '.vscode/mcp.json': off.replace('mcpServers', 'servers') };
  for (const [path, text] of Object.entries(places))
    await moveIn({ 'CLAUDE.md': main, [path]: text }, async (outcome, root) => {
      assert.equal(keptPaths(outcome), [path, 'CLAUDE.md'].sort());
      assert.equal(outcome.adoption.left, []);
      // It is the source of the file: after the file is deleted, compiling writes the same.
      rmSync(join(root, path));
      await compileProject({ mode: 'write', force: true }, contextFor(root, []));
      assert.equal(JSON.parse(readFileSync(join(root, path), 'utf8')), JSON.parse(text), path);
    });
});

const modes = `customModes:
  - slug: docs-writer
    name: Docs Writer
    description: Writes the guides.
    roleDefinition: |
      You write the guides of this project.

      Keep sentences short, and never write {{this}}.
    whenToUse: Use this mode for anything below docs/.
    customInstructions: |-
      Never touch the code.
      It costs $5.
    groups:
      - read
      - - edit
        - fileRegex: \\.(md|mdx)$
          description: Markdown files only
      - command
    source: project
  - slug: reviewer
    name: Reviewer
    roleDefinition: You review changes.
    groups:
      - read
      - mcp
`;

test('modes become agents, and keep the fields that only their tool has', async () => {
  await moveIn({ 'AGENTS.md': main, '.roomodes': modes, 'CLAUDE.md': main }, async (outcome, root) => {
    assert.equal(outcome.adoption.left, []);
    assert.equal(keptPaths(outcome), ['.roomodes', 'AGENTS.md', 'CLAUDE.md']);
    const source = readFileSync(join(root, '.instr/agents-roo.prs'), 'utf8');
    for (const part of ['summary: "Writes the guides."', 'description: "You review changes."', 'fileRegex:', 'customInstructions:'])
      assert.ok(source.includes(part), part);
    // Changes of the source are written to the file, and everything else is kept.
    writeFileSync(join(root, '.instr/agents-roo.prs'), source.replace('You write the guides', 'You mend the guides'));
    await compileProject({ mode: 'write' }, contextFor(root, []));
    const written = readFileSync(join(root, '.roomodes'), 'utf8');
    assert.match(written, 'You mend the guides');
    assert.equal(parse(written), parse(modes.replace('You write the guides', 'You mend the guides')));
    writeFileSync(join(root, '.roomodes'), modes);
  });
  // A file with an agent that has the name of another tool's agent stays with the user.
  const agent = '---\nname: reviewer\ndescription: Reviews.\n---\n\nReview it.\n';
  await moveIn({ 'AGENTS.md': main, '.roomodes': modes, '.claude/agents/reviewer.md': agent }, outcome =>
    assert.equal([keptPaths(outcome), outcome.adoption.left.map(({ path }) => path)], [['.claude/agents/reviewer.md', 'AGENTS.md'], ['.roomodes']]));
});

test('migrates rules in plain text, and rules and skills for a part of a tool', () =>
  moveIn(
    {
      '.clinerules/01-style.txt': 'Tabs.\n\n  * as it is\n',
      '.clinerules/01-style.md': '# A\n\nText.\n',
      '.roo/rules/01-style.txt': '\ufeffTabs of Roo.\r\nAnd * lines_with_marks.\r\n',
      '.roo/rules/03-open.txt': 'No line end.',
      '.roo/rules/04-front.txt': '---\ntitle: No front matter here\n---\n\nText.\n',
      '.roo/rules-code/deep/02.txt': 'Small.\n',
      '.roo/rules/b.md': '# B\n\nText.\n',
      '.roo/skills-code/release/SKILL.md': skill,
      '.roo/skills-code/release/go.sh': '#!/bin/sh\n',
      '.roo/skills-ask/release/SKILL.md': skill.replace('Run it', 'Ask for it'),
      '.roorules-ask': 'Answer briefly.\n',
    },
    (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.is(readFileSync(join(root, '.roo/rules/04-front.txt'), 'utf8'), '---\ntitle: No front matter here\n---\n\nText.\n');
      assert.match(readFileSync(join(root, '.instr/rules/roorules-ask.md'), 'utf8'), 'into: .roorules-ask');
      assert.match(readFileSync(join(root, '.instr/skills/release/SKILL.md'), 'utf8'), 'into: .roo/skills-ask/release/SKILL.md');
      assert.match(readFileSync(join(root, '.instr/skills/release-roo/SKILL.md'), 'utf8'), 'into: .roo/skills-code/release/SKILL.md');
      assert.match(readFileSync(join(root, '.instr/rules/rules-code/deep/02.md'), 'utf8'), 'into: .roo/rules-code/deep/02.txt');
    },
  ));

test('moves rules and agents to their folders, and reports one without a description', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/rules/api.md': '---\npaths:\n  - "src/api/**"\n---\n\nAnswer in JSON.\n',
      '.claude/agents/pilot.md': '---\nname: pilot\ndescription: Brings boats in.\ntools: Read, Grep\nmodel: opus\n---\n\nBring them in.\n',
      '.claude/agents/nameless.md': '---\nname: nameless\n---\n\nNo description.\n',
    },
    (outcome, root) => {
      assert.ok(existsSync(join(root, '.instr/rules/api.md')));
      assert.ok(existsSync(join(root, '.instr/agents/pilot.md')));
      const told = adoptText(outcome, false);
      assert.match(told, /nameless/);
    },
  ));

const headOf = (root: string, path: string) => /^---\n[\s\S]*?\n---/.exec(readFileSync(join(root, path), 'utf8'))?.[0] ?? '';

test('rules keep their condition, also for tools that are added later', () =>
  moveIn(
    {
      'AGENTS.md': main,
      '.cursor/rules/manual.mdc': '---\nalwaysApply: false\n---\n\nOnly when asked.\n',
      '.cursor/rules/agent.mdc': '---\ndescription: About releases\nglobs:\nalwaysApply: false\n---\n\nTag it.\n',
      '.cursor/rules/scoped.mdc': '---\nglobs: src/**,test/**\nalwaysApply: false\n---\n\nUse types.\n',
      '.cursor/rules/always.mdc': '---\nalwaysApply: true\n---\n\nPlain names.\n',
    },
    (outcome, root) => {
      assert.is(keptPaths(outcome).length, 5);
      assert.match(headOf(root, '.instr/rules/manual.md'), 'activation: manual');
      assert.match(headOf(root, '.instr/rules/agent.md'), 'activation: description');
      assert.not.match(headOf(root, '.instr/rules/scoped.md'), 'activation');
      assert.not.match(headOf(root, '.instr/rules/always.md'), 'activation');
    },
  ));

test('files that the compiler writes nowhere by default record their path', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/rules/general.md': '# General\n\nName things plainly.\n',
      '.claude/rules/area/api.md': '---\npaths: ["src/api/**"]\n---\n\nAnswer in JSON.\n',
      '.claude/commands/git/sync.md': 'Sync the branch.\n\n!`git status`\n',
      '.claude/agents/team/pilot.md': '---\nname: pilot\ndescription: Brings boats in.\n---\n\nBring them in.\n',
      '.roo/rules/style.md': 'Short sentences.\n',
      '.github/chatmodes/plan.chatmode.md': "---\ndescription: Plans\ntools: ['codebase']\n---\n\nPlan.\n",
    },
    (outcome, root) => {
      assert.is(keptPaths(outcome).length, 7);
      assert.equal(outcome.adoption.left, []);
      assert.match(headOf(root, '.instr/rules/area/api.md'), 'into: .claude/rules/area/api.md');
      assert.match(headOf(root, '.instr/commands/git-sync.md'), 'into: .claude/commands/git/sync.md');
    },
  ));

test('different texts with the same name are separate sources', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/agents/pilot.md': '---\nname: pilot\ndescription: Brings boats in.\nmodel: opus\n---\n\nBring them in.\n',
      '.cursor/agents/pilot.md': '---\nname: pilot\ndescription: Brings boats in.\nmodel: fast\n---\n\nBring all in.\n',
      '.claude/skills/release/SKILL.md': skill,
      '.claude/skills/release/run.sh': '#!/bin/sh\n',
      '.cursor/skills/release/SKILL.md': skill.replace('Run', 'Start'),
      '.agents/skills/release/SKILL.md': skill.replace('Run', 'Call'),
      'AGENTS.md': 'Other.\n',
    },
    (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.equal(readdirSync(join(root, '.instr/skills')).sort(), ['release-claude', 'release-cursor']);
      assert.equal(readdirSync(join(root, '.instr/agents')).length, 2);
      const { mode } = statSync(join(root, '.instr/skills/release-claude/run.sh'));
      assert.ok(process.platform === 'win32' || mode & 0o100);
    },
  ));

test('equal text with different fields per tool is one source with fields for each tool', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/agents/rev.md': '---\nname: rev\ndescription: Reviews changes\nmodel: opus\ntools: Read, Grep\ncolor: blue\n---\n\nLook at the diff.\n',
      '.cursor/agents/rev.md': '---\nname: rev\ndescription: Reviews changes\nmodel: gpt-5\nreadonly: true\n---\n\nLook at the diff.\n',
      '.opencode/agents/rev.md': '---\ndescription: Reviews all changes\nmode: subagent\n---\n\nLook at the diff.\n',
      '.claude/commands/ship.md': '---\ndescription: Ship\nmodel: opus\n---\n\nShip $ARGUMENTS.\n',
      '.gemini/commands/ship.toml': 'description = "Ship it"\nprompt = """\nShip {{args}}.\n"""\n',
      '.claude/skills/release/SKILL.md': '---\nname: release\ndescription: Release\nallowed-tools: Bash, Read\nmodel: opus\n---\n\nRun it.\n',
      '.claude/skills/release/run.sh': '#!/bin/sh\n',
      '.cursor/skills/release/SKILL.md': '---\nname: release\ndescription: Release\ndisable-model-invocation: true\n---\n\nRun it.\n',
      '.cursor/skills/release/run.sh': '#!/bin/sh\n',
      '.cursor/rules/ts.mdc': '---\ndescription: TypeScript\nglobs: "src/**/*.ts"\nalwaysApply: false\n---\n\nUse strict.\n',
      '.github/instructions/ts.instructions.md': '---\napplyTo: "src/**/*.ts"\n---\n\nUse strict.\n',
    },
    (outcome, root) => {
      const text = (path: string) => readFileSync(join(root, path), 'utf8');
      assert.equal(outcome.adoption.left, []);
      assert.equal(readdirSync(join(root, '.instr/agents')), ['rev.md']);
      assert.equal(readdirSync(join(root, '.instr/commands')), ['ship.md']);
      assert.equal(readdirSync(join(root, '.instr/rules')), ['ts.md']);
      assert.equal(readdirSync(join(root, '.instr/skills')), ['release']);
      assert.match(text('.instr/skills/release/SKILL.md'), /^---\ntargets: \[claude, cursor\]\nname: release\n/);
      assert.match(text('.instr/skills/release/SKILL.md'), /tools:\n {2}claude:\n(?:.*\n)* {2}cursor:\n/);
      assert.is(
        text('.instr/agents/rev.md'),
        [
          '---',
          'targets: [claude, cursor, opencode]',
          'description: Reviews changes',
          'tools:',
          '  claude:',
          '    model: opus',
          '    tools:',
          '      - Read',
          '      - Grep',
          '    color: blue',
          '  cursor:',
          '    model: gpt-5',
          '    readonly: true',
          '  opencode:',
          '    description: Reviews all changes',
          '---',
          '',
          'Look at the diff.',
          '',
        ].join('\n'),
      );
      assert.match(text('.instr/commands/ship.md'), 'Ship $ARGUMENTS.');
      assert.match(text('.instr/rules/ts.md'), 'tools:\n  cursor:\n    description: TypeScript\n');
    },
  ));

test('a list of tools that is the same for every tool is written once, next to the fields of single tools', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.github/copilot-instructions.md': main,
      '.claude/agents/rev.md': '---\nname: rev\ndescription: Reviews\ntools: Read, Grep\ncolor: blue\n---\n\nLook.\n',
      '.github/agents/rev.agent.md': '---\nname: rev\ndescription: Reviews\ntools: [read, search]\nmodel: gpt-5\n---\n\nLook.\n',
    },
    (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.equal(parse(headOf(root, '.instr/agents/rev.md').replaceAll('---', '')), {
        description: 'Reviews',
        tools: ['Read', 'Grep'],
        targets: { claude: { color: 'blue' }, github: { model: 'gpt-5' } },
      });
    },
  ));

test('a tool whose file cannot be generated from a common source gets its own; other texts stay separate', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/commands/ship.md': '---\ndescription: Ship\nmodel: opus\n---\n\nShip it.\n\nThen rest.\n',
      '.cursor/commands/ship.md': 'Ship it.\n\nThen rest.\n',
      // The former path of the tool.
      '.opencode/command/ship.md': '---\ndescription: Ship\nagent: build\n---\n\nShip it.\n\nThen rest.\n',
      '.claude/agents/rev.md': '---\nname: rev\ndescription: Reviews\n---\n\nLook.\n',
      '.cursor/agents/rev.md': '---\nname: rev\ndescription: Reviews\n---\n\nLook twice.\n',
    },
    (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.equal(readdirSync(join(root, '.instr/commands')).sort(), ['ship-opencode.md', 'ship.md']);
      assert.equal(readdirSync(join(root, '.instr/agents')).sort(), ['rev-cursor.md', 'rev.md']);
    },
  ));

test('converts commands and agents stored as data to Markdown', () =>
  moveIn(
    {
      'GEMINI.md': main,
      '.gemini/commands/plan.toml': 'description = "Plan"\nprompt = """\nPlan {{args}}.\n!{git status}\n"""\n',
      '.gemini/commands/git/sync.toml': 'prompt = "Sync."\n',
      '.gemini/commands/both.toml': 'prompt = "Run {{args}}: sh x.sh $ARGUMENTS"\n',
      '.gemini/skills/release/SKILL.md': skill,
    },
    (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.is(readFileSync(join(root, '.instr/commands/plan.md'), 'utf8'), '---\ndescription: Plan\n---\n\nPlan $ARGUMENTS.\n!{git status}\n');
      assert.match(readFileSync(join(root, '.instr/commands/both.md'), 'utf8'), 'Run {{args}}: sh x.sh $ARGUMENTS');
      assert.match(readFileSync(join(root, 'instr.yaml'), 'utf8'), 'gemini: { skillPath: gemini }');
    },
  ));

test("hooks of the root become sources; the tool's own entries are kept and reported", () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/settings.json': `${JSON.stringify({
        permissions: { allow: ['Bash(npm test)'] },
        hooks: {
          PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'npm run format', timeout: 30 }] }],
          UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'npm run count' }] }],
          OwnEvent: [{ hooks: [{ type: 'command', command: 'npm run greet' }] }],
          Stop: [{ hooks: [{ type: 'command', command: "jq -r '.cwd' | tee out.txt" }] }],
        },
      }, null, 2)}\n`,
      '.kiro/hooks/old.kiro.hook': '{}\n',
    },
    (outcome, root) => {
      assert.equal(keptPaths(outcome), ['.claude/settings.json', '.claude/settings.json', 'CLAUDE.md']);
      assert.match(readFileSync(join(root, '.instr/permissions-claude.prs'), 'utf8'), 'allow: ["shell:npm test"]');
      const hooks = readFileSync(join(root, '.instr/hooks-claude.prs'), 'utf8');
      assert.match(hooks, '"npm", "run", "format"');
      assert.match(hooks, /event: "user-prompt-submit"\s+command: \["npm", "run", "count"\]/);
      assert.match(hooks, /line: "jq -r '\.cwd' \| tee out\.txt"/);
      assert.not.match(hooks, /greet/);
      assert.match(adoptText(outcome, false), /settings\.json .*1 of 4 hooks stays there: .*OwnEvent/);
    },
  ));

test('migrates every file of a hooks folder, and keeps its path', () => {
  const one = (hooks: object) => `${JSON.stringify({ version: 1, hooks }, null, 4)}\n`;
  return moveIn(
    {
      '.github/copilot-instructions.md': main,
      '.github/hooks/guard.json': one({
        preToolUse: [
          { type: 'command', bash: './scripts/guard.sh', powershell: './scripts/guard.sh', cwd: 'scripts', timeoutSec: 15 },
          { type: 'command', bash: 'npm run count' },
        ],
      }),
      '.github/hooks/log.json': one({ sessionStart: [{ type: 'command', bash: 'npm run log', env: { LEVEL: 'info' } }], sessionEnd: [{ type: 'command', bash: 'npm run bye' }] }),
      '.github/hooks/notes.json': '{ "of": "something else" }\n',
      // A file without the version number that generated files start with.
      '.github/hooks/plain.json': '{ "hooks": { "agentStop": [{ "type": "command", "bash": "npm run rest" }] } }\n',
    },
    async (outcome, root) => {
      const hooks = ['.github/hooks/guard.json', '.github/hooks/log.json', '.github/hooks/plain.json'];
      assert.equal(keptPaths(outcome), ['.github/copilot-instructions.md', ...hooks]);
      const source = join(root, '.instr/hooks-github.prs');
      const text = readFileSync(source, 'utf8');
      assert.match(text, /event: "session-end"\s+command: \["npm", "run", "bye"\]\s+into: "\.github\/hooks\/log\.json"/);
      const compiled = await compileProject({ mode: 'plan' }, contextFor(root, []));
      assert.ok(typeof compiled === 'object');
      for (const path of hooks) assert.is(compiled.entries.find(entry => entry.path === path)?.state, 'unchanged');
      // A hook without an explicit path goes to the default file.
      writeFileSync(source, `${text.slice(0, text.indexOf('@hooks'))}@hooks { new: { event: "stop" command: ["npm", "run", "new"] } }\n`);
      await compileProject({ mode: 'write' }, contextFor(root, []));
      // Files whose hooks were all adopted are removed with the last one.
      for (const path of hooks) assert.not.ok(existsSync(join(root, path)), path);
      assert.ok(existsSync(join(root, '.github/hooks/notes.json')));
      assert.equal(JSON.parse(readFileSync(join(root, '.github/hooks/instr.json'), 'utf8')).version, 1);
      assert.match(readFileSync(join(root, '.github/hooks/instr.json'), 'utf8'), 'npm run new');
    },
  );
});

test('hooks of kinds that only their tool supports are migrated as entries for that tool', () => {
  const agent = { type: 'agent', prompt: 'Check $ARGUMENTS', timeout: 60 };
  const text = `${JSON.stringify({
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'http', url: 'http://localhost:8080/hook', headers: { A: '$T' }, allowedEnvVars: ['T'] }] },
        { matcher: 'Edit', hooks: [{ type: 'command', command: 'npm run lint' }, { type: 'mcp_tool', server: 's', tool: 't', input: { depth: [1, 2.5, null, true] } }] },
      ],
      Stop: [{ hooks: [agent, { type: 'prompt', prompt: 'Done?' }] }],
    },
  }, null, 2)}\n`;
  return moveIn({ 'CLAUDE.md': main, '.claude/settings.json': text }, async (outcome, root) => {
    assert.equal(outcome.adoption.left, []);
    const source = join(root, '.instr/hooks-claude.prs');
    const written = readFileSync(source, 'utf8');
    assert.match(written, /event: "stop"\s+group: "stop"\s+tools: \{\s+claude: \{\s+raw: \{\s+type: "agent"/);
    writeFileSync(source, written.replace('Check $ARGUMENTS', 'Look at $ARGUMENTS'));
    const found: Diagnostic[] = [];
    await compileProject({ mode: 'write' }, contextFor(root, found));
    assert.equal(found.filter(({ severity }) => severity === 'error'), []);
    assert.is(readFileSync(join(root, '.claude/settings.json'), 'utf8'), text.replace('Check', 'Look at'));
  });
});

test('a prompt at an event where the tool has no documented prompts is migrated as a raw entry', () =>
  moveIn(
    { 'AGENTS.md': main, '.cursor/hooks.json': '{ "version": 1, "hooks": { "stop": [{ "type": "prompt", "prompt": "Done?" }], "preToolUse": [{ "type": "prompt", "prompt": "Safe?" }] } }\n' },
    async (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.match(readFileSync(join(root, '.instr/hooks-cursor.prs'), 'utf8'), /raw: \{\s+type: "prompt"\s+prompt: "Done\?"[\s\S]*event: "pre-tool-use"\s+prompt: "Safe\?"/);
      const found: Diagnostic[] = [];
      await compileProject({ mode: 'plan' }, contextFor(root, found));
      assert.equal(found.filter(({ severity }) => severity !== 'info'), []);
    },
  ));

test('reads hooks in each format that their path may have, and writes the same format', () => {
  const path = '.github/hooks/quality.json';
  const text = `${JSON.stringify({
    hooks: {
      PostToolUse: [
        { type: 'command', command: './scripts/format.sh', windows: 'powershell -File scripts\\format.ps1', linux: './scripts/format-linux.sh', osx: './scripts/format.sh', timeout: 15, env: { LEVEL: 'info' } },
        { type: 'command', command: 'echo "$(date)" >> log', cwd: 'scripts' },
      ],
      UserPromptSubmit: [{ type: 'command', command: 'npm run audit' }],
      sessionEnd: [{ type: 'command', command: 'npm run bye', timeoutSec: 5 }],
      preToolUse: [{ type: 'command', bash: 'npm run guard', powershell: 'npm run guard' }],
    },
  }, null, 2)}\n`;
  return moveIn({ '.github/copilot-instructions.md': main, [path]: text }, async (outcome, root) => {
    assert.equal(outcome.adoption.left, []);
    const source = join(root, '.instr/hooks-github.prs');
    const state = async () => {
      const compiled = await compileProject({ mode: 'write' }, contextFor(root, []));
      return typeof compiled === 'object' && compiled.entries.find(entry => entry.path === path)?.state;
    };
    assert.is(await state(), 'unchanged');
    const written = readFileSync(source, 'utf8');
    assert.match(written, /event: "post-tool-use"[^}]*timeoutMs: 15000/);
    // A change of the source is written in the same format.
    writeFileSync(source, written.replace('15000', '20000').replace('"bye"', '"later"'));
    assert.is(await state(), 'changed');
    assert.is(readFileSync(join(root, path), 'utf8'), text.replace('"timeout": 15', '"timeout": 20').replace('bye', 'later'));
    // A format that the tool does not have is reported.
    writeFileSync(source, written.replace('form: "editor"', 'form: "edtor"'));
    const compiled = await compileProject({ mode: 'plan' }, contextFor(root, []));
    assert.ok(typeof compiled === 'object');
    assert.ok(compiled.omissions.some(({ advice }) => advice === 'GitHub Copilot has no form `edtor` for hooks; it has editor, command.'));
  });
});

test('adopts each hook that is reproduced exactly, including groups, any matcher and variables of the tool', () =>
  moveIn(
    {
      'CLAUDE.md': main,
      '.claude/settings.json': `${JSON.stringify({
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                { type: 'command', command: '$CLAUDE_PROJECT_DIR/check.sh', once: true },
                { type: 'command', command: 'python3 b.py', timeout: 10 },
              ],
            },
            // One of its commands is expanded by the shell, so the line belongs to the tool.
            { matcher: 'Edit', hooks: [{ type: 'command', command: 'npm test' }, { type: 'command', command: 'echo "$(date)"' }] },
          ],
          PostToolUse: [
            { matcher: '', hooks: [{ type: 'command', command: '"${CLAUDE_PROJECT_DIR}"/check.sh --all' }] },
            { matcher: '*', hooks: [{ type: 'command', command: 'npm test' }] },
          ],
        },
      }, null, 2)}\n`,
    },
    async (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      const source = join(root, '.instr/hooks-claude.prs');
      assert.match(readFileSync(source, 'utf8'), /event: "pre-tool-use"\s+matcher: "Edit"\s+group: "[^"]*"\s+tools: \{\s+claude: \{\s+line: "echo \\"\$\(date\)\\""/);
      // A group stays together when one of its hooks changes, and is removed with its source.
      const settings = () => JSON.parse(readFileSync(join(root, '.claude/settings.json'), 'utf8')).hooks;
      writeFileSync(source, readFileSync(source, 'utf8').replace('10000', '20000'));
      await compileProject({ mode: 'write' }, contextFor(root, []));
      assert.equal(settings().PreToolUse[0].hooks, [
        { type: 'command', command: '$CLAUDE_PROJECT_DIR/check.sh', once: true },
        { type: 'command', command: 'python3 b.py', timeout: 20 },
      ]);
      assert.is(settings().PreToolUse.length, 2);
      writeFileSync(source, '@meta { id: "hooks-claude" syntax: "1.6.0" }\n');
      await compileProject({ mode: 'write' }, contextFor(root, []));
      // The file contained nothing else.
      assert.not.ok(existsSync(join(root, '.claude/settings.json')));
    },
  ));

test('the main file of a folder becomes a rule for that folder', () =>
  moveIn(
    {
      'AGENTS.md': main,
      'CLAUDE.md': '@AGENTS.md\n',
      'packages/api/AGENTS.md': '# API\n\nAnswer in JSON.\n',
      'packages/api/CLAUDE.md': '@AGENTS.md\n',
      'packages/web/AGENTS.md': 'Use the components.\n\n\n',
      'packages/web/CLAUDE.md': { link: 'AGENTS.md' },
      'packages/cli/CLAUDE.md': 'No colours.\r\n',
      'apps/[id]/AGENTS.md': 'A pattern.\n',
    },
    (outcome, root) => {
      assert.equal(outcome.adoption.left, []);
      assert.is(
        readFileSync(join(root, '.instr/rules/packages-cli.md'), 'utf8'),
        '---\r\napplyTo: packages/cli/**\r\nplacement: nested\r\ntargets: [claude]\r\n---\r\n\r\nNo colours.\r\n',
      );
      assert.match(headOf(root, '.instr/rules/packages-web.md'), 'applyTo: packages/web/**\nplacement: nested\n');
      assert.ok(existsSync(join(root, '.instr/documents/apps--id--agents.md')));
    },
  ));

test('legacy main files are kept at their path', async () => {
  await moveIn({ '.clinerules': main }, outcome => assert.equal(keptPaths(outcome), ['.clinerules']));
  await moveIn({ '.roorules': main }, outcome => assert.equal(keptPaths(outcome), ['.roorules']));
});

test('an empty main file is no evidence for the tool that reads it', () =>
  moveIn({ 'AGENTS.md': ' \n', 'CLAUDE.md': main }, outcome => {
    assert.equal(outcome.adoption.targets.map(({ spec }) => spec.id), ['claude']);
    assert.match(adoptText(outcome, false), 'AGENTS.md: it is empty');
  }));

test('a single text becomes the entry file, unless its path has to be specified', async () => {
  const sources = async (files: Files) => {
    const found: string[] = [];
    await moveIn(files, ({ files: written }) => void found.push(...written.map(({ path }) => path)));
    return found.sort();
  };
  assert.equal(await sources({ 'CLAUDE.md': main }), ['.instr/project.md', 'instr.yaml']);
  assert.equal(await sources({ 'AGENTS.md': main, 'CLAUDE.md': main }), ['.instr/documents/project-agents.md', '.instr/project.prs', 'instr.yaml']);
  assert.equal(await sources({ '.cursorrules': main }), ['.instr/documents/project-cursorrules.md', '.instr/project.prs', 'instr.yaml']);
  assert.equal(await sources({ 'CLAUDE.md': `\ufeff${main}` }), ['.instr/documents/project-claude.md', '.instr/project.prs', 'instr.yaml']);
});

test('refuses a migration after which a tool would always load more than before, and names the file', async () => {
  const root = mkdtempSync(join(tmpdir(), 'prs-keep-'));
  try {
    writeFileSync(join(root, 'CLAUDE.md'), main);
    mkdirSync(join(root, '.cursor/commands'), { recursive: true });
    writeFileSync(join(root, '.cursor/commands/ship.md'), 'Ship it.\n');
    const found: Diagnostic[] = [];
    const outcome = await adoptProject({ dryRun: false, files: [], targets: ['claude', 'cursor', 'codex'] }, contextFor(root, found));
    assert.is(outcome, undefined);
    assert.equal(found.map(({ code }) => code), ['PRS9438']);
    assert.match(found[0]!.message, /^Cursor would always load \d+ bytes instead of \d+: AGENTS\.md/);
    assert.not.ok(existsSync(join(root, 'instr.yaml')));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('lists nested files that are not adopted, and reports names that no tool reads', () =>
  moveIn(
    {
      'AGENTS.md': main,
      '.mcp.json': server('debug'),
      'packages/x/.mcp.json': server('x'),
      'packages/x/.claude/skills/inner/SKILL.md': skill,
      'packages/web/.cursor/rules/web.mdc': '---\nalwaysApply: true\n---\n\nWeb.\n',
      'tests/x/.mcp.json': server('x'),
      'Claude.md': 'In other letters.\n',
      'docs/agents.md': 'A page.\n',
      '.claude/skills/wrong/skill.md': skill,
      '.cursor/rules/text.md': 'The ending is wrong.\n',
      '.cursor/rules/right.mdc': 'Read.\n',
      '.cursor/rules/README.md': 'About the rules.\n',
    },
    outcome => {
      assert.equal(outcome.adoption.left.map(({ path }) => path), ['.claude/skills/wrong/skill.md', '.cursor/rules/README.md', '.cursor/rules/text.md', 'Claude.md', 'packages/web/.cursor/rules/web.mdc', 'packages/x/.claude/skills/inner/SKILL.md', 'packages/x/.mcp.json']);
      assert.match(adoptText(outcome, false), /packages\/x\/\.mcp\.json: it is for packages\/x\/ alone/);
      assert.match(adoptText(outcome, false), /Claude\.md: no tool reads a file of this name; one would read CLAUDE\.md/);
    },
  ));

needing(test, 'symbolic links')('keeps and reports files that can be neither a source nor an output, and adopts all others', async () => {
  await moveIn(
    {
      'AGENTS.md': main,
      'CLAUDE.md': '@AGENTS.md\n',
      '.agents/skills/big/SKILL.md': skill,
      '.agents/skills/big/data.json': 'x'.repeat(1_500_000),
      '.agents/skills/small/SKILL.md': skill.replace('release', 'small'),
      '.claude/skills/linked/SKILL.md': { link: '../../../.agents/skills/small/SKILL.md' },
      // Some systems do not support such names.
      ...(process.platform === 'win32'
        ? {}
        : {
            'e*f/AGENTS.md': 'A star.\n',
            '.claude/commands/a:b.md': 'A colon.\n',
            '.claude/skills/q?/SKILL.md': skill,
            '.claude/skills/odd/SKILL.md': skill.replace('release', 'odd'),
            '.claude/skills/odd/pages/a:b.md': 'A colon.\n',
          }),
      '.roomodes': 'customModes: [\n',
      '.github/copilot-instructions.md': main,
      '.vscode/settings.json': '{ "chat.tools.terminal.autoApprove": { "git status": true } }\n',
    },
    outcome => {
      const left = outcome.adoption.left.map(({ path }) => path);
      const odd = ['.claude/commands/a:b.md', '.claude/skills/odd/SKILL.md', '.claude/skills/q?/SKILL.md', 'e*f/AGENTS.md'];
      assert.equal(left.filter(path => !odd.includes(path)), ['.agents/skills/big/SKILL.md', '.claude/skills/linked/SKILL.md', '.roomodes', '.vscode/settings.json']);
      if (process.platform !== 'win32') {
        assert.equal(odd.filter(path => !left.includes(path)), []);
        assert.match(adoptText(outcome, false), /odd\/SKILL\.md .*: the path \.claude\/skills\/odd\/pages\/a:b\.md has the character :/);
      }
      assert.match(adoptText(outcome, false), /\.roomodes .*it cannot be read: a bracket is never closed/);
      assert.match(adoptText(outcome, false), /big\/SKILL\.md .*: `\.agents\/skills\/big\/data\.json` has 1\.5 MB/);
      assert.match(adoptText(outcome, false), /linked\/SKILL\.md .*: its `SKILL\.md` is a link/);
    },
  );
});

test('files imported by a kept main file stay when its tool is removed', async () => {
  const files = {
    'AGENTS.md': main,
    'CLAUDE.md': '@AGENTS.md\n',
    'GEMINI.md': 'Beside it.\n',
    'packages/api/AGENTS.md': '# API\n',
    'packages/api/CLAUDE.md': '@AGENTS.md\n',
  };
  await moveIn(files, async (outcome, root) => {
    assert.equal(outcome.adoption.targets.map(({ spec }) => spec.id), ['agents', 'claude', 'gemini']);
    const config = join(root, 'instr.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('  - agents\n', ''));
    await compileProject({ mode: 'write' }, contextFor(root, []));
    for (const [path, text] of Object.entries(files)) assert.is(readFileSync(join(root, path), 'utf8'), text, path);
    // It is removed with the last tool that loads it.
    writeFileSync(config, readFileSync(config, 'utf8').replace('  - claude\n', ''));
    await compileProject({ mode: 'write' }, contextFor(root, []));
    assert.not(existsSync(join(root, 'AGENTS.md')));
    assert.ok(existsSync(join(root, 'GEMINI.md')));
  });
});

test('a main file in a folder may import the text of another tool from the root, next to a text of its own', () =>
  moveIn(
    {
      'AGENTS.md': main,
      'CLAUDE.md': '# The pier\n\nKeep widths in metres.\n',
      'packages/web/CLAUDE.md': '@../../AGENTS.md\n\nUse the components.\n',
    },
    outcome => assert.equal(keptPaths(outcome), ['AGENTS.md', 'CLAUDE.md', 'packages/web/CLAUDE.md']),
  ));

test('only `SKILL.md` in exactly these letters makes a skill, and folders below a skill contain no rules', () =>
  moveIn(
    {
      'AGENTS.md': main,
      '.agents/skills/low/Skill.md': skill,
      '.agents/skills/low/AGENTS.md': 'Not for everybody.\n',
      '.agents/skills/low/pages/deep.md': 'Deep.\n',
      '.agents/skills/right/SKILL.md': skill.replace('release', 'right'),
      '.agents/skills/right/pages/agents.md': 'A page.\n',
    },
    outcome => {
      assert.equal(keptPaths(outcome), ['.agents/skills/right/SKILL.md', 'AGENTS.md']);
      assert.equal(outcome.adoption.targets.map(({ spec }) => spec.id), ['agents']);
      assert.match(outcome.found.unused.get('.agents/skills/low/Skill.md') ?? '', /would read \.agents\/skills\/low\/SKILL\.md/);
    },
  ));

test('a nested repository is a separate project, unless `--files` names it', async () => {
  const files = {
    'AGENTS.md': main,
    'libs/sub/.git': 'gitdir: ../../.git/modules/sub\n',
    'libs/sub/AGENTS.md': '# Theirs\n',
    'libs/sub/pkg/AGENTS.md': '# Theirs, too\n',
  };
  await moveIn(files, outcome => {
    assert.equal(keptPaths(outcome), ['AGENTS.md']);
    assert.equal([...outcome.found.skippedFolders], [['libs/sub', 2]]);
  });
  await moveIn(files, outcome => assert.is(keptPaths(outcome).length, 3), ['*.md', 'libs/sub/**']);
});

test('a file that one tool reads in several ways names the tool once', () =>
  moveIn({ 'CLAUDE.md': main, '.claude/settings.json': '{}\n' }, outcome => {
    assert.match(adoptText(outcome, false), '.claude/settings.json (read by Claude Code): ');
  }));

test('a second migration finds nothing to do', () =>
  moveIn({ 'AGENTS.md': main, 'CLAUDE.md': '@AGENTS.md\n' }, async (_outcome, root) => {
    const found: Diagnostic[] = [];
    const again = await adoptProject({ dryRun: false, files: [] }, contextFor(root, found));
    assert.is(again?.done, true, found.map(({ message }) => message).join('\n'));
  }));

test('AGENTS.md in a folder is kept even if a tool writes another name there', () =>
  moveIn(
    { '.claude/rules/a.md': 'Be kind.\n', 'packages/web/AGENTS.md': 'Use the design system.\n' },
    ({ adoption }) => {
      assert.equal(adoption.adopted.map(({ path }) => path).sort(), ['.claude/rules/a.md', 'packages/web/AGENTS.md']);
      assert.equal(adoption.left, []);
    },
  ));

test('every file that is not adopted has a line with the reason', () => {
  const agents = Object.fromEntries([...'abcdefg'].map(name => [`agents/${name}.md`, `---\nname: ${name}\n---\nWork.\n`]));
  return moveIn(
    {
      'AGENTS.md': '# Shop\n',
      '.claude-plugin/plugin.json': '{ "name": "shop" }\n',
      '.claude-plugin/marketplace.json': '{ "name": "m", "plugins": [{ "name": "shop", "source": "./" }] }\n',
      ...agents,
    },
    outcome => {
      for (const path of ['.claude-plugin/plugin.json', ...Object.keys(agents)])
        assert.match(adoptText(outcome, false), `\n  ${path}: it is a part of the plug-in in the root, which is published unchanged\n`);
    },
  );
});

test.run();
