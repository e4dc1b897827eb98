/** `prs mcp`: the official client talks to the built program over standard input and output. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, type Files, minimal, program, project, prs, startPrs, until } from './prs.ts';

const tests = suite('mcp');

/** Opens a session with the server in a project. */
async function connect(files: Files) {
  const folder = project(files);
  const client = new Client({ name: 'test', version: '1' });
  const env = environment() as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd: folder, env }));
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [part] = content as { text: string }[];
    return { text: part!.text, failed: isError };
  };
  return { folder, client, call, end: () => client.close() };
}

const files: Files = {
  ...minimal,
  'instr.yaml': 'id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [claude, cursor, codex]\n',
};

tests('introduces itself and its tools, and rejects unknown tools and invalid input', async () => {
  const { client, call, end } = await connect(files);
  assert.is(client.getServerVersion()?.name, 'instr');
  assert.match(client.getInstructions()!, 'Change the sources');
  assert.equal(Object.keys(client.getServerCapabilities()!), ['tools'], 'neither resources nor prompts may be offered');
  const { tools: listed } = await client.listTools();
  assert.equal(listed.map(({ name, annotations }) => [name, annotations?.readOnlyHint]), [['validate', true], ['explain', true], ['where', true], ['add_rule', false]]);
  for (const { inputSchema } of listed) assert.is(inputSchema.type, 'object');
  assert.equal(listed.at(-1)!.inputSchema.required, ['name', 'text']);
  await client.ping();
  const refusal = await call('nothing').catch((error: Error) => error);
  assert.match((refusal as Error).message, 'nothing');
  for (const [input, expected] of [[{ name: 'api' }, 'text'], [{ name: 'api', text: 3 }, 'text'], [{ name: 'api', text: 'A.', extra: '' }, 'extra']] as const) {
    const wrong = await call('where', input);
    assert.ok(wrong.failed);
    assert.match(wrong.text, expected);
  }
  await end();
});

tests('ignores invalid messages, answers older clients and exits at the end of input', async () => {
  const { child, ended, output } = startPrs(project(files), ['mcp']);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.write('no json\n');
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'resources/list' });
  send({ id: 3, method: 'tools/call', params: { name: 'validate', arguments: {} } });
  await until(() => output.stdout.includes('"id":3'), 'the call is answered');
  child.stdin.end();
  assert.is((await ended).code, 0);
  const answers = output.stdout.trim().split('\n').map(line => JSON.parse(line));
  const answer = (id: number) => answers.find(one => one.id === id);
  assert.is(answer(1).result.protocolVersion, '2024-11-05');
  assert.is(answer(2).error.code, -32601);
  assert.match(answer(3).result.content[0].text, 'checked');
});

tests('runs concurrent calls one after the other', async () => {
  const { call, end } = await connect(files);
  const both = await Promise.all(['One.', 'Two.'].map(text => call('add_rule', { name: 'same', text })));
  assert.equal(both.map(({ failed }) => failed === true), [false, true]);
  await end();
});

tests('validate and explain give the answers of the commands', async () => {
  const { call, end, folder } = await connect({ ...files, '.instr/rules/empty.md': '---\napplyTo: "**/*.ts"\ntargets: [claud]\n---\nA.\n' });
  const checked = await call('validate');
  assert.match(checked.text, '.instr/rules/empty.md:3');
  assert.match(checked.text, 'files checked');
  assert.match((await call('explain', { subject: 'PRS1001' })).text, 'PRS1001');
  rmSync(join(folder, '.instr/rules/empty.md'));
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match((await call('explain', { subject: 'CLAUDE.md:5' })).text, '.instr/project.prs');
  const unknown = await call('explain', { subject: 'standards.none' });
  assert.ok(unknown.failed);
  await end();
});

tests('shows where a rule would go, and adds it if it compiles', async () => {
  const { call, end, folder } = await connect(files);
  const rule = { name: 'api', text: 'Validate every input.', applyTo: 'src/api/**, src/web/**', description: 'Rules: the "api"' };
  const where = await call('where', rule);
  assert.not.ok(where.failed, where.text);
  assert.match(where.text, '- claude: .claude/rules/api.md');
  assert.match(where.text, '- cursor: .cursor/rules/api.mdc');
  assert.match(where.text, '- codex: .agents/skills/api/SKILL.md');
  assert.not.ok(existsSync(join(folder, '.instr/rules')));
  const added = await call('add_rule', rule);
  assert.not.ok(added.failed, added.text);
  assert.match(added.text, 'Wrote .instr/rules/api.md');
  assert.is(readFileSync(join(folder, '.instr/rules/api.md'), 'utf8'), '---\ndescription: "Rules: the \\"api\\""\napplyTo: ["src/api/**", "src/web/**"]\n---\n\nValidate every input.\n');
  assert.is(prs(folder, ['compile']).status, 0);
  assert.match(readFileSync(join(folder, '.cursor/rules/api.mdc'), 'utf8'), 'Validate every input.');
  const again = await call('add_rule', { ...rule, text: 'Other.' });
  assert.ok(again.failed);
  assert.match(again.text, 'exists already');
  for (const name of ['../api', 'A b', '']) assert.ok((await call('add_rule', { ...rule, name })).failed, name);
  const wrong = await call('add_rule', { name: 'nobody', text: 'A.', targets: 'claud' });
  assert.match(wrong.text, 'claud');
  await end();
});

tests('reports a project that cannot be compiled or does not exist, and writes nothing', async () => {
  const broken = await connect({ ...files, '.instr/project.prs': '@meta { id: "x" syntax: "1.6.0" }\n@context {' });
  const refused = await broken.call('add_rule', { name: 'api', text: 'A.' });
  assert.ok(refused.failed);
  assert.match(refused.text, '.instr/project.prs:2');
  assert.not.ok(existsSync(join(broken.folder, '.instr/rules')));
  await broken.end();
  const none = await connect({});
  assert.ok((await none.call('validate')).failed);
  assert.ok((await none.call('add_rule', { name: 'api', text: 'A.' })).failed);
  assert.not.ok(existsSync(join(none.folder, '.instr')));
  await none.end();
});

