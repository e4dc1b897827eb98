/** Runs the built program in temporary projects, as real processes with real files. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWhole } from '../support/depth.ts';
import { type Request, runResident, runResidentBeside } from '../support/resident.ts';

export const program = fileURLToPath(new URL('../../dist/prs.cjs', import.meta.url));

export interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a user on a plain machine, independent of the environment of the tests. */
export const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { CI, GITHUB_ACTIONS, GITHUB_WORKSPACE, FORCE_COLOR, NO_COLOR, ...rest } = process.env;
  return { ...rest, ...extra };
};

/**
 * Whether runs may share one process. This needs named pipes. Coverage is written when a process exits, so it needs one process
 * per run.
 */
const canStay = process.platform !== 'win32' && !process.env.NODE_V8_COVERAGE && !isWhole;

/** Node reads its own variables only at startup, so such a run needs its own process. */
const isForNode = (env: NodeJS.ProcessEnv): boolean =>
  Object.keys(env).some(name => name.startsWith('NODE_') && env[name] !== process.env[name]);

/** Runs the program in a folder and an environment, in a shared process if possible. */
export function runProgram(request: Request): Result {
  const { cwd, args, environment: env } = request;
  if (canStay && !isForNode(env)) return runResident(request);
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [request.program ?? program, ...args], options);
  return { status, stdout, stderr };
}

export const prs = (cwd: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Result =>
  runProgram({ cwd, args, environment: environment(extra) });

/** Like `prs`, but without blocking a server in the test process. */
export async function prsBeside(cwd: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<Result> {
  if (canStay && !isForNode(extra)) return runResidentBeside({ cwd, args, environment: environment(extra) });
  const { output, ended } = startPrs(cwd, args, extra);
  const { code } = await ended;
  return { status: code, ...output };
}

/** Starts a run in its own process, in parallel to the test. */
export function startPrs(cwd: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: environment(extra), stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', data => {
    output.stdout += data;
  });
  child.stderr.on('data', data => {
    output.stderr += data;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>(resolve =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  return { child, output, ended };
}

/** Waits until a condition holds. The timeout suits even a busy machine. */
export async function until(condition: () => boolean, what: string, patience = 60_000): Promise<void> {
  for (const end = Date.now() + patience; !condition(); ) {
    if (Date.now() > end) throw new Error(`timed out waiting until ${what}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A folder that a test folders unreadable is left to the system.
    }
  }
});

/** Creates a temporary directory with these files. It is removed when the tests end. */
export function project(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'prs-test-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  return folder;
}

export function write(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

export const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

/** Returns the paths of all files below a directory, sorted. */
export { filesBelow as tree } from '../../scripts/files.ts';

export const makeUnreadable = (folder: string, path: string): void => chmodSync(join(folder, path), 0o000);

/** The ids of all targets, read from the specs so that tests do not depend on names. */
export const targetIds = readdirSync(fileURLToPath(new URL('../../targets', import.meta.url)))
  .filter(name => name.endsWith('.yaml'))
  .map(name => name.slice(0, -5));

/** The smallest project that compiles. */
export const minimal: Files = {
  'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude, codex]\n',
  '.instr/project.prs': [
    '@meta { id: "sample" syntax: "1.5.0" }',
    '@identity { """',
    'You maintain the sample.',
    '""" }',
    '@standards { code: ["Small functions"] }',
    '',
  ].join('\n'),
};
