import { registryFileTooLarge, registryLinkOutside, registryUnreachable } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import type { DirEntry } from '../host/host.ts';
import type { StoredRecord } from '../host/records.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { normalizeInnerPath, resolveLink } from '../text/paths.ts';
import { megabytes, sourceLimit } from '../text/sizes.ts';
import type { Span } from '../text/source.ts';
import type { LockRecorder } from './lock.ts';
import type { Tree } from './tree.ts';

/** A file of a commit. A `link` has its target as content; a `large` file has no content in the cache. */
export interface SnapshotFile {
  readonly path: string;
  readonly kind: 'file' | 'script' | 'link' | 'large';
  readonly sha256: string;
  readonly offset: number;
  readonly size: number;
}

/**
 * The cached files of one commit, or of one directory of it. They are a single record instead of a directory,
 * so that they are replaced atomically, and no path of a repository becomes a path of this machine.
 */
export interface SnapshotHeader {
  readonly commit: string;
  readonly files: readonly SnapshotFile[];
}

/** The cached record of a commit. */
export type Snapshot = StoredRecord<SnapshotHeader>;

/** What the trees of one snapshot share. */
export interface SnapshotSource {
  readonly id: string;
  /** The address of the repository, for messages. */
  readonly shown: string;
  readonly snapshot: Snapshot;
  readonly recorder: LockRecorder;
  readonly report: Report;
  /** Fetches a damaged snapshot again. */
  readonly heal: () => Promise<Snapshot | undefined>;
}

/** The maximum number of symlinks in a chain, as in operating systems. */
const LINK_LIMIT = 40;

/**
 * The trees of a snapshot, which differ in the span of their findings. Symlinks are resolved within the
 * snapshot only.
 */
export function snapshotTrees(source: SnapshotSource): (at: Span) => Tree {
  const { id, shown: registry, snapshot, recorder, report } = source;
  const { files, folders } = indexOf(snapshot.header);
  const content = checkedContent(source);
  return at => {
    const refused = new Set<string>();
    /** Resolves symlinks; `undefined` after a report when one leads out of the snapshot. */
    const follow = (path: string): string | undefined => {
      let rest = normalizeInnerPath(path)?.split('/').filter(Boolean);
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
        const bytes = content(file);
        const target =
          bytes instanceof Uint8Array ? resolveLink(done, Buffer.from(bytes).toString('utf8')) : undefined;
        if (target === undefined || links > LINK_LIMIT) {
          refused.add(path);
          report(registryLinkOutside({ path: next, registry }, { span: at }));
          return undefined;
        }
        rest = [...target.split('/').filter(Boolean), ...rest];
        done = '';
      }
      return rest && done;
    };
    const fileAt = (path: string): SnapshotFile | undefined => files.get(follow(path) ?? '');
    const admitted = (file: SnapshotFile, bytes: Uint8Array | undefined): Uint8Array | undefined => {
      if (bytes) return recorder.admit(file.path, file.sha256, at) ? bytes : undefined;
      const reason = 'its copy in the cache is damaged and could not be fetched again';
      report(registryUnreachable({ address: registry, reason }, { span: at }));
      return undefined;
    };
    return {
      id,
      read(path) {
        const file = fileAt(path);
        if (!file) return undefined;
        if (file.kind === 'large') {
          const limit = megabytes(sourceLimit);
          report(registryFileTooLarge({ path, registry, limit }, { span: at }));
          return undefined;
        }
        const bytes = content(file);
        return bytes instanceof Uint8Array
          ? admitted(file, bytes)
          : bytes.then(healed => admitted(file, healed));
      },
      list(path) {
        const real = follow(path);
        return real === undefined ? undefined : folders.get(real);
      },
      failed: path => refused.has(path),
      executable: path => fileAt(path)?.kind === 'script',
    };
  };
}

/** Reads contents and verifies their hashes. A damaged snapshot is fetched again once. */
function checkedContent({ snapshot: first, heal }: SnapshotSource) {
  let snapshot = first;
  let healing: Promise<Snapshot | undefined> | undefined;
  const intact = (file: SnapshotFile): Uint8Array | undefined => {
    const bytes = snapshot.body(file.offset, file.size);
    return bytes && sha256(bytes) === file.sha256 ? bytes : undefined;
  };
  return (file: SnapshotFile): Uint8Array | Promise<Uint8Array | undefined> => {
    const bytes = intact(file);
    if (bytes) return bytes;
    healing ??= heal();
    return healing.then(healed => {
      if (!healed) return undefined;
      snapshot = healed;
      const same = healed.header.files.find(({ path }) => path === file.path);
      return same && intact(same);
    });
  };
}

function indexOf(header: SnapshotHeader) {
  const files = new Map(header.files.map(file => [file.path, file]));
  const folders = new Map<string, Map<string, DirEntry>>([['', new Map()]]);
  const add = (path: string, kind: DirEntry['kind']): void => {
    const slash = path.lastIndexOf('/');
    const [parent, name] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
    if (!folders.has(parent)) {
      folders.set(parent, new Map());
      add(parent, 'directory');
    }
    folders.get(parent)!.set(name, { name, kind });
  };
  for (const { path, kind } of header.files) add(path, kind === 'link' ? 'link' : 'file');
  const sorted = [...folders].map(
    ([path, entries]) => [path, [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1))] as const,
  );
  return { files, folders: new Map<string, readonly DirEntry[]>(sorted) };
}
