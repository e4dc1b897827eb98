import { lockIncomplete, lockMismatch, lockOutdated } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';

/** Records what a run reads from one source, and compares it with the lock file. */
export interface LockRecorder {
  /** Whether the bytes with this hash may be used; reports why not. */
  admit(path: string, sha256: string, at: Span): boolean;
  /** The hash that the lock file has for a file. */
  pinned(path: string): string | undefined;
}

/** What a recorder needs of the context of a run. */
interface LockContext {
  readonly options: { readonly frozen: boolean };
  readonly hasLock: boolean;
  readonly report: Report;
  /** The future lock entry of each source. */
  readonly used: Map<string, LockEntry>;
}

/** Starts recording a source. `locked` is its lock entry. */
export function openLockRecorder(
  facts: Omit<LockEntry, 'files'>,
  locked: LockEntry | undefined,
  { options: { frozen }, hasLock, report, used }: LockContext,
): LockRecorder {
  const files = new Map<string, string>();
  used.set(facts.source, { ...facts, files });
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
  };
}
