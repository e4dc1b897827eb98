/** Server fields that only some tools support: which tools of a server are enabled, and how to log in. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { importFile } from '../../src/migrate/import/import.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import { compileModel, resolveText } from '../support/compile.ts';

const tests = suite('fields of servers');

const source = (server: string) => `@meta { id: "x" syntax: "1.6.0" }\n@identity { "You work." }\n@mcpServers { notes: { url: "https://notes.example.com/mcp" ${server} } }\n`;

/** The server entry in the format of a tool, and what was omitted. */
async function writtenFor(id: string, server: string) {
  const { files, omissions } = await compileModel(resolveText(source(server)).model, [{ loaded: builtinSpec(id)! }]);
  const file = files.find(({ bytes }) => new TextDecoder().decode(bytes).includes('notes.example.com'));
  const text = file ? new TextDecoder().decode(file.bytes) : '';
  return { file, text, left: omissions.map(one => `${one.source}: `).filter(line => line.startsWith('mcpServers.')) };
}

/** Tools that select the tools of a server, with their keys for enabled and disabled ones. */
const choosing: Readonly<Record<string, readonly [offered: string | undefined, kept: string | undefined]>> = {
  codex: ['enabled_tools', 'disabled_tools'],
  gemini: ['includeTools', 'excludeTools'],
  'qwen-code': ['includeTools', 'excludeTools'],
  iflow: ['includeTools', 'excludeTools'],
  tabnine: ['includeTools', 'excludeTools'],
  crush: ['enabled_tools', 'disabled_tools'],
  factory: ['enabledTools', 'disabledTools'],
  kimi: ['enabledTools', 'disabledTools'],
  'oh-my-pi': ['enabledTools', 'disabledTools'],
  github: ['tools', undefined],
  'deep-agents': ['allowedTools', undefined],
  antigravity: [undefined, 'disabledTools'],
  windsurf: [undefined, 'disabledTools'],
  devin: [undefined, 'disabledTools'],
  kiro: [undefined, 'disabledTools'],
  roo: [undefined, 'disabledTools'],
  'zoo-code': [undefined, 'disabledTools'],
  'mistral-vibe': [undefined, 'disabled_tools'],
};

/** Tools that select by permissions: the entries that enable all tools but one, and those that enable only one. */
const permitted: Readonly<Record<string, readonly [offered: readonly string[] | undefined, kept: string]>> = {
  opencode: [['"notes_*": "deny"', '"notes_read": "ask"'], '"notes_read": "deny"'],
  kilo: [['"notes_*": "deny"', '"notes_read": "ask"'], '"notes_read": "deny"'],
  amp: [['"mcp__notes__read", "action": "ask"', '"mcp__notes__*", "action": "reject"'], '"mcp__notes__read", "action": "reject"'],
  augment: [undefined, '"toolName": "read_notes", "permission": { "type": "deny" }'],
  claude: [undefined, '"deny": [ "mcp__notes__read" ]'],
  'command-code': [undefined, '"deny": [ "mcp__notes__read" ]'],
  cursor: [undefined, '"deny": [ "Mcp(notes:read)" ]'],
  grok: [undefined, 'deny = [ "MCPTool(notes__read)" ]'],
};

const withServers = builtinIds().filter(id => Object.values(builtinSpec(id)!.spec.files).some(file => 'of' in file && file.of === 'mcpServers'));

/**
 * Asserts that the entries are in a file of the tool, in this order, and that the import reads them back as the list of
 * the server.
 */
async function expectPermitted(id: string, field: string, words: readonly string[]): Promise<void> {
  const { files, omissions } = await compileModel(resolveText(source(`${field}: ["read"]`)).model, [{ loaded: builtinSpec(id)! }]);
  assert.is(omissions.filter(one => one.source.includes(field)).length, 0, id);
  const plain = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder().decode(bytes).replace(/\s+/g, ' ');
  const file = files.find(one => plain(one).includes(words[0]!))!;
  assert.ok(file, id);
  const places = words.map(word => plain(file).indexOf(word));
  assert.equal(places, [...places].sort((a, b) => a - b), id);
  assert.not(places.includes(-1), id);
  const read = await importFile({ path: file.path, bytes: file.bytes, specs: [builtinSpec(id)!.spec] }, () => {});
  const server = read!.parts.find(({ key }) => key === 'notes');
  const denied = read!.parts.find(({ key }) => key === 'deny');
  if (server) {
    assert.equal(server.content.kind === 'fields' && server.content.fields.get(field), ['read'], id);
    assert.is(read!.parts.length, 1, `${id}: ${JSON.stringify(read!.parts.map(({ key }) => key))}`);
  } else assert.match(JSON.stringify(denied), 'mcp:notes/read', id);
}

