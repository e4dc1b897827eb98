import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { MemoryFile } from './memory.ts';

/**
 * Questions to git about the files of a directory. Where git is not installed, or the directory is in no
 * repository, the answer is that git knows nothing. Settings that would make git run other programs are off.
 */
function ask(root: string, args: readonly string[], input?: string): Buffer | undefined {
  try {
    return execFileSync(
      'git',
      ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args],
      {
        cwd: root,
        stdio: ['pipe', 'pipe', 'ignore'],
        maxBuffer: 1 << 28,
        ...(input !== undefined && { input }),
      },
    );
  } catch (error) {
    // `check-ignore` says "none" with exit code 1 and an empty answer.
    const { status, stdout } = error as { status?: number; stdout?: Buffer };
    return status === 1 ? stdout : undefined;
  }
}

/** Argument lists have a limit; so many paths go into one call. */
const batch = 400;

/** What the last commit holds of some files. */
export interface Committed {
  /** Short name of the commit. */
  readonly commit: string;
  readonly paths: ReadonlySet<string>;
}

/**
 * Of `files` (path relative to `root`, content), the paths whose exact content the last commit holds under that path;
 * `undefined` where there is no commit. What is only staged does not count: the next `git add` would let go of it.
 */
export function committedInGit(root: string, files: ReadonlyMap<string, Uint8Array>): Committed | undefined {
  const commit = ask(root, ['rev-parse', '--short', '--verify', '--quiet', 'HEAD'])?.toString().trim();
  if (!commit) return undefined;
  const found = new Set<string>();
  const paths = [...files.keys()];
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch);
    const answer = ask(root, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', ...some]);
    for (const record of `${answer ?? ''}`.split('\0')) {
      // "<mode> blob <id>\t<path>"
      const tab = record.indexOf('\t');
      const path = record.slice(tab + 1);
      const id = /\b[0-9a-f]{40,64}\b/.exec(record.slice(0, tab))?.[0];
      const content = files.get(path);
      if (id && content && blobId(content, id.length) === id) found.add(path);
    }
  }
  return { commit, paths: found };
}

/** The name that git gives to a content; its length tells the hash function of the repository. */
function blobId(content: Uint8Array, length: number): string {
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');
}

/** Of `paths` (relative to `root`), those that git ignores; `undefined` when this is no repository. */
export function ignoredByGit(root: string, paths: readonly string[]): Set<string> | undefined {
  if (paths.length === 0) return new Set();
  const answer = ask(root, ['check-ignore', '-z', '--stdin', '--no-index'], paths.join('\0'));
  return answer && new Set(answer.toString().split('\0').filter(Boolean));
}

/** Files beyond this size are no instructions. */
const largestFile = 1 << 20;

/**
 * The files of a commit, branch or tag below `root`, as git has them; `undefined` when it knows no such thing. Paths
 * are relative to `root`; links and large files are left out.
 */
export function filesOfCommit(
  root: string,
  reference: string,
  isWanted: (path: string) => boolean,
): Map<string, MemoryFile> | undefined {
  const commit = ask(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`]);
  const id = commit?.toString().trim();
  if (!id) return undefined;
  // Without `--full-tree`, names are relative to where git runs.
  const listed = ask(root, ['ls-tree', '-r', '-z', '-l', id])?.toString('utf8') ?? '';
  const wanted = listed.split('\0').flatMap(record => {
    const [, mode, blob, size, path] = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t([\s\S]*)$/.exec(record) ?? [];
    if (path === undefined || mode === '120000' || Number(size) > largestFile || !isWanted(path)) return [];
    return [{ path, blob: blob!, executable: mode === '100755' }];
  });
  const answer = ask(root, ['cat-file', '--batch'], `${wanted.map(({ blob }) => blob).join('\n')}\n`);
  if (!answer) return undefined;
  const files = new Map<string, MemoryFile>();
  let at = 0;
  for (const { path, executable } of wanted) {
    const end = answer.indexOf(10, at);
    const size = Number(answer.subarray(at, end).toString().split(' ')[2]);
    files.set(path, { content: new Uint8Array(answer.subarray(end + 1, end + 1 + size)), executable });
    at = end + 1 + size + 1;
  }
  return files;
}
