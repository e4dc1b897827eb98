import type { Report } from '../diagnostics/diagnostic.ts';
import { outputBlocked, outputConflict, outputDrifted } from '../generated/diagnostics.ts';
import type { OutputFile } from '../kinds/output.ts';
import { pathKey } from '../text/portable-path.ts';
import type { Collected } from './collect.ts';
import type { Manifest, OwnedFile } from './manifest.ts';
import type { FollowLinks, Obstacle, PlanEntry, ReadPresent } from './plan.ts';
import type { WrittenFiles } from './written.ts';

export interface PlanInput {
  readonly files: readonly OutputFile[];
  readonly present: ReadPresent;
  readonly manifest: Manifest;
  /** Conflicts and drift are taken over instead of blocking the plan. */
  readonly force: boolean;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Owned files that this run does not speak of (other targets, other builds): they stay as they are. */
  readonly keep?: (path: string, owned: OwnedFile) => boolean;
  /** Files that the compile reads; none of them is ever written, owned or removed. */
  readonly sources?: Iterable<string>;
  /** What was written on this machine, whatever the record of ownership says of it now. */
  readonly written?: WrittenFiles;
  /** Whether sources are searched for at a path. */
  readonly isSearched?: (path: string) => boolean;
  /** Follows links; absent: there are none. */
  readonly placeOf?: FollowLinks;
}

/** What the planning of one file needs to know about the whole plan. */
export interface PlanContext extends PlanInput {
  readonly report: Report;
  readonly outputs: ReadonlyMap<string, Collected>;
  /** Owned files by path key: some file systems find a file under another spelling of its name. */
  readonly owned: ReadonlyMap<string, OwnedFile>;
  /** Path keys of files that go in this run. */
  readonly leaving: Set<string>;
  /** Whether a file of ours is reached by way of a link now: then it is not the file that was written under its path. */
  isElsewhere(path: string): boolean;
}

/** A planned file with what the manifest will say of it; `undefined` when it is not ours afterwards. */
export interface Planned {
  readonly entry: PlanEntry;
  readonly owned: OwnedFile | undefined;
}

/** An entry for a file that stays as it is because something forbids writing it, with the error reported. */
export function refuse(
  state: 'conflict' | 'drifted' | 'blocked',
  reason: string,
  entry: Omit<PlanEntry, 'state' | 'action' | 'takeover' | 'reason'>,
  context: PlanContext,
): PlanEntry {
  const where = { file: entry.path, target: entry.targets[0] };
  const holes = { path: entry.path, reason };
  if (state === 'conflict') context.report(outputConflict(holes, where));
  else if (state === 'drifted') context.report(outputDrifted(holes, where));
  else context.report(outputBlocked(holes, where));
  return {
    ...entry,
    state: state === 'blocked' ? 'conflict' : state,
    action: 'keep',
    takeover: false,
    reason,
  };
}

/** What is in the way, as the end of a sentence; `undefined` when it goes in this run. */
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
