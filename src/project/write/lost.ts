import { changesInGit, isInCommit, isMerging, lastCommitted } from '../../host/git.ts';
import { sha256 } from '../../host/hash.ts';
import type { Disk } from '../../host/host.ts';
import { textHash } from '../../plan/canonical.ts';
import { checkOutputPath, manifestPath, type OwnedFile, type WrittenFile } from '../../plan/manifest.ts';
import { presentReader } from './present.ts';
import { readOwned } from './records.ts';

/** One change of a line of the record: what it says from then on, or that it is gone. */
interface Change {
  readonly commit: string;
  readonly file?: OwnedFile;
}

/**
 * Files that this compiler wrote somewhere, although neither the record of ownership lists them nor this machine wrote
 * them: merges let lines of the record fall, and Git's history still has them. A line counts as lost unless a commit
 * took it away on purpose: one that drops the line and keeps the file lets go of the file, and so does an edit of the
 * record that is not committed yet. One that drops both removed the file, which a merge then brought back.
 *
 * What no history tells stays somebody else's: clones that are cut short, branches that were squashed into one commit,
 * files that were picked without their line.
 */
export function lostFiles(root: string, disk: Disk): Map<string, WrittenFile> {
  const lost = new Map<string, WrittenFile>();
  const owned = readOwned(disk, root, () => {})?.files;
  if (!owned) return lost;
  const present = presentReader(root, disk);
  for (const [path, changes] of readChanges(root)) {
    const now = owned.has(path) || checkOutputPath(path) !== undefined ? undefined : present(path);
    if (now?.kind !== 'file') continue;
    const hash = textHash(now.read(), sha256);
    const file = lastListed(root, path, hash, changes);
    if (!file || (isListedNow(root, path) && !isMerging(root))) continue;
    const { targets, build } = file;
    lost.set(path, { targets, ...(build !== undefined && { build }), sha256: [hash] });
  }
  return lost;
}

/** Every change of a line in the history of the record, newest first, by the path that the line speaks of. */
function readChanges(root: string): Map<string, Change[]> {
  const changes = new Map<string, Change[]>();
  for (const { commit, lines } of changesInGit(root, manifestPath) ?? []) {
    const said = new Map<string, OwnedFile | undefined>();
    for (const line of lines) {
      const [, sign, path, file] = /^([+-])\s*("(?:[^"\\]|\\.)*"): (\{.*\}),?\r?$/.exec(line) ?? [];
      const name = path === undefined ? undefined : parse(path);
      if (typeof name !== 'string') continue;
      if (sign === '+') said.set(name, parse(file!) as OwnedFile | undefined);
      else if (!said.has(name)) said.set(name, undefined);
    }
    for (const [path, file] of said) {
      const known = changes.get(path) ?? [];
      changes.set(path, known);
      known.push({ commit, ...(file && { file }) });
    }
  }
  return changes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the record said of a file with this content, when nobody has let go of the file since. */
function lastListed(
  root: string,
  path: string,
  hash: string,
  changes: readonly Change[],
): OwnedFile | undefined {
  for (const { commit, file } of changes) {
    // What was adopted was written by somebody else.
    if (file?.sha256 === hash) return file.adopted || !Array.isArray(file.targets) ? undefined : file;
    if (!file && isInCommit(root, commit, path)) return undefined;
  }
  return undefined;
}

function isListedNow(root: string, path: string): boolean {
  const { files } = (parse(lastCommitted(root, manifestPath) ?? '') ?? {}) as { files?: object };
  return typeof files === 'object' && files !== null && Object.hasOwn(files, path);
}
