/**
 * Runs Git on untrusted repositories without running any of their code: no hooks, no submodules, no filters
 * (files are read from the object store and never checked out), no prompts. The user's Git configuration
 * stays in force, because it has proxies, certificates, credential helpers and `url.<base>.insteadOf`;
 * settings in it that run programs on behalf of a repository are overridden.
 */
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { withCleanup } from './at-exit.ts';
import { absolutePath, programPath } from './program-path.ts';

/** One call of Git. */
export interface GitCall {
  /** Working directory; must exist. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Standard input of Git. */
  readonly input?: string;
  /**
   * Configuration for this call. It is passed in the environment, which other users cannot see, unlike
   * arguments.
   */
  readonly config?: readonly (readonly [key: string, value: string])[];
  /** Further environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds without any output after which Git is stopped, and a limit for the whole call. */
  readonly silence: number;
  readonly limit: number;
  readonly progress?: (stage: string, percent: number) => void;
}

/** The result of a call of Git; `missing` means that Git is not installed. */
export type GitResult =
  | { readonly kind: 'done'; readonly output: Buffer }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'missing' };

const CONFIG: readonly (readonly [string, string])[] = [
  ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  // These bare repositories are our own; the user may have forbidden bare repositories in general.
  ['safe.bareRepository', 'all'],
];

/** Variables of the user that say how Git reaches servers. All other `GIT_…` variables are removed. */
const KEPT = new Set([
  'GIT_ASKPASS',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EXEC_PATH',
  'GIT_PROXY_SSL_CAINFO',
  'GIT_SSH_VARIANT',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'GIT_SSL_CERT',
  'GIT_SSL_KEY',
]);

/** Settings passed in the environment, as CI systems do, that say how to reach servers. */
const KEPT_CONFIG = /^(?:url|http|https|credential|safe|ssh)\.|^core\.sshcommand$/i;

/**
 * Programs that Git would start on a terminal. There is none here, and the library refuses to pass them on.
 */
const INTERACTIVE = new Set(['EDITOR', 'PAGER', 'PREFIX', 'VISUAL']);

function environmentOf(call: GitCall): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const foreign = /^GIT_/i.test(name) && !KEPT.has(name);
    if (value !== undefined && !foreign && !INTERACTIVE.has(name.toUpperCase())) result[name] = value;
  }
  const config: (readonly [string, string])[] = [];
  for (let index = 0; index < Number(process.env.GIT_CONFIG_COUNT ?? 0); index += 1) {
    const key = process.env[`GIT_CONFIG_KEY_${index}`];
    const value = process.env[`GIT_CONFIG_VALUE_${index}`];
    if (key !== undefined && value !== undefined && KEPT_CONFIG.test(key)) config.push([key, value]);
  }
  config.push(...CONFIG, ...(call.config ?? []));
  result.GIT_CONFIG_COUNT = String(config.length);
  config.forEach(([key, value], index) => {
    result[`GIT_CONFIG_KEY_${index}`] = key;
    result[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return {
    ...result,
    // Ignores the configuration of a repository that happens to contain the folder.
    GIT_CEILING_DIRECTORIES: dirname(call.folder),
    GIT_TEMPLATE_DIR: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_TERMINAL_PROMPT: '0',
    // A call that may use the network sets its protocol. A local remote must not lead to others.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    PATH: absolutePath(),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GCM_INTERACTIVE: 'never',
    // Error messages are recognised by their English text.
    LC_ALL: 'C',
    LANGUAGE: 'C',
    ...call.environment,
  };
}

/**
 * Milliseconds to wait for remaining output after Git has exited: a background process may keep the pipe
 * open.
 */
const OUTPUT_TIMEOUT = 1_000;

/**
 * Loads the library with its debug output disabled. With `DEBUG=*` in the environment, which people set for
 * other programs, it would print the environment of Git including credentials.
 */
async function loadLibrary(): Promise<typeof import('simple-git')> {
  const { DEBUG } = process.env;
  delete process.env.DEBUG;
  try {
    return await import('simple-git');
  } finally {
    if (DEBUG !== undefined) process.env.DEBUG = DEBUG;
  }
}

let library: ReturnType<typeof loadLibrary> | undefined;

/** Runs one Git command. Never throws: every outcome is a value. */
export async function runGit(call: GitCall): Promise<GitResult> {
  const program = programPath('git');
  if (program === undefined) return { kind: 'missing' };
  if (process.permission && !process.permission.has('child')) {
    const message = "Node's permission model does not allow to start git (`--allow-child-process`)";
    return { kind: 'failed', message };
  }
  library ??= loadLibrary();
  const { GitError, GitPluginError, simpleGit } = await library;
  const environment = environmentOf(call);
  const late = new AbortController();
  const limit = setTimeout(() => late.abort(), call.limit);
  const output: Buffer[] = [];
  const streams: Readable[] = [];
  try {
    const git = simpleGit({
      baseDir: call.folder,
      binary: [program],
      abort: late.signal,
      timeout: { block: call.silence },
      completion: { onExit: OUTPUT_TIMEOUT },
      input: () => call.input,
      allowEnvironment: Object.keys(environment),
      // Each of these is set above, from constants or from the user's environment, never from a repository.
      unsafe: {
        allowUnsafeAskPass: true,
        allowUnsafeConfigEnvCount: true,
        // The path of the program may contain blanks.
        allowUnsafeCustomBinary: true,
        allowUnsafeConfigPaths: true,
        allowUnsafeCredentialHelper: true,
        allowUnsafeExec: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeGpgProgram: true,
        allowUnsafeHooksPath: true,
        allowUnsafeSshCommand: true,
        allowUnsafeTemplateDir: true,
        allowUnsafeUrlRewrite: true,
      },
      errors: (error, { exitCode, stdErr }) => {
        if (exitCode === 0) return undefined;
        const words = Buffer.concat(stdErr).toString('utf8');
        return error instanceof GitPluginError ? error : new GitError(undefined, words);
      },
    });
    git.env(environment).outputHandler((_command, stdout, stderr) => {
      stdout.on('data', (chunk: Buffer) => output.push(chunk));
      const { progress } = call;
      if (progress) stderr.on('data', (chunk: Buffer) => readProgress(String(chunk), progress));
      streams.push(stdout as Readable, stderr as Readable);
    });
    // Programs that Git started for the network end by their own time limits.
    await withCleanup(
      () => late.abort(),
      () => git.raw([...call.args]),
    );
    return { kind: 'done', output: Buffer.concat(output) };
  } catch (error) {
    const { message, plugin } = error as Error & { plugin?: string };
    if (plugin === 'timeout' || plugin === 'abort') return { kind: 'timeout' };
    return { kind: 'failed', message };
  } finally {
    clearTimeout(limit);
    for (const stream of streams) stream.destroy();
  }
}

function readProgress(text: string, progress: (stage: string, percent: number) => void): void {
  const last = [...text.matchAll(/([A-Z][a-z]+ [a-z]+):\s+(\d+)%/g)].at(-1);
  if (last) progress(last[1]!, Number(last[2]));
}
