import type { Json, SharedFile } from '../kinds/output.ts';
import type { Manifest } from './manifest.ts';

/**
 * `new`: not there yet. `unchanged`: ours and right. `changed`: ours, to be rewritten. `adopted`: not ours, but equal.
 * `conflict`: not ours and different. `drifted`: ours, edited since. `removed`: ours, no longer planned.
 * `source`: the compile reads it, so it is the user's: never written, owned or removed.
 */
export type PlanState =
  | 'new'
  | 'unchanged'
  | 'changed'
  | 'adopted'
  | 'conflict'
  | 'drifted'
  | 'removed'
  | 'source';

/** What is at a path now. Contents are read when they are asked for. */
export interface Present {
  /** `link`: a symbolic link to a file of the project. `blocked`: nothing can be written here. */
  readonly kind: 'file' | 'link' | 'blocked';
  /** Permission bits. */
  readonly mode: number;
  readonly executable: boolean;
  /** Bytes of the file, through a link too; empty when blocked. */
  read(): Uint8Array;
  /** Where the file really is, relative to the root, when a link is on the way. */
  readonly real?: string;
  /** Why it is blocked. */
  readonly obstacle?: Obstacle;
}

/** What prevents a file from being written at its path. */
export interface Obstacle {
  /**
   * `directory`: one lies where the file would be. `parent`: a part of the path is a file. `outside`: a link leads
   * out of the project. `dangling`: a link leads nowhere. `special`: a device, socket or pipe.
   */
  readonly kind: 'directory' | 'parent' | 'outside' | 'dangling' | 'special';
  /** The path that is in the way, relative to the root. */
  readonly path: string;
  /** Files below a directory that is in the way, relative to the root; to see whether all of them go. */
  files?(): readonly string[];
}

/** Gives what lies at a path of the project; `undefined` when nothing does. */
export type ReadPresent = (path: string) => Present | undefined;

/**
 * Where a path of the project leads: `path` with the links of its folders followed, and `end`, which follows a link
 * at its end too. Both are the path itself where there are no links, and where a link leads out of the project.
 */
export type FollowLinks = (path: string) => { readonly path: string; readonly end: string };

/** One file of the plan: what it is now, and what happens to it. */
export interface PlanEntry {
  readonly path: string;
  readonly targets: readonly string[];
  readonly build?: string;
  readonly private?: boolean;
  readonly state: PlanState;
  /** `keep` touches nothing on disk. */
  readonly action: 'write' | 'delete' | 'keep';
  /** Permission bits after the run. */
  readonly mode: number;
  /** Size and hash after the run; of a deleted file those before it. */
  readonly bytes: number;
  readonly sha256: string;
  /** Why it is in conflict, drifted or kept: a full sentence. */
  readonly reason?: string;
  /** How a file in the way differs from what is planned. */
  readonly difference?: Difference;
  /** The content after the run; absent when the file is deleted or left alone. */
  readonly content?: Uint8Array;
  /** The file is to be a symbolic link that says this; `content` is what is read through it. */
  readonly link?: string;
  /** What was there when the plan was made. */
  readonly before?: Present;
  /** Nothing but permission bits change: not every file system, and not every commit, holds them. */
  readonly modeOnly?: boolean;
  /** It was read by a migration, and nothing replaces it: only `--force` removes it. */
  readonly original?: boolean;
  /** Content that this run replaces is not ours: keep a copy for the user. */
  readonly takeover: boolean;
  /** For a shared file: what changes in it. */
  readonly shared?: SharedChange;
}

/** `layout`: the same meaning in another layout. `content`: another meaning. `place`: the path holds something else. */
export interface Difference {
  readonly kind: 'layout' | 'content' | 'place';
  /** Fields that the user's file has and the planned one has not. */
  readonly lost: readonly string[];
}

/** The keys of ours that change in a shared file, and the objects and arrays that existed because of us before. */
export interface SharedChange {
  readonly format: SharedFile['format'];
  readonly changes: readonly KeyChange[];
  readonly created: readonly (readonly string[])[];
}

/** A key of a shared file before and after a run; `undefined` is absent. */
export interface KeyChange {
  readonly kind: 'set' | 'element';
  readonly path: readonly string[];
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** A file of the user whose text is in the sources, and the tools of the run that still read it. */
export interface Original {
  readonly path: string;
  readonly targets: readonly string[];
}

/** What a run would do to the files of a project. */
export interface WritePlan {
  /** Sorted by path. Empty when something was wrong with the outputs themselves. */
  readonly entries: readonly PlanEntry[];
  /** Errors, conflicts or drift: nothing may be written. */
  readonly blocked: boolean;
  /** Originals of a migration that tools would read beside what is written; `--force` removes them. */
  readonly originals?: readonly Original[];
  /** The record of ownership when the run is through. */
  readonly manifest: Manifest;
}
