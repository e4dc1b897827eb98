/** Hooks of tools that run code: the generated program does what the hooks specify. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';

const tests = suite('programs for hooks');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'instr-hooks-')));
tests.after(() => rmSync(root, { recursive: true, force: true }));

const source = `@meta { id: "x" syntax: "1.6.0" }
@identity { "You work on a shop." }
@hooks {
  guard: { event: "pre-tool-use" matcher: "Edit|Write" command: ["node", "guard.mjs", "it's", "a \\"b\\""] timeoutMs: 5000 }
  note: { event: "post-tool-use" command: ["node", "note.mjs"] }
  shell: { event: "pre-terminal-command" command: ["node", "note.mjs", "shell"] }
  idle: { event: "stop" command: ["node", "note.mjs", "idle"] }
  begin: { event: "session-start" command: ["node", "note.mjs", "begin"] }
  helper: { event: "subagent-start" command: ["node", "note.mjs", "helper"] }
  helped: { event: "subagent-stop" command: ["node", "note.mjs", "helped"] }
  said: { event: "user-prompt-submit" command: ["node", "note.mjs", "said"] }
  asked: { event: "permission-request" command: ["node", "note.mjs", "asked"] }
  watched: { event: "file-changed" command: ["node", "note.mjs", "watched"] }
  full: { event: "pre-compact" targets: ["opencode", "kilo"] command: ["node", "note.mjs", "full"] }
  told: { event: "notification" targets: ["opencode"] command: ["node", "note.mjs", "told"] }
}
`;

const files = {
  'guard.mjs': `import { readFileSync, appendFileSync } from 'node:fs';
const input = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync('log.txt', JSON.stringify([process.argv.slice(2), input.tool_name, input.tool_input]) + '\\n');
if (input.tool_input.filePath === '.env') { process.stderr.write('secrets stay'); process.exit(2); }
`,
  'note.mjs': `import { readFileSync, appendFileSync } from 'node:fs';
const input = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync('log.txt', JSON.stringify([process.argv.slice(2), input.hook_event_name, input.tool_name]) + '\\n');
process.exit(1);
`,
};

const run = `const [plugin] = Object.values(await import(process.argv[1]));
const hooks = await plugin({ directory: process.cwd(), worktree: '/' });
const said = [];
const attempt = async (call) => { try { await call(); said.push('went on'); } catch (error) { said.push(error.message); } };
await attempt(() => hooks['tool.execute.before']({ tool: 'edit', sessionID: 's', callID: 'c' }, { args: { filePath: '.env' } }));
await attempt(() => hooks['tool.execute.before']({ tool: 'edit', sessionID: 's', callID: 'c' }, { args: { filePath: 'a.ts' } }));
await attempt(() => hooks['tool.execute.before']({ tool: 'read', sessionID: 's', callID: 'c' }, { args: {} }));
await attempt(() => hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: {} }));
await attempt(() => hooks['tool.execute.after']({ tool: 'read', sessionID: 's', callID: 'c', args: {} }, { output: '' }));
const tell = (type, properties) => attempt(() => hooks.event({ event: { type, properties } }));
const say = (sessionID) => attempt(() => hooks['chat.message']({ sessionID }, { parts: [{ text: 'hello' }] }));
await tell('session.created', { info: { id: 's' } });
await say('s');
await tell('session.created', { info: { id: 't', parentID: 's' } });
await say('t');
// A message has a parent as well: the one that it answers.
await tell('message.updated', { sessionID: 's', info: { id: 'm', parentID: 'l' } });
await tell('session.idle', { sessionID: 't' });
await tell('session.idle', { sessionID: 's' });
await tell('permission.asked', { sessionID: 't', id: 'p' });
await tell('file.watcher.updated', { file: 'a.ts', event: 'change' });
await attempt(() => hooks.event({ event: { type: 'session.other', properties: {} } }));
await attempt(() => hooks['experimental.session.compacting']({ sessionID: 's' }, { context: [] }));
await tell('tui.toast.show', { message: 'done' });
process.stdout.write(JSON.stringify(said));
`;

for (const id of ['opencode', 'kilo'])
  tests(`the program of ${id} runs each hook at its event, and exit status 2 blocks a tool`, async () => {
    const { files: written, ok } = await compile({
      files: { 'instr.yaml': `id: x\nsyntax: "1.6.0"\ntargets: [${id}]\nincludeInstrSkill: false\n`, '.instr/project.prs': source },
    });
    assert.ok(ok);
    const plugin = written.find(({ path }) => path.endsWith('/plugins/instr.js'))!;
    const folder = join(root, id);
    const all = { ...files, 'package.json': '{ "type": "module" }', [plugin.path]: String(plugin.content) };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const at = pathToFileURL(join(folder, plugin.path)).href;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', run, at], { cwd: folder, encoding: 'utf8' });
    assert.is(result.status, 0, result.stderr);
    assert.equal(JSON.parse(result.stdout), ['secrets stay', ...Array(16).fill('went on')]);
    assert.equal(readFileSync(join(folder, 'log.txt'), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line)), [
      [["it's", 'a "b"'], 'edit', { filePath: '.env' }],
      [["it's", 'a "b"'], 'edit', { filePath: 'a.ts' }],
      [['shell'], 'tool.execute.before', 'bash'],
      [[], 'tool.execute.after', 'read'],
      // A sub-agent has its own session. Its start, end and messages are not those of the user.
      [['begin'], 'session.created', null],
      [['said'], 'chat.message', null],
      [['helper'], 'subagent.created', null],
      [['helped'], 'subagent.idle', null],
      [['idle'], 'session.idle', null],
      [['asked'], 'permission.asked', null],
      [['watched'], 'file.watcher.updated', null],
      [['full'], 'experimental.session.compacting', null],
      ...(id === 'opencode' ? [[['told'], 'tui.toast.show', null]] : []),
    ]);
  });

/**
 * Runs the program of a target that registers handlers with the `events`. `answer` collects the results of the
 * handlers.
 */
