/** Runs command lines of the built program in one process that stays, for tests that do not ask about processes. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, mkdtempSync, openSync, read, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

/** @param length - of the answer; without one the process was killed */
function answerOf({ answers, outputs }: Running, length: number): Answer {
  const { status, isLast } = length === 0 ? { status: null, isLast: true } : JSON.parse(bytes.toString('utf8', 0, length));
  // The end of a process may still change something.
  if (isLast) while (readSync(answers, bytes) > 0);
  const [stdout, stderr] = outputs.map(({ path }) => readFileSync(path, 'utf8'));
  if (isLast) stop();
  return { status, stdout: stdout!, stderr: stderr! };
}

/** Holds an answer, which comes at once. */
const bytes = Buffer.alloc(1024);

/** Runs a command line; the caller waits. */
export function runResident(request: Request): Answer {
  const process = ask(request);
  return answerOf(process, readSync(process.answers, bytes));
}

const readLater = promisify(read);
let last: Promise<unknown> = Promise.resolve();

/** Runs a command line after those before it; meanwhile the test can serve it. */
export function runResidentBeside(request: Request): Promise<Answer> {
  const run = async () => {
    const process = ask(request);
    const { bytesRead } = await readLater(process.answers, bytes, 0, bytes.length, null);
    return answerOf(process, bytesRead);
  };
  const answer = last.then(run, run);
  last = answer;
  return answer;
}