tests('rejects a rule that no file can hold unchanged', async () => {
  const { call, end, folder } = await connect(files);
  const refused: Readonly<Record<string, readonly [input: Record<string, unknown>, expected: RegExp]>> = {
    'a device name': [{ name: 'con', text: 'A.' }, /PRS9480/],
    'front matter': [{ name: 'api', text: '---\nalwaysApply: true\n---\nA.' }, /PRS9482.*front matter/],
    'megabytes': [{ name: 'api', text: 'word '.repeat(500_000) }, /PRS9482.*2500000 characters/],
    'a lone surrogate': [{ name: 'api', text: '\ud83d' }, /PRS9482.*half of a character/],
  };
  for (const [what, [input, expected]] of Object.entries(refused)) {
    const { text, failed } = await call('add_rule', input);
    assert.ok(failed, what);
    assert.match(text, expected, what);
  }
  assert.not(existsSync(join(folder, '.instr/rules')));
  assert.not((await call('add_rule', { name: 'api', text: 'A.', applyTo: 'src/*.{ts,tsx}, lib/**' })).failed);
  assert.match(readFileSync(join(folder, '.instr/rules/api.md'), 'utf8'), 'applyTo: ["src/*.{ts,tsx}", "lib/**"]');
  await end();
});

const assistants = 'targets: [claude, cursor, codex]\nsyntax: "1.6.0"\nid: shop\n';
const hooks = '@hooks {\n  format: {\n    event: "post-tool-use"\n    matcher: "Edit|Write"\n    command: ["npm", "run", "format"]\n  }\n}\n';
const meta = (id: string) => `@meta {\n  id: "${id}"\n  syntax: "1.6.0"\n}\n\n`;

/** What an assistant writes that has read only the language skill, by kind of entry. */
const additions: Readonly<Record<string, { readonly before: Files; readonly written: Files }>> = {
  'a project of blocks': {
    before: { 'instr.yaml': assistants, '.instr/project.prs': `${meta('shop')}@identity {\n  """\n  You are careful.\n  """\n}\n` },
    written: { '.instr/project.prs': `${meta('shop')}@use ./hooks\n\n@identity {\n  """\n  You are careful.\n  """\n}\n` },
  },
  'a project of Markdown': {
    before: { 'instr.yaml': assistants, '.instr/project.md': '# Shop\n\nYou are careful.\n' },
    written: { 'instr.yaml': `${assistants}input: { include: [.instr/hooks.prs] }\n` },
  },
};

for (const [kind, { before, written }] of Object.entries(additions))
  tests(`an assistant with the skill and the server adds a rule, a skill, a server and a hook to ${kind}`, async () => {
    const { call, client, end, folder } = await connect(before);
    for (const place of ['add_rule', '.instr/skills/<name>/SKILL.md', '.instr/mcp.json', '@hooks']) assert.ok(client.getInstructions()!.includes(place), place);
    const form = await call('explain', { subject: '@hooks' });
    for (const word of ['event: "post-tool-use"', 'matcher', 'command: ["npm", "run", "format"]']) assert.ok(form.text.includes(word), word);
    assert.not.ok((await call('add_rule', { name: 'api', text: 'Validate every input.', applyTo: 'src/api/**', description: 'Rules for the api' })).failed);
    const files: Files = {
      '.instr/skills/release/SKILL.md': '---\nname: release\ndescription: How to release\n---\n\n1. Run the tests.\n',
      '.instr/mcp.json': '{ "mcpServers": { "docs": { "command": "npx", "args": ["docs-server"], "env": { "DOCS_TOKEN": "${DOCS_TOKEN}" } } } }\n',
      '.instr/hooks.prs': `${meta('hooks')}${hooks}`,
      ...written,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const checked = await call('validate');
    assert.not.ok(checked.failed, checked.text);
    assert.not.match(checked.text, /warning/);
    assert.is(prs(folder, ['compile']).status, 0);
    const read = (path: string) => readFileSync(join(folder, path), 'utf8');
    assert.is(read('.claude/rules/api.md'), '---\ndescription: Rules for the api\npaths:\n  - src/api/**\n---\n\nValidate every input.\n');
    assert.is(read('.cursor/rules/api.mdc'), '---\ndescription: Rules for the api\nglobs: src/api/**\nalwaysApply: false\n---\n\nValidate every input.\n');
    for (const path of ['.claude/skills/release/SKILL.md', '.agents/skills/release/SKILL.md']) assert.is(read(path), files['.instr/skills/release/SKILL.md'], path);
    assert.equal(JSON.parse(read('.mcp.json')).mcpServers.docs, { command: 'npx', args: ['docs-server'], env: { DOCS_TOKEN: '${DOCS_TOKEN}' } });
    assert.equal(JSON.parse(read('.cursor/mcp.json')).mcpServers.docs, { command: 'npx', args: ['docs-server'], env: { DOCS_TOKEN: '${env:DOCS_TOKEN}' } });
    assert.match(read('.codex/config.toml'), '[mcp_servers.docs]');
    const [entry] = JSON.parse(read('.claude/settings.json')).hooks.PostToolUse;
    assert.is(entry.matcher, 'Edit|Write');
    assert.match(entry.hooks[0].command, 'npm run format');
    assert.match(JSON.stringify(JSON.parse(read('.cursor/hooks.json')).hooks.postToolUse), 'npm run format');
    await end();
  });

tests.run();
