/** Measures the time and the peak memory of child processes. */
import { spawnSync } from 'node:child_process';

/** Options of a measurement. */
export interface Measuring {
  readonly node: string;
  /** Measures CPU time (user and system) instead of wall-clock time, for machines with other load. */
  readonly cpu?: boolean;
  readonly memory?: boolean;
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export interface Measured {
  readonly milliseconds: number;
  /** Peak resident set size in kB; 0 unless `memory` is set. */
  readonly memory: number;
}

const memoryHook =
  "data:text/javascript,import fs from'node:fs';process.on('exit',()=>fs.writeSync(3,String(process.resourceUsage().maxRSS)))";

/** Variables that slow down Node or change the behaviour of the program. */
const disturbing =
  /^(?:CI|GITHUB_ACTIONS|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NODE_DEBUG|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** The environment of measured processes, including the baseline. */
export const measuredEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !disturbing.test(name)));

/** Runs Node with arguments. @throws if the run fails, because its time would be meaningless. */
export function runNode(
  args: readonly string[],
  cwd: string,
  { node, cpu = false, memory = false, environment }: Measuring,
): Measured {
  const all = memory ? [node, '--import', memoryHook, ...args] : [node, ...args];
  const [file, ...words] = cpu ? [...timedByShell, ...all] : all;
  const start = process.hrtime.bigint();
  const { status, stderr, output } = spawnSync(file!, words, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', memory || cpu ? 'pipe' : 'ignore'],
    env: { ...measuredEnvironment(process.env), ...environment },
    encoding: 'utf8',
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return {
    milliseconds: cpu
      ? 1000 * sum(output[3]!.trim().split('\n').at(-1)!.split(' ').map(Number))
      : milliseconds,
    memory: memory ? Number(output[3]!.split('\n')[0]) : 0,
  };
}

/** A shell that prints the CPU time of a command to file descriptor 3. Node cannot report it for a child process. */
const timedByShell = ['bash', '-c', `TIMEFORMAT='%3U %3S'; { time "$@" 2>&4; } 4>&2 2>&3`, 'bash'];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
