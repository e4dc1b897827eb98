/**
 * Runs command lines of the built program in one persistent process, for tests that do not depend on separate
 * processes.
 */
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
  /** The program, if it is not the one in `dist`. Runs of the other program have another process. */
  readonly program?: string;
}

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The process and the file descriptors for communication with it. */
interface Running {
  readonly program: string;
  readonly requests: number;
  readonly answers: number;
  readonly outputs: readonly { readonly path: string; readonly descriptor: number }[];
  readonly folder: string;
}

const builtProgram = fileURLToPath(new URL('../../dist/prs.cjs', import.meta.url));
const resident = fileURLToPath(new URL('resident-program.cjs', import.meta.url));

let running: Running | undefined;
process.once('exit', stop);

function start(program: string): Running {
  const folder = mkdtempSync(join(tmpdir(), 'prs-resident-'));
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')];
  spawnSync('mkfifo', [requests, answers]);
  // Opening a pipe for reading and writing does not block. Afterwards only the process holds the other ends, so that
  // its exit is detected.
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
  return { program, ...own, outputs, folder };
}

/** Closes the pipes. The process then exits, because it only waits for requests. */
function stop(): void {
  if (!running) return;
  for (const descriptor of [running.requests, running.answers, ...running.outputs.map(({ descriptor }) => descriptor)])
    closeSync(descriptor);
  rmSync(running.folder, { recursive: true, force: true });
  running = undefined;
}

function ask({ program = builtProgram, ...request }: Request): Running {
  if (running && running.program !== program) stop();
  running ??= start(program);
  for (const { descriptor } of running.outputs) ftruncateSync(descriptor);
  writeSync(running.requests, `${JSON.stringify(request)}\n`);
  return running;
}

/** @param length - of the answer; 0 if the process was killed */
function answerOf({ answers, outputs }: Running, length: number): Answer {
  const { status, isLast } = length === 0 ? { status: null, isLast: true } : JSON.parse(bytes.toString('utf8', 0, length));
  // Exit handlers of the process may still change files.
  if (isLast) while (readSync(answers, bytes) > 0);
  const [stdout, stderr] = outputs.map(({ path }) => readFileSync(path, 'utf8'));
  if (isLast) stop();
  return { status, stdout: stdout!, stderr: stderr! };
}

/** Buffer for an answer, which arrives in one piece. */
const bytes = Buffer.alloc(1024);

/** Runs a command line synchronously. */
export function runResident(request: Request): Answer {
  const process = ask(request);
  return answerOf(process, readSync(process.answers, bytes));
}

const readLater = promisify(read);
let last: Promise<unknown> = Promise.resolve();

/** Runs a command line after the previous ones have finished. The test can act as its server meanwhile. */
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
