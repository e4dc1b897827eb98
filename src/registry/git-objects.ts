import { sha256 } from '../host/hash.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { megabyte, megabytes, sourceLimit } from '../text/sizes.ts';
import type { Failure } from './failure.ts';
import { failureOf, type GitContext, runLocalGit } from './git-transport.ts';
import type { SnapshotFile } from './snapshot.ts';

/** The maximum total size of the blobs of a snapshot, in bytes. */
const TOTAL_LIMIT = 256 * megabyte;
/** Blobs are read from Git in portions of this many bytes, so that at most one portion is in memory twice. */
const PORTION = 32 * megabyte;

interface Blobs {
  readonly files: SnapshotFile[];
  readonly body: Uint8Array[];
}

/**
 * Reads the files of a commit from the object store. Nothing is checked out, so filters, hooks and attributes
 * of the repository or the user do not run, and its file names are not created on disk.
 */
export async function readBlobs(
  work: string,
  commit: string,
  root: string,
  context: GitContext,
): Promise<Blobs | { readonly failure: Failure } | { readonly noRoot: true }> {
  const listed = await runLocalGit(
    work,
    ['ls-tree', '-r', '-z', '-l', '--full-tree', `${commit}:${root}`],
    context,
  );
  if (listed.kind === 'failed') return { noRoot: true };
  if (listed.kind !== 'done') return { failure: failureOf(listed, [], context) };
  const files: (SnapshotFile & { readonly oid: string })[] = [];
  let total = 0;
  for (const line of listed.output.toString('utf8').split('\0')) {
    const match = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t([\s\S]*)$/.exec(line);
    if (!match) continue;
    const [, mode, oid, digits, path] = match as unknown as [string, string, string, string, string];
    if (normalizeInnerPath(path) !== path) continue;
    const size = Number(digits);
    const large = size > sourceLimit;
    const kind = large ? 'large' : mode === '120000' ? 'link' : mode === '100755' ? 'script' : 'file';
    if (!large) total += size;
    files.push({ path, kind, sha256: '', offset: 0, size, oid });
  }
  if (total > TOTAL_LIMIT) {
    return {
      failure: { kind: 'other', reason: `its files have more than ${megabytes(TOTAL_LIMIT)} together` },
    };
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = new Map(files.filter(file => file.kind !== 'large').map(file => [file.oid, file.size]));
  const places = new Map<string, { readonly offset: number; readonly sha256: string }>();
  const body: Uint8Array[] = [];
  let offset = 0;
  for (const portion of portionsOf(wanted)) {
    const input = `${portion.join('\n')}\n`;
    const read = await runLocalGit(work, ['cat-file', '--batch'], context, { input });
    if (read.kind !== 'done') return { failure: failureOf(read, [], context) };
    let at = 0;
    for (const oid of portion) {
      const size = wanted.get(oid)!;
      const start = read.output.indexOf(10, at) + 1;
      const bytes = read.output.subarray(start, start + size);
      if (start === 0 || bytes.length !== size) {
        return { failure: { kind: 'other', reason: `git did not give all of object ${oid}` } };
      }
      body.push(bytes);
      places.set(oid, { offset, sha256: sha256(bytes) });
      offset += size;
      at = start + size + 1;
    }
  }
  return { files: files.map(({ oid, ...file }) => ({ ...file, ...places.get(oid) })), body };
}

function portionsOf(wanted: ReadonlyMap<string, number>): string[][] {
  const portions: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const [oid, bytes] of wanted) {
    if (size + bytes > PORTION) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)!.push(oid);
    size += bytes;
  }
  return portions;
}
