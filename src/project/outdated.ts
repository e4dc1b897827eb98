import type { SourceVersion } from '../generated/types/report.ts';
import type { LockEntry } from '../registry/lock.ts';
import { askNewest, type Newest } from '../registry/newest.ts';
import { LOCK_FILE, openLock } from './lock.ts';
import { type OpenFailure, openProject } from './open/open.ts';
import type { CompileContext } from './session/world.ts';

export interface Outdated {
  readonly root: string;
  readonly sources: readonly SourceVersion[];
}

/** Finds the newest version of each locked source. Servers without an answer are reported. */
export async function findOutdated(context: CompileContext): Promise<Outdated | OpenFailure> {
  const project = await openProject(context);
  if (!project) return 'no-configuration';
  const { root, loaded } = project;
  const present = openLock(root, context);
  if (typeof present === 'string') return { root, sources: [] };
  const options = { ...context, config: loaded.config, root, frozen: false, locking: true };
  const newestOf = askNewest(options, context.report);
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
