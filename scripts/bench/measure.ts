/** Measuring child processes: wall-clock time, and the memory they needed at most. */
import { spawnSync } from 'node:child_process';

export interface Measured {
  readonly milliseconds: number;
  /** Largest resident size, in kB; only when asked for. */
  readonly memory: number;
}

const memoryHook =
  "data:text/javascript,import fs from'node:fs';process.on('exit',()=>fs.writeSync(3,String(process.resourceUsage().maxRSS)))";

/** Variables that make every Node slower, or the program do something else, than on the machine of a user. */
const disturbing =
  /^(?:CI|GITHUB_ACTIONS|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NODE_DEBUG|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** What a measured process sees of the environment, the floor like all others. */
export const measuredEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !disturbing.test(name)));

/** Runs node with arguments; a failing run is an error, because its time would mean nothing. */
export function runNode(args: readonly string[], cwd: string, withMemory = false): Measured {
  const all = withMemory ? ['--import', memoryHook, ...args] : args;
  const start = process.hrtime.bigint();
  const { status, stderr, output } = spawnSync(process.execPath, all, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', ...(withMemory ? ['pipe' as const] : [])],
    env: measuredEnvironment(process.env),
    encoding: 'utf8',
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return { milliseconds, memory: withMemory ? Number(output[3]) : 0 };
}

/** Middle of the sorted numbers. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