for (const [field, at] of [['enabledTools', 0], ['disabledTools', 1]] as const)
  tests(`${field} is written under the tool's key and imported again, or reported`, async () => {
    for (const id of withServers) {
      const { file, text, left } = await writtenFor(id, `${field}: ["read"]`);
      const word = choosing[id]?.[at];
      const words = word === undefined ? [permitted[id]?.[at] ?? []].flat() : [];
      if (words.length > 0) {
        await expectPermitted(id, field, words);
        continue;
      }
      // With a file for each of several clients, only one of them may support the field.
      if (word === undefined) {
        assert.ok(left.some(line => line.startsWith(`mcpServers.notes.${field}: `)), `${id}: ${left}`);
        continue;
      }
      const { files } = await compileModel(resolveText(source(`${field}: ["read"]`)).model, [{ loaded: builtinSpec(id)! }]);
      const holding = files.find(one => new RegExp(`"?${word}"?\\s*[=:]\\s*\\[\\s*"read"`).test(new TextDecoder().decode(one.bytes)));
      assert.ok(holding, `${id}: ${text}`);
      const { path, bytes } = holding ?? file!;
      const read = await importFile({ path, bytes, specs: [builtinSpec(id)!.spec] }, () => {});
      const server = read!.parts.find(({ key }) => key === 'notes')!;
      assert.equal(server.content.kind === 'fields' && server.content.fields.get(field), ['read'], id);
    }
  });

/** The OpenCode permissions for a server with these tools, together with permissions of the source. */
async function permissionsFor(server: string, permissions: string): Promise<readonly (readonly [string, unknown])[]> {
  const text = `${source(server)}@permissions { ${permissions} }\n`;
  const { files } = await compileModel(resolveText(text).model, [{ loaded: builtinSpec('opencode')! }]);
  const file = files.find(({ path }) => path === 'opencode.json')!;
  const data = JSON.parse(new TextDecoder().decode(file.bytes)) as { permission: Record<string, unknown> };
  return Object.entries(data.permission);
}

tests('an enabled tool requires confirmation unless a permission allows it, and denied tools stay denied', async () => {
  const enabled = 'enabledTools: ["read", "list", "close", "move.all"]';
  assert.equal(await permissionsFor(enabled, 'allow: ["mcp:notes/list", "mcp:notes/drop"] ask: ["mcp:notes/read"] deny: ["mcp:notes/close"]'), [
    ['notes_*', 'deny'],
    ['notes_list', 'allow'],
    ['notes_read', 'ask'],
    ['notes_move_all', 'ask'],
    ['notes_drop', 'deny'],
    ['notes_close', 'deny'],
  ]);
  assert.equal(await permissionsFor(enabled, 'allow: ["mcp:notes"] deny: ["mcp:notes/close"]'), [
    ['notes_*', 'deny'],
    ['notes_read', 'allow'],
    ['notes_list', 'allow'],
    ['notes_move_all', 'allow'],
    ['notes_close', 'deny'],
  ]);
  assert.equal(await permissionsFor(enabled, 'deny: ["mcp:notes"]'), [['notes_*', 'deny']]);
  assert.equal(await permissionsFor('disabledTools: ["read"]', 'allow: ["mcp:notes/read"]'), [['notes_read', 'deny']]);
});

