import type { GitProblem } from './git.ts';
import type { GitContext, Repository } from './git-transport.ts';
import type { Choice } from './version.ts';

/** A repository at a version, as a reference names it. */
export interface GitSource {
  /** Its name in the lock, with the version. */
  readonly source: string;
  /** Its name in unit ids when its address is a path of this machine. */
  readonly name: string;
  readonly repository: Repository;
  readonly version: string;
  /** Directory of the repository that is the root of the registry; empty for all of it. */
  readonly root: string;
}

/** The version that replaces the pinned one of a source, or why there is none; `undefined`: the pinned one counts. */
export type Moves = (asked: GitSource, context: GitContext) => Promise<Choice | GitProblem | undefined>;

/** Changes what a run sees of its registries. */
export interface RegistryOverrides {
  /** The version that replaces the pinned one of a source; `undefined`: none does. */
  readonly moves?: Moves;
  /** Commits that no repository has. */
  readonly given?: GitContext['given'];
  /** Refs that the cache has from after this time, in milliseconds, are not requested again. */
  readonly since?: number;
}
