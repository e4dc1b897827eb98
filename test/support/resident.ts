/** Runs command lines of the built program in one process that stays, for tests that do not ask about processes. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Request {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The process of the program, and the descriptors to talk to it. */
interface Running {
  readonly requests: number;
  readonly answers: number;
  readonly outputs: readonly { readonly path: string; readonly descriptor: number }[];
  readonly folder: string;
}

const program = fileURLToPath(new URL('../../dist/prs.cjs', import.meta.url));
const resident = fileURLToPath(new URL('resident-program.cjs', import.meta.url));

let running: Running | undefined;
process.once('exit', stop);

function start(): Running {
  const folder = mkdtempSync(join(tmpdir(), 'prs-resident-'));
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')];
  spawnSync('mkfifo', [requests, answers]);
  // A pipe opens at once for who reads and writes; the process then holds the only other ends, so that its end is seen.
  const held = [requests, answers].map(path => openSync(path, constants.O_RDWR));
  const ends = [openSync(requests, constants.O_RDONLY), openSync(answers, constants.O_WRONLY)];
  const outputs = ['stdout', 'stderr'].map(name => {
    const path = join(folder, name);
    return { path, descriptor: openSync(path, 'a') };
  });
  const stdio = ['ignore', ...outputs.map(({ descriptor }) => descriptor), ...ends] as const;
  spawn(process.execPath, [resident, program], { stdio: [...stdio] }).unref();
  const own = { requests: openSync(requests, constants.O_WRONLY), answers: openSync(answers, constants.O_RDONLY) };
  for (const descriptor of [...held, ...ends]) closeSync(descriptor);
  return { ...own, outputs, folder };
}

/** Lets the process end, which waits for nothing but requests. */
function stop(): void {
  if (!running) return;
  for (const descriptor of [running.requests, running.answers, ...running.outputs.map(({ descriptor }) => descriptor)])
    closeSync(descriptor);
  rmSync(running.folder, { recursive: true, force: true });
  running = undefined;
}

function ask(request: Request): Running {
  running ??= start();
  for (const { descriptor } of running.outputs) ftruncateSync(descriptor);
  writeSync(running.requests, `${JSON.stringify(request)}\n`);
  return running;
}

/** Whether the process has said all that it will say of a run. */
const isWhole = (text: string): boolean => text.endsWith('\n') && !JSON.parse(text).isLast;

/** @param text - what the process answered; without an answer it was killed */
function answerOf(text: string, { outputs }: Running): Answer {
  const { status, isLast } = text === '' ? { status: null, isLast: true } : JSON.parse(text);
  const [stdout, stderr] = outputs.map(({ path }) => readFileSync(path, 'utf8'));
  if (isLast) stop();
  return { status, stdout: stdout!, stderr: stderr! };
}

/** Runs a command line; the caller waits. */
export function runResident(request: Request): Answer {
  const process = ask(request);
  const bytes = Buffer.alloc(1024);
  let text = '';
  for (let length = -1; length !== 0 && !isWhole(text); text += bytes.toString('utf8', 0, length))
    length = readSync(process.answers, bytes);
  return answerOf(text, process);
}
