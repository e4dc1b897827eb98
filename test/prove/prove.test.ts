/** Tests the proof of clients with a fake client instead of one from the registry, so that no network is needed. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { type Client, fill, problemsOf, readClients } from '../../scripts/prove/client.ts';
import { scriptedModel } from '../../scripts/prove/endpoint/model.ts';
import { commandScene, judge, stepsOf, wholeScene } from '../../scripts/prove/features.ts';
import { readProven } from '../../scripts/prove/given.ts';
import { type Installed, installClient } from '../../scripts/prove/install.ts';
import { conversationOf, countCopies, subsets } from '../../scripts/prove/once.ts';
import { recordProof } from '../../scripts/prove/record.ts';
import { groupResults, reportCopies, reportRows, reportViews } from '../../scripts/prove/report.ts';
import { runScene } from '../../scripts/prove/scene.ts';
import { processesOf } from '../../scripts/prove/stop.ts';
import { compareView, piecesOf, viewLayouts } from '../../scripts/prove/view.ts';
import { readSharedParts, readSpecText } from '../../scripts/specs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));
const specText = readFileSync(join(fixtures, 'lamp.yaml'), 'utf8');
const spec = readSpecText(specText, 'lamp.yaml', readSharedParts(root));
const client = { ...parse(readFileSync(join(fixtures, 'lamp-client.yaml'), 'utf8')), id: 'lamp' } as Client;
const files = { '.instr/targets/lamp.yaml': specText };

const tests = suite('prove');
const folder = mkdtempSync(join(tmpdir(), 'prs-proof-'));
let installed: Installed;

tests.before(() => {
  process.env.PRS_PROVE_CACHE = join(folder, 'cache');
  installed = installClient(client, `file:${join(fixtures, 'fake-client')}`);
});
tests.after(() => rmSync(folder, { recursive: true, force: true }));

function withEnvironment(environment: Record<string, string>): Client {
  return { ...client, environment: { ...client.environment, ...environment } };
}

/** The results of the scene with all features, without the scene of a command. */
async function resultsAlone(environment: Record<string, string>) {
  const one = withEnvironment(environment);
  return judge(one, await runScene(one, installed, wholeScene(one, { files }), join(folder, 'alone')));
}

async function results(environment: Record<string, string>) {
  const one = withEnvironment(environment);
  const seen = await runScene(one, installed, wholeScene(one, { files }), join(folder, 'alone'));
  const command = await runScene(one, installed, commandScene(one, { files })!, join(folder, 'command'));
  return judge(one, seen, command);
}

const whole = {
  instructions: 'once',
  guards: 'once',
  commands: 'once',
  'commands.argument': 'once',
  skills: 'once',
  'skills.description': 'once',
  // The client has no agents, but the main file lists them.
  agents: 'demand',
  'agents.description': 'once',
  workflows: 'demand',
  'hooks.pre-tool-use': 'once',
  'hooks.session-start': 'once',
  'hooks.stop': 'once',
  'mcpServers.stdio': 'once',
  'mcpServers.http': 'once',
};

tests('installs a client whose reported version matches', () => {
  assert.is(installed.version, '1.2.3');
});

tests('sees every feature over anthropic', async () => {
  assert.equal(await results({ LAMP_PROTOCOL: 'anthropic' }), whole);
});

for (const protocol of ['chat', 'responses', 'gemini', 'augment'])
  tests(`sees every feature but the command, which has its own scene, over ${protocol}`, async () => {
    assert.equal(await resultsAlone({ LAMP_PROTOCOL: protocol }), { ...whole, commands: 'missing', 'commands.argument': 'missing' });
  });

tests('features that a version writes only in the main file are not requested elsewhere', () => {
  const project = join(folder, 'listed');
  mkdirSync(join(project, '.agents/agents'), { recursive: true });
  const main = 'Check the lamp zqcommandbody called $ARGUMENTS.\n- (`.agents/agents/lamp.md`): zqagentlisted\n';
  writeFileSync(join(project, 'AGENTS.md'), main);
  writeFileSync(join(project, '.agents/agents/lamp.md'), 'zqagentbody\n');
  writeFileSync(join(project, 'hooks.json'), 'zqhookdelegate zqhookstop\n');
  const request = (text: string) => ({ asked: { texts: [text], tools: [], calls: 0 } });
  const found = (text: string) => {
    const seen = { project, captured: [], main: [request(text)], done: [], hooks: [], servers: [] };
    return judge({ ...client, calls: { agent: { tool: 'Agent', input: {} } } }, seen as unknown as Parameters<typeof judge>[1]);
  };
  assert.equal(found(main), { commands: 'once', agents: 'demand', 'agents.description': 'once', 'hooks.stop': 'missing' });
  const missing = { commands: 'missing', 'commands.argument': 'missing', agents: 'missing', 'agents.description': 'missing' };
  assert.equal(found('Nothing.'), { ...missing, 'hooks.subagent-start': 'missing', 'hooks.stop': 'missing' });
});

