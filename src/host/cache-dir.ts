import { isAbsolute, join, resolve } from 'node:path';
import { homeFolder } from './home.ts';

/** The folder of caches: `INSTR_CACHE_DIR`, else the usual folder of the platform. */
export function cacheDirectory(
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
): string {
  const { INSTR_CACHE_DIR: chosen, LOCALAPPDATA: local, XDG_CACHE_HOME: shared } = environment;
  if (chosen) return resolve(chosen);
  const home = homeFolder(environment, platform);
  if (platform === 'win32') return join(local ?? join(home, 'AppData', 'Local'), 'instr', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'instr');
  return join(shared && isAbsolute(shared) ? shared : join(home, '.cache'), 'instr');
}
