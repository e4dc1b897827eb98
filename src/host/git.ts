import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { HostError } from './host.ts';
import type { MemoryFile } from './memory.ts';
import { recordExternalInput } from './outside.ts';
import { absolutePath, programPath } from './program-path.ts';

/**
 * Configuration that overrules what a working copy says: it may come from anybody, and must not make Git start programs.
 * A bare repository that lies among its files is none.
 */
const guards = [
  'core.fsmonitor=false',
  `core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`,
  'safe.bareRepository=explicit',
].flatMap(setting => ['-c', setting]);

/** Git has no terminal and reaches no server: also not for objects that a partial clone lacks. */
const alone = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };

/**
 * Asks git about the files of a directory; `undefined` where git is not installed or the directory is in no
 * repository. Settings that would make git run other programs are off.
 */
function ask(...question: Parameters<typeof askUnnoted>): Buffer | undefined {
  recordExternalInput('git');
  return askUnnoted(...question);
}

/** Asks for what stands in a file that the caller looks at. */
function askUnnoted(
  root: string,
  args: readonly string[],
  input?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Buffer | undefined {
  try {
    return start(root, ['--no-optional-locks', ...guards, ...args], input, environment);
  } catch (error) {
    // `check-ignore` says "none" with exit code 1 and an empty answer.
    const { status, stdout, code } = error as { status?: number; stdout?: Buffer; code?: string };
    if (code === 'ETIMEDOUT')
      throw new HostError(
        `${root} cannot be looked at: Git gave no answer within ${gitTimeout / 1000} seconds. Run \`git status\` there to see what it waits for, for example a pipe in the place of a .gitignore file.`,
        root,
        code,
      );
    return status === 1 ? stdout : undefined;
  }
}

/** The parts of an answer to a question with `-z`; `undefined` where there is no answer. */
const partsOf = (...question: Parameters<typeof ask>): string[] | undefined =>
  ask(...question)
    ?.toString('utf8')
    .split('\0')
    .filter(Boolean);

/** An answer of one line; `undefined` where it is empty or there is none. */
const lineOf = (...question: Parameters<typeof ask>): string | undefined =>
  ask(...question)
    ?.toString('utf8')
    .replace(/\r?\n$/, '') || undefined;

/** Milliseconds. Git waits for ever where a pipe lies in the place of a file that it reads. */
const gitTimeout = 30_000;

/** Runs Git to its end and gives its output; throws where it fails or is missing. */
function start(
  root: string,
  args: readonly string[],
  input?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Buffer {
  const program = programPath('git', environment);
  if (program === undefined) throw new Error('git is not installed');
  return execFileSync(program, args, {
    cwd: root,
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
    timeout: gitTimeout,
    killSignal: 'SIGKILL',
    env: { ...environment, ...alone, PATH: absolutePath(environment) },
    ...(input !== undefined && { input }),
  });
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
 * `undefined` where there is no commit. What is only staged does not count: the next `git add` would replace it.
 */
export function committedInGit(root: string, files: ReadonlyMap<string, Uint8Array>): Committed | undefined {
  const commit = lineOf(root, ['rev-parse', '--short', '--verify', '--quiet', 'HEAD']);
  if (!commit) return undefined;
  const found = new Set<string>();
  const paths = [...files.keys()];
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch);
    for (const record of partsOf(root, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', ...some]) ??
      []) {
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
  const ignored = partsOf(root, ['check-ignore', '-z', '--stdin', '--no-index'], paths.join('\0'));
  return ignored && new Set(ignored);
}

/**
 * Paths below `root`, relative to it, that git tracks or would track: what is in the index and what it does not ignore. A
 * nested repository is one path. `undefined` when this is no repository.
 */
export function pathsInGit(root: string): string[] | undefined {
  const paths = partsOf(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return paths && [...new Set(paths.map(path => path.replace(/\/$/, '')))];
}

/** Of `paths` (relative to `root`), those that are in the index of git; `undefined` when this is no repository. */
export function trackedByGit(root: string, paths: readonly string[]): Set<string> | undefined {
  const found = new Set<string>();
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch);
    const tracked = partsOf(root, ['--literal-pathspecs', 'ls-files', '-z', '--', ...some]);
    if (!tracked) return undefined;
    for (const path of tracked) found.add(path);
  }
  return found;
}

/** Files below `root`, relative to it, of which a merge left several versions in the index, at which the caller looks. */
export const conflictsInGit = (root: string): string[] => [
  ...new Set(
    (askUnnoted(root, ['ls-files', '--unmerged', '-z'])?.toString() ?? '')
      .split('\0')
      .filter(Boolean)
      .map(line => line.slice(line.indexOf('\t') + 1)),
  ),
];

/** Of `paths`, those that Git merges by a driver. */
export function mergedByDriver(root: string, paths: readonly string[], driver: string): string[] {
  const answer = ask(root, ['check-attr', '-z', '--stdin', 'merge'], paths.join('\0'))?.toString() ?? '';
  const parts = answer.split('\0');
  return paths.filter((_, at) => parts[3 * at + 2] === driver);
}

/** Puts files as they lie there into the index, also that they are gone. Says whether it is so now. */
export const addToIndex = (root: string, paths: readonly string[]): boolean =>
  ask(root, ['--literal-pathspecs', 'add', '-A', '--', ...paths], undefined, withoutFilters(root)) !==
  undefined;

/**
 * The environment for a call of Git that would run filters: those that the configuration of the repository itself defines
 * are off. Filters of the user and of the system are theirs, and stay.
 */
function withoutFilters(root: string): NodeJS.ProcessEnv {
  const listed = ask(root, ['config', '--list', '--show-scope', '--name-only', '-z'])?.toString('utf8') ?? '';
  const parts = listed.split('\0');
  const settings = parts.flatMap((scope, at): [string, string][] => {
    const [, filter, kind] = /^(filter\.[\s\S]*\.)(clean|process|required)$/i.exec(parts[at + 1] ?? '') ?? [];
    if (at % 2 > 0 || filter === undefined || !/^(?:local|worktree)$/.test(scope)) return [];
    return [[filter + kind, kind === 'required' ? 'false' : '']];
  });
  const { env } = process;
  const before = Number(env.GIT_CONFIG_COUNT) || 0;
  const added = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${before + at}`, key],
    [`GIT_CONFIG_VALUE_${before + at}`, value],
  ]);
  return { ...env, ...Object.fromEntries(added), GIT_CONFIG_COUNT: String(before + settings.length) };
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
  const id = lineOf(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`]);
  return id ? filesOfTree(root, id, isWanted) : undefined;
}

/** The same for the name of a tree. */
export function filesOfTree(
  root: string,
  id: string,
  isWanted: (path: string) => boolean,
): Map<string, MemoryFile> | undefined {
  // Without `--full-tree`, names are relative to where git runs.
  const wanted = (partsOf(root, ['ls-tree', '-r', '-z', '-l', id]) ?? []).flatMap(record => {
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

/** What a commit changed in a file, line by line. */
export interface FileChange {
  readonly commit: string;
  /** Lines with their sign, `+` or `-`, in front. */
  readonly lines: readonly string[];
}

/** Ends of what is being merged, picked or put on top of the last commit just now. */
const operationHeads = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'REVERT_HEAD'];

/**
 * The changes of a file in the history of what is checked out and of what is being merged into it, newest first, also on
 * branches whose changes a merge dropped; what merges themselves change is left out. `undefined`: there is no history.
 */
export function changesInGit(root: string, path: string): readonly FileChange[] | undefined {
  const shown = [
    '--format=%x00%H',
    '-p',
    '-U0',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-renames',
    '--text',
    '--no-show-signature',
  ];
  const answer = ask(root, [
    'log',
    '--full-history',
    '--topo-order',
    '--ignore-missing',
    ...shown,
    'HEAD',
    ...operationHeads,
    '--',
    path,
  ]);
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

/** Whether a commit has a file. */
export const isInCommit = (root: string, commit: string, path: string): boolean =>
  (ask(root, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', path])?.length ?? 0) > 0;

/** The text of a file in the last commit; `undefined`: it has none. */
export const lastCommitted = (root: string, path: string): string | undefined =>
  ask(root, ['show', '--no-textconv', `HEAD:./${path}`])?.toString('utf8');

/** Whether a merge, or something like it, is going on. */
export const isMerging = (root: string): boolean =>
  operationHeads.some(name => (ask(root, ['rev-parse', '--verify', '--quiet', name])?.length ?? 0) > 0);

/** The tree of a merge that is going on, before Git has written it, and the files in it that are in conflict. */
export interface MergedTree {
  readonly tree: string;
  /** Relative to the top of the repository. */
  readonly conflicts: ReadonlySet<string>;
}

/**
 * What `git merge` is about to write, with our version of the files of a merge driver; `undefined`: no merge of one
 * other branch is going on, or this Git (before 2.38) cannot tell.
 */
export function treeOfMerge(root: string, driver: string): MergedTree | undefined {
  const heads = Object.keys(process.env).flatMap(name => /^GITHEAD_([0-9a-f]{40,64})$/.exec(name)?.[1] ?? []);
  if (heads.length !== 1) return undefined;
  // The index of the merge is locked, and its object directories are Git's own business.
  const { GIT_INDEX_FILE: _index, ...environment } = process.env;
  const args = ['-c', `merge.${driver}.driver=true`, 'merge-tree', '--write-tree', '--name-only', '-z'];
  const question = [...args, '--no-messages', 'HEAD', heads[0]!];
  const [tree, ...conflicts] = partsOf(root, question, undefined, environment) ?? [];
  return tree && /^[0-9a-f]{40,64}$/.test(tree) ? { tree, conflicts: new Set(conflicts) } : undefined;
}

/** The top of the repository around a folder, and a file of its own folder; `undefined`: there is none. */
export const topOfRepository = (folder: string): string | undefined =>
  lineOf(folder, ['rev-parse', '--show-toplevel']);

/** Where Git keeps a file of its own (`hooks`, `info/attributes`), also in worktrees and with settings for it. */
export function pathInGit(root: string, name: string): string | undefined {
  const args = ['rev-parse', '--git-path', name];
  // Settings of the user count here: `core.hooksPath` is where hooks lie.
  recordExternalInput('git');
  try {
    const answer = start(root, ['-c', 'safe.bareRepository=explicit', ...args]);
    return resolve(root, answer.toString('utf8').replace(/\r?\n$/, ''));
  } catch {
    return undefined;
  }
}

/** The directory of Git that all working trees of a repository share. */
export const commonGitFolder = (root: string): string | undefined => {
  const found = lineOf(root, ['rev-parse', '--git-common-dir']);
  return found ? resolve(root, found) : undefined;
};

/** Which configuration says where hooks lie, as Git names it; empty: none does. */
export const hooksPathScope = (root: string): string => {
  try {
    return start(root, ['config', '--show-scope', '--get', 'core.hooksPath'])
      .toString('utf8')
      .split('\t')[0]!;
  } catch {
    return '';
  }
};

/** Sets a value in the configuration of the repository; without a value, takes it away. Says whether it is so now. */
export const setInGit = (root: string, key: string, value: string | undefined): boolean =>
  ask(
    root,
    value === undefined ? ['config', '--local', '--unset', key] : ['config', '--local', key, value],
  ) !== undefined;

/** Where a clone was cloned from, as Git was told. */
export const remoteOf = (root: string): string | undefined =>
  lineOf(root, ['config', '--get', 'remote.origin.url']);
