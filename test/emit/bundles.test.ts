/** Bundles of `@plugins`: folders that others can install, and bundles of others that a project uses. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';

const tests = suite('bundles');

const source = (entries: string) => `@meta { id: "x" syntax: "1.6.0" }
@identity { "You." }
@plugins { ${entries} }
@skills { tides: { description: "When the water is high" content: "Look at the table." } }
@agents { pilot: { description: "Knows the harbour" content: "Steer." permissionMode: "plan" } }
@shortcuts { "/log": { prompt: true description: "Write the log" content: "Write it." } }
@hooks {
  bell: { event: "stop" command: ["bell", "--twice"] }
  ours: { event: "stop" command: ["node", "tools/bell.mjs"] }
  scripted: { event: "stop" script: { path: "tools/bell.sh" interpreter: "sh" } }
}
@mcpServers {
  buoys: { command: ["npx", "--yes", "buoys-mcp"] }
  charts: { url: "https://charts.example.org/mcp" }
  here: { command: ["./bin/charts"] }
  secret: { url: "https://secret.example.org/mcp" headers: { "X-Key": env("KEY") } targets: [claude, cursor] }
}
`;

const tide = `tide: { version: "1.2.0" description: "For harbours" skills: [tides] agents: [pilot] commands: ["log"] hooks: [bell, ours, scripted] mcpServers: [buoys, charts, here, secret] }`;

async function made(entries: string, targets: string) {
  const config = `id: x\nsyntax: "1.6.0"\ntargets: ${targets}\nincludeInstrSkill: false\n`;
  const { files, omissions, diagnostics } = await compile({ files: { 'instr.yaml': config, '.instr/project.prs': source(entries) } });
  const text = (content: string | Uint8Array = '') => (typeof content === 'string' ? content : new TextDecoder().decode(content));
  return {
    files: new Map(files.map(({ path, content }) => [path, text(content)])),
    omitted: new Map(omissions.map(({ source, text: what, advice }) => [source, `${what}: ${advice}`])),
    errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  };
}

tests('an Agent Plugin follows the rules of the format', async () => {
  const { files, omitted, errors } = await made(tide, '[cursor]');
  assert.equal(errors, []);
  const manifest = JSON.parse(files.get('plugins/tide/plugin.json')!) as Record<string, unknown>;
  assert.is(manifest.$schema, 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json');
  // The schema of the format allows no other fields.
  const fields = ['$schema', 'name', 'version', 'description', 'author', 'homepage', 'repository', 'license', 'keywords', 'extensions'];
  assert.equal(Object.keys(manifest).filter(key => !fields.includes(key)), []);
  const servers = JSON.parse(files.get('plugins/tide/mcp.json')!) as { $schema: string; mcpServers: Record<string, unknown> };
  assert.is(servers.$schema, 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json');
  assert.equal(Object.keys(servers).sort(), ['$schema', 'mcpServers']);
  assert.equal(servers.mcpServers, {
    buoys: { type: 'stdio', command: 'npx', args: ['--yes', 'buoys-mcp'] },
    charts: { type: 'streamable-http', url: 'https://charts.example.org/mcp' },
  });
  assert.match(files.get('plugins/tide/skills/tides/SKILL.md')!, /^---\nname: tides\n/);
  assert.equal([...files.keys()].filter(path => path.startsWith('plugins/')).sort(), ['plugins/tide/mcp.json', 'plugins/tide/plugin.json', 'plugins/tide/skills/tides/SKILL.md']);
  for (const [field, words] of [['agents', 'Use a skill instead'], ['commands', 'Use a skill instead'], ['hooks', 'no hooks']] as const)
    assert.match(omitted.get(`plugins.tide.${field}`) ?? '', words);
});

tests('leaves out and reports what needs the project, or a value of the machine', async () => {
  const { files, omitted } = await made(tide, '[claude, cursor]');
  assert.match(omitted.get('plugins.tide.mcpServers[2]') ?? '', /^here: It runs something of this project/);
  assert.match(omitted.get('plugins.tide.hooks[1]') ?? '', /^ours: It runs something of this project/);
  assert.match(omitted.get('plugins.tide.hooks[2]') ?? '', /^scripted: It runs something of this project/);
  // Values that the format of a tool can express are written anyway.
  assert.match(omitted.get('plugins.tide.mcpServers[3]') ?? '', /^secret: .*leave the variable out/);
  assert.match(files.get('plugins/tide/.mcp.json')!, /\$\{KEY\}/);
  assert.not.match(files.get('plugins/tide/mcp.json')!, /KEY/);
});

tests('a bundle for a tool contains what the tool has places for, without what it ignores there', async () => {
  const { files, errors } = await made(tide, '[claude]');
  assert.equal(errors, []);
  assert.equal([...files.keys()].filter(path => path.startsWith('plugins/')).sort(), [
    'plugins/tide/.claude-plugin/plugin.json',
    'plugins/tide/.mcp.json',
    'plugins/tide/agents/pilot.md',
    'plugins/tide/commands/log.md',
    'plugins/tide/hooks/hooks.json',
    'plugins/tide/skills/tides/SKILL.md',
  ]);
  assert.not.match(files.get('plugins/tide/agents/pilot.md')!, 'permissionMode');
  assert.match(files.get('.claude/agents/pilot.md')!, 'permissionMode: plan');
  assert.equal(JSON.parse(files.get('plugins/tide/hooks/hooks.json')!), { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'bell --twice' }] }] } });
});

tests('a folder for custom skills moves those of the project, not those of a bundle', async () => {
  const { files } = await made(tide, '[{ claude: { skillBaseDir: house } }]');
  assert.ok(files.has('house/tides/SKILL.md'));
  assert.ok(files.has('plugins/tide/skills/tides/SKILL.md'));
});

tests('all tools that make bundles share the folder without a conflict', async () => {
  const { files, errors } = await made(tide, '[claude, codex, cursor, factory, github, hermes, kiro, qoder, agents]');
  assert.equal(errors, []);
  for (const manifest of ['plugin.json', '.claude-plugin/plugin.json', '.factory-plugin/plugin.json', '.qoder-plugin/plugin.json'])
    assert.ok(files.has(`plugins/tide/${manifest}`), manifest);
});

tests('a catalogue is written if one is named', async () => {
  assert.not.ok((await made(tide, '[claude]')).files.has('.claude-plugin/marketplace.json'));
  const { files } = await made(`${tide} other: { marketplace: "acme" source: "acme/plugins" }`, '[{ claude: { marketplace: harbour } }]');
  assert.equal(JSON.parse(files.get('.claude-plugin/marketplace.json')!), {
    name: 'harbour',
    owner: { name: 'harbour' },
    metadata: { pluginRoot: './plugins' },
    plugins: [{ name: 'tide', source: 'tide', description: 'For harbours', version: '1.2.0' }],
  });
});

tests('bundles of others are written to settings, with the location of their catalogue', async () => {
  const foreign = `a: { marketplace: "acme" source: "acme/plugins" ref: "v2" } b: { marketplace: "hall" source: "https://git.example.org/p.git" enabled: false } c: { marketplace: "near" source: "./tools/plugins" } d: { marketplace: "official" }`;
  const { files, omitted, errors } = await made(foreign, '[claude]');
  assert.equal(errors, []);
  const settings = JSON.parse(files.get('.claude/settings.json')!) as Record<string, unknown>;
  assert.equal(settings.enabledPlugins, { 'a@acme': true, 'b@hall': false, 'c@near': true, 'd@official': true });
  assert.equal(settings.extraKnownMarketplaces, {
    acme: { source: { source: 'github', repo: 'acme/plugins', ref: 'v2' } },
    hall: { source: { source: 'git', url: 'https://git.example.org/p.git' } },
    near: { source: { source: 'directory', path: './tools/plugins' } },
  });
  assert.equal([...omitted.keys()].filter(path => path.startsWith('plugins.')), []);
  assert.equal([...files.keys()].filter(path => path.startsWith('plugins/')), []);
  const elsewhere = await made(foreign, '[cursor]');
  assert.match(elsewhere.omitted.get('plugins.a.source') ?? '', 'by hand');
});

tests('reports unknown names, and leaves out entries for other tools', async () => {
  const { files, omitted } = await made(`tide: { skills: [tides, gone] mcpServers: [secret, charts] }`, '[codex]');
  assert.match(omitted.get('plugins.tide.skills[1]') ?? '', /^gone: /);
  assert.not.ok(omitted.has('plugins.tide.mcpServers[0]'));
  assert.not.match(files.get('plugins/tide/mcp.json')!, 'secret');
});

tests.run();
