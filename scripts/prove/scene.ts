/** Runs a client in the canary project, compiled for some targets, and records what the client did. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, fill } from './client.ts';
import { type Model, type Step, scriptedModel } from './endpoint/model.ts';
import type { Json } from './endpoint/protocol.ts';
import { type Captured, openEndpoint } from './endpoint/server.ts';
import type { Installed } from './install.ts';
import { stopAll } from './stop.ts';

export const canaryFolder = fileURLToPath(new URL('canary', import.meta.url));
const program = fileURLToPath(new URL('../../dist/prs.cjs', import.meta.url));

/** The MCP server of the canary project. `/mcp` gives the same answers. */
const canaryServer = import(new URL('canary/tools/mcp.mjs', import.meta.url).href) as Promise<{
  answerMessage(message: Json, tool: string): Json | undefined;
}>;

export interface Scene {
  readonly name: string;
  readonly targets: readonly string[];
  readonly version?: string;
  /** `output.layout`. */
  readonly layout?: string;
  /** Folder in which the client starts, relative to the root. */
  readonly at?: string;
  /** The prompt of the user; it contains `mark`. */
  readonly prompt: string;
  readonly mark: string;
  readonly steps: readonly Step[];
  /** Replaces the command line of the client. */
  readonly run?: readonly string[];
  /** Additional files of the project, written before it is compiled. */
  readonly files?: Readonly<Record<string, string>>;
  /** Runs before the project is compiled. */
  readonly prepare?: (project: string) => void;
  /** Runs after the project is compiled. */
  readonly finish?: (project: string) => void;
}

/** What was observed in a scene. */
export interface Seen {
  readonly project: string;
  readonly captured: readonly Captured[];
  /** Requests of the conversation itself, in order. */
  readonly main: readonly Captured[];
  /** Names of the steps that were called. */
  readonly done: readonly string[];
  /** Marker words of the hooks that ran. */
  readonly hooks: readonly string[];
  /** Log lines of the servers. */
  readonly servers: readonly string[];
  /** The end of the client's output, for debugging. */
  readonly printed: string;
  readonly status: number | 'killed';
}

/** Runs `prs` in a project. @throws if it fails. */
export function prs(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (status !== 0) throw new Error(`prs ${args.join(' ')} in ${cwd}: ${stderr || stdout}`);
  return stdout;
}

/** Writes the canary project of a scene and compiles it. */
export function layProject(project: string, scene: Scene, endpoint: string): void {
  rmSync(dirname(project), { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  cpSync(canaryFolder, project, { recursive: true });
  const entry = join(project, '.instr/project.prs');
  writeFileSync(entry, readFileSync(entry, 'utf8').replace('http://127.0.0.1:1', endpoint));
  const config = join(project, 'instr.yaml');
  const targets = scene.targets.map(id =>
    scene.version === undefined ? `  - ${id}` : `  - ${id}: { version: ${scene.version} }`,
  );
  const layout = scene.layout === undefined ? '' : `output: { layout: ${scene.layout} }\n`;
  const text = readFileSync(config, 'utf8').replace(
    /^targets: .*\n/m,
    `targets:\n${targets.join('\n')}\n${layout}`,
  );
  writeFileSync(config, text);
  for (const [path, content] of Object.entries(scene.files ?? {})) write(join(project, path), content);
  const git = (...args: string[]) => spawnSync('git', args, { cwd: project, stdio: 'ignore' });
  git('init', '-q');
  scene.prepare?.(project);
  prs(project, 'compile');
  scene.finish?.(project);
  git('add', '-A');
  git('-c', 'user.name=Canary', '-c', 'user.email=canary@example.org', 'commit', '-qm', 'Lamps');
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Runs the client in the project of the scene, in a folder below `folder`, until it exits. */
export async function runScene(
  client: Client,
  installed: Installed,
  scene: Scene,
  folder: string,
): Promise<Seen> {
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  const servers: string[] = [];
  const { answerMessage } = await canaryServer;
  const http = (message: Json) => {
    if (message.method === 'tools/call') servers.push('http call');
    return answerMessage(message, 'zqhttptool');
  };
  const holes = {
    home,
    project,
    folder: join(project, scene.at ?? ''),
    hash: digestOf(project).slice(0, 12),
    prompt: scene.prompt,
  };
  const model: Model = scriptedModel(fill(scene.steps, holes), scene.mark);
  const endpoint = await openEndpoint(model, http, fill(client.replies ?? [], holes));
  const url = `http://127.0.0.1:${endpoint.port}`;
  const all = { ...holes, endpoint: url };
  layProject(project, scene, url);
  for (const [path, content] of Object.entries(fill(client.home ?? {}, all))) {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    write(join(home, path), withHashes(text, project));
  }
  mkdirSync(join(home, 'tmp'), { recursive: true });
  chmodSync(home, 0o700);
  const ended = await start(installed, fill((scene.run ?? client.run).slice(1), all), {
    cwd: all.folder,
    env: environmentOf(installed, home, fill(client.environment ?? {}, all)),
  });
  await endpoint.close();
  const lines = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  };
  const captured = endpoint.captured;
  return {
    project,
    captured,
    main: captured.filter(({ asked }) => asked && model.isMain(asked)),
    done: model.done,
    hooks: lines('hooks.log'),
    servers: [...lines('servers.log').map(line => `stdio ${line}`), ...servers, ...headersSeen(captured)],
    ...ended,
  };
}

/** Replaces `{sha256:path}` by the hash of a project file, because some clients store consent by file hash. */
const withHashes = (text: string, project: string): string =>
  text.replace(/\{sha256:([^}]+)\}/g, (_, path: string) => {
    const file = join(project, path);
    return existsSync(file) ? digestOf(readFileSync(file)) : '';
  });

const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The log line for the HTTP server, with the header that the client sent. */
function headersSeen(captured: readonly Captured[]): string[] {
  const calls = captured.filter(({ path }) => path === '/mcp');
  if (calls.length === 0) return [];
  return [`http start ${calls.map(({ headers }) => headers['x-lamp']).find(Boolean) ?? 'without header'}`];
}

/** An environment without the home folder and the variables of the user. */
function environmentOf(
  { paths }: Installed,
  home: string,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PATH: [...paths, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    NO_PROXY: '127.0.0.1,localhost',
    ...own,
  };
}

/** Timeout for a client, in milliseconds. */
const timeout = 300_000;

function start(
  { program: file }: Installed,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<{ printed: string; status: number | 'killed' }> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let printed = '';
    let killed = false;
    const stop = () => stopAll(child.pid, options.env.HOME!);
    // Stops the client also if this process is interrupted.
    process.once('exit', stop);
    const timer = setTimeout(() => {
      killed = true;
      stop();
    }, timeout);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed = `${printed}${chunk}`.slice(-20_000);
      });
    child.on('error', fail);
    child.on('exit', status => {
      clearTimeout(timer);
      process.off('exit', stop);
      stop();
      done({ printed, status: killed ? 'killed' : (status ?? 'killed') });
    });
  });
}
