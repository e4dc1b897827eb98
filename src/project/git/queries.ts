import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { batchContents, lineOf, partsFor, partsOf, queryGit, startGit, treeEntries } from '../../host/git.ts';
import { recordExternalInput } from '../../host/outside.ts';
import type { MemoryFile } from '../../host/overlay.ts';

/** What use cases ask Git about a working copy. */

/** The contents of some files in the last commit. */
export interface Committed {
  /** Abbreviated id of the commit. */
  readonly commit: string;
  readonly paths: ReadonlySet<string>;
}

/**
 * Returns those of `files` (path relative to `root` to content) whose exact content is in the last commit at
 * the same path; `undefined` when there is no commit. Staged content does not count, because the next `git
 * add` would replace it.
 */
export function committedInGit(root: string, files: ReadonlyMap<string, Uint8Array>): Committed | undefined {
  const commit = lineOf(root, ['rev-parse', '--short', '--verify', '--quiet', 'HEAD']);
  if (!commit) return undefined;
  const records = partsFor(root, ['ls-tree', '-z', commit], [...files.keys()]) ?? [];
  const committed = records.flatMap(record => {
    const [, id, path] = /^\d+ blob ([0-9a-f]{40,64})\t([\s\S]*)$/.exec(record) ?? [];
    const content = path === undefined ? undefined : files.get(path);
    return content && blobId(content, id!.length) === id ? [path!] : [];
  });
  return { commit, paths: new Set(committed) };
}

/** The object id of a content; the length of an id tells the hash function of the repository. */
function blobId(content: Uint8Array, length: number): string {
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');
}

/** Returns those of `paths` (relative to `root`) that Git ignores; `undefined` outside a repository. */
export function ignoredByGit(root: string, paths: readonly string[]): Set<string> | undefined {
  if (paths.length === 0) return new Set();
  const ignored = partsOf(root, ['check-ignore', '-z', '--stdin', '--no-index'], paths.join('\0'));
  return ignored && new Set(ignored);
}

/**
 * Paths relative to `root` that are tracked or would be added: in the index, or not ignored. A nested
 * repository is one path. `undefined` outside a repository.
 */
