/**
 * Choices that are easy to get wrong and that a tool does not report: it silently ignores the file. Each assertion
 * checks the tree of the kitchen-sink project.
 */
import { parse as parseToml } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { conventions } from '../../src/generated/conventions.ts';
import { findBlock } from '../../src/resolve/catalogue.ts';
import { builtinSpec } from '../../src/spec/load.ts';
import { readFrontMatter } from '../../src/text/front-matter.ts';
import { allVersions, type Compiled, compileModel, openKitchenSink, resolveText, textOf } from '../support/compile.ts';

const tests = suite('choices');
const { model } = await openKitchenSink();
const compiled = new Map<string, Compiled>();
for (const { loaded, id, version } of allVersions())
  compiled.set(`${id}/${version}`, await compileModel(model, [{ loaded, config: { version } }]));

const treeOf = (id: string, version = builtinSpec(id)!.spec.defaultVersion) => compiled.get(`${id}/${version}`)!;
const paths = (id: string, version?: string) => treeOf(id, version).files.map(({ path }) => path);
const text = (id: string, path: string): string => {
  const file = treeOf(id).files.find(one => one.path === path);
  assert.ok(file, `${id} does not write ${path}; it writes ${paths(id).join(', ')}`);
  return textOf(file);
};
const json = (id: string, path: string) => JSON.parse(text(id, path));
const front = (id: string, path: string) => readFrontMatter(text(id, path)).fields;

const everywhere = [...compiled].flatMap(([owner, { files }]) => files.map(({ path }) => `${owner}/${path}`));

tests('main files have only names that the tool knows', () => {
  const invented = /\/(?:OPENCODE|INSTRUCTIONS)\.md$|\/\.(?:cortex|commandcode|kode|vibe|mux|openhands|pi|neovate|pochi|adal)\/rules\/project\.md$/;
  assert.equal(everywhere.filter(path => invented.test(path)), []);
  assert.ok(paths('iflow').includes('IFLOW.md'));
  assert.ok(paths('amazon-q').some(path => /^\.amazonq\/rules\/.+\.md$/.test(path)));
  assert.not(paths('amazon-q').includes('AGENTS.md'));
});

tests('a tool without an instructions file gets none, and the omission says so', () => {
  assert.equal(paths('mcpjam').filter(path => /^[A-Z]+\.md$/.test(path)), []);
  assert.ok(treeOf('mcpjam').omissions.some(({ source }) => source === 'identity'));
});

tests('main files go to the path that the tool reads first', () => {
  assert.ok(paths('zed').includes('.rules'));
  assert.ok(paths('junie').includes('.junie/AGENTS.md'));
  assert.ok(paths('roo').includes('.roo/rules/project.md'));
  assert.equal(isListed('aider'), true);
});

