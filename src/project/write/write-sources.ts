import { outputBlocked, projectMoves } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { HostError } from '../../host/host.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { WithClock, WithDisk, WithReport } from '../../session/world.ts';
import { applyPlan } from './apply.ts';
import { committedFinder } from './backup.ts';
import { recover } from './journal.ts';
import { presentReader } from './present.ts';
import { readOwned } from './records.ts';
import { reportFailure, reportRecovery, takeoverNote } from './report.ts';
import { openState } from './state.ts';
import { locked } from './write.ts';

/** A file that the user owns once it is there: a source, the configuration. */
export interface SourceFile {
  /** `/`-separated, relative to the root. */
  readonly path: string;
  /** Bytes are written as they are. */
  readonly text: string | Uint8Array;
  /** A program; otherwise an existing file keeps its mode. */
  readonly executable?: boolean;
  /** It was not there when its text was made: one that has come since is not replaced. */
  readonly isNew?: boolean;
  /** What is there was written for something else: a copy is kept, unless version control has it. */
  readonly takeover?: boolean;
  /** It is removed. */
  readonly gone?: boolean;
}

/**
 * Writes sources in one run: all of them or none, and `prs undo` takes them back. They do not become files of the
 * compiler. What stands in the way is reported; the result then is `false` and nothing was changed. `record` may say
 * something else about files that are generated, in the same run.
 */
export async function writeSources(
  root: string,
  files: readonly SourceFile[],
  { disk, clock, report }: WithDisk & WithClock & WithReport,
  record: (manifest: Manifest) => Manifest = manifest => manifest,
): Promise<boolean> {
  if (files.length === 0) return true;
  const state = openState(root, disk);
  try {
    const done = await locked(state, report, async () => {
      reportRecovery(recover(state), report);
      const present = presentReader(root, disk);
      const manifest = readOwned(disk, root, report);
      if (!manifest) return false;
      const entries = files.map((file): PlanEntry => {
        const path = present.followLinks(file.path).end;
        const before = present(path);
        const content = typeof file.text === 'string' ? new TextEncoder().encode(file.text) : file.text;
        return {
          path,
          targets: [],
          state: file.gone ? 'removed' : before ? 'changed' : 'new',
          action: file.gone ? 'delete' : 'write',
          mode: file.executable ? 0o755 : before && !before.obstacle ? before.mode : 0o644,
          bytes: content.length,
          sha256: sha256(content),
          content,
          takeover: file.takeover === true && before !== undefined,
          ...(before && { before }),
        };
      });
      const blocked = entries.find(({ before }) => before?.obstacle);
      if (blocked) {
        const reason = `${blocked.before!.obstacle!.path} is in the way, or leads out of the project`;
        report(outputBlocked({ path: blocked.path, reason }, { file: blocked.path }));
        return false;
      }
      const come = files.find(({ path, isNew }) => isNew && present(path));
      if (come) {
        report(projectMoves({ path: come.path }, { file: come.path }));
        return false;
      }
      const result = await applyPlan({ entries, blocked: false, manifest: record(manifest) }, state, {
        clock,
        findCommitted: await committedFinder(entries),
      });
      if (result.ok) {
        for (const backup of result.backups) report(takeoverNote(backup));
        return true;
      }
      if ('moved' in result) report(projectMoves({ path: result.moved }, { file: result.moved }));
      else reportFailure(result.error, state, report);
      return false;
    });
    return done ?? false;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    reportFailure(error, state, report);
    return false;
  }
}
