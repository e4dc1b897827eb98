import { type Document, LineCounter, parseDocument, stringify } from 'yaml';
import { lockInvalid } from '../generated/diagnostics.ts';
import type { LockFile } from '../generated/types/lock.ts';
import { lock as validate } from '../generated/validators/lock.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { compareCode } from '../text/order.ts';
import type { Source } from '../text/source.ts';

/** One source of shared files as the lock pins it. */
export interface LockEntry {
  /** Its name for people: alias, `registry` or host path, with the version that was asked for. */
  readonly source: string;
  readonly kind: 'git' | 'http';
  /** Address as configured, without credentials. An entry counts only while the configuration says the same. */
  readonly url: string;
  /** Directory of the repository that is the root of the registry. */
  readonly root?: string;
  /** Git only: the commit, and the tag or branch it was chosen by. */
  readonly commit?: string;
  readonly ref?: string;
  /**
   * What was read: path below the root to sha256. Over HTTP the hash is also what pins the entity: entity tags
   * differ between mirrors of the same bytes and would change the lock for nothing.
   */
  readonly files: ReadonlyMap<string, string>;
}

/** What sources bring along and can run: name to sha256 of what it does, to the addresses it comes from. */
export type Executables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What `instr.lock` holds: the pinned sources, and what may run of them. */
export interface Lock {
  readonly entries: readonly LockEntry[];
  readonly executables?: Executables;
}

const HEAD = '# Written by `prs lock` and `prs update`; commit it, and do not edit it.\n';

/**
 * Reads the text of `instr.lock`. A text that is no lock is reported, with its place, and gives `undefined`.
 * `name` is the path that people see.
 */
export function readLock(text: string, report: Report, name = 'instr.lock'): Lock | undefined {
  const source: Source = { name, text };
  const fail = (reason: string, offset: number): undefined => {
    const start = Math.min(offset, text.length);
    report(lockInvalid({ reason }, { span: { source, start, end: Math.min(start + 1, text.length) } }));
    return undefined;
  };
  const conflict = /^(?:<{7}|={7}|>{7})/m.exec(text);
  if (conflict) return fail('it has the markers of a merge conflict', conflict.index);
  const document = parseDocument(text, {
    lineCounter: new LineCounter(),
    prettyErrors: false,
    uniqueKeys: true,
  });
  const [error] = document.errors;
  if (error) return fail(error.message, error.pos[0]);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return fail('a lock has no YAML aliases', 0);
  }
  if (!validate(value)) {
    const [problem] =
      (validate as unknown as { errors?: { instancePath: string; message?: string }[] }).errors ?? [];
    const path = (problem?.instancePath ?? '')
      .split('/')
      .slice(1)
      .map(part => part.replace(/~1/g, '/').replace(/~0/g, '~'));
    return fail(
      `${path.join(' › ') || 'the file'} ${problem?.message ?? 'has the wrong shape'}`,
      offsetOf(document, path),
    );
  }
  const { sources, executables = {} } = value as LockFile;
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

function offsetOf(document: Document, path: readonly string[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

/** The text of a lock: sorted, one file a line, so that two branches that add sources merge without conflict. */
export function printLock(lock: Lock): string {
  const sources = new Map(
    [...lock.entries]
      .sort((a, b) => compareCode(a.source, b.source))
      .map(entry => [
        entry.source,
        new Map<string, unknown>([
          [entry.kind, entry.url],
          ...(entry.root ? [['root', entry.root] as const] : []),
          ...(entry.ref ? [['ref', entry.ref] as const] : []),
          ...(entry.commit ? [['commit', entry.commit] as const] : []),
          ['files', new Map([...entry.files].sort(([a], [b]) => compareCode(a, b)))],
        ]),
      ]),
  );
  const executables = new Map(
    [...(lock.executables ?? [])]
      .sort(([a], [b]) => compareCode(a, b))
      .map(([name, hashes]) => [name, new Map([...hashes].sort(([a], [b]) => compareCode(a, b)))]),
  );
  return (
    HEAD +
    stringify(
      new Map<string, unknown>([
        ['version', 1],
        ['sources', sources],
        ...(executables.size > 0 ? [['executables', executables] as const] : []),
      ]),
      { lineWidth: 0 },
    )
  );
}
