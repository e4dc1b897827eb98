/** Installs clients from npm into the user's cache, each version in its own folder. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Client, fill } from './client.ts';

/** The folder for clients: `PRS_PROVE_CACHE`, or a folder in the user's cache. */
export function cacheFolder(): string {
  const own = process.env.PRS_PROVE_CACHE;
  if (own) return own;
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'instr', 'prove');
}

/** An installed client: its program, and the folders that it needs in `PATH`. */
export interface Installed {
  /** The installed version. */
  readonly version: string;
  readonly program: string;
  readonly paths: readonly string[];
}

/**
 * The client in the cache, installed if it is missing. `version` may be `latest` instead of the pinned version; it is
 * installed again unless `offline`.
 * @throws if npm cannot install it, or if it is missing and `offline` is set.
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
  // `latest` may have changed since the last installation.
  if (existsSync(mark) && (version !== 'latest' || offline)) return realpathSync(folder);
  if (offline) throw new Error(`${name}@${version} is not installed.`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`, ...also];
  // Install scripts of a package may need the same Node version as its program.
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