async function give(id: string, source: string, events: string): Promise<{ answers: unknown; log: unknown[] }> {
  const { files: written, ok } = await compile({
    files: { 'instr.yaml': `id: x\nsyntax: "1.6.0"\ntargets: [${id}]\nincludeInstrSkill: false\n`, '.instr/project.prs': source },
  });
  assert.ok(ok);
  const program = written.find(({ path }) => path.endsWith('/instr.ts'))!;
  const folder = join(root, id);
  // This version of Node cannot run TypeScript. The program has no type annotations.
  const path = program.path.replace(/ts$/, 'mjs');
  for (const [name, text] of Object.entries({ ...files, [path]: String(program.content) })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const run = `const { default: start } = await import(process.argv[1]);
const handlers = {};
start({ on: (name, handler) => { handlers[name] = handler; }, helpers: { shellCommandFromToolCall: ({ tool }) => (tool === 'Shell' ? {} : null) } });
const ctx = { cwd: process.cwd(), hasUI: false, sessionManager: { getSessionId: () => 's' } };
const answers = [];
for (const [name, event] of ${events}) answers.push((await handlers[name](event, ctx)) ?? null);
process.stdout.write(JSON.stringify(answers));
`;
  const at = pathToFileURL(join(folder, path)).href;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', run, at], { cwd: folder, encoding: 'utf8' });
  assert.is(result.status, 0, result.stderr);
  const log = readFileSync(join(folder, 'log.txt'), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line));
  return { answers: JSON.parse(result.stdout), log };
}

const refuse = '["node", "-e", "console.error(\'no\'); process.exit(2)"]';

