import type { DirEntry } from '../host/host.ts';
import type { Layer } from '../text/layer.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';

/**
 * A set of files that references may point into: the project, a checked-out commit, a directory, an HTTP server.
 * Paths are `/`-separated and relative to the root of the tree; none of them, nor a link in the tree, leads out of it.
 */
export interface Tree {
  /** Unique and stable within a run; the start of the unit ids of its files. Never a path of this machine. */
  readonly id: string;
  /** `undefined`: no such file. Failures of the outside world are reported by the tree and count as missing. */
  read(path: string): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Sorted by code unit. `undefined`: no such directory, or the tree cannot list (HTTP). */
  list(path: string): readonly DirEntry[] | undefined | Promise<readonly DirEntry[] | undefined>;
  /** Whether reading or listing a path failed, and the tree said so; what could not be read may still be there. */
  failed?(path: string): boolean;
  /** Whether a file may be executed; absent when the tree does not know. */
  executable?(path: string): boolean;
}

/** Where a reference leads: a path in a tree, still without `.prs`, and the layer of what is found there. */
export interface Located {
  readonly tree: Tree;
  readonly path: string;
  readonly layer: Layer;
}

/** The registries of a configuration. Every failure has been reported when `locate` gives `undefined`. */
export interface Registries {
  /** `path` and `version` as in the AST reference; never called for `./` and `../`. */
  locate(path: string, version: string | undefined, at: Span): Promise<Located | undefined>;
}

/** A registry that could be opened: a tree for each place that refers to it, and what its lock entry will be. */
export interface OpenSource {
  /** The trees of one source have one id; they differ in the place that failures are reported at. */
  readonly tree: (at: Span) => Tree;
  /** Shown as `registry` of a layer. */
  readonly registry: string;
  /** It is a directory in the repository of the project. */
  readonly own?: boolean;
  /** Absent for what no lock pins: directories of this machine. */
  readonly entry?: () => LockEntry;
  /** Whether a frozen run may look for this path; reports when not. */
  readonly allows?: (path: string, at: Span) => boolean;
}