tests('login fields of a single tool are for that tool only, and are written unchanged', async () => {
  const oauth = 'tools: { codex: { oauth: { client_id: "shop" } } opencode: { oauth: { clientId: "shop", scope: "read" } } claude: { oauth: { clientId: "shop", callbackPort: 8080 } } }';
  assert.match((await writtenFor('codex', oauth)).text, /\[mcp_servers\.notes\.oauth\]\nclient_id = "shop"/);
  for (const [id, value] of [['opencode', { clientId: 'shop', scope: 'read' }], ['claude', { clientId: 'shop', callbackPort: 8080 }]] as const) {
    const { file, text } = await writtenFor(id, oauth);
    const data = JSON.parse(text) as Record<string, Record<string, { oauth: unknown }>>;
    assert.equal((data.mcp ?? data.mcpServers)!.notes!.oauth, value, id);
    const read = await importFile({ path: file!.path, bytes: file!.bytes, specs: [builtinSpec(id)!.spec] }, () => {});
    const server = read!.parts.find(({ key }) => key === 'notes')!;
    assert.is(server.content.kind === 'fields' && server.content.fields.get('clientId'), 'shop', id);
  }
  assert.not.match((await writtenFor('cursor', oauth)).text, 'shop');
});

tests('an object of a single tool is merged with the generated one', async () => {
  const { text } = await writtenFor('kiro', 'clientId: "shop" tools: { kiro: { oauth: { redirectUri: "http://localhost:8123/cb" } } }');
  const data = JSON.parse(text) as { mcpServers: { notes: { oauth: unknown } } };
  assert.equal(data.mcpServers.notes.oauth, { clientId: 'shop', redirectUri: 'http://localhost:8123/cb' });
  const off = await writtenFor('opencode', 'clientId: "shop" tools: { opencode: { oauth: false } }');
  assert.match(off.text, '"oauth": false');
});

/** Tools with login settings for servers, with their keys for the client, its secret, the scopes and the port. */
const login: Readonly<Record<string, readonly (string | undefined)[]>> = {
  claude: ['clientId', undefined, 'scopes', 'callbackPort'],
  cursor: ['CLIENT_ID', 'CLIENT_SECRET', 'scopes'],
  opencode: ['clientId', 'clientSecret', 'scope'],
  kilo: ['clientId', 'clientSecret', 'scope', 'callbackPort'],
  pi: ['clientId', 'clientSecret', 'scope', 'callbackPort'],
  gemini: ['clientId', 'clientSecret', 'scopes'],
  'qwen-code': ['clientId', 'clientSecret', 'scopes'],
  codex: ['client_id', undefined, 'scopes'],
  kiro: ['clientId', undefined, 'oauthScopes'],
  zed: ['client_id'],
};

const loginFields = [
  ['clientId', 'clientId: "shop"', 'shop'],
  ['clientSecret', 'clientSecret: env("NOTES_SECRET")', 'NOTES_SECRET'],
  ['scopes', 'scopes: ["read", "write"]', 'write'],
  ['callbackPort', 'callbackPort: 8123', '8123'],
] as const;

for (const [at, [field, said, value]] of loginFields.entries())
  tests(`${field} is written under the tool's key and imported again, or reported`, async () => {
    for (const id of withServers) {
      const word = login[id]?.[at];
      const { file, text, left } = await writtenFor(id, said);
      if (word === undefined) {
        assert.ok(left.some(line => line.startsWith(`mcpServers.notes.${field}: `)), `${id}: ${left}`);
        assert.not.match(text, value, id);
        continue;
      }
      assert.match(text, new RegExp(`"?${word}"?\\s*[=:]`), id);
      assert.match(text, value, id);
      // A secret is written as a variable name in every file.
      if (field === 'clientSecret') assert.match(text, /\$\{(?:env:)?NOTES_SECRET\}|\{env:NOTES_SECRET\}/, id);
      const read = await importFile({ path: file!.path, bytes: file!.bytes, specs: [builtinSpec(id)!.spec] }, () => {});
      const server = read!.parts.find(({ key }) => key === 'notes')!;
      const back = server.content.kind === 'fields' ? server.content.fields.get(field) : undefined;
      assert.match(JSON.stringify(back ?? null), value, id);
      if (field === 'scopes') assert.equal(back, ['read', 'write'], id);
    }
  });

tests.run();
