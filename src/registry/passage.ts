import type { Moves } from './git-source.ts';
import type { GitContext } from './git-transport.ts';
import type { Snapshot } from './snapshot.ts';
import type { SourcePlace, Tree } from './tree.ts';

/** What runs of one process that follow one another need not look up in the cache again. */
export interface Remembered {
  /** Copies of commits, by the paths of their records. */
  readonly snapshots: Map<string, Snapshot>;
  /** Why a folder cannot be the cache; `undefined`: it can. */
  readonly unwritable: Map<string, string | undefined>;
}

/** How a run sees its registries that tries out other versions of what a project uses, or wants to know what is read. */
export interface Passage {
  /** The version that counts for a source instead of the pinned one; `undefined`: no other. */
  readonly moves?: Moves;
  /** Commits that no repository has. */
  readonly given?: GitContext['given'];
  /** Names of repositories that the cache has taken down since then, in milliseconds, are not asked for again. */
  readonly since?: number;
  readonly remembered?: Remembered;
  /** Stands between the run and what it reads of a repository. */
  readonly observe?: (place: SourcePlace, tree: Tree) => Tree;
}
