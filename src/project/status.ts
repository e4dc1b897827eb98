import type { Waiver } from '../check/policy/waivers.ts';
import type { StatusReport } from '../generated/types/report.ts';
import { compileProject } from './compile.ts';
import { openLock } from './lock.ts';
import type { OpenFailure } from './open/open.ts';
import { lockedVersion } from './outdated.ts';
import type { CompileContext } from './session/world.ts';

/** The state of a project. */
export interface Status extends Omit<StatusReport, 'project'> {
  readonly root: string;
  readonly waivers: readonly Waiver[];
  /** Whether sources or configuration have errors. */
  readonly broken: boolean;
  readonly entry: string;
}

/** Determines the state from files, lock and cache, without servers. Problems are reported. */
export async function statusOf(context: CompileContext): Promise<Status | OpenFailure> {
  // Conflicts and edited files are part of the state.
  const report: CompileContext['report'] = found => {
    if (!/^PRS800[12]$/.test(found.code)) context.report(found);
  };
  const compiled = await compileProject({ mode: 'plan' }, { ...context, report });
  if (typeof compiled === 'string') return compiled;
  const { root, entries, targets, waivers, broken, sources } = compiled;
  const present = openLock(root, { ...context, report: () => {} });
  const lock = typeof present === 'string' ? undefined : present.lock;
  const shared = entries.filter(({ private: isPrivate, state }) => !isPrivate && state !== 'source');
  return {
    root,
    sources: (lock?.entries ?? []).map(lockedVersion),
    targets: [...targets],
    files: shared.filter(({ state }) => state !== 'removed').length,
    drift: shared
      .filter(({ state }) => state !== 'unchanged' && state !== 'adopted')
      .map(({ path, state }) => ({ path, state })),
    executables: [...(lock?.executables?.keys() ?? [])],
    waivers,
    broken,
    entry: sources[0] ?? 'instr.yaml',
  };
}
