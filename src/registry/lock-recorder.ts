import { lockIncomplete, lockMismatch, lockOutdated } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';

export type SourceFacts = Omit<LockEntry, 'files'>;

/** Records what a run reads from one source, and compares it with the lock file. */
export interface LockRecorder {
  /** Whether the bytes with this hash may be used; reports why not. */
  admit(path: string, sha256: string, at: Span): boolean;
  /** The hash that the lock file has for a file. */
  pinned(path: string): string | undefined;
  entry(): LockEntry;
}

/**
 * Starts recording a source. `locked` is its lock entry. `hasLock` distinguishes a project without a lock
 * file, where nothing is compared, from one whose lock file lacks the source.
 */
export function openLockRecorder(
  facts: SourceFacts,
  locked: LockEntry | undefined,
  { frozen, hasLock }: { readonly frozen: boolean; readonly hasLock: boolean },
  report: Report,
): LockRecorder {
  const files = new Map<string, string>();
  const refused = new Set<string>();
  return {
    admit(path, sha256, at) {
      if (files.has(path)) return true;
      if (refused.has(path)) return false;
      const expected = locked?.files.get(path);
      if (expected !== undefined && expected !== sha256) {
        refused.add(path);
        const { source } = facts;
        report(lockMismatch({ path, source, found: sha256, expected }, { span: at }));
        return false;
      }
      if (expected === undefined && locked && frozen) {
        refused.add(path);
        report(lockOutdated({ what: `\`${path}\` of ${facts.source}` }, { span: at }));
        return false;
      }
      if (expected === undefined && locked && hasLock) {
        report(lockIncomplete({ what: `\`${path}\` of ${facts.source}` }, { span: at }));
      }
      files.set(path, sha256);
      return true;
    },
    pinned: path => locked?.files.get(path),
    entry: () => ({ ...facts, files }),
  };
}
