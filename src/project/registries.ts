import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { LockEntry } from '../registry/lock.ts';
import type { TrackedRegistries } from '../registry/registries.ts';
import type { RegistrySettings } from '../registry/settings.ts';
import type { Context } from './context.ts';
import type { Project } from './open.ts';

/** Name of the lock file, in the root of the project. */
export const lockPath = 'instr.lock';

/**
 * The registries of a project, opened when the first remote reference is met: most projects have none, and Git, HTTP
 * and the lock are the heaviest things to load. A damaged lock is reported and nothing remote is found then.
 */
export function projectRegistries(
  project: Project,
  frozen: boolean,
  context: Context,
  report: Report,
): TrackedRegistries {
  let opened: Promise<TrackedRegistries | undefined> | undefined;
  let ready: TrackedRegistries | undefined;
  const open = async () => {
    ready = await openRegistries(project, frozen, context, report);
    return ready;
  };
  return {
    locate: async (path, version, at) => {
      opened ??= open();
      return (await opened)?.locate(path, version, at);
    },
    used: (): LockEntry[] => ready?.used() ?? [],
  };
}

async function openRegistries(
  { loaded, root }: Project,
  frozen: boolean,
  context: Context,
  report: Report,
): Promise<TrackedRegistries | undefined> {
  const { disk, sourceDisk = disk, environment, clock, progress } = context;
  const [{ createRegistries, defaultCacheDir }, { readLock }] = await Promise.all([
    import('../registry/registries.ts'),
    import('../registry/lock.ts'),
  ]);
  const bytes = sourceDisk.readBytes(join(root, lockPath));
  const lock = bytes && readLock(new TextDecoder().decode(bytes), report);
  if (bytes && !lock) return undefined;
  const env = (name: string) => environment[name];
  return createRegistries(
    {
      config: loaded.config as RegistrySettings,
      root,
      disk: sourceDisk,
      env,
      cacheDir: defaultCacheDir(env, process.platform, homedir()),
      lock,
      frozen,
      progress,
      now: () => clock().getTime(),
    },
    report,
  );
}
