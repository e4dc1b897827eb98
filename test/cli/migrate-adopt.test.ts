/** The built program adopts existing instruction files, reports this as JSON, and reverts it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, tree, write } from './prs.ts';

const tests = suite('adopting files with the built program');

const files = {
  'GEMINI.md': '# Mine\n\nUse tabs.\n',
  'CLAUDE.md': '@GEMINI.md\n',
  'packages/api/CLAUDE.md': 'Answer in JSON.\n',
  '.gemini/commands/git/sync.toml': 'description = "Sync"\nprompt = """\nSync.\n"""\n',
  '.claude/agents/pilot.md': '---\nname: pilot\ndescription: Brings boats in.\n---\n\nBring them in.\n',
  '.claude/settings.json': '{\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "npm test" }] }] },\n  "model": "opus"\n}\n',
  '.mcp.json': '{ "mcpServers": { "tide": { "command": "npx", "args": ["tide"] } } }\n',
};

const outside = (folder: string) => tree(folder).filter(path => !path.startsWith('.instr/') && path !== 'instr.yaml').sort();

tests('--json lists the kept and written files, and undo restores the original state', () => {
  const folder = project(files);
  const { status, stdout, stderr } = prs(folder, ['migrate', '--json']);
  assert.is(status, 0, stderr);
  const { ok, moved, files: written } = JSON.parse(stdout);
  assert.is(ok, true);
  assert.equal(moved.kept.map(({ path }: { path: string }) => path).sort(), Object.keys(files).sort());
  assert.equal([moved.targets, moved.left, moved.ready], [['claude', 'gemini'], [], true]);
  assert.ok(written.every(({ path, state }: { path: string; state: string }) => state === 'new' && (path === 'instr.yaml' || path.startsWith('.instr/'))));
  assert.equal(prs(folder, ['compile', '--check']).status, 1, 'the manifest must not exist yet');
  assert.is(prs(folder, ['compile']).status, 0);
  assert.is(prs(folder, ['compile', '--check']).status, 0);
  assert.equal(outside(folder), Object.keys(files).sort());
  for (const [path, text] of Object.entries(files)) assert.is(read(folder, path), text);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.is(prs(folder, ['undo']).status, 0);
  assert.equal(tree(folder).filter(path => !path.startsWith('.instr/.state/')).sort(), Object.keys(files).sort());
  for (const [path, text] of Object.entries(files)) assert.is(read(folder, path), text);
});

tests('later changes of the sources reach the files, and nothing else changes them', () => {
  const folder = project(files);
  assert.is(prs(folder, ['migrate']).status, 0);
  assert.is(prs(folder, ['compile']).status, 0);
  const source = '.instr/rules/packages-api.md';
  write(folder, source, `${read(folder, source)}\nAnd in XML.\n`);
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(read(folder, 'packages/api/CLAUDE.md'), 'And in XML.');
  for (const [path, text] of Object.entries(files))
    if (path !== 'packages/api/CLAUDE.md') assert.is(read(folder, path), text, path);
});

tests.run();
