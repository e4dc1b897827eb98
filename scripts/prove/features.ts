/** Determines what a client did with each feature of the canary project, from the marker words in its requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../files.ts';
import { type Client, fill } from './client.ts';
import type { Step } from './endpoint/model.ts';
import type { Captured } from './endpoint/server.ts';
import type { Scene, Seen } from './scene.ts';

/**
 * `once`: received once. `repeated`: received more than once. `missing`: contained in the compiled files but not received.
 * `always`: received although its condition was not met. `demand`: listed, so that the model can open it.
 */
export type Result = 'once' | 'repeated' | 'missing' | 'always' | 'demand';

/** Maps a feature, such as `hooks.stop`, to its result. Features that the compiled files do not contain are absent. */
export type Results = Readonly<Record<string, Result>>;

export const mainWords = ['identity', 'context', 'standards', 'restrictions', 'knowledge', 'examples'].map(
  name => `zqmain${name}`,
);
const hookEvents: Readonly<Record<string, string>> = {
  shell: 'pre-terminal-command',
  before: 'pre-tool-use',
  after: 'post-tool-use',
  start: 'session-start',
  setup: 'setup',
  delegate: 'subagent-start',
  notify: 'notification',
  stop: 'stop',
};

/** All texts of a request as one string, in which words are counted. */
export const textOf = (request: Captured | undefined): string => request?.asked?.texts.join('\n') ?? '';

/** Number of occurrences of a word in a text. */
export const countOf = (text: string, word: string): number => text.split(word).length - 1;

/** The steps of the model in the scene that uses all features. */
export function stepsOf({ calls }: Client): Step[] {
  const task = 'Look at zqtask.';
  const uses = [
    ['floor', 'read', { file: 'src/main.ts' }],
    ['api', 'read', { file: 'packages/api/handler.ts' }],
    ['shell', 'shell', { command: 'echo lamp' }],
    ['skill', 'skill', { name: 'lamp-notes' }],
    ['find', 'find', {}],
    ['stdio', 'stdio', {}],
    ['http', 'http', {}],
    ['agent', 'agent', { name: 'lamp-reviewer', task }],
  ] as const;
  return uses.flatMap(([name, use, holes]) => {
    const call = calls?.[use];
    if (!call) return [];
    const file = 'file' in holes ? { path: `{project}/${holes.file}` } : {};
    const unlisted = calls?.find !== undefined && (use === 'stdio' || use === 'http');
    const { tool, input } = fill(call, { ...holes, ...file });
    return [{ name, tool, input, unlisted, ...(use === 'skill' && { skill: 'lamp-notes/SKILL.md' }) }];
  });
}

export const wholeScene = (client: Client, extra: Partial<Scene> = {}): Scene => ({
  name: 'alone',
  targets: [client.id],
  prompt: 'Look at the lamps, zqprompt.',
  mark: 'zqprompt',
  steps: stepsOf(client),
  ...extra,
});

/** The scene in which the user calls a command, or nothing if the client has no commands. */
export function commandScene(client: Client, extra: Partial<Scene> = {}): Scene | undefined {
  if (client.command === undefined) return undefined;
  const called = fill(client.command, { name: 'lamp-check', argument: 'zqargument' });
  const how = typeof called === 'string' ? { prompt: called } : { prompt: '', run: called };
  return { name: 'command', targets: [client.id], mark: 'zqargument', steps: [], ...how, ...extra };
}

/** Texts of the compiled files by path. They determine which features a client should receive. */
export function compiledTexts(project: string): ReadonlyMap<string, string> {
  const sources = ['.git', '.instr', 'tools', 'instr.yaml'];
  const paths = filesBelow(project).filter(path => !sources.includes(path.split('/')[0]!));
  return new Map(paths.map(path => [path, readFileSync(join(project, path), 'utf8')]));
}

