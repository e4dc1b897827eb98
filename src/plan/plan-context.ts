import type { Report, Together } from '../diagnostics/diagnostic.ts';
import { outputBlocked, outputConflict, outputDrifted } from '../generated/diagnostics.ts';
import type { OutputFile, WholeFile } from '../kinds/output.ts';
import { pathKey } from '../text/portable-path.ts';
import type { Manifest, OwnedFile } from './manifest.ts';
import type { Difference, FollowLinks, Obstacle, PlanEntry, Present, ReadPresent } from './plan.ts';
import type { WrittenFiles } from './written.ts';

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
  /**
   * Ids of the enabled targets whose tools read a file of the user, when all of them are of this run; otherwise none.
   */
  readonly readersOf?: (path: string) => Promise<readonly string[]>;
  /** Other paths at which the enabled tools look for the main file that a path is. */
  readonly alsoReadAt?: (path: string) => readonly string[];
  /** Originals of a migration that no output replaces are removed. */
  readonly removeOriginals?: boolean;
  /** Follows links; absent: there are none. */
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
  /** Whether a place holds a source of the compile. */
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

/**
 * The part of an entry that is the same for every file that is no longer planned. A private file that is left over counts
 * as work for a check, so its entry is not marked as private.
 */
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

/**
 * An entry for a file that stays as it is because something forbids writing it, with the error reported. `note` is the
 * reason in a list of several.
 */
export function refuse(
  state: 'conflict' | 'drifted' | 'blocked',
  reason: string,
  entry: Omit<PlanEntry, 'state' | 'action' | 'takeover' | 'reason'>,
  context: PlanContext,
  note = reason,
): PlanEntry {
  const { difference = { kind: 'place', lost: [] } } = entry;
  const together: Together = {
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
  layout: 'differ only in layout',
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
