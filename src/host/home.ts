import { homedir } from 'node:os';
import { join } from 'node:path';

/** A path that begins with `~/` below the home folder of the user; any other one as it is. */
export function atHome(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): string {
  if (!path.startsWith('~/')) return path;
  const home = (platform === 'win32' ? environment.USERPROFILE : environment.HOME) || homedir();
  return join(home, path.slice(2));
}
