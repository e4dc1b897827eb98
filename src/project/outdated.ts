import { cacheDirectory } from '../host/cache-dir.ts';
import type { LockEntry } from '../registry/lock.ts';
import { askNewest, type Newest } from '../registry/newest.ts';
import type { RegistrySettings } from '../registry/settings.ts';
import { LOCK_FILE, openLock } from './lock.ts';
import { type OpenFailure, openProject } from './open/open.ts';
import type { CompileContext } from './session/world.ts';

/** A locked source, and what there is for it now. */
export interface SourceVersion extends Newest {
  readonly source: string;
  readonly url: string;
  /** What the lock pins: a tag, a branch or the beginning of a commit; a number of files where there are no commits. */
  readonly current: string;
  readonly commit?: string;
  /**
   * `current`: what the reference means now. `outdated`: `prs update` would move it. `superseded`: a newer version is
   * released, and the reference does not reach it. `unknown`: its server could not be asked, or says no versions.
   */
  readonly state: 'current' | 'outdated' | 'superseded' | 'unknown';
}

/** What the locked sources of a project are, and what their repositories have. */
export interface Outdated {
  readonly root: string;
  readonly sources: readonly SourceVersion[];
}

/** Asks for every locked source what its repository has now. What cannot be asked has been reported. */
export async function findOutdated(context: CompileContext): Promise<Outdated | OpenFailure> {
  const project = await openProject(context);
  if (!project) return 'no-configuration';
  const { root, loaded } = project;
  const present = await openLock(root, context);
  if (typeof present === 'string') return { root, sources: [] };
  const { disk, environment, clock, progress, report } = context;
  const newestOf = askNewest(
    {
      config: loaded.config as RegistrySettings,
      root,
      disk,
      env: name => environment[name],
      cacheDir: cacheDirectory(environment),
      frozen: false,
      locking: true,
      progress,
      now: () => clock().getTime(),
    },
    report,
  );
  const source = { name: LOCK_FILE, text: present.text };
  const sources: SourceVersion[] = [];
  for (const entry of present.lock.entries) {
    const start = Math.max(0, present.text.indexOf(entry.source));
    const at = { source, start, end: start + entry.source.length };
    const newest = entry.kind === 'git' ? await newestOf(entry, at) : undefined;
    sources.push({ ...lockedVersion(entry), ...newest, state: stateOf(entry, newest) });
  }
  return { root, sources };
}

/** A locked source as people read it. */
export const lockedVersion = ({ source, url, ref, commit, files }: LockEntry) => ({
  source,
  url,
  current: ref ?? commit?.slice(0, 12) ?? `${files.size} ${files.size === 1 ? 'file' : 'files'}`,
  ...(commit !== undefined && { commit }),
});

function stateOf({ commit, ref }: LockEntry, newest: Newest | undefined): SourceVersion['state'] {
  if (!newest?.wanted) return 'unknown';
  if (newest.wanted.commit !== commit) return 'outdated';
  const isRelease = /^v?\d+\.\d+\.\d+/.test(ref ?? '');
  return isRelease && newest.latest !== undefined && newest.latest !== ref ? 'superseded' : 'current';
}
