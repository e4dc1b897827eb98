/**
 * Every file that a tool reads, or that is next to such a file in a folder of a tool, is adopted or listed with the
 * reason.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { adoptProject } from '../../src/project/adopt/adopt.ts';
import { roleFinder } from '../../src/project/adopt/roles.ts';
import { knownSpecs } from '../../src/project/open/known-specs.ts';
import { root as here } from '../support/compile.ts';
import fc from '../support/property.ts';

const tests = suite('files taken or listed');

const contextFor = (cwd: string) => ({
  disk: nodeDisk,
  clock: () => new Date(0),
  cwd,
  environment: {},
  report: () => {},
  progress: () => {},
});

/** Tracked files that a tool reads and that are neither adopted nor listed. */
async function silent(root: string): Promise<readonly string[]> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  git('init', '-q');
  git('add', '--all', '--force');
  const tracked = git('ls-files', '-z').split('\0').filter(Boolean);
  const { specs } = await knownSpecs(contextFor(root));
  const rolesOf = roleFinder(specs, '.agents');
  const folders = new Set(
    tracked.filter(path => /^\.[^/]+\/.+\//.test(path) && rolesOf(path).some(({ kind }) => kind === 'item')).map(path => dirname(path)),
  );
  const relevant = tracked.filter(path => rolesOf(path).length > 0 || folders.has(dirname(path)) || path === 'agents.toml');
  const outcome = await adoptProject({ dryRun: true, files: [] }, contextFor(root));
  if (!outcome) return relevant.length === 0 ? [] : ['nothing was adopted'];
  const { adoption, found } = outcome;
  const named = new Set([...adoption.adopted.map(({ path }) => path), ...adoption.left.map(({ path }) => path)]);
  const inside = [
    ...found.skippedFolders.keys(),
    ...[...named].flatMap(path => (path.endsWith('/SKILL.md') ? [dirname(path)] : [])),
  ];
  return relevant.filter(path => !named.has(path) && !inside.some(folder => path.startsWith(`${folder}/`)));
}

async function inRepository<T>(files: Readonly<Record<string, string>>, use: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'prs-listed-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const skill = '---\nname: release\ndescription: Releases the program.\n---\n\nRun it.\n';
const texts: Readonly<Record<string, string>> = {
  '.gitignore': 'packages/web/CLAUDE.md\n*.local.md\n',
  'AGENTS.md': '# Rules\n\nBe brief.\n',
  'CLAUDE.md': '@AGENTS.md\n',
  'CLAUDE.local.md': 'Mine.\n',
  'packages/web/CLAUDE.md': 'For the web.\n',
  'packages/web/.mcp.json': '{ "mcpServers": {} }\n',
  '.agents/AGENTS.md': 'Shared.\n',
  '.agents/skills/release/SKILL.md': skill,
  '.agents/skills/release/run.sh': 'true\n',
  '.agents/notes.txt': 'Notes.\n',
  '.roo/rules/a.md': 'A rule.\n',
  '.roo/rules/b.xml': '<rule/>\n',
  '.roo/rules-code/c.xml': '<rule/>\n',
  '.claude/rules/api.md': 'Api.\n',
  '.claude/rules/deep/api.md': 'Deep.\n',
  '.claude/rules/picture.png': '\u0000',
  '.claude/launch.json': '{}\n',
  '.claude-plugin/plugin.json': '{ "name": "p" }\n',
  'agents.toml': 'version = 1\nagents = ["claude"]\n',
  'skills/release/SKILL.md': skill,
  'hooks/hooks.json': '{}\n',
  '.cursor/rules/right.mdc': '---\nalwaysApply: true\n---\nRead.\n',
  '.cursor/rules/wrong.md': 'Not read.\n',
  '.vscode/settings.json': '{ "editor.tabSize": 2 }\n',
  'tests/AGENTS.md': 'A fixture.\n',
};

tests('in generated trees', () =>
  fc.assert(
    fc.asyncProperty(fc.subarray(Object.keys(texts), { minLength: 4 }), async paths => {
      const files = Object.fromEntries(['AGENTS.md', ...paths].map(path => [path, texts[path]!]));
      assert.equal(await inRepository(files, silent), []);
    }),
    { numRuns: 12 },
  ));

tests('parts of a plug-in, ignored files that are tracked, and files in other formats have a reason', () =>
  inRepository(texts, async root => {
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('git', ['add', '--all', '--force'], { cwd: root });
    const outcome = await adoptProject({ dryRun: true, files: [] }, contextFor(root));
    const reasons = new Map(outcome!.adoption.left.map(({ path, reason }) => [path, reason]));
    for (const path of ['skills/release/SKILL.md', 'hooks/hooks.json', '.claude-plugin/plugin.json'])
      assert.match(reasons.get(path) ?? '', 'a part of the plug-in in the root');
    for (const path of ['.roo/rules/b.xml', '.roo/rules-code/c.xml', '.claude/launch.json', '.agents/notes.txt'])
      assert.match(reasons.get(path) ?? '', 'no tool is known to read instructions there');
    assert.match(reasons.get('agents.toml') ?? '', 'it belongs to dotagents');
    assert.ok(outcome!.adoption.adopted.some(({ path }) => path === 'packages/web/CLAUDE.md'));
  }));

for (const path of ['.vscode/settings.json', '.zed/settings.json'])
  tests(`${path} without content for a tool is no evidence of that tool`, () =>
    inRepository({ 'AGENTS.md': texts['AGENTS.md']!, [path]: '{ "tab_size": 2 }\n' }, async root => {
      const outcome = await adoptProject({ dryRun: true, files: [] }, contextFor(root));
      assert.equal(outcome!.adoption.targets.map(({ spec }) => spec.id), ['agents']);
    }));

const shared = join(here, '../shared/repositories');
for (const name of existsSync(shared) ? ['langfuse', 'sentry-cocoa', 'sentry-javascript'] : [])
  tests(`in ${name}`, () =>
    inRepository({}, async root => {
      cpSync(join(shared, name), root, { recursive: true, verbatimSymlinks: true });
      execFileSync('chmod', ['-R', 'u+w', root]);
      assert.equal(await silent(root), []);
    }));

tests.run();