/** The result of every feature, from the full scene and the command scene. */
export function judge(client: Client, seen: Seen, command?: Seen): Results {
  const compiled = compiledTexts(seen.project);
  const places = (word: string) =>
    [...compiled].filter(([, text]) => text.includes(word)).map(([path]) => path);
  // A word is listed if every compiled file that contains it is named by a compiled file.
  const isListed = (word: string) =>
    places(word).every(path => [...compiled.values()].some(text => text.includes(path)));
  const isInSkill = (word: string) => places(word).every(path => path.endsWith('SKILL.md'));
  const first = textOf(seen.main[0]);
  const last = textOf(seen.main.at(-1));
  const found: Record<string, Result> = {};
  const put = (name: string, word: string, result: () => Result) => {
    if (places(word).length > 0 && !isUnproven(client, name)) found[name] = result();
  };
  const received = (word: string): Result => byCount(countOf(first, word));

  put('instructions', mainWords[0]!, () => worst(mainWords.map(received)));
  put('local', 'zqlocal', () => received('zqlocal'));
  const rule = (word: string, described: string): Result => {
    if (countOf(first, word) > 0) return 'always';
    if (!isInSkill(word)) return byCount(countOf(last, word));
    return countOf(last, described) > 0 ? 'demand' : 'missing';
  };
  put('guards', 'zqguardfloor', () =>
    worst([rule('zqguardfloor', 'zqguarddescribed'), rule('zqguardapi', 'Lamps of the api')]),
  );
  put('commands', 'zqcommandbody', () => judgeCommand(client, first, command));
  // If a command is a skill or part of the main document, its argument placeholder is not replaced.
  if (client.command !== undefined && !isInSkill('zqcommandbody') && countOf(first, 'zqcommandbody') === 0)
    put('commands.argument', 'zqcommandbody called', () =>
      command?.main.some(request => textOf(request).includes('zqcommandbody called zqargument'))
        ? 'once'
        : 'missing',
    );
  put('skills', 'zqskillbody', () =>
    seen.done.includes('skill') && (countOf(last, 'zqskillbody') > 0 || !isListed('zqskillbody'))
      ? byCount(countOf(last, 'zqskillbody'))
      : isListed('zqskillbody') && countOf(first, 'zqskilllisted') > 0
        ? 'demand'
        : 'missing',
  );
  put('skills.description', 'zqskilllisted', () => received('zqskilllisted'));
  put('agents', 'zqagentbody', () => judgeAgent(client, seen, first, isListed('zqagentbody')));
  put('agents.description', 'zqagentlisted', () => received('zqagentlisted'));
  put('workflows', 'zqworkflow', () => {
    if (countOf(first, 'zqworkflow') > 0) return received('zqworkflow');
    return isInSkill('zqworkflow') && countOf(first, 'zqroundlisted') === 0 ? 'missing' : 'demand';
  });
  // `delegate` only happens if a sub-agent was started.
  for (const [name, event] of Object.entries(hookEvents))
    if (name !== 'delegate' || found.agents !== 'demand')
      put(`hooks.${event}`, `zqhook${name}`, () => judgeHook(client, name, seen));
  put('mcpServers.stdio', 'zqserverenv', () => judgeServer('stdio', 'zqserverenv', seen));
  put('mcpServers.http', 'zqserverheader', () => judgeServer('http', 'zqserverheader', seen));
  return found;
}

/** Whether the client's file gives a reason why a feature, or its whole group, cannot be observed. */
const isUnproven = ({ unproven = {} }: Client, name: string): boolean =>
  unproven[name] !== undefined || unproven[name.split('.')[0]!] !== undefined;

const byCount = (count: number): Result => (count === 0 ? 'missing' : count === 1 ? 'once' : 'repeated');

const ranks: readonly Result[] = ['once', 'demand', 'repeated', 'always', 'missing'];

/** The worst of several results. */
const worst = (results: readonly Result[]): Result =>
  results.reduce((one, other) => (ranks.indexOf(other) > ranks.indexOf(one) ? other : one));

/** A command in the main document is sent with it. Any other command is expanded when it is called. */
function judgeCommand(client: Client, first: string, command: Seen | undefined): Result {
  if (countOf(first, 'zqcommandbody') > 0) return byCount(countOf(first, 'zqcommandbody'));
  if (client.command === undefined || !command) return 'missing';
  return byCount(Math.max(0, ...command.main.map(request => countOf(textOf(request), 'zqcommandbody'))));
}

/** The prompt of an agent is sent in its own conversation. Without one, it is in a file that the model is told to open. */
function judgeAgent(client: Client, seen: Seen, first: string, isListed: boolean): Result {
  const own = seen.captured.filter(request => request.asked && !seen.main.includes(request));
  const count = Math.max(0, ...own.map(request => countOf(textOf(request), 'zqagentbody')));
  if (client.calls?.agent && (count > 0 || !isListed)) return byCount(count);
  return countOf(first, 'zqagentlisted') > 0 ? 'demand' : 'missing';
}

/** Tool events occur once per call, the stop event once per turn, all others once. */
function judgeHook(client: Client, name: string, seen: Seen): Result {
  const runs = seen.hooks.filter(word => word === `zqhook${name}`).length;
  const { shell } = client.calls ?? {};
  const most: Readonly<Record<string, number>> = {
    before: seen.done.length,
    after: seen.done.length,
    shell: stepsOf(client).filter(step => step.tool === shell?.tool && seen.done.includes(step.name)).length,
    // Some clients also fire it at the end of a sub-agent.
    stop:
      seen.main.filter(({ asked }) => asked?.calls === seen.done.length).length +
      (seen.done.includes('agent') ? 1 : 0),
  };
  return runs === 0 ? 'missing' : runs <= (most[name] ?? 1) ? 'once' : 'repeated';
}

/** A server is received if it was started with its variable or header and its tool was called. */
function judgeServer(kind: string, word: string, seen: Seen): Result {
  const started = seen.servers.includes(`${kind} start ${word}`);
  const calls = seen.servers.filter(line => line === `${kind} call`).length;
  return started ? byCount(calls) : 'missing';
}
