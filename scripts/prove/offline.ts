/** Runs this very command again without a network: in a network namespace of its own, with the loopback up. */
import { spawnSync } from 'node:child_process';

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

/** The same command with its arguments inside of `fence`; its exit code. */
export function runAgain(fence: readonly string[]): number {
  const [program, ...args] = fence;
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync(program!, [...args, ...own], {
    stdio: 'inherit',
    env: { ...process.env, [mark]: '1' },
  });
  return status ?? 1;
}
