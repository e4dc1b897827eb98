import { execFileSync } from 'node:child_process';
import { HostError } from './host.ts';
import { recordExternalInput } from './outside.ts';
import { absolutePath, programPath } from './program-path.ts';

/**
 * Settings that override the configuration of the working copy, which is untrusted and must not make Git
 * start programs. Bare repositories among its files are ignored.
 */
const guards = [
  'core.fsmonitor=false',
  `core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`,
  'safe.bareRepository=explicit',
].flatMap(setting => ['-c', setting]);

/** Git gets no terminal and no network, also not to fetch the missing objects of a partial clone. */
const offlineEnvironment = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };

/**
 * Runs a query of Git in a directory. Returns `undefined` when Git is not installed or the directory is not
 * in a repository. Settings that would start other programs are disabled. The query is recorded as an
 * external input.
 */
export function queryGit(
  root: string,
  args: readonly string[],
  input?: string,
  environment: NodeJS.ProcessEnv = process.env,
): Buffer | undefined {
  recordExternalInput('git');
  try {
    return startGit(root, ['--no-optional-locks', ...guards, ...args], input, environment);
  } catch (error) {
    // `check-ignore` reports "none" by exit code 1 and no output.
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

/** Runs a query with `-z` and splits the output; `undefined` when the query fails. */
export const partsOf = (...question: Parameters<typeof queryGit>): string[] | undefined =>
  queryGit(...question)
    ?.toString('utf8')
    .split('\0')
    .filter(Boolean);

/** Runs a query with one line of output; `undefined` when it is empty or the query fails. */
export const lineOf = (...question: Parameters<typeof queryGit>): string | undefined =>
  queryGit(...question)
    ?.toString('utf8')
    .replace(/\r?\n$/, '') || undefined;

/** In milliseconds. Git waits forever when a file that it reads is a pipe. */
const gitTimeout = 30_000;

/** Runs Git and returns its output. Throws when it fails or is not installed. */
export function startGit(
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
    env: { ...environment, ...offlineEnvironment, PATH: absolutePath(environment) },
    ...(input !== undefined && { input }),
  });
}

/** The number of paths per call: the length of argument lists is limited. */
const batch = 400;

/** Runs a query with `-z` about some paths; `undefined` when it fails. */
export function partsFor(
  root: string,
  args: readonly string[],
  paths: readonly string[],
): string[] | undefined {
  const parts: string[] = [];
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch);
    const answer = partsOf(root, ['--literal-pathspecs', ...args, '--', ...some]);
    if (!answer) return undefined;
    parts.push(...answer);
  }
  return parts;
}

/** A file in the output of `ls-tree -r -z -l`. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'script' | 'link';
  readonly blob: string;
  readonly size: number;
}

const kindsByMode: Readonly<Record<string, TreeEntry['kind']>> = { '100755': 'script', '120000': 'link' };

export const treeEntries = (listing: Buffer): TreeEntry[] =>
  [...listing.toString('utf8').matchAll(/(?<=^|\0)(\d{6}) blob ([0-9a-f]+) +(\d+)\t([^\0]*)\0/g)].map(
    ([, mode, blob, size, path]) => ({
      path: path!,
      kind: kindsByMode[mode!] ?? 'file',
      blob: blob!,
      size: Number(size),
    }),
  );

/** The contents in the output of `cat-file --batch` for some blobs; `undefined` for a content that is incomplete. */
export function batchContents(
  output: Buffer,
  blobs: readonly { readonly size: number }[],
): (Buffer | undefined)[] {
  let end = 0;
  return blobs.map(({ size }) => {
    const start = output.indexOf(10, end) + 1;
    end = start + size + 1;
    const content = output.subarray(start, start + size);
    return start > 0 && content.length === size ? content : undefined;
  });
}
