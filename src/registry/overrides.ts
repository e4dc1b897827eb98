import type { Moves } from './git-source.ts';
import type { GitContext } from './git-transport.ts';
import type { SourcePlace, Tree } from './tree.ts';

/** Changes what a run sees of its registries: other versions of sources, and an observer of what is read. */
export interface RegistryOverrides {
  /** The version that replaces the pinned one of a source; `undefined`: none does. */
  readonly moves?: Moves;
  /** Commits that no repository has. */
  readonly given?: GitContext['given'];
  /** Refs that the cache has from after this time, in milliseconds, are not requested again. */
  readonly since?: number;
  /** Wraps the tree of a repository that the run reads. */
  readonly observe?: (place: SourcePlace, tree: Tree) => Tree;
}
