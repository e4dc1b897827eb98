/** Installs clients from npm into the cache of the machine, each version in a folder of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Client, fill } from './client.ts';

/** Where clients lie: `PRS_PROVE_CACHE`, else below the user's cache. */
export function cacheFolder(): string {
  const own = process.env.PRS_PROVE_CACHE;
  if (own) return own;
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'instr', 'prove');
}

/** An installed client: what to start, and which folders of programs it needs. */
export interface Installed {
  /** The version that is there. */
  readonly version: string;
  readonly program: string;
  readonly paths: readonly string[];
}

/**
 * The client in the cache, fetched when it is not there yet. `version` instead of its own one may be `latest`, which is
 * fetched again unless `offline`.
 * @throws when npm cannot install it, or when it is not there offline.
 */
export function installClient(client: Client, version = client.version, offline = false): Installed {
  const node =
    client.node === undefined
      ? []
      : [join(installPackage('node', client.node, offline), 'node_modules/.bin')];
  const folder = installPackage(client.package, version, offline, client.also, node);
  const platform = `${process.platform}-${process.arch}`;
  const own = fill(client.paths ?? [], { platform }).map(path => join(folder, 'node_modules', path));
  const programs = join(folder, 'node_modules/.bin');
  const manifest = join(folder, 'node_modules', client.package, 'package.json');
  const { version: found } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { version: found, program: join(programs, client.run[0]!), paths: [...node, ...own, programs] };
}

function installPackage(
  name: string,
  version: string,
  offline: boolean,
  also: readonly string[] = [],
  programs: readonly string[] = [],
): string {
  const folder = join(cacheFolder(), 'clients', `${name}@${version}`.replaceAll('/', '+'));
  const mark = join(folder, '.installed');
  // What is newest changes from day to day.
  if (existsSync(mark) && (version !== 'latest' || offline)) return realpathSync(folder);
  if (offline) throw new Error(`${name}@${version} is not installed.`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`, ...also];
  // What a package runs when it is installed may want the same Node as its program.
  const PATH = [...programs, process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH };
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env });
  if (error || status !== 0)
    throw new Error(
      `npm could not install ${name}@${version}: ${error?.message ?? stderr.trim().slice(-600)}`,
    );
  writeFileSync(mark, '');
  return realpathSync(folder);
}
