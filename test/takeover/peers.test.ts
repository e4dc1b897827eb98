/** Tests the built program against data loss that similar programs have caused. */
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, project, prs, read, tree, write } from '../cli/prs.ts';
import { hashesBelow, seen } from './repository.ts';

const test = suite('failures of others');

const settings = (targets = '[claude, codex, cursor]', more = '') =>
  `id: x\nsyntax: "1.5.0"\nincludeInstrSkill: false\ntargets: ${targets}\n${more}`;
const source = (more = '', text = 'Me.') => `@meta { id: "x" syntax: "1.5.0" }\n@identity { "${text}" }\n${more}\n`;
const skill = '@skills { review: { description: "Review" content: "Look." } }';
const server = '@mcpServers { docs: { command: "docs-server" args: ["--stdio"] } }';

function make(files: Files = {}, body = ''): string {
  return project({ 'instr.yaml': settings(), '.instr/project.prs': source(body), ...files });
}

function compile(folder: string, ...args: string[]) {
  const result = prs(folder, ['compile', ...args]);
  assert.ok(result.status === 0 || result.status === 1, result.stderr);
  return result;
}

const mcp = '{\n  // mine\n  "mcpServers": {\n    "mine": {"command":"x"},\n  },\n  "other" : 1\n}\n';

test('does not overwrite a hand-written main file', () => {
  const folder = make({ 'CLAUDE.md': '# By hand\n' });
  const before = seen(folder);
  for (const args of [[], ['--target', 'claude'], ['--target', 'codex', '--target', 'claude'], ['--quiet'], ['--json']]) {
    assert.is(compile(folder, ...args).status, 1);
    assert.equal(seen(folder), before);
  }
});

test("does not delete the user's servers", () => {
  const folder = make({ '.mcp.json': mcp }, server);
  assert.is(compile(folder).status, 0);
  const lines = mcp.split('\n').slice(0, 4);
  for (const line of lines) assert.ok(read(folder, '.mcp.json').includes(line.replace(/,$/, '')), line);
  assert.match(read(folder, '.mcp.json'), 'docs-server');

  // Removing our server from the source removes only its key, byte for byte.
  write(folder, '.instr/project.prs', source());
  assert.is(compile(folder).status, 0);
  assert.is(read(folder, '.mcp.json'), mcp);
});

test('reports a conflict for a server of the user with the same name', () => {
  const text = '{ "mcpServers": { "docs": { "command": "their-own" } } }\n';
  const folder = make({ '.mcp.json': text }, server);
  const { status, stderr } = compile(folder);
  assert.is(status, 1);
  assert.match(stderr, /PRS8001: \.mcp\.json .*mcpServers\.docs/);
  assert.is(read(folder, '.mcp.json'), text);
  assert.is(compile(folder, '--force').status, 0);
  assert.match(read(folder, '.mcp.json'), 'docs-server');
  assert.is(hashesBelow(join(folder, '.instr/.state/backups')).size, 1);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read(folder, '.mcp.json'), text);
});

test('does not delete the whole file of servers on revert', () => {
  const folder = make({ '.mcp.json': mcp }, server);
  compile(folder);
  write(folder, '.mcp.json', read(folder, '.mcp.json').replace('"other" : 1', '"other" : 2, "later": {"x":1}'));
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read(folder, '.mcp.json'), mcp.replace('"other" : 1', '"other" : 2, "later": {"x":1}'));
  assert.not.ok(existsSync(join(folder, 'CLAUDE.md')));
});

test('removes a file of servers with the last owned one, but keeps it with a server of the user', () => {
  const folder = make({}, server);
  compile(folder);
  const ours = read(folder, '.mcp.json');
  write(folder, '.instr/project.prs', source());
  compile(folder);
  assert.not.ok(existsSync(join(folder, '.mcp.json')));
  write(folder, '.instr/project.prs', source(server));
  compile(folder);
  write(folder, '.mcp.json', ours.replace('"mcpServers": {', '"mcpServers": {\n    "mine": { "command": "x" },'));
  write(folder, '.instr/project.prs', source());
  compile(folder);
  assert.equal(JSON.parse(read(folder, '.mcp.json')), { mcpServers: { mine: { command: 'x' } } });
});

test('does not delete skills made by hand on apply', () => {
  const mine: Files = {
    '.claude/skills/mine/SKILL.md': '---\nname: mine\ndescription: By hand\n---\nMine.\n',
    '.claude/skills/mine/run.sh': '#!/bin/sh\n',
    '.agents/skills/shared/SKILL.md': '---\nname: shared\ndescription: By hand\n---\nShared.\n',
    '.claude/agents/mine.md': 'mine\n',
    '.claude/commands/deep/mine.md': 'mine\n',
    '.cursor/rules/mine.mdc': 'mine\n',
  };
  const folder = make(mine, skill);
  chmodSync(join(folder, '.claude/skills/mine/run.sh'), 0o755);
  const before = seen(folder);
  const still = (what: string) => {
    const now = seen(folder);
    for (const path of Object.keys(mine)) assert.equal(now.get(path), before.get(path), `${path} ${what}`);
  };
  assert.is(compile(folder).status, 0);
  still('after compile');
  assert.is(compile(folder, '--force').status, 0);
  still('after compile --force');
  write(folder, 'instr.yaml', settings('[{ claude: { enabled: false } }, cursor]'));
  assert.is(compile(folder).status, 0);
  still('after targets were switched off');
  while (prs(folder, ['undo']).status === 0);
  still('after undo');
});

