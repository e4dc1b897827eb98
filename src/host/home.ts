import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The home folder of the user. A relative one is ignored: it would be another one in each folder. */
export function homeFolder(environment: Environment, platform: string = process.platform): string {
  const named = platform === 'win32' ? environment.USERPROFILE : environment.HOME;
  if (named && isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch {
    // A user without an entry in the list of users.
    return resolve('/nonexistent');
  }
}

/** A path that begins with `~/` below the home folder of the user; any other one as it is. */
export const expandHome = (path: string, environment: Environment, platform?: string): string =>
  path.startsWith('~/') ? join(homeFolder(environment, platform), path.slice(2)) : path;

/** Where a user keeps the configuration of this program and its state: the folders that the platform has for them. */
export function userFolders(
  environment: Environment,
  platform: string = process.platform,
): { readonly home: string; readonly config: string; readonly state: string } {
  const home = homeFolder(environment, platform);
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, APPDATA, LOCALAPPDATA } = environment;
  const at = (chosen: string | undefined, ...usual: string[]) =>
    chosen && isAbsolute(chosen) ? chosen : join(home, ...usual);
  if (platform === 'win32') {
    const config = join(at(XDG_CONFIG_HOME ?? APPDATA, 'AppData', 'Roaming'), 'instr');
    return {
      home,
      config,
      state: join(at(XDG_STATE_HOME ?? LOCALAPPDATA, 'AppData', 'Local'), 'instr', 'state'),
    };
  }
  if (platform === 'darwin') {
    const own = ['Library', 'Application Support'];
    const config = join(at(XDG_CONFIG_HOME, ...own), 'instr');
    return { home, config, state: join(at(XDG_STATE_HOME, ...own), 'instr', 'state') };
  }
  const config = join(at(XDG_CONFIG_HOME, '.config'), 'instr');
  return { home, config, state: join(at(XDG_STATE_HOME, '.local', 'state'), 'instr') };
}
