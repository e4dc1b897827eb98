import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The home folder of the user. A relative path is ignored, because it would depend on the working directory.
 */
export function homeFolder(environment: Environment, platform: string = process.platform): string {
  const named = platform === 'win32' ? environment.USERPROFILE : environment.HOME;
  if (named && isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch {
    // A user without an account entry.
    return resolve('/nonexistent');
  }
}

/** Expands a leading `~/` to the home folder of the user; other paths are unchanged. */
export const expandHome = (path: string, environment: Environment, platform?: string): string =>
  path.startsWith('~/') ? join(homeFolder(environment, platform), path.slice(2)) : path;

/** The folders of a user, absolute. */
export interface UserFolders {
  /** The home folder, which is the root of the files that `--user` writes. */
  readonly root: string;
  /** The folder of the configuration and the sources. */
  readonly config: string;
  /** The folder of the manifest and the state of runs. */
  readonly state: string;
}

/** The folders for configuration and state of this program, as usual on the platform. */
export function userFolders(environment: Environment, platform: string = process.platform): UserFolders {
  const root = homeFolder(environment, platform);
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, APPDATA, LOCALAPPDATA } = environment;
  const at = (chosen: string | undefined, usual: string, name = 'instr') =>
    join(chosen && isAbsolute(chosen) ? chosen : join(root, usual), name);
  if (platform === 'win32') {
    const config = at(XDG_CONFIG_HOME ?? APPDATA, 'AppData/Roaming');
    return { root, config, state: at(XDG_STATE_HOME ?? LOCALAPPDATA, 'AppData/Local', 'instr/state') };
  }
  const support = platform === 'darwin' ? 'Library/Application Support' : undefined;
  const config = at(XDG_CONFIG_HOME, support ?? '.config');
  return { root, config, state: at(XDG_STATE_HOME, support ?? '.local/state') };
}

/** The folder of caches: `INSTR_CACHE_DIR`, else the usual folder of the platform. */
export function cacheDirectory(environment: Environment, platform: string = process.platform): string {
  const { INSTR_CACHE_DIR: chosen, LOCALAPPDATA: local, XDG_CACHE_HOME: shared } = environment;
  if (chosen) return resolve(chosen);
  const home = homeFolder(environment, platform);
  if (platform === 'win32') return join(local ?? join(home, 'AppData', 'Local'), 'instr', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'instr');
  return join(shared && isAbsolute(shared) ? shared : join(home, '.cache'), 'instr');
}
