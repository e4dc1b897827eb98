import type { Report } from '../diagnostics/diagnostic.ts';
import type { OutputFile } from '../emit/output.ts';
import { outputBlocked, outputConflict, outputDrifted } from '../generated/diagnostics.ts';
import { type Collected, collectOutputs } from './collect.ts';
import { type Manifest, type OwnedFile, sorted } from './manifest.ts';
import type { Obstacle, PlanEntry, ReadPresent, WritePlan } from './plan.ts';
import { planRemovedShared, planShared } from './plan-shared.ts';
import { planRemovedWhole, planWhole } from './plan-whole.ts';
import { pathKey } from './safe-path.ts';

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
  /** Files that the compile reads; none of them may be an output. */
  readonly isSource?: (path: string) => boolean;
}

/** What the planning of one file needs to know about the whole plan. */
export interface PlanContext extends PlanInput {
  readonly report: Report;
  readonly outputs: ReadonlyMap<string, Collected>;
  /** Owned files by path key: some file systems find a file under another spelling of its name. */
  readonly owned: ReadonlyMap<string, OwnedFile>;
  /** Path keys of files that go in this run. */
  readonly leaving: Set<string>;
  /** Whether the file of `path`, which really is at `real`, is a planned output by way of a link. */
  isLinkedOutput(path: string, real: string): boolean;
}

/** A planned file with what the manifest will say of it; `undefined` when it is not ours afterwards. */
export interface Planned {
  readonly entry: PlanEntry;
  readonly owned: OwnedFile | undefined;
}

/**
 * Compares outputs with what is present and decides what happens to every file. Nothing is written. Every reason
 * that blocks the plan has been reported: errors in the outputs, conflicts, drift, places that cannot be written.
 */
export async function planWrites(input: PlanInput, report: Report): Promise<WritePlan> {
  const { outputs, ok } = collectOutputs(input.files, input.isSource ?? (() => false), report);
  if (!ok) return { entries: [], blocked: true, manifest: input.manifest };

  const owned = new Map<string, OwnedFile>();
  for (const [path, file] of input.manifest.files) owned.set(pathKey(path), file);
  let reals: Set<string> | undefined;
  const isLinkedOutput = (path: string, real: string) => {
    if (real !== path && outputs.has(pathKey(real))) return true;
    reals ??= realPaths(outputs.values(), input.present);
    return reals.has(pathKey(real));
  };
  const context: PlanContext = { ...input, report, outputs, owned, leaving: new Set(), isLinkedOutput };
  const planned = new Set([...outputs.values()].map(output => output.path));
  const entries: PlanEntry[] = [];
  const files = new Map<string, OwnedFile>();

  const add = (path: string, result: Planned | undefined) => {
    if (!result) return;
    entries.push(result.entry);
    if (result.owned) files.set(path, result.owned);
    if (result.entry.action === 'delete') context.leaving.add(pathKey(path));
  };
  for (const [path, file] of input.manifest.files) {
    if (planned.has(path)) continue;
    if (input.keep?.(path, file)) files.set(path, file);
    else if (file.keys) add(path, await planRemovedShared(path, file, context));
    else add(path, planRemovedWhole(path, file, context));
  }
  for (const output of outputs.values()) {
    add(
      output.path,
      output.kind === 'whole' ? planWhole(output, context) : await planShared(output, context),
    );
  }

  entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const blocked = entries.some(isBlocking);
  return { entries, blocked, manifest: { files: sorted(files), directories: input.manifest.directories } };
}

/** Path keys of the files that outputs reach through links. */
function realPaths(outputs: Iterable<Collected>, present: ReadPresent): Set<string> {
  const reals = new Set<string>();
  for (const { path } of outputs) {
    const real = present(path)?.real;
    if (real !== undefined) reals.add(pathKey(real));
  }
  return reals;
}

/** A conflict or drift that nobody took over. */
const isBlocking = (entry: PlanEntry): boolean =>
  (entry.state === 'conflict' || entry.state === 'drifted') && entry.action === 'keep';

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
