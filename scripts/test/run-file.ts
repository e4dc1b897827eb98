/** Runs one test file and ends all processes that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Counts, countResults } from './count.ts';

export interface FileResult extends Counts {
  readonly name: string;
  readonly output: string;
  readonly milliseconds: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Timeout in milliseconds. */
  readonly limit: number;
  /** The bundle of the test. Without one, tsx runs the test file. */
  readonly bundle?: string;
}

/** Milliseconds to wait for the pipes to close, because a process left behind by a test may hold them open. */
const patience = 2000;

/** Kills a test process together with its process group. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // The process group has ended already.
  }
}

/** Runs one test file in its own process group, so that no process that it started outlives it. */
export function runFile(name: string, { cwd, env, limit, bundle }: RunOptions): Promise<FileResult> {
  return new Promise(resolve => {
    const start = performance.now();
    const detached = process.platform !== 'win32';
    const how = bundle ? ['--enable-source-maps', bundle] : ['--import', 'tsx', name];
    const child = spawn(process.execPath, how, { cwd, env, detached });
    let output = '';
    let hung = false;
    const collect = (data: Buffer) => {
      output += data;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const stop = () => {
      hung = true;
      end(child);
      child.kill('SIGKILL');
    };
    const timer = setTimeout(stop, limit);
    const interrupt = (signal: NodeJS.Signals) => {
      end(child);
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
    child.on('exit', () => {
      clearTimeout(timer);
      const closing = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, patience);
      child.on('close', () => clearTimeout(closing));
    });
    child.on('close', code => {
      end(child);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      const counts = countResults(output, code);
      if (hung) output += `\nIt did not end within ${limit / 1000} s and was stopped.\n`;
      else if (counts.passed + counts.skipped === 0)
        output += `\nIt ended with ${code} and ran no test to its end.\n`;
      else if (code !== 0 && code !== 1) output += `\nIt ended with ${code}.\n`;
      resolve({ name, ...counts, output, milliseconds: performance.now() - start });
    });
  });
}
