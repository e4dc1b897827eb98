import { outputBlocked } from '../../generated/diagnostics.ts';
import type { Disk, WritableDisk } from '../../host/host.ts';
import { withFiles } from '../../host/overlay.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { WithClock, WithDisk, WithReport } from '../session/world.ts';
import { commitPlan, fileEntry, reportMoved } from './apply.ts';
import { recover } from './journal.ts';
import { locked } from './locked.ts';
import { presentReader } from './present.ts';
import { readOwned } from './records.ts';
import { openState } from './state.ts';

/** A file that the user owns: a source or the configuration. */
export interface SourceFile {
  /** `/`-separated, relative to the root. */
  readonly path: string;
  /** Bytes are written unchanged. */
  readonly text: string | Uint8Array;
  /** Whether it is executable; otherwise the mode of an existing file is kept. */
  readonly executable?: boolean;
  /** Whether it did not exist at planning; a file created since is not replaced. */
  readonly isNew?: boolean;
  /** Whether the existing file is unrelated, so that a copy is kept unless it is committed. */
  readonly needsBackup?: boolean;
  /** Whether it is deleted. */
  readonly gone?: boolean;
}

/**
 * Writes sources in one run that `prs undo` can revert: all or none. They are not owned by the compiler. Returns
 * `false` after an obstacle was reported. `record` may change the manifest in the same run.
 */
export async function writeSources(
  root: string,
  files: readonly SourceFile[],
  { disk, clock, report }: WithDisk & WithClock & WithReport,
  record: (manifest: Manifest) => Manifest = manifest => manifest,
): Promise<boolean> {
  if (files.length === 0) return true;
  const state = openState(root, disk);
  const done = await locked(state, report, async () => {
    recover(state, report);
    const present = presentReader(root, disk);
    const manifest = readOwned(disk, root, report);
    if (!manifest) return false;
    const entries = files.map(file => entryOf(file, present));
    const blocked = entries.find(({ before }) => before?.obstacle);
    if (blocked) {
      const reason = `${blocked.before!.obstacle!.path} is in the way, or leads out of the project`;
      report(outputBlocked({ path: blocked.path, reason }, { file: blocked.path }));
      return false;
    }
    const plan = { entries, blocked: false, manifest: record(manifest) };
    const come = files.find(({ path, isNew }) => isNew && present(path));
    const result = come ? { ok: false, moved: come.path } : await commitPlan(plan, state, clock, report);
    if (result.moved !== undefined) reportMoved(result.moved, report);
    return result.ok;
  });
  return done ?? false;
}

/** The plan for a file; a link is followed. */
function entryOf(file: SourceFile, present: ReturnType<typeof presentReader>): PlanEntry {
  const { text, executable, gone = false, needsBackup = false } = file;
  const path = present.followLinks(file.path).end;
  const before = present(path);
  const content = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const mode = executable ? 0o755 : before && !before.obstacle ? before.mode : 0o644;
  return fileEntry(path, before, gone ? undefined : { content, mode }, needsBackup && before !== undefined);
}

/** A view of a disk on which the files are written. */
export const withSources = (files: readonly SourceFile[], root: string, disk: Disk): WritableDisk =>
  withFiles(
    disk,
    root,
    files.map(({ path, text, executable = false }) => [path, { content: text, executable }]),
  );
