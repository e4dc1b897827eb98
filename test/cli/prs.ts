/** Runs the built program in temporary projects: real processes, real files. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWhole } from '../support/depth.ts';
import { type Request, runResident, runResidentBeside } from '../support/resident.ts';

export const program = fileURLToPath(new URL('../../dist/prs.cjs', import.meta.url));

export interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program started by a person on a plain machine would see, whatever runs the tests. */
export const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { CI, GITHUB_ACTIONS, GITHUB_WORKSPACE, FORCE_COLOR, NO_COLOR, ...rest } = process.env;
  return { ...rest, ...extra };
};

/** Where a stay in one process does not differ from many: it needs named pipes, and coverage is told at the end of each. */
const canStay = process.platform !== 'win32' && !process.env.NODE_V8_COVERAGE && !isWhole;

/** Node reads its own variables as it starts. */
const isForNode = (env: NodeJS.ProcessEnv): boolean =>
  Object.keys(env).some(name => name.startsWith('NODE_') && env[name] !== process.env[name]);

/** Runs the program in a folder and an environment. Where only what it does is asked, one process stays for all runs. */
export function runProgram({ cwd, args, environment: env }: Request): Result {
  if (canStay && !isForNode(env)) return runResident({ cwd, args, environment: env });
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
  return { status, stdout, stderr };
}

export const prs = (cwd: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Result =>
  runProgram({ cwd, args, environment: environment(extra) });

/** The same, beside a server that is in the test. */
export async function prsBeside(cwd: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<Result> {
  if (canStay && !isForNode(extra)) return runResidentBeside({ cwd, args, environment: environment(extra) });
  const { output, ended } = startPrs(cwd, args, extra);
  const { code } = await ended;
  return { status: code, ...output };
}

/** A run that goes on beside the test, in a process of its own. */
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

/** Waits until something is true; gives up after a time in which even a busy machine would have got there. */
export async function until(condition: () => boolean, what: string, patience = 60_000): Promise<void> {
  for (const end = Date.now() + patience; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A folder that a test made unreadable is the system's to remove.
    }
  }
});

/** A directory with these files, removed when the test is through. */
export function project(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'prs-test-'));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  return folder;
}

export function write(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

export const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

/** Paths of all files below a directory, sorted. */
export function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export const makeUnreadable = (folder: string, path: string): void => chmodSync(join(folder, path), 0o000);

/** Ids of two unlike targets, from the data: the tests must not depend on names either. */
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
