import type { GitProblem } from './git.ts';
import type { GitContext, Repository } from './git-transport.ts';
import type { Choice } from './version.ts';

/** A repository at a version, as a reference names it. */
export interface GitSource {
  /** Its name in the lock file, with the version. */
  readonly source: string;
  /** Its name in unit ids when its address is a path of this machine. */
  readonly name: string;
  readonly repository: Repository;
  readonly version: string;
  /** Directory of the repository that is the root of the registry; empty for all of it. */
  readonly root: string;
}

/**
 * Returns the version that replaces the locked one of a source, or why it cannot be resolved; `undefined`
 * keeps the locked one.
 */
export type VersionOverride = (
  asked: GitSource,
  context: GitContext,
) => Promise<Choice | GitProblem | undefined>;

/** Changes how a run resolves its registries. */
export interface RegistryOverrides {
  /** Returns the version that replaces the locked one of a source. */
  readonly moves?: VersionOverride;
  /** Returns commits that are in no repository. */
  readonly localSnapshot?: GitContext['localSnapshot'];
  /** Time in milliseconds; refs that were cached after it are not requested again. */
  readonly since?: number;
}
