/** Runs the current command again without a network: in a new network namespace with only the loopback interface. */
import { spawn, spawnSync } from 'node:child_process';

const mark = 'PRS_PROVE_OFFLINE';

/** Whether the command already runs without a network. */
export const isOffline = (): boolean => process.env[mark] === '1';

/** The command prefix that starts a program without a network, or nothing if the system has none. */
export function fence(): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const start = (...flags: string[]) => [
    'unshare',
    ...flags,
    'sh',
    '-c',
    'ip link set lo up && exec "$@"',
    'sh',
  ];
  // An unprivileged user may not create a network namespace alone, but may create one together with a user namespace.
  return [start('--net'), start('--map-root-user', '--net')].find(([program, ...args]) => {
    const { status } = spawnSync(program!, [...args, 'true'], { stdio: 'ignore' });
    return status === 0;
  });
}

/** Runs the current command with its arguments inside `fence`, and returns its exit code. Signals are forwarded. */
export function runAgain(fence: readonly string[]): Promise<number> {
  const [program, ...args] = fence;
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(program!, [...args, ...own], {
    stdio: 'inherit',
    env: { ...process.env, [mark]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', status => done(status ?? 1));
  });
}
