import { outputBlocked, outputConflict, outputDrifted } from '../generated/diagnostics.ts';
import type { Json, OutputFile, SharedFile, WholeFile } from '../kinds/output.ts';
import type { FindingGroup, Report } from '../text/diagnostics/diagnostic.ts';
import { pathKey } from '../text/portable-path.ts';
import type { Manifest, OwnedFile, WrittenFiles } from './manifest.ts';

/**
 * `new`: does not exist. `unchanged`: owned and up to date. `changed`: owned, to be rewritten. `adopted`: not
 * owned, but equal. `conflict`: not owned and different. `drifted`: owned, but edited since. `removed`:
 * owned, no longer planned. `source`: a source of the compile, which is never written, owned or removed.
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

/** What is currently at a path. Contents are read on demand. */
export interface Present {
  /** `link`: a symlink to a file of the project. `blocked`: nothing can be written here. */
  readonly kind: 'file' | 'link' | 'blocked';
  readonly mode: number;
  readonly executable: boolean;
  /** The bytes of the file, also through a symlink; empty when blocked. */
  read(): Uint8Array;
  /** The real path relative to the root, when a symlink is involved. */
  readonly real?: string;
  readonly obstacle?: Obstacle;
}

/** What prevents a file from being written at its path. */
export interface Obstacle {
  /**
   * `directory`: there is a directory at the path. `parent`: a part of the path is a file. `outside`: a
   * symlink leads out of the project. `dangling`: a symlink without a target. `special`: a device, socket or
   * pipe.
   */
  readonly kind: 'directory' | 'parent' | 'outside' | 'dangling' | 'special';
  /** The path of the obstacle, relative to the root. */
  readonly path: string;
  /**
   * Files in a directory that is the obstacle, relative to the root, to check whether all of them are
   * deleted.
   */
  files?(): readonly string[];
}

/** Returns what is at a path of the project; `undefined` when nothing is. */
export type ReadPresent = (path: string) => Present | undefined;

/**
 * Resolves symlinks of a project path: `path` has the symlinks of its folders resolved, `end` also a symlink
 * at the end. Both are the path itself without symlinks, and when a symlink leads out of the project.
 */
export type FollowLinks = (path: string) => { readonly path: string; readonly end: string };

/** One file of the plan: its current state, and what happens to it. */
export interface PlanEntry {
  readonly path: string;
  readonly targets: readonly string[];
  readonly build?: string;
  readonly private?: boolean;
  readonly state: PlanState;
  /** `keep` changes nothing on disk. */
  readonly action: 'write' | 'delete' | 'keep';
  readonly mode: number;
  /** Size and hash after the run; for a deleted file, those before it. */
  readonly bytes: number;
  readonly sha256: string;
  /** Why it is in conflict, drifted or kept: a full sentence. */
  readonly reason?: string;
  readonly difference?: Difference;
  /** The content after the run; absent when the file is deleted or not touched. */
  readonly content?: Uint8Array;
  /** The file becomes a symlink with this target; `content` is the content of the target. */
  readonly link?: string;
  /** What existed when the plan was made. */
  readonly before?: Present;
  /** Whether only permission bits change. Not every file system and not every commit stores them. */
  readonly modeOnly?: boolean;
  /** Whether a migration read it and nothing replaces it: only `--force` removes it. */
  readonly original?: boolean;
  /** Whether the run replaces content that is not owned, so that a copy must be kept for the user. */
  readonly needsBackup: boolean;
  /** For a shared file: what changes in it. */
  readonly shared?: SharedChange;
}

/** `content`: another meaning. `place`: the path holds something other than a file. */
export interface Difference {
  readonly kind: 'content' | 'place';
  /** Fields in the existing file that the planned one lacks. */
  readonly lostFields: readonly string[];
}

interface SharedChange {
  readonly format: SharedFile['format'];
  readonly changes: readonly KeyChange[];
  readonly created: readonly (readonly string[])[];
}

/** A key of a shared file before and after a run; `undefined` means absent. */
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
  /** Sorted by path. Empty when the outputs themselves have errors. */
  readonly entries: readonly PlanEntry[];
  /** Whether errors, conflicts or drift prevent writing. */
  readonly blocked: boolean;
  /** Originals of a migration that tools would read in addition to the outputs; `--force` removes them. */
  readonly originals?: readonly Original[];
  /** The manifest after the run. */
  readonly manifest: Manifest;
}

/** The input of a write plan. */
export interface PlanInput {
  readonly files: readonly OutputFile[];
  readonly present: ReadPresent;
  readonly manifest: Manifest;
  /** Whether conflicts and drift are overwritten instead of blocking the plan. */
  readonly force: boolean;
  /** Returns SHA-256 in hexadecimal digits. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Whether an owned file is not covered by this run (other targets, other builds) and is kept. */
  readonly keep?: (path: string, owned: OwnedFile) => boolean;
  /** Files that the compile reads; they are never written, owned or removed. */
  readonly sources?: Iterable<string>;
  /** What was written on this machine, whether or not the manifest still lists it. */
  readonly written?: WrittenFiles;
  /** Whether a path is searched for sources. */
  readonly isSearched?: (path: string) => boolean;
  /**
   * Ids of the enabled targets that read a file of the user, if all of them are part of this run; otherwise
   * empty.
   */
  readonly readersOf?: (path: string) => Promise<readonly string[]>;
  /** Other paths at which the enabled tools look for the same main file. */
  readonly alsoReadAt?: (path: string) => readonly string[];
  /** Whether originals of a migration that no output replaces are removed. */
  readonly removeOriginals?: boolean;
  readonly followLinks?: FollowLinks;
}

