/** Server keys that only one tool supports survive import and compile without a conflict. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read } from '../cli/prs.ts';

const test = suite('keys of a tool alone');
const servers = { mcpServers: { docs: { command: 'docs', args: ['--stdio'], cwd: 'tools', timeout: 5000 } } };
const native = `${JSON.stringify(servers, null, 2)}\n`;

test('`cwd` of a server stays in the file that it was imported from', () => {
  const folder = project({
    'instr.yaml': 'id: sample\nsyntax: "1.6.0"\ntargets: [claude]\nincludeInstrSkill: false\n',
    '.instr/project.prs': '@meta { id: "sample" syntax: "1.6.0" }\n\n@use ./imported.prs\n',
    '.mcp.json': native,
  });
  const imported = prs(folder, ['import', '.mcp.json', '--output', '.instr/imported.prs']);
  assert.is(imported.status, 0, imported.stderr);
  const compiled = prs(folder, ['compile']);
  assert.is(compiled.status, 0, compiled.stderr);
  assert.is(read(folder, '.mcp.json'), native);
  assert.equal(JSON.parse(prs(folder, ['compile', '--json']).stdout).omissions, []);
});

test.run();
