import type { ErrorObject } from 'ajv';
import { isNode, parseDocument, stringify } from 'yaml';
import { lockIncomplete, lockInvalid, lockMismatch, lockOutdated } from '../generated/diagnostics.ts';
import type { LockFile } from '../generated/types/lock.ts';
import { lock as validate } from '../generated/validators/lock.ts';
import { conflictMark } from '../text/conflict.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { dataPathOf } from '../text/diagnostics/schema-errors.ts';
import { compareCodeUnits } from '../text/order.ts';
import type { Source, Span } from '../text/source.ts';

/** A source of shared files in the lock file. */
export interface LockEntry {
  /** Its name for people: alias, `registry` or host path, with the requested version. */
  readonly source: string;
  readonly kind: 'git' | 'http';
  /**
   * Address as configured, without credentials. An entry applies only while the configuration has the same
   * address.
   */
  readonly url: string;
  /** Directory of the repository that is the root of the registry. */
  readonly root?: string;
  /** Git only: the commit, and the tag or branch it was chosen by. */
  readonly commit?: string;
  readonly ref?: string;
  /**
   * The files that were read: path below the root to sha256. Over HTTP the hash also identifies the entity,
   * because entity tags differ between mirrors of the same bytes and would change the lock file needlessly.
   */
  readonly files: ReadonlyMap<string, string>;
}

/** Executable content of sources: name to sha256 of the content, to the addresses it comes from. */
export type Executables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The content of `instr.lock`: the locked sources, and their executable content. */
export interface Lock {
  readonly entries: readonly LockEntry[];
  readonly executables?: Executables;
}

const HEAD = '# Written by `prs lock` and `prs update`; commit it, and do not edit it.\n';

/** Parses `instr.lock`. An invalid text is reported with its position and gives `undefined`. */
export function readLock(text: string, report: Report): Lock | undefined {
  const source: Source = { name: 'instr.lock', text };
  const fail = (reason: string, offset: number, hint?: string): undefined => {
    const start = Math.min(offset, text.length);
    report(lockInvalid({ reason }, { span: { source, start, end: Math.min(start + 1, text.length) }, hint }));
  };
  const conflict = conflictMark(text, true);
  if (conflict) {
    const hint =
      'Take one side (`git checkout --ours instr.lock`), then run `prs lock`: it adds what is missing.';
    return fail('it has the markers of a merge conflict', conflict.start, hint);
  }
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error) return fail(error.message, error.pos[0]);
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 0 });
  } catch {
    return fail('a lock has no YAML aliases', 0);
  }
  if (!validate(data)) {
    const [problem] = (validate as unknown as { errors: readonly [ErrorObject] }).errors;
    const path = dataPathOf(problem.instancePath, data);
    const node = document.getIn(path, true);
    const start = isNode(node) ? node.range![0] : 0;
    return fail(`${path.join(' › ') || 'the file'} ${problem.message}`, start);
  }
  const { sources, executables = {} } = data as LockFile;
  return {
    executables: new Map(
      Object.entries(executables).map(([name, hashes]) => [name, new Map(Object.entries(hashes))]),
    ),
    entries: Object.entries(sources).map(([key, entry]) => ({
      source: key,
      kind: entry.git === undefined ? ('http' as const) : ('git' as const),
      url: entry.git ?? entry.http ?? '',
      ...(entry.root !== undefined && { root: entry.root }),
      ...(entry.ref !== undefined && { ref: entry.ref }),
      ...(entry.commit !== undefined && { commit: entry.commit }),
      files: new Map(Object.entries(entry.files)),
    })),
  };
}

/**
 * Prints a lock file: sorted, one file per line, so that branches that add sources merge without conflict.
 */
export function printLock({ entries, executables = new Map() }: Lock): string {
  const sources = entries.map(({ source, kind, url, root, ref, commit, files }) => {
    return [source, { [kind]: url, root: root || undefined, ref, commit, files: sorted(files) }] as const;
  });
  const hashes = [...executables].map(([name, addresses]) => [name, sorted(addresses)] as const);
  const lock = {
    version: 1,
    sources: sorted(sources),
    executables: hashes.length > 0 ? sorted(hashes) : undefined,
  };
  return HEAD + stringify(lock, { lineWidth: 0 });
}

const sorted = <T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> =>
  new Map([...entries].sort(([a], [b]) => compareCodeUnits(a, b)));

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
      const what = `\`${path}\` of ${facts.source}`;
      if (expected !== undefined && expected !== sha256) {
        const { source } = facts;
        report(lockMismatch({ path, source, found: sha256, expected }, { span: at }));
        refused.add(path);
      } else if (expected === undefined && locked && frozen) {
        report(lockOutdated({ what }, { span: at }));
        refused.add(path);
      } else {
        if (expected === undefined && locked && hasLock) report(lockIncomplete({ what }, { span: at }));
        files.set(path, sha256);
      }
      return files.has(path);
    },
    pinned: path => locked?.files.get(path),
  };
}