test('keeps a skill of the user with the same name as a generated one', () => {
  const text = '---\nname: review\ndescription: By hand\n---\nMine.\n';
  const folder = make({ '.claude/skills/review/SKILL.md': text }, skill);
  assert.is(compile(folder).status, 1);
  assert.is(read(folder, '.claude/skills/review/SKILL.md'), text);
  assert.not.ok(existsSync(join(folder, 'CLAUDE.md')));
});

test('does not silently overwrite manual edits of generated files', () => {
  const folder = make({}, skill);
  compile(folder);
  for (const path of ['CLAUDE.md', '.claude/skills/review/SKILL.md', 'AGENTS.md']) {
    const text = read(folder, path);
    write(folder, path, `${text}\nMy remark.\n`);
    for (const body of [skill, `${skill}\n@restrictions { - "Never" }`]) {
      write(folder, '.instr/project.prs', source(body));
      const { status, stderr } = compile(folder);
      assert.is(status, 1);
      assert.match(stderr, new RegExp(`PRS8002: ${path.replace(/\./g, '\\.')} .*line`));
      assert.match(read(folder, path), 'My remark.');
    }
    assert.is(compile(folder, '--force').status, 0);
    const copies = tree(join(folder, '.instr/.state/backups')).map(copy => read(folder, `.instr/.state/backups/${copy}`));
    assert.ok(copies.includes(`${text}\nMy remark.\n`));
    write(folder, '.instr/project.prs', source(skill));
    compile(folder);
  }
});

test('leaves no orphans behind', () => {
  const folder = make({}, `${skill}\n@shortcuts { "/test": "Run" }\n@agents { helper: { description: "d" content: "c" } }\n${server}`);
  const before = ['.instr/manifest.json', '.instr/project.prs', 'instr.yaml'];
  compile(folder);
  assert.ok(tree(folder).length > 10);
  write(folder, '.instr/project.prs', source(''));
  compile(folder);
  const left = tree(folder).filter(path => !path.startsWith('.instr/.state') && !before.includes(path));
  assert.equal(left.sort(), ['.cursor/rules/project.mdc', 'AGENTS.md', 'CLAUDE.md']);
  for (const gone of ['.claude', '.agents', '.codex']) assert.not.ok(existsSync(join(folder, gone)), gone);
});

test('keeps and reports an orphan that was edited', () => {
  const folder = make({}, skill);
  compile(folder);
  const path = '.claude/skills/review/SKILL.md';
  write(folder, path, `${read(folder, path)}mine\n`);
  write(folder, '.instr/project.prs', source());
  const { status, stderr } = compile(folder);
  assert.is(status, 0);
  assert.match(stderr, /warning PRS8014: .*review\/SKILL\.md/);
  assert.match(read(folder, path), 'mine\n');
  assert.is(compile(folder).stderr.includes('PRS8014'), false, 'it belongs to the user afterwards');
});

test('does not replace an unreadable file of the user with a new one', () => {
  const broken = '{ "mcpServers": { "mine": \n';
  const folder = make({ '.mcp.json': broken }, server);
  for (const args of [[], ['--force']]) {
    const { status, stderr } = compile(folder, ...args);
    assert.is(status, 1);
    assert.match(stderr, /\.mcp\.json:\d+:\d+: error PRS8010/);
    assert.is(read(folder, '.mcp.json'), broken);
  }
  assert.not.ok(existsSync(join(folder, 'CLAUDE.md')));
});

test('a damaged record changes neither the ownership of user files nor that of generated ones', () => {
  const folder = make({}, skill);
  compile(folder);
  const before = seen(folder);
  for (const damage of ['', '{', '<<<<<<< ours\n', '[]', '{"version":99}', '{"version":1,"directories":[],"files":{"../x":{"targets":[],"sha256":""}}}']) {
    write(folder, '.instr/manifest.json', damage);
    assert.is(compile(folder, '--force').status, 1, damage);
    for (const [path, file] of before) if (path !== '.instr/manifest.json') assert.equal(seen(folder).get(path), file);
  }
});

test('does not rewrite unchanged files, and does not reset modes', () => {
  const folder = make({}, skill);
  compile(folder);
  chmodSync(join(folder, 'CLAUDE.md'), 0o640);
  const times = tree(folder).map(path => [path, statSync(join(folder, path)).mtimeMs]);
  compile(folder);
  compile(folder, '--force');
  assert.equal(times, tree(folder).map(path => [path, statSync(join(folder, path)).mtimeMs]));
  write(folder, '.instr/project.prs', source(skill, 'Somebody else.'));
  compile(folder);
  assert.is(statSync(join(folder, 'CLAUDE.md')).mode & 0o777, 0o640);
  assert.match(readFileSync(join(folder, 'CLAUDE.md'), 'utf8'), 'Somebody else.');
});

test.run();