tests('detects lost and duplicated text', async () => {
  const lost = await resultsAlone({ LAMP_FAULT: 'nothing' });
  assert.is(lost.instructions, 'missing');
  assert.is(lost.workflows, 'demand');
  const twice = await resultsAlone({ LAMP_FAULT: 'twice' });
  assert.is(twice.instructions, 'repeated');
  assert.is(twice['hooks.stop'], 'repeated');
});

tests('stops processes that a client leaves behind, and files of the user may be named after the project', async () => {
  const one = { ...client, environment: { ...client.environment, LAMP_FAULT: 'hub' } };
  const place = join(folder, 'hub');
  await runScene(one, installed, wholeScene(one, { files, steps: [] }), place);
  assert.equal(processesOf(join(place, 'home')), []);
  const project = join(place, 'project');
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 12);
  assert.is(readFileSync(join(place, 'home/.lamp/trust', hash), 'utf8'), project);
});

tests('a discovered tool may be called if it is only described in text', () => {
  const asked = (texts: string[], calls: number) => ({ texts, tools: ['Find'], calls, stream: false, model: 'lamp' });
  const steps = [{ name: 'find', tool: 'Find', input: {} }, { name: 'stdio', tool: 'lamp__tool', input: {}, unlisted: true }];
  const play = (found: string) => {
    const model = scriptedModel(steps, 'zqprompt');
    model.answer(asked(['zqprompt'], 0));
    model.answer(asked(['zqprompt', found], 1));
    return model.done;
  };
  assert.equal(play('Loaded lamp__tool.'), ['find', 'stdio']);
  assert.equal(play('There is none.'), ['find']);
  assert.equal(stepsOf({ ...client, calls: { ...client.calls, find: { tool: 'Find', input: {} } } }).map(({ name, unlisted }) => [name, unlisted]).slice(-3), [['find', false], ['stdio', true], ['http', true]]);
});

tests('opens a skill at the path given in the request', () => {
  const calls = { skill: { tool: 'Read', input: { file: '{skill}' } } };
  const asked = (text: string) => ({ texts: ['zqprompt', text], tools: ['Read'], calls: 0, stream: false, model: 'lamp' });
  const play = (text: string) => scriptedModel(stepsOf({ ...client, calls }), 'zqprompt').answer(asked(text));
  assert.equal(play('<location>/my/.lamp/skills/lamp-notes/SKILL.md</location>'), {
    call: { id: 'call_skill', name: 'Read', input: { file: '/my/.lamp/skills/lamp-notes/SKILL.md' } },
  });
  assert.equal(play('There is none.'), { text: 'Done.' });
});

tests('a tool may be named after the item', () => {
  const calls = { agent: { tool: 'sub-{name}', input: { task: '{task}' } } };
  assert.equal(
    stepsOf({ ...client, calls }).map(({ tool, input }) => [tool, input]),
    [['sub-lamp-reviewer', { task: 'Look at zqtask.' }]],
  );
});

tests('front matter is not content', () => {
  const part = { path: 'lamp.md', text: '---\nname: Lamp\n---\n\n# Lamp\n\n---\n\nEnd.\n' };
  assert.equal(piecesOf(part, [part]), ['# Lamp\n\n---\n\nEnd.']);
});

