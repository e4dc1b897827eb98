/**
 * Runs git against other people's repositories, and nothing of what those may bring along: no hooks, no
 * submodules, no filters (files are read from the object store and never checked out), no prompts. The user's own
 * git configuration stays in force, because that is where proxies, certificates, credential helpers and
 * `url.<base>.insteadOf` live; settings in it that run programs on a repository's behalf are overruled.
 */
import { type ChildProcessWithoutNullStreams as Child, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { whileWaiting } from './at-exit.ts';
import { failureCode, hostError } from './failure.ts';
import { absolutePath, programPath } from './program-path.ts';

/** One call of git. */
export interface GitCall {
  /** Where git runs; an existing directory. */
  readonly folder: string;
  readonly args: readonly string[];
  /** What git reads from its standard input. */
  readonly input?: string;
  /** Configuration for this call. It travels in the environment, which other users cannot see, unlike arguments. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  /** Further environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which git is stopped: without any sign of life, and altogether. */
  readonly silence: number;
  readonly limit: number;
  readonly progress?: (stage: string, percent: number) => void;
}

/** How a call of git ended; `missing`: there is no git. */
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
  // The bare repositories are our own; a user may have forbidden them for others.
  ['safe.bareRepository', 'all'],
];

/** Variables of the user that say how git reaches servers. Everything else named `GIT_…` stays outside. */
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

/** Settings that the user passes through the environment, as CI systems do, when they say how to reach servers. */
const KEPT_CONFIG = /^(?:url|http|https|credential|safe|ssh)\.|^core\.sshcommand$/i;

function environmentOf(call: GitCall): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const foreign = /^GIT_/i.test(name) && !KEPT.has(name);
    if (value !== undefined && !foreign) result[name] = value;
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
    // The configuration of a repository that happens to surround the folder is none of our business.
    GIT_CEILING_DIRECTORIES: dirname(call.folder),
    GIT_TEMPLATE_DIR: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_TERMINAL_PROMPT: '0',
    // A call that may reach a server says by which protocol; a server that is a folder must not reach others.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    PATH: absolutePath(),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GCM_INTERACTIVE: 'never',
    // Messages are told apart by their English words.
    LC_ALL: 'C',
    LANGUAGE: 'C',
    ...call.environment,
  };
}

/** Each call leads a group of processes of its own, to which belongs what git starts. */
const hasGroups = process.platform !== 'win32';

/** How long git's output is waited for when git has ended; what it started in the background may hold on to it. */
const OUTPUT_PATIENCE = 1_000;

/** Runs one git command to its end. It never throws: every outcome is a value. */
export async function runGit(call: GitCall): Promise<GitResult> {
  const program = programPath('git');
  if (program === undefined) return { kind: 'missing' };
  if (process.permission && !process.permission.has('child')) {
    const message = "Node's permission model does not allow to start git (`--allow-child-process`)";
    return { kind: 'failed', message };
  }
  const { folder: cwd, args } = call;
  try {
    const child = spawn(program, args, { cwd, env: environmentOf(call), stdio: 'pipe', detached: hasGroups });
    return await whileWaiting(
      () => stopGroup(child),
      () => waitFor(child, call),
    );
  } catch (error) {
    return unstarted(error);
  }
}

function unstarted(error: unknown): GitResult {
  if (failureCode(error) === 'ENOENT') return { kind: 'missing' };
  return { kind: 'failed', message: (hostError(error, 'git') as Error).message };
}

/** The outcome of a process, also where it holds its output open or does not end when it is told to. */
function waitFor(child: Child, { input, progress, silence, limit }: GitCall): Promise<GitResult> {
  const output: Buffer[] = [];
  const words: Buffer[] = [];
  return new Promise(resolve => {
    const end = (result: GitResult) => {
      clearTimeout(silent);
      clearTimeout(whole);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(result);
    };
    const stop = () => {
      stopGroup(child);
      end({ kind: 'timeout' });
    };
    const silent = setTimeout(stop, silence);
    const whole = setTimeout(stop, limit);
    const finish = () =>
      end(
        child.exitCode === 0
          ? { kind: 'done', output: Buffer.concat(output) }
          : { kind: 'failed', message: Buffer.concat(words).toString('utf8') },
      );
    child.stdout.on('data', (chunk: Buffer) => {
      silent.refresh();
      output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      silent.refresh();
      words.push(chunk);
      if (progress) readProgress(String(chunk), progress);
    });
    child.once('error', error => end(unstarted(error)));
    child.once('exit', (_code, signal) => {
      // A git that was stopped leaves the programs behind that it runs for the network.
      if (signal) stopGroup(child);
      setTimeout(finish, OUTPUT_PATIENCE).unref();
    });
    child.once('close', finish);
    // A git that ends early does not read its input.
    child.stdin.on('error', () => {}).end(input);
  });
}

/** Stops a process with all that it started; what is left of its group also when it has ended itself. */
function stopGroup(child: Child): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, 'SIGTERM');
    else child.kill();
  } catch {
    // The process has ended meanwhile.
  }
}

function readProgress(text: string, progress: (stage: string, percent: number) => void): void {
  const last = [...text.matchAll(/([A-Z][a-z]+ [a-z]+):\s+(\d+)%/g)].at(-1);
  if (last) progress(last[1]!, Number(last[2]));
}
