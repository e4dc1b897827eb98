import type { Report } from '../diagnostics/diagnostic.ts';
import { lockIncomplete, lockMismatch, lockOutdated } from '../generated/diagnostics.ts';
import type { Span } from '../text/source.ts';
import type { LockEntry } from './lock.ts';

/** What is known of a source beside its files; becomes its lock entry. */
export type SourceFacts = Omit<LockEntry, 'files'>;

/** Records what a run reads from one source, and compares it with what the lock pins. */
export interface Ledger {
  /** Whether these bytes may be used. Everything that speaks against it has been reported. */
  admit(path: string, sha256: string, at: Span): boolean;
  /** What the lock says about a file, when it says something. */
  pinned(path: string): string | undefined;
  entry(): LockEntry;
}

/**
 * Starts the ledger of a source. `locked` is its entry in the lock; `hasLock` tells a project without a lock,
 * where nothing is compared, from one whose lock does not know the source.
 */
export function openLedger(
  facts: SourceFacts,
  locked: LockEntry | undefined,
  { frozen, hasLock }: { readonly frozen: boolean; readonly hasLock: boolean },
  report: Report,
): Ledger {
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
