/** `prs mcp`: a client talks to the program over standard input and output, as assistants do. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, minimal, project, prs, startPrs, until } from './prs.ts';

const tests = suite('mcp');

interface Answer {
  readonly id: number | null;
  readonly result?: { content?: { text: string }[]; isError?: boolean; tools?: { name: string; inputSchema: object }[]; protocolVersion?: string; serverInfo?: { name: string } };
  readonly error?: { code: number; message: string };
}

/** A session with the server; what it says on standard output must be messages and nothing else. */
function connect(files: Files) {
  const folder = project(files);
  const { child, output, ended } = startPrs(folder, ['mcp']);
  let count = 0;
  const answers = () => output.stdout.split('\n').filter(Boolean).map(line => JSON.parse(line) as Answer);
  const ask = async (method: string, params?: object): Promise<Answer> => {
    const id = ++count;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await until(() => answers().some(answer => answer.id === id), `${method} is answered`);
    return answers().find(answer => answer.id === id)!;
  };
  const call = async (name: string, input: object = {}) => {
    const { result, error } = await ask('tools/call', { name, arguments: input });
    return { text: result?.content?.[0]?.text ?? '', failed: result?.isError, error };
  };
  const end = async () => {
    child.stdin.end();
    assert.is((await ended).code, 0);
  };
  return { folder, child, answers, ask, call, end };
}

const files: Files = {
  ...minimal,
  'instr.yaml': 'id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [claude, cursor, codex]\n',
};

tests('it introduces itself and its tools, and says what it does not know', async () => {
  const { ask, child, answers, call, end } = connect(files);
  const { result } = await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
  assert.is(result?.protocolVersion, '2025-03-26');
  assert.is(result?.serverInfo?.name, 'instr');
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const listed = (await ask('tools/list')).result!.tools!;
  assert.equal(listed.map(({ name }) => name), ['validate', 'explain', 'where', 'add_rule']);
  for (const { inputSchema } of listed) assert.is((inputSchema as { type: string }).type, 'object');
  assert.equal((await ask('ping')).result, {});
  assert.is((await ask('resources/list')).error?.code, -32601);
  assert.is((await call('nothing')).error?.code, -32602);
  assert.match((await call('where', { name: 'api' })).error!.message, '`text`');
  assert.match((await call('explain', { subject: 3 })).error!.message, 'is a text');
  child.stdin.write('no json\n');
  await until(() => answers().some(({ error }) => error?.code === -32700), 'a line that is no JSON is refused');
  assert.is(answers().length, 8);
  await end();
});

tests('validate and explain say what the commands say', async () => {
  const { call, end, folder } = connect({ ...files, '.instr/rules/empty.md': '---\napplyTo: "**/*.ts"\ntargets: [claud]\n---\nA.\n' });
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

tests('a rule is shown where it would stand, and added when it can be compiled', async () => {
  const { call, end, folder } = connect(files);
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
  assert.match(again.text, 'is there already');
  for (const name of ['../api', 'A b', '']) assert.ok((await call('add_rule', { ...rule, name })).failed, name);
  const wrong = await call('add_rule', { name: 'nobody', text: 'A.', targets: 'claud' });
  assert.match(wrong.text, 'claud');
  await end();
});

tests('a project that cannot be compiled, or is none, is told and nothing is written', async () => {
  const broken = connect({ ...files, '.instr/project.prs': '@meta { id: "x" syntax: "1.6.0" }\n@context {' });
  const refused = await broken.call('add_rule', { name: 'api', text: 'A.' });
  assert.ok(refused.failed);
  assert.match(refused.text, '.instr/project.prs:2');
  assert.not.ok(existsSync(join(broken.folder, '.instr/rules')));
  await broken.end();
  const none = connect({});
  assert.ok((await none.call('validate')).failed);
  assert.ok((await none.call('add_rule', { name: 'api', text: 'A.' })).failed);
  assert.not.ok(existsSync(join(none.folder, '.instr')));
  await none.end();
});

tests('a rule that no file can hold as it is, is refused', async () => {
  const { call, end, folder } = connect(files);
  const refused: Readonly<Record<string, readonly [input: object, said: RegExp]>> = {
    'a device name': [{ name: 'con', text: 'A.' }, /PRS9480/],
    'front matter': [{ name: 'api', text: '---\nalwaysApply: true\n---\nA.' }, /PRS9482.*front matter/],
    'megabytes': [{ name: 'api', text: 'word '.repeat(500_000) }, /PRS9482.*2500000 characters/],
    'half of a character': [{ name: 'api', text: '\ud83d' }, /PRS9482.*half of a character/],
  };
  for (const [what, [input, said]] of Object.entries(refused)) {
    const { text, failed } = await call('add_rule', input);
    assert.ok(failed, what);
    assert.match(text, said, what);
  }
  assert.not(existsSync(join(folder, '.instr/rules')));
  assert.not((await call('add_rule', { name: 'api', text: 'A.', applyTo: 'src/*.{ts,tsx}, lib/**' })).failed);
  assert.match(readFileSync(join(folder, '.instr/rules/api.md'), 'utf8'), 'applyTo: ["src/*.{ts,tsx}", "lib/**"]');
  await end();
});

tests.run();
