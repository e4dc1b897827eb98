/** Measuring child processes: the time they took, and the memory they needed at most. */
import { spawnSync } from 'node:child_process';

/** What is measured, and with which Node. */
export interface Measuring {
  readonly node: string;
  /** Time on the processor, of user and system, instead of the clock's: for machines that have other work too. */
  readonly cpu?: boolean;
  readonly memory?: boolean;
  /** Variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

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

/** A shell that says on descriptor 3 how long a command was at work, which Node cannot tell of a child. */
const timedByShell = ['bash', '-c', `TIMEFORMAT='%3U %3S'; { time "$@" 2>&4; } 4>&2 2>&3`, 'bash'];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Middle of the sorted numbers. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