tests('compares the predictions of view with the requests', async () => {
  const play = async (fault: string, name: string) => {
    const one = withEnvironment({ LAMP_FAULT: fault });
    const layout = viewLayouts(one, spec).find(({ scene }) => scene.name === name)!;
    const scene = { ...layout.scene, files: { ...layout.scene.files, ...files } };
    const seen = await runScene(one, installed, scene, join(folder, name));
    return (summaries: string[] = []) => compareView({ ...one, summaries }, layout, seen);
  };
  const compare = async (fault: string, name: string) => (await play(fault, name))();
  const compareRoot = await play('', 'view-root');
  assert.equal(compareRoot(), []);
  assert.match(compareRoot(['zq\\w+identity']).join(), /zqmainidentity was sent 0 times instead of 1/);
  assert.equal(await compare('', 'view-links'), []);
  assert.equal(await compare('', 'view-limits'), []);
  assert.match((await compare('cut', 'view-root')).join(), /^AGENTS.md was not sent as it is, from .*was sent 0 times instead of 1/);
  assert.match((await compare('twice', 'view-root')).join(), /^zqmain\w+ was sent 2 times instead of 1/);
});

tests('counts copies in every subset, each file layout once', async () => {
  const told: string[] = [];
  // Compiling a subset needs the spec of the client, so a built-in target is used instead.
  const [known] = readClients(join(root, 'targets/proof'));
  const one = { ...client, id: known!.id };
  const counted = await countCopies([one.id], [{ client: one, installed }], folder, line => told.push(line));
  assert.is(counted.length, 1);
  assert.is(told.length, 1);
  assert.equal(subsets(['a', 'b']), [['a'], ['b'], ['a', 'b']]);
});

tests('requests for a title are not part of the conversation', () => {
  const request = (...tools: string[]) => ({
    asked: { texts: ['zqprompt'], tools, calls: 0, stream: true, model: 'm' },
  });
  const [title, talk] = [request(), request('Read')] as unknown as Parameters<typeof conversationOf>[0];
  assert.is(conversationOf([title!, talk!]), talk);
  assert.is(conversationOf([title!]), title);
});

tests('groups of features with the same result are one word', () => {
  assert.equal(groupResults({ 'hooks.a': 'once', 'hooks.b': 'once', 'hooks.c': 'missing', skills: 'once', 'skills.description': 'once' }), {
    hooks: 'once',
    'hooks.c': 'missing',
    skills: 'once',
  });
  const row = { client: 'Lamp CLI', version: '1.2.3', scene: 'alone', results: { 'hooks.a': 'once' } } as const;
  assert.is(reportRows([row]), 'Lamp CLI 1.2.3, alone: hooks once\n');
  const views = [{ client: 'Lamp CLI', layout: 'root', problems: [] }, { client: 'Lamp CLI', layout: 'links', problems: ['it differs'] }];
  assert.is(reportViews(views, true), 'Lamp CLI, root: as predicted\nLamp CLI, links: it differs\n1 of 2 as predicted (50 %)\n');
  const counted = [{ targets: ['a'], client: 'lamp', least: 1, most: 1, repeated: [] }, { targets: ['a', 'b'], client: 'lamp', least: 1, most: 2, repeated: ['hooks.stop'] }];
  assert.is(reportCopies(counted), 'lamp in a, b: 1 to 2 of the main text; repeated: hooks.stop\n1 of 2 clients in subsets were sent the main text once\n');
});

tests('a proof is recorded after the evidence, and replaces an older one', async () => {
  const row = { client: 'Lamp CLI', version: '1.2.3', scene: 'alone', results: { instructions: 'once' } } as const;
  const { files: given } = await readProven(fixtures, 'lamp');
  const first = recordProof(specText, given, row, '2026-03-04');
  assert.match(first, /checked: 2026-03-01 }\]\nproof: { client: Lamp CLI, version: 1\.2\.3, date: 2026-03-04, files: "[0-9a-f]{12}",\n {2}features: { instructions: once } }\nfiles:\n/);
  const again = join(folder, 'specs');
  mkdirSync(again);
  const kept = (text: string) => {
    writeFileSync(join(again, 'lamp.yaml'), text);
    return readProven(again, 'lamp');
  };
  assert.equal(await kept(first), { text: first, files: given });
  assert.is(recordProof(first, given, row, '2026-03-04'), first);
  assert.is.not((await kept(first.replace('.lamp/mcp.json', '.lamp/servers.json'))).files, given);
});

tests('files of clients match their schema', () => {
  const proofs = join(root, 'targets/proof');
  const { id: _, ...data } = client;
  assert.equal(problemsOf(data, proofs), []);
  assert.match(problemsOf({ client: 'Lamp CLI' }, proofs).join(), /required property 'package'/);
  assert.ok(readClients(proofs).length > 0);
  assert.equal(fill({ '{a}': ['{a} {b}', 1, null] }, { a: 'x' }), { x: ['x {b}', 1, null] });
});

tests.run();
