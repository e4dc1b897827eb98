/** Runs command lines of the program in one process that stays, for tests that need very many of them. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Request {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Resident {
  run(request: Request): Promise<Answer>;
}

export function startResident(): Resident {
  const program = fileURLToPath(new URL('resident-program.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  // Answers come in the order of the requests.
  const waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  child.on('message', answer => waiting.shift()!.resolve(answer as Answer));
  child.on('exit', code => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the program ended with ${code}`));
  });
  // The bash of a test is what a test waits for.
  child.unref();
  child.channel!.unref();
  return {
    run: request =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.send(request);
      }),
  };
}