export function pathsInGit(root: string): string[] | undefined {
  const paths = partsOf(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return paths && [...new Set(paths.map(path => path.replace(/\/$/, '')))];
}

/** Returns those of `paths` (relative to `root`) that are in the index; `undefined` outside a repository. */
export function trackedByGit(root: string, paths: readonly string[]): Set<string> | undefined {
  const tracked = partsFor(root, ['ls-files', '-z'], paths);
  return tracked && new Set(tracked);
}

/** Whether the index has a path (relative to `root`) as an ordinary file, which is no link. */
export const isFileInIndex = (root: string, path: string): boolean =>
  partsFor(root, ['ls-files', '-s', '-z'], [path])?.[0]?.startsWith('100') === true;

/** Larger files are not instructions. */
const largestFile = 1 << 20;

/**
 * The files of a commit, branch or tag below `root`, as stored by Git; `undefined` when the name does not
 * exist. Paths are relative to `root`; symlinks and large files are left out.
 */
export function filesOfCommit(
  root: string,
  reference: string,
  isWanted: (path: string) => boolean,
): Map<string, MemoryFile> | undefined {
  const id = lineOf(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`]);
  return id ? filesOfTree(root, id, isWanted) : undefined;
}

/** The same for the id of a tree. */
export function filesOfTree(
  root: string,
  id: string,
  isWanted: (path: string) => boolean,
): Map<string, MemoryFile> | undefined {
  // Without `--full-tree`, paths are relative to the working directory.
  const listing = queryGit(root, ['ls-tree', '-r', '-z', '-l', id]) ?? Buffer.alloc(0);
  const entries = treeEntries(listing).filter(
    ({ path, kind, size }) => kind !== 'link' && size <= largestFile && isWanted(path),
  );
  const answer = queryGit(root, ['cat-file', '--batch'], `${entries.map(({ blob }) => blob).join('\n')}\n`);
  if (!answer) return undefined;
  const files = new Map<string, MemoryFile>();
  for (const [index, content] of batchContents(answer, entries).entries()) {
    const { path, kind } = entries[index]!;
    if (content) files.set(path, { content: new Uint8Array(content), executable: kind === 'script' });
  }
  return files;
}

/** The changed lines of a file in one commit. */
export interface FileChange {
  readonly commit: string;
  /** Lines with a leading `+` or `-`. */
  readonly lines: readonly string[];
}

/** Refs of operations in progress: merge, cherry-pick, rebase, revert. */
const operationHeads = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'REVERT_HEAD'];

/**
 * The changes of a file in the history of HEAD and of what is being merged into it, newest first, including
 * branches whose changes a merge dropped. Changes made by merge commits are left out. `undefined` without a
 * history.
 */
export function changesInGit(root: string, path: string): readonly FileChange[] | undefined {
  const order = ['--full-history', '--topo-order', '--ignore-missing'];
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--no-show-signature'];
  const format = ['--format=%x00%H', '-p', '-U0', '--text', ...plain];
  const answer = queryGit(root, ['log', ...order, ...format, 'HEAD', ...operationHeads, '--', path]);
  if (!answer?.length) return undefined;
  return answer
    .toString('utf8')
    .split('\0')
    .slice(1)
    .map(text => {
      const [commit, ...lines] = text.split('\n');
      return { commit: commit!, lines: lines.filter(line => /^[+-](?!\+\+ |-- )/.test(line)) };
    });
}

/** Whether a commit contains a file. */
export const isInCommit = (root: string, commit: string, path: string): boolean =>
  (queryGit(root, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', path])?.length ?? 0) > 0;

/** The text of a file in the last commit; `undefined` when it is not there. */
export const lastCommitted = (root: string, path: string): string | undefined =>
  queryGit(root, ['show', '--no-textconv', `HEAD:./${path}`])?.toString('utf8');

/** Whether a merge, cherry-pick, rebase or revert is in progress. */
export const isMerging = (root: string): boolean =>
  operationHeads.some(name => (queryGit(root, ['rev-parse', '--verify', '--quiet', name])?.length ?? 0) > 0);

/** The result of a merge in progress before Git writes it, and its conflicting files. */
export interface MergedTree {
  readonly tree: string;
  /** Relative to the top of the repository. */
  readonly conflicts: ReadonlySet<string>;
}

/**
 * The tree that `git merge` is about to write, with our version of files that use the merge driver.
 * `undefined` when no merge with one other branch is in progress, or when Git is older than 2.38.
 */
export function treeOfMerge(root: string, driver: string): MergedTree | undefined {
  const heads = Object.keys(process.env).flatMap(name => /^GITHEAD_([0-9a-f]{40,64})$/.exec(name)?.[1] ?? []);
  if (heads.length !== 1) return undefined;
  // The merge holds the lock of the index, and sets its own object directories.
  const { GIT_INDEX_FILE: _index, ...environment } = process.env;
  const args = ['-c', `merge.${driver}.driver=true`, 'merge-tree', '--write-tree', '--name-only', '-z'];
  const question = [...args, '--no-messages', 'HEAD', heads[0]!];
  const [tree, ...conflicts] = partsOf(root, question, undefined, environment) ?? [];
  return tree && /^[0-9a-f]{40,64}$/.test(tree) ? { tree, conflicts: new Set(conflicts) } : undefined;
}

/** The top of the repository that contains a folder; `undefined` when there is none. */
export const topOfRepository = (folder: string): string | undefined =>
  lineOf(folder, ['rev-parse', '--show-toplevel']);

/**
 * The path of a file in the Git directory (`hooks`, `info/attributes`). Worktrees and settings such as
 * `core.hooksPath` are respected.
 */
export function pathInGit(root: string, name: string): string | undefined {
  const args = ['rev-parse', '--git-path', name];
  // User settings apply: `core.hooksPath` says where hooks are.
  recordExternalInput('git');
  try {
    const answer = startGit(root, ['-c', 'safe.bareRepository=explicit', ...args]);
    return resolve(root, answer.toString('utf8').replace(/\r?\n$/, ''));
  } catch {
    return undefined;
  }
}

/** The Git directory that all worktrees of a repository share. */
export const commonGitFolder = (root: string): string | undefined => {
  const found = lineOf(root, ['rev-parse', '--git-common-dir']);
  return found ? resolve(root, found) : undefined;
};

/** The scope of the configuration that sets `core.hooksPath`, as Git names it; empty when it is not set. */
export const hooksPathScope = (root: string): string => {
  try {
    return startGit(root, ['config', '--show-scope', '--get', 'core.hooksPath'])
      .toString('utf8')
      .split('\t')[0]!;
  } catch {
    return '';
  }
};

/** Sets or, without a value, removes a setting of the repository. Returns whether that succeeded. */
export const setInGit = (root: string, key: string, value: string | undefined): boolean =>
  queryGit(
    root,
    value === undefined ? ['config', '--local', '--unset', key] : ['config', '--local', key, value],
  ) !== undefined;

/** The URL that a clone was made from. */
export const remoteOf = (root: string): string | undefined =>
  lineOf(root, ['config', '--get', 'remote.origin.url']);
