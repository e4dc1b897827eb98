/** `prs targets add` enables another tool in a project with adopted files. The tool gets what only the other tools had. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, tree } from './prs.ts';

const tests = suite('targets add');

const movedIn = {
  'CLAUDE.md': '# Shop\nUse tabs.\n',
  '.claude/rules/api.md': '---\npaths: ["src/**"]\n---\nValidate input.\n',
  '.claude/skills/release/SKILL.md': '---\nname: release\ndescription: Releases\n---\nTag it.\n',
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nReview.\n',
  '.cursor/rules/lib.mdc': '---\ndescription: Library\nglobs: lib/**\nalwaysApply: false\n---\nNo globals.\n',
  '.mcp.json': '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "files"] } } }\n',
  '.claude/settings.json': JSON.stringify({
    hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'npm run lint' }] }] },
    permissions: { allow: ['Bash(npm test)'] },
  }),
};

function moved(): string {
  const folder = project(movedIn);
  assert.is(prs(folder, ['migrate']).status, 0);
  assert.is(prs(folder, ['compile']).status, 0);
  return folder;
}

const native = (folder: string) =>
  tree(folder).filter(path => !path.startsWith('.instr')).map(path => [path, read(folder, path)]);

tests('a preview writes nothing', () => {
  const folder = moved();
  const before = tree(folder).map(path => read(folder, path));
  const { status, stdout } = prs(folder, ['targets', 'add', 'codex', '--dry-run']);
  assert.is(status, 0);
  assert.match(stdout, /^codex would be enabled\.$/m);
  assert.match(stdout, /^ {2}\.instr\/rules\/api\.md$/m);
  assert.equal(tree(folder).map(path => read(folder, path)), before);
});

tests('the tool gets rules, skills, agents, hooks and servers of the other tool, whose files stay unchanged', () => {
  const folder = moved();
  const before = native(folder).filter(([path]) => path !== 'instr.yaml');
  const { status, stdout, stderr } = prs(folder, ['targets', 'add', 'codex']);
  assert.is(status, 0, stderr);
  assert.match(stdout, 'Left to the other tools, because codex cannot be given as little: .instr/permissions-claude.prs');
  assert.match(read(folder, 'instr.yaml'), /^ {2}- codex$/m);
  assert.match(read(folder, '.instr/rules/api.md'), 'targets: [claude, codex]');
  assert.match(read(folder, '.instr/rules/lib.md'), 'targets: [cursor]');
  assert.is(prs(folder, ['compile']).status, 0);
  const after = new Map(native(folder).map(([path, text]) => [path, text]));
  for (const [path, text] of before) assert.is(after.get(path!), text, path);
  const fresh = [...after.keys()].filter(path => !before.some(([known]) => known === path) && path !== 'instr.yaml');
  assert.equal(fresh.sort(), ['.agents/skills/api/SKILL.md', '.agents/skills/release/SKILL.md', '.codex/agents/reviewer.toml', '.codex/config.toml', '.codex/hooks.json', 'AGENTS.md']);
});

tests('gives an enabled tool the items of another tool, and undo reverts it', () => {
  const folder = moved();
  const before = read(folder, '.instr/rules/api.md');
  const { status, stdout } = prs(folder, ['targets', 'add', 'cursor', '--like', 'claude']);
  assert.is(status, 0);
  assert.not.match(stdout, 'is enabled');
  assert.match(read(folder, '.instr/rules/api.md'), 'targets: [claude, cursor]');
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(read(folder, '.instr/rules/api.md'), before);
});

tests('extends target lists in every notation, and rejects an unknown tool', () => {
  const folder = project({
    'instr.yaml': 'id: x\nsyntax: "1.6.0"\ntargets: [claude] # one\n',
    '.instr/project.prs': '@meta { id: "x" syntax: "1.6.0" }\n@use ./more for claude\n@standards { a: ["One"] }\n',
    '.instr/more.prs': '@meta { id: "m" syntax: "1.6.0" }\n@shortcuts {\n  "/a": { content: "Do a." targets: ["claude"] }\n  "/b": { content: "Do b." targets: "claude" }\n}\n',
    '.instr/rules/one.md': '---\ntargets:\n  - claude\ndescription: One\n---\nText.\n',
    '.instr/rules/two.md': '---\ntargets: claude\ndescription: Two\n---\nText.\n',
  });
  assert.is(prs(folder, ['targets', 'add', 'codeks']).status, 2);
  assert.is(prs(folder, ['targets', 'add']).status, 2);
  const { status, stderr } = prs(folder, ['targets', 'add', 'cursor']);
  assert.is(status, 0, stderr);
  assert.is(read(folder, 'instr.yaml'), 'id: x\nsyntax: "1.6.0"\ntargets: [claude, cursor] # one\n');
  assert.match(read(folder, '.instr/project.prs'), '@use ./more for claude, cursor\n');
  assert.match(read(folder, '.instr/more.prs'), 'targets: ["claude", "cursor"] }\n  "/b": { content: "Do b." targets: ["claude", "cursor"] }');
  assert.match(read(folder, '.instr/rules/one.md'), 'targets:\n  - claude\n  - cursor\n');
  assert.is(prs(folder, ['compile']).status, 0);
});

tests('does not add the main file of another tool to the one that the tool reads', () => {
  const files = { 'AGENTS.md': '# Shop\nUse tabs.\n', 'CLAUDE.md': 'See AGENTS.md.\n', '.cursor/mcp.json': '{ "mcpServers": { "a": { "command": "a" } } }\n' };
  const folder = project(files);
  assert.is(prs(folder, ['migrate']).status, 0);
  const { status, stdout, stderr } = prs(folder, ['targets', 'add', 'codex', '--like', 'cursor']);
  assert.is(status, 0, stderr);
  assert.match(stdout, 'Left to the tools that read them, because codex has a main file of its own: CLAUDE.md\n');
  assert.is(prs(folder, ['compile']).status, 0);
  for (const [path, text] of Object.entries(files)) assert.is(read(folder, path), text, path);
});

tests('rewrites relative links for another folder, and reports those that cannot be rewritten', () => {
  const folder = project({
    'docs/a.md': 'A.\n',
    '.github/more.md': 'More.\n',
    '.github/copilot-instructions.md':
      '# Shop\n\nSee [a](../docs/a.md#top), ![b](<../docs/b c.png>), [more](more.md "More") and [web](https://x.dev/a.md).\n\n[d]: ../docs/\n\n    [code](../docs/a.md)\n\n`[a](../docs/a.md)` [none](none.md) [top](#top) [out](../../out.md)\n',
    '.github/instructions/api.instructions.md': '---\napplyTo: "src/**"\n---\nSee [a](../../docs/a.md).\n',
  });
  assert.is(prs(folder, ['migrate']).status, 0);
  const { status, stdout, stderr } = prs(folder, ['targets', 'add', 'codex']);
  assert.is(status, 0, stderr);
  assert.match(stdout, 'rewritten, because the text is now written into another folder: .instr/project.md\n');
  assert.match(stdout, '\n  .agents/skills/api/SKILL.md: ../../docs/a.md\n');
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(
    read(folder, 'AGENTS.md'),
    '# Shop\n\nSee [a](docs/a.md#top), ![b](<docs/b c.png>), [more](.github/more.md "More") and [web](https://x.dev/a.md).\n\n[d]: docs/\n\n    [code](../docs/a.md)\n\n`[a](../docs/a.md)` [none](none.md) [top](#top) [out](../../out.md)\n',
  );
  assert.match(read(folder, '.github/instructions/api.instructions.md'), '[a](../../docs/a.md)');
});

tests('gives a tool without skills the skills, and keeps the other lines of the configuration', () => {
  const config = 'id: x\nsyntax: "1.6.0"\ntargets:\n  - claude: { includeSkills: false } # one\n  - cursor: { includeSkills: false }\n';
  const folder = project({
    'instr.yaml': config,
    '.instr/project.md': '# Shop\n',
    '.instr/skills/release/SKILL.md': '---\nname: release\ndescription: Releases\n---\nTag it.\n',
  });
  const { status, stdout, stderr } = prs(folder, ['targets', 'add', 'claude']);
  assert.is(status, 0, stderr);
  assert.match(stdout, 'claude gets the skills: `includeSkills: false` is removed.\n');
  assert.is(read(folder, 'instr.yaml'), config.replace('claude: { includeSkills: false }', 'claude'));
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(read(folder, '.claude/skills/release/SKILL.md'), 'Tag it.');
});

tests('excludes the tool from a server with a variable that the tool does not expand', () => {
  const server = (args: string[]) => ({ command: 'npx', args });
  const folder = project({
    'instr.yaml': 'id: x\nsyntax: "1.6.0"\ntargets: [claude]\n',
    '.instr/project.md': '# Shop\n',
    '.instr/mcp.json': JSON.stringify({
      mcpServers: {
        plain: server(['docs']),
        own: { ...server(['${TOKEN}']), targets: ['claude'] },
        all: server(['${TOKEN}']),
        most: { ...server(['${TOKEN}']), except: 'cursor' },
      },
    }),
  });
  const { status, stdout, stderr } = prs(folder, ['targets', 'add', 'codex']);
  assert.is(status, 0, stderr);
  assert.match(stdout, 'Left to the other tools, because codex fills in no variables where these servers have them: own, all, most\n');
  const { mcpServers } = JSON.parse(read(folder, '.instr/mcp.json'));
  assert.equal([mcpServers.own.targets, mcpServers.all.except, mcpServers.most.except], [['claude'], ['codex'], ['cursor', 'codex']]);
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(read(folder, '.codex/config.toml'), '[mcp_servers.plain]');
  assert.not.match(read(folder, '.codex/config.toml'), 'TOKEN');
});

tests.run();