tests('the extension for Pi blocks tools, prompts and summaries at exit status 2, and runs other hooks at their event', async () => {
  const more = `  failed: { event: "post-tool-use-failure" command: ["node", "note.mjs", "failed"] }
  answered: { event: "after-model" command: ["node", "note.mjs", "answered"] }
  other: { event: "post-model-switch" command: ["node", "note.mjs", "other"] }
  end: { event: "session-end" command: ["node", "note.mjs", "end"] }
  keep: { event: "pre-compact" command: ${refuse} }
}
`;
  const { answers, log } = await give('pi', source.replace(/\}\n$/, more), `[
    ['session_start', { reason: 'startup' }], ['session_start', { reason: 'reload' }],
    ['input', { source: 'interactive', text: 'hello' }], ['input', { source: 'extension', text: 'hello' }],
    ['tool_call', { toolName: 'edit', input: { filePath: '.env' } }],
    ['tool_call', { toolName: 'bash', input: {} }],
    ['tool_result', { toolName: 'read', input: {}, content: [], isError: false }],
    ['tool_result', { toolName: 'read', input: {}, content: [], isError: true }],
    ['message_end', { message: { role: 'user' } }], ['message_end', { message: { role: 'assistant' } }],
    ['model_select', {}], ['session_before_compact', { reason: 'manual' }],
    ['agent_settled', {}], ['session_shutdown', { reason: 'quit' }],
  ]`);
  const none = (count: number) => Array(count).fill(null);
  assert.equal(answers, [...none(4), { block: true, reason: 'secrets stay' }, ...none(6), { cancel: true }, ...none(2)]);
  assert.equal(log, [
    [['begin'], 'session_start', null],
    [['said'], 'input', null],
    [["it's", 'a "b"'], 'edit', { filePath: '.env' }],
    [['shell'], 'tool_call', 'bash'],
    [[], 'tool_result', 'read'],
    [['failed'], 'tool_result.error', 'read'],
    [['answered'], 'message_end', null],
    [['other'], 'model_select', null],
    [['idle'], 'agent_settled', null],
    [['end'], 'session_shutdown', null],
  ]);
});

tests('the plug-in for Amp blocks tools at exit status 2, and reports how an answer ended', async () => {
  const more = `  failed: { event: "post-tool-use-failure" command: ["node", "note.mjs", "failed"] }
  ran: { event: "post-terminal-command" command: ["node", "note.mjs", "ran"] }
  broken: { event: "stop-failure" command: ["node", "note.mjs", "broken"] }
  halted: { event: "interrupt" command: ["node", "note.mjs", "halted"] }
}
`;
  const thread = "thread: { id: 's' }";
  const { answers, log } = await give('amp', source.replace(/\}\n$/, more), `[
    ['session.start', { ${thread} }], ['agent.start', { ${thread}, message: 'hello' }],
    ['tool.call', { ${thread}, tool: 'edit', input: { filePath: '.env' } }],
    ['tool.call', { ${thread}, tool: 'Shell', input: {} }],
    ['tool.result', { ${thread}, tool: 'Shell', input: {}, status: 'done' }],
    ['tool.result', { ${thread}, tool: 'read', input: {}, status: 'error' }],
    ...['done', 'error', 'cancelled'].map(status => ['agent.end', { ${thread}, status }]),
  ]`);
  assert.equal(answers, [null, {}, { action: 'reject-and-continue', message: 'secrets stay' }, { action: 'allow' }, ...Array(5).fill(null)]);
  assert.equal(log, [
    [['begin'], 'session.start', null],
    [['said'], 'agent.start', null],
    [["it's", 'a "b"'], 'edit', { filePath: '.env' }],
    [['shell'], 'shell.call', 'Shell'],
    [[], 'tool.result', 'Shell'],
    [['ran'], 'shell.result', 'Shell'],
    [['failed'], 'tool.result.error', 'read'],
    [['idle'], 'agent.end', null],
    [['broken'], 'agent.end.error', null],
    [['halted'], 'agent.end.cancelled', null],
  ]);
});

tests.run();
