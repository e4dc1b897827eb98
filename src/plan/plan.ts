import { outputBlocked, outputConflict, outputDrifted } from '../generated/diagnostics.ts';
import type { Json, OutputFile, SharedFile, WholeFile } from '../kinds/output.ts';
import type { FindingGroup, Report } from '../text/diagnostics/diagnostic.ts';
import { pathKey } from '../text/portable-path.ts';
import type { Manifest, OwnedFile, WrittenFiles } from './manifest.ts';

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
  readonly mode: number;
  readonly executable: boolean;
  /** Bytes of the file, through a link too; empty when blocked. */
  read(): Uint8Array;
  /** Where the file really is, relative to the root, when a link is on the way. */
  readonly real?: string;
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
  readonly mode: number;
  /** Size and hash after the run; of a deleted file those before it. */
  readonly bytes: number;
  readonly sha256: string;
  /** Why it is in conflict, drifted or kept: a full sentence. */
  readonly reason?: string;
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

/** `content`: another meaning. `place`: the path holds something else. */
export interface Difference {
  readonly kind: 'content' | 'place';
  /** Fields that the user's file has and the planned one has not. */
  readonly lost: readonly string[];
}

interface SharedChange {
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

/** What a write plan is made of. */
export interface PlanInput {
  readonly files: readonly OutputFile[];
  readonly present: ReadPresent;
  readonly manifest: Manifest;
  /** Conflicts and drift are taken over instead of blocking the plan. */
  readonly force: boolean;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Whether an owned file is outside of this run (other targets, other builds) and stays as it is. */
  readonly keep?: (path: string, owned: OwnedFile) => boolean;
  /** Files that the compile reads; none of them is ever written, owned or removed. */
  readonly sources?: Iterable<string>;
  /** What was written on this machine, whether or not the record of ownership still lists it. */
  readonly written?: WrittenFiles;
  /** Whether sources are searched for at a path. */
  readonly isSearched?: (path: string) => boolean;
  /** Ids of the enabled targets that read a file of the user, when all of them are of this run; otherwise none. */
  readonly readersOf?: (path: string) => Promise<readonly string[]>;
  /** Other paths at which the enabled tools look for the main file that a path is. */
  readonly alsoReadAt?: (path: string) => readonly string[];
  /** Originals of a migration that no output replaces are removed. */
  readonly removeOriginals?: boolean;
  readonly followLinks?: FollowLinks;
}

/** What the planning of one file needs to know about the whole plan. */
export interface PlanContext extends Omit<PlanInput, 'manifest'> {
  readonly followLinks: FollowLinks;
  readonly report: Report;
  readonly outputs: ReadonlyMap<string, OutputFile>;
  /** The content of a file as bytes; resources are read from the disk. */
  readonly contentOf: (file: WholeFile) => Uint8Array;
  /** Owned files by path key: some file systems find a file under another spelling of its name. */
  readonly owned: ReadonlyMap<string, OwnedFile>;
  /** Path keys of files that this run deletes. */
  readonly leaving: Set<string>;
  isSource(place: string): boolean;
  /** Whether a file of ours is reached by way of a link now: then it is not the file that was written under its path. */
  isBehindLink(path: string): boolean;
}

/** A planned file with what the manifest will say of it; `undefined` when it is not ours afterwards. */
export interface Planned {
  readonly entry: PlanEntry;
  readonly owned: OwnedFile | undefined;
}

/** Whose a file is, as entries and the record have it. */
export const ownerOf = ({
  targets,
  build,
  private: isPrivate,
}: Pick<OwnedFile, 'targets' | 'build' | 'private'>) => ({
  targets,
  ...(build !== undefined && { build }),
  ...(isPrivate && { private: true }),
});

/** The common part of the entries of files that are no longer planned. A left-over private file is work for a check. */
export function removedBase(path: string, owned: OwnedFile, before: Present, { hash }: PlanContext) {
  const now = before.read();
  return {
    path,
    ...ownerOf({ ...owned, private: false }),
    state: 'removed' as const,
    takeover: false,
    mode: before.mode,
    bytes: now.length,
    sha256: hash(now),
    before,
  };
}

/** An entry for a file that may not be written, with the error reported. `note` is the reason in a list of several. */
export function refuse(
  state: 'conflict' | 'drifted' | 'blocked',
  reason: string,
  entry: Omit<PlanEntry, 'state' | 'action' | 'takeover' | 'reason'>,
  context: PlanContext,
  note = reason,
): PlanEntry {
  const { difference = { kind: 'place', lost: [] } } = entry;
  const together: FindingGroup = {
    all: state === 'drifted' ? 'files were edited since they were generated' : 'files are in the way',
    group: differenceWords[difference.kind],
    note,
    lost: difference.lost,
    hint: state === 'drifted' ? allDrifted : allInTheWay,
  };
  const where = { file: entry.path, target: entry.targets[0] };
  const holes = { path: entry.path, reason };
  if (state === 'conflict') context.report(outputConflict(holes, { ...where, together }));
  else if (state === 'drifted') context.report(outputDrifted(holes, { ...where, together }));
  else context.report(outputBlocked(holes, where));
  return {
    ...entry,
    difference,
    state: state === 'blocked' ? 'conflict' : state,
    action: 'keep',
    takeover: false,
    reason,
  };
}

const allInTheWay =
  '`prs diff --all` shows what differs. Move what you need from the files into the sources, then run `prs compile --force`: it takes them over and keeps copies. Do not delete them first.';
const allDrifted =
  '`prs diff --all` shows what differs. Run `prs absorb`, which moves the edits into the sources, and compile again; or run `prs compile --force`: the generated texts win and copies of the edited ones are kept.';

/** The rest of a sentence about files, by how they differ from what is planned. */
export const differenceWords: Readonly<Record<Difference['kind'], string>> = {
  content: 'differ in content',
  place: 'lie where nothing can be written',
};

/** The part of a sentence that names the fields which a file would lose. */
export const lostWords = ({ lost }: Difference): string =>
  lost.length === 0 ? '' : `; what would be written lacks ${lost.map(name => `\`${name}\``).join(', ')}`;

/** What is in the way, as the end of a sentence; `undefined` when this run deletes it. */
export function obstacleReason(obstacle: Obstacle, context: PlanContext): string | undefined {
  const { kind, path } = obstacle;
  switch (kind) {
    case 'directory': {
      const files = obstacle.files?.() ?? [];
      const leaves = files.length > 0 && files.every(file => context.leaving.has(pathKey(file)));
      return leaves ? undefined : 'a directory of that name is there';
    }
    case 'parent':
      return context.leaving.has(pathKey(path)) ? undefined : `${path} is a file, not a directory`;
    case 'outside':
      return `${path} is a symbolic link that leads out of the project`;
    case 'dangling':
      return `${path} is a symbolic link that leads nowhere`;
    case 'special':
      return `${path} is a device, socket or pipe`;
  }
}