/** Whether the configuration lists AGENTS.md, because the tool reads the file only then. */
function isListed(id: string): boolean {
  return /read:\s*(?:\[\s*)?(?:-\s*)?"?AGENTS\.md/.test(text(id, '.aider.conf.yml'));
}

tests('servers are in the file and under the key that the tool reads', () => {
  const places: Readonly<Record<string, readonly [path: string, key: string]>> = {
    gemini: ['.gemini/settings.json', 'mcpServers'],
    roo: ['.roo/mcp.json', 'mcpServers'],
    kilo: ['kilo.jsonc', 'mcp'],
    crush: ['crush.json', 'mcp'],
    'qwen-code': ['.qwen/settings.json', 'mcpServers'],
    zed: ['.zed/settings.json', 'context_servers'],
    github: ['.vscode/mcp.json', 'servers'],
    opencode: ['opencode.json', 'mcp'],
  };
  for (const [id, [path, key]] of Object.entries(places))
    assert.ok(json(id, path)[key]?.['issue-tracker'], `${id}: ${path} has no ${key}.issue-tracker`);
  const toml = parseToml(text('codex', '.codex/config.toml')) as { mcp_servers: Record<string, unknown> };
  assert.ok(toml.mcp_servers['issue-tracker']);
  assert.not(paths('codex').includes('.codex/mcp.json'));
  assert.not(paths('gemini').includes('.gemini/mcp_config.json'));
});

tests('plugins.json is not written, because no tool documents it', () => {
  assert.equal(everywhere.filter(path => path.endsWith('/plugins.json')), []);
  for (const [owner, { omissions }] of compiled)
    assert.ok(omissions.some(({ source }) => source.startsWith('plugins.')), owner);
});

tests('rules have their globs in the field and the format of the tool', () => {
  const globs = ['packages/api/**/*.ts', '!**/*.test.ts'];
  const bare = globs.join(',');
  const fields: Readonly<Record<string, readonly [path: string, key: string, value: unknown]>> = {
    claude: ['.claude/rules/api.md', 'paths', globs],
    cline: ['.clinerules/api.md', 'paths', globs],
    'qwen-code': ['.qwen/rules/api.md', 'paths', globs],
    codebuddy: ['.codebuddy/rules/api.md', 'paths', globs],
    continue: ['.continue/rules/api.md', 'globs', globs],
    zencoder: ['.zencoder/rules/api.md', 'globs', globs],
    kiro: ['.kiro/steering/api.md', 'fileMatchPattern', globs],
    github: ['.github/instructions/api.instructions.md', 'applyTo', globs.join(', ')],
    cursor: ['.cursor/rules/api.mdc', 'globs', bare],
    trae: ['.trae/rules/api.md', 'globs', bare],
    antigravity: ['.agents/rules/api.md', 'globs', bare],
  };
  for (const [id, [path, key, value]] of Object.entries(fields)) assert.equal(front(id, path).get(key), value, `${id}: ${key}`);
  assert.match(text('cursor', '.cursor/rules/api.mdc'), `globs: ${bare}\n`);
});

tests("rules state when they apply with the tool's keys", () => {
  assert.equal([...front('antigravity', '.agents/rules/api.md').keys()].sort(), ['description', 'globs', 'trigger']);
  assert.is(front('antigravity', '.agents/rules/api.md').get('trigger'), 'glob');
  assert.is(front('kiro', '.kiro/steering/api.md').get('inclusion'), 'fileMatch');
  assert.is(front('cursor', '.cursor/rules/api.mdc').get('alwaysApply'), false);
  assert.is(front('cursor', '.cursor/rules/project.mdc').get('alwaysApply'), true);
});

tests('prompts, commands and agents have only keys that the tool accepts', () => {
  const prompt = front('github', '.github/prompts/review.prompt.md');
  assert.ok(prompt.has('agent'));
  assert.not(prompt.has('mode'));
  assert.equal([...front('factory', '.factory/commands/review.md').keys()], ['description', 'argument-hint']);
  for (const key of front('factory', '.factory/droids/reviewer.md').keys()) assert.not.match(key, /^spec/);
  const agent = front('augment', '.augment/agents/reviewer.md');
  assert.is(agent.get('name'), 'reviewer');
  assert.not(agent.has('mode'));
  assert.equal(paths('amp').filter(path => path.startsWith('.amp/agents')), []);
});

tests('skill files are named SKILL.md, in capitals, in every target', () => {
  assert.equal(everywhere.filter(path => /\/skill\.md$/.test(path)), []);
  assert.ok(everywhere.some(path => path.includes('.gemini/skills/') || path.startsWith('gemini/full/.agents/skills/')));
});

tests('options are written where the tool looks for them', async () => {
  const codex = await compileModel(model, [{ loaded: builtinSpec('codex')!, config: { maxThreads: 4, maxDepth: 2 } }]);
  const config = parseToml(textOf(codex.files.find(({ path }) => path === '.codex/config.toml')!));
  assert.equal({ ...(config.agents as object) }, { max_threads: 4, max_depth: 2 });
  assert.not('max_threads' in config);
  const claude = await compileModel(model, [{ loaded: builtinSpec('claude')!, config: { autoMode: 'plan' } }]);
  const local = JSON.parse(textOf(claude.files.find(({ path }) => path === '.claude/settings.local.json')!));
  assert.equal(local, { autoMode: 'plan', permissions: { defaultMode: 'plan' } });
  assert.not.match(textOf(claude.files.find(({ path }) => path === '.claude/settings.json')!), 'autoMode');
});

tests("hooks have the tool's structure, names and time unit", () => {
  const factory = json('factory', '.factory/hooks.json');
  assert.not('hooks' in factory, 'the events are at the top level');
  assert.ok(factory.PostToolUse);
  const cursor = JSON.stringify(json('cursor', '.cursor/hooks.json'));
  assert.match(cursor, 'beforeShellExecution');
  assert.not.match(cursor, 'run_terminal_cmd');
  const timeout = (value: unknown): unknown[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => (/^timeout/i.test(key) ? [inner] : timeout(inner)));
  assert.equal(timeout(json('gemini', '.gemini/settings.json').hooks), [30500, 5000]);
  assert.equal(timeout(json('claude', '.claude/settings.json').hooks), [31, 5, 20]);
});

tests('every event of the language is supported by a tool', () => {
  const events = findBlock('hooks')!.entry!.fields.find(({ name }) => name === 'event')!.values!;
  const known = [...new Set(allVersions().map(({ id }) => id))].flatMap(id =>
    Object.values(builtinSpec(id)!.spec.files).flatMap(file => ('hooks' in file && file.hooks ? Object.keys(file.hooks.events) : [])),
  );
  assert.equal(events.filter(event => !known.includes(event)), []);
  assert.ok(events.length > 50);
});

tests('a prompt hook is written if the tool can ask a model, and is an omission elsewhere', () => {
  const hasPrompt = (id: string, path: string) => JSON.stringify(json(id, path)).includes('Does this change keep');
  assert.ok(hasPrompt('claude', '.claude/settings.json'));
  assert.ok(hasPrompt('cursor', '.cursor/hooks.json'));
  assert.not(hasPrompt('codex', '.codex/hooks.json'));
  assert.not(hasPrompt('github', '.github/hooks/instr.json'), 'only at the start of a session');
});

tests('tools that run hooks from a project get hooks', () => {
  for (const id of ['antigravity', 'augment', 'goose', 'crush', 'mistral-vibe', 'openhands', 'qwen-code', 'devin', 'deep-agents', 'kiro', 'codebuddy', 'kode', 'iflow', 'cline', 'mux'])
    assert.ok(Object.values(builtinSpec(id)!.spec.files).some(file => 'of' in file && file.of === 'hooks'), id);
});

tests('tools with native globs get rule files', () => {
  for (const id of ['github', 'claude', 'cursor', 'antigravity', 'windsurf', 'cline', 'continue', 'amp', 'trae', 'kiro', 'openhands', 'qwen-code', 'zencoder', 'codebuddy', 'devin']) {
    const file = Object.values(builtinSpec(id)!.spec.files).find(one => 'of' in one && one.of === 'guards');
    assert.ok(file && !/SKILL\.md$/.test(file.path), id);
  }
});

tests('no target writes its instructions twice', () => {
  const line = 'You answer briefly, name files with their path';
  for (const [owner, { files }] of compiled) {
    const twice = files.filter(file => textOf(file).includes(line)).map(({ path }) => path);
    assert.ok(twice.length <= 1, `${owner}: ${twice.join(', ')}`);
  }
  assert.not(paths('github').includes('AGENTS.md'));
  assert.not(paths('grok').includes('CLAUDE.md'));
});

tests('main files start with the same bytes, because clients that read several of them drop identical copies', () => {
  for (const [owner, { files }] of compiled) {
    const main = builtinSpec(owner.split('/')[0]!)!.spec.files.instructions;
    for (const file of files.filter(({ path }) => path === main?.path))
      assert.match(textOf(file), /^(?:---\n[\s\S]*?\n---\n\n)?# Project Instructions\n/, `${owner} ${file.path}`);
  }
  const [one, other] = [text('claude', 'CLAUDE.md'), text('github', '.github/copilot-instructions.md')];
  assert.is(one, other);
});

tests('no document has two sections with the same title', () => {
  const titles = Object.values(conventions.catalogue.sections).map(({ title }) => title);
  assert.equal([...new Set(titles)], titles);
});

tests('tools of an agent have the names that the client knows', () => {
  assert.is(front('command-code', '.commandcode/agents/reviewer.md').get('tools'), 'read_file, grep, glob, shell_command');
  assert.is(front('command-code', '.commandcode/agents/reviewer.md').get('disallowedTools'), 'write_file');
  assert.equal(front('cline', '.cline/agents/reviewer.yaml').get('tools'), ['read_file', 'search_files', 'list_files', 'execute_command']);
});

tests('capabilities that an agent does not list are denied where a client has permissions instead of a list', () => {
  const denied = (id: string, path: string) => ({ ...(front(id, path).get('permission') as object) });
  assert.equal(denied('opencode', '.opencode/agents/reviewer.md'), { edit: 'deny', webfetch: 'deny' });
  const besideEdit = { notebook_edit: 'deny', agent_manager: 'deny', repo_clone: 'deny' };
  assert.equal(denied('kilo', '.kilo/agents/reviewer.md'), { edit: 'deny', ...besideEdit, webfetch: 'deny' });
});

tests('the working directory of a server is a field of the client, and an omission elsewhere', async () => {
  const server = (cwd: string) =>
    resolveText(`@meta { id: "x" syntax: "1.6.0" }\n@mcpServers { tides: { command: ["node", "serve.mjs"] cwd: "${cwd}" } }`).model;
  const compileFor = async (id: string, cwd: string) => {
    const { files, omissions } = await compileModel(server(cwd), [{ loaded: builtinSpec(id)!, config: {} }]);
    const texts = files.map(textOf);
    assert.not.ok(texts.some(text => text.includes('git ')), id);
    return {
      field: texts.some(text => /\bcwd\b/.test(text)),
      said: omissions.filter(({ source }) => source === 'mcpServers.tides.cwd').map(({ advice }) => advice),
    };
  };
  const folder = 'packages/tides';
  const omitted = { field: false, said: [conventions.omits['mcpServers.cwd']] };
  for (const id of ['codex', 'gemini', 'qwen-code', 'opencode', 'augment', 'kimi', 'goose'])
    assert.equal(await compileFor(id, folder), { field: true, said: [] }, id);
  // A relative directory is resolved against the directory where the client starts, so the root needs no setting.
  for (const id of ['augment', 'codex', 'opencode', 'gemini', 'qwen-code', 'kimi', 'goose'])
    assert.equal(await compileFor(id, 'project'), { field: false, said: [] }, id);
  for (const id of ['claude', 'factory', 'grok', 'kilo', 'mistral-vibe'])
    for (const cwd of ['project', folder]) assert.equal(await compileFor(id, cwd), omitted, id);
});

tests('front matter of a rule that a client does not send to the model is repeated in its text', () => {
  for (const [id, path] of [['qwen-code', '.qwen/rules/api.md'], ['cline', '.clinerules/api.md']] as const) {
    assert.not.match(text(id, path), /^description:/m);
    assert.match(text(id, path), /---\n\nRules for the api: handlers and storage\n\n/);
  }
  assert.match(text('cline', '.clinerules/api.md'), '\nApplies to: `packages/api/**/*.ts`, `!**/*.test.ts`\n\n');
});

tests('servers, hooks and agents are where the clients look for them', () => {
  const servers = json('github', '.github/mcp.json').mcpServers;
  assert.is(servers['issue-tracker'].type, 'stdio');
  assert.match(text('factory', '.factory/hooks.json'), String.raw`cd \"$(git rev-parse --show-toplevel)\" && sh`, 'as documented by vendors');
  assert.not(paths('continue').some(path => path.endsWith('settings.json')));
  assert.match(text('grok', '.grok/hooks/instr.json'), 'CLAUDE_PROJECT_DIR:?', 'the format of .claude/settings.json, which it also reads');
  assert.match(text('grok', 'AGENTS.md'), '- **reviewer** (`.grok/agents/reviewer.md`): ');
});

tests('private notes go to separate files, never to one that replaces the shared file', () => {
  const note = 'My staging account is called lamp-tester.';
  for (const [owner, { files }] of compiled) {
    for (const file of files.filter(one => textOf(one).includes(note)))
      assert.match(file.path, /local|personal|\.mux|\.devin|\.windsurf|\.crush/i, `${owner}: ${file.path}`);
  }
  assert.equal(everywhere.filter(path => path.endsWith('AGENTS.override.md')), []);
});

tests('prohibitions are not reworded', () => {
  const main = text('claude', 'CLAUDE.md');
  for (const line of ['Never commit secrets', 'Don\'t touch "legacy/" - it\'s frozen', 'Never use `any`; use `unknown`'])
    assert.ok(main.includes(line), line);
});

tests("limits are counted in the vendor's unit", () => {
  const limit = (id: string) => builtinSpec(id)!.spec.limits?.find(({ file }) => file === 'instructions');
  assert.equal([limit('codex')?.max, limit('codex')?.unit, limit('codex')?.scope], [32768, 'bytes', 'total']);
  assert.is(limit('factory')?.max, 80000);
  assert.is(limit('hermes')?.max, 20000);
  assert.is(limit('openclaw')?.max, 12000);
  assert.ok(builtinSpec('codebuddy')!.spec.limits?.some(({ unit, max }) => unit === 'tokens' && max === 2000));
});

tests('discontinued or replaced products say so', () => {
  for (const id of ['roo', 'continue', 'iflow', 'amazon-q', 'gemini', 'windsurf', 'mux'])
    assert.ok(builtinSpec(id)!.spec.status?.note, id);
});

tests.run();