/** What planning a single file needs to know about the whole plan. */
export interface PlanContext extends Omit<PlanInput, 'manifest'> {
  readonly followLinks: FollowLinks;
  readonly report: Report;
  readonly outputs: ReadonlyMap<string, OutputFile>;
  /** The content of a file as bytes; resources are read from the disk. */
  readonly contentOf: (file: WholeFile) => Uint8Array;
  /** Owned files by path key, because some file systems find a file by another spelling of its name. */
  readonly owned: ReadonlyMap<string, OwnedFile>;
  /** Path keys of files that this run deletes. */
  readonly deletedPaths: Set<string>;
  isSource(place: string): boolean;
  /**
   * Whether the path of an owned file now goes through a symlink, so that it is not the file that was
   * written.
   */
  isBehindLink(path: string): boolean;
}

/** A planned file with its manifest entry; `undefined` when it is not owned afterwards. */
export interface Planned {
  readonly entry: PlanEntry;
  readonly owned: OwnedFile | undefined;
}

/** The ownership fields of a file, as in plan entries and the manifest. */
export const ownerOf = ({
  targets,
  build,
  private: isPrivate,
}: Pick<OwnedFile, 'targets' | 'build' | 'private'>) => ({
  targets,
  ...(build !== undefined && { build }),
  ...(isPrivate && { private: true }),
});

/** The common fields of plan entries for files that are no longer planned. */
export function removedBase(path: string, owned: OwnedFile, before: Present, { hash }: PlanContext) {
  const now = before.read();
  return {
    path,
    ...ownerOf({ ...owned, private: false }),
    state: 'removed' as const,
    needsBackup: false,
    mode: before.mode,
    bytes: now.length,
    sha256: hash(now),
    before,
  };
}

/**
 * An entry for a file that must not be written; reports the error. `note` is the reason in a list of several
 * files.
 */
export function refuse(
  state: 'conflict' | 'drifted' | 'blocked',
  reason: string,
  entry: Omit<PlanEntry, 'state' | 'action' | 'needsBackup' | 'reason'>,
  context: PlanContext,
  note = reason,
): PlanEntry {
  const { difference = { kind: 'place', lostFields: [] } } = entry;
  const group: FindingGroup = {
    all: state === 'drifted' ? 'files were edited since they were generated' : 'files are in the way',
    group: differenceWords[difference.kind],
    note,
    lost: difference.lostFields,
    hint: state === 'drifted' ? allDrifted : allInTheWay,
  };
  const where = { file: entry.path, target: entry.targets[0] };
  const holes = { path: entry.path, reason };
  if (state === 'conflict') context.report(outputConflict(holes, { ...where, group }));
  else if (state === 'drifted') context.report(outputDrifted(holes, { ...where, group }));
  else context.report(outputBlocked(holes, where));
  return {
    ...entry,
    difference,
    state: state === 'blocked' ? 'conflict' : state,
    action: 'keep',
    needsBackup: false,
    reason,
  };
}

const allInTheWay =
  '`prs diff --all` shows what differs. Move what you need from the files into the sources, then run `prs compile --force`: it takes them over and keeps copies. Do not delete them first.';
const allDrifted =
  '`prs diff --all` shows what differs. Run `prs absorb`, which moves the edits into the sources, and compile again; or run `prs compile --force`: the generated texts win and copies of the edited ones are kept.';

/** How files differ from what is planned, as the rest of a sentence. */
export const differenceWords: Readonly<Record<Difference['kind'], string>> = {
  content: 'differ in content',
  place: 'lie where nothing can be written',
};

/** The part of a sentence that names the fields that a file would lose. */
export const lostWords = ({ lostFields }: Difference): string =>
  lostFields.length === 0
    ? ''
    : `; what would be written lacks ${lostFields.map(name => `\`${name}\``).join(', ')}`;

/** The obstacle as the end of a sentence; `undefined` when this run deletes it. */
export function obstacleReason(obstacle: Obstacle, context: PlanContext): string | undefined {
  const { kind, path } = obstacle;
  switch (kind) {
    case 'directory': {
      const files = obstacle.files?.() ?? [];
      const leaves = files.length > 0 && files.every(file => context.deletedPaths.has(pathKey(file)));
      return leaves ? undefined : 'a folder of that name is there';
    }
    case 'parent':
      return context.deletedPaths.has(pathKey(path)) ? undefined : `${path} is a file, not a folder`;
    case 'outside':
      return `${path} is a symbolic link that leads out of the project`;
    case 'dangling':
      return `${path} is a symbolic link that leads nowhere`;
    case 'special':
      return `${path} is a device, socket or pipe`;
  }
}
