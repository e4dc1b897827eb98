import { registryFileTooLarge, registryLinkOutside } from '../generated/diagnostics.ts';
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
  const contentOf = ({ offset, size }: SnapshotFile) => snapshot.body.subarray(offset, offset + size);
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
        const target = resolveLink(done, Buffer.from(contentOf(file)).toString('utf8'));
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
        return recorder.admit(file.path, file.sha256, at) ? contentOf(file) : undefined;
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
