/** Runs this very command again without a network: in a network namespace of its own, with the loopback up. */
import { spawn, spawnSync } from 'node:child_process';

const mark = 'PRS_PROVE_OFFLINE';

/** Whether the command runs without a network already. */
export const isOffline = (): boolean => process.env[mark] === '1';

/** How the system starts something without a network; nothing where it cannot. */
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
  // People may not make a namespace of the network alone, but one of users with it.
  return [start('--net'), start('--map-root-user', '--net')].find(([program, ...args]) => {
    const { status } = spawnSync(program!, [...args, 'true'], { stdio: 'ignore' });
    return status === 0;
  });
}

/** The same command with its arguments inside of `fence`; its exit code. What interrupts this one interrupts that one. */
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
