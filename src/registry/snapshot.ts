import type { Report } from '../diagnostics/diagnostic.ts';
import { registryFileTooLarge, registryLinkOutside, registryUnreachable } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import type { DirEntry } from '../host/host.ts';
import type { StoredRecord } from '../host/records.ts';
import { perObject } from '../text/memo.ts';
import { innerPath, linkTarget } from '../text/paths.ts';
import { megabytes, sourceLimit } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
import type { Ledger } from './ledger.ts';
import type { Tree } from './tree.ts';

/** A file of a commit: `link` has its target as content; `large` has no content in the cache. */
export interface SnapshotFile {
  readonly path: string;
  readonly kind: 'file' | 'script' | 'link' | 'large';
  readonly sha256: string;
  readonly offset: number;
  readonly size: number;
}

/**
 * The working copy of one commit, or of one directory of it, as the cache keeps it: a single record instead of a
 * directory, so that it is written and replaced at once, and no path of a repository becomes a path of this machine.
 */
export interface SnapshotHeader {
  readonly commit: string;
  readonly files: readonly SnapshotFile[];
}

/** The files of a commit as the cache keeps them. */
export type Snapshot = StoredRecord<SnapshotHeader>;

interface Index {
  readonly files: ReadonlyMap<string, SnapshotFile>;
  readonly folders: ReadonlyMap<string, readonly DirEntry[]>;
}

const indexOf = perObject((header: SnapshotHeader): Index => {
  const files = new Map<string, SnapshotFile>();
  const folders = new Map<string, Map<string, DirEntry>>([['', new Map()]]);
  const folder = (path: string): Map<string, DirEntry> => {
    let entries = folders.get(path);
    if (!entries) {
      entries = new Map();
      folders.set(path, entries);
      const { parent, name } = split(path);
      folder(parent).set(name, { name, kind: 'directory' });
    }
    return entries;
  };
  for (const file of header.files) {
    files.set(file.path, file);
    const { parent, name } = split(file.path);
    folder(parent).set(name, { name, kind: file.kind === 'link' ? 'link' : 'file' });
  }
  const sorted = new Map<string, readonly DirEntry[]>();
  for (const [path, entries] of folders) {
    sorted.set(
      path,
      [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }
  return { files, folders: sorted };
});

function split(path: string): { readonly parent: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: slash === -1 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

/** As many links in a row as an operating system follows. */
const LINK_LIMIT = 40;

/** A snapshot with its index, shared by all trees of a run that show it. `heal` fetches a damaged one again. */
export interface SharedSnapshot {
  readonly content: (file: SnapshotFile) => Uint8Array | Promise<Uint8Array | undefined>;
  readonly index: Index;
}

/** Contents that were found to be what their hashes say. */
const proven = new WeakMap<SnapshotFile, Uint8Array>();

/** Wraps a snapshot: content is checked against its hash, and fetched again (once) when the cache was damaged. */
export function shareSnapshot(first: Snapshot, heal: () => Promise<Snapshot | undefined>): SharedSnapshot {
  let snapshot = first;
  let healing: Promise<Snapshot | undefined> | undefined;
  const intact = (file: SnapshotFile): Uint8Array | undefined => {
    const known = proven.get(file);
    if (known) return known;
    const bytes = snapshot.body(file.offset, file.size);
    if (!bytes || sha256(bytes) !== file.sha256) return undefined;
    proven.set(file, bytes);
    return bytes;
  };
  return {
    get index() {
      return indexOf(first.header);
    },
    content(file) {
      const bytes = intact(file);
      if (bytes) return bytes;
      healing ??= heal();
      return healing.then(healed => {
        if (!healed) return undefined;
        snapshot = healed;
        const same = healed.header.files.find(other => other.path === file.path);
        return same && intact(same);
      });
    },
  };
}

/** A snapshot as a tree. Links are followed inside the snapshot only. */
export function snapshotTree(
  shared: SharedSnapshot,
  { id, shown, ledger, report, at }: { id: string; shown: string; ledger: Ledger; report: Report; at: Span },
): Tree {
  const refused = new Set<string>();
  /** The path without links in it; `undefined` when one leads out, which is reported. */
  const follow = (path: string): string | undefined => {
    const { files } = shared.index;
    let rest = innerPath(path)?.split('/').filter(Boolean);
    let done = '';
    for (let links = 0; rest?.length; ) {
      const next: string = done === '' ? rest[0]! : `${done}/${rest[0]}`;
      const file = files.get(next);
      rest = rest.slice(1);
      if (file?.kind !== 'link') {
        done = next;
        continue;
      }
      links += 1;
      const content = shared.content(file);
      const target =
        content instanceof Uint8Array ? linkTarget(done, Buffer.from(content).toString('utf8')) : undefined;
      if (target === undefined || links > LINK_LIMIT) {
        refused.add(path);
        report(registryLinkOutside({ path: next, registry: shown }, { span: at }));
        return undefined;
      }
      rest = [...target.split('/').filter(Boolean), ...rest];
      done = '';
    }
    return rest && done;
  };
  const admitted = (file: SnapshotFile, bytes: Uint8Array | undefined): Uint8Array | undefined => {
    if (!bytes) {
      const reason = 'its copy in the cache is damaged and could not be fetched again';
      report(registryUnreachable({ address: shown, reason }, { span: at }));
      return undefined;
    }
    return ledger.admit(file.path, file.sha256, at) ? bytes : undefined;
  };
  return {
    id,
    read(path) {
      const real = follow(path);
      const file = real === undefined ? undefined : shared.index.files.get(real);
      if (!file) return undefined;
      if (file.kind === 'large') {
        report(registryFileTooLarge({ path, registry: shown, limit: megabytes(sourceLimit) }, { span: at }));
        return undefined;
      }
      const bytes = shared.content(file);
      return bytes instanceof Uint8Array
        ? admitted(file, bytes)
        : bytes.then(healed => admitted(file, healed));
    },
    list(path) {
      const real = follow(path);
      return real === undefined ? undefined : shared.index.folders.get(real);
    },
    failed: path => refused.has(path),
    executable(path) {
      const real = follow(path);
      return real !== undefined && shared.index.files.get(real)?.kind === 'script';
    },
  };
}
