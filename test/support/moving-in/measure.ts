/** Migrates and compiles a copy of one repository, and measures the result. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetSpec } from '../../../src/generated/types/target.ts';
import { nodeDisk } from '../../../src/host/disk.ts';
import { adoptProject } from '../../../src/project/adopt/adopt.ts';
import { ownSettings } from '../../../src/project/adopt/entries.ts';
import { privateNotes } from '../../../src/project/adopt/plan.ts';
import { compileProject } from '../../../src/project/compile.ts';
import { undoLastRun } from '../../../src/project/write/undo.ts';
import { loadTexts } from '../../../src/spec/loading/load.ts';
import type { Diagnostic } from '../../../src/text/diagnostics/diagnostic.ts';
import type { Repository } from './repositories.ts';

export interface Measured {
  readonly name: string;
  /** Main files that a tool in use reads, and how many of them a compile leaves correct. */
  readonly mains: number;
  readonly adopted: number;
  /** Other instruction files, and how many of them became sources. */
  readonly items: number;
  readonly keptItems: number;
  readonly conflicts: number;
  /** Size of the always loaded files after ÷ before, for the tool with the highest ratio. */
  readonly loaded: number;
  /** Number of files that a second compile would write, plus files that undoing both runs does not restore. */
  readonly restless: number;
  /** Lines of `git diff` and untracked files outside of the paths that a migration may write. */
  readonly outside: number;
  readonly problem?: string;
  readonly left: readonly string[];
}

export async function measure(repository: Repository, scratch: string): Promise<Measured> {
  const root = join(scratch, 'repository');
  rmSync(root, { recursive: true, force: true });
  repository.make(root);
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'core.quotePath=false', '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 1 << 28,
      },
    );
  git('init', '--quiet');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--allow-empty', '-m', 'as it was');
  const before = textsBelow(root);
  const found: Diagnostic[] = [];
  const context = {
    disk: nodeDisk,
    clock: () => new Date(0),
    cwd: root,
    environment: {},
    report: (finding: Diagnostic) => void found.push(finding),
    progress: () => {},
    signal: new AbortController().signal,
  };
  const nothing = {
    mains: 0,
    adopted: 0,
    items: 0,
    keptItems: 0,
    conflicts: 0,
    restless: 0,
    loaded: 1,
    outside: 0,
    left: [],
  };
  const moved = await adoptProject({ dryRun: false, files: [] }, context);
  if (!moved) {
    const finding = found.find(({ severity }) => severity === 'error') ?? found[0];
    // Without instruction files there is nothing to check.
    if (finding?.code === 'PRS9430') return { name: repository.name, ...nothing };
    return { name: repository.name, ...nothing, problem: `${finding?.code}: ${finding?.message}` };
  }
  const compiled = await compileProject({ mode: 'write' }, context);
  if (typeof compiled === 'string') return { name: repository.name, ...nothing, problem: compiled };
  const specs = moved.adoption.targets.map(({ spec }) => spec);
  const isOurs = ({ spec }: { spec: TargetSpec }) => specs.includes(spec);
  const notes = new Set(
    moved.adoption.left.flatMap(({ path, reason }) => (reason === privateNotes ? [path] : [])),
  );
  const mains = moved.found.files.filter(
    ({ path, roles }) => !notes.has(path) && roles.some(role => role.kind === 'main' && isOurs(role)),
  );
  const still = new Set(['adopted', 'unchanged', 'source']);
  // Two paths to the same file through a link count as one.
  const real = (path: string) => nodeDisk.realpath(join(root, path)) ?? path;
  const settled = new Set(
    compiled.entries.filter(({ state }) => still.has(state)).map(({ path }) => real(path)),
  );
  const items = [...moved.found.files, ...moved.found.skills].filter(
    file =>
      !mains.includes(file) &&
      file.roles.some(role => role.kind !== 'trace' && isOurs(role)) &&
      !moved.adoption.left.some(({ path, reason }) => path === file.path && reason === ownSettings),
  );
  const kept = new Set(moved.adoption.adopted.map(({ path }) => path));
  const after = textsBelow(root);
  const outsideLines = outside(git);
  const again = await compileProject({ mode: 'plan' }, context);
  const moves = typeof again === 'string' ? [] : again.entries.filter(({ action }) => action !== 'keep');
  const undo = { root, disk: nodeDisk, clock: context.clock, force: false };
  while ((await undoLastRun(undo, () => {})).ok);
  const changes = git('status', '--porcelain')
    .split('\n')
    .filter(line => line !== '');
  return {
    name: repository.name,
    mains: mains.length,
    adopted: mains.filter(({ path }) => settled.has(real(path))).length,
    items: items.length,
    keptItems: items.filter(({ path }) => kept.has(path)).length,
    conflicts: compiled.entries.filter(({ state }) => !still.has(state)).length,
    loaded: Math.max(1, ...specs.map(spec => growth(spec, before, after))),
    restless: moves.length + changes.length,
    outside: outsideLines,
    left: moved.adoption.left.map(({ path, reason }) => `${path}: ${reason}`),
  };
}

/** How much more a tool loads in a session at the root that reads a file in every folder with a main file. */
function growth(spec: TargetSpec, before: Texts, after: Texts): number {
  const read = [...new Set([...before.keys()].map(path => path.replace(/[^/]*$/, 'file')))];
  const size = (texts: Texts) =>
    loadTexts(spec, texts, { at: '', read }).parts.reduce(
      (sum, { text }) => sum + Buffer.byteLength(text),
      0,
    );
  const [was, is] = [size(before), size(after)];
  return was === 0 ? (is === 0 ? 1 : Number.POSITIVE_INFINITY) : is / was;
}

export type Texts = ReadonlyMap<string, string>;

/** Markdown files and files without an extension, following links as a tool does. */
export function textsBelow(root: string, folder = '', texts = new Map<string, string>()): Texts {
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (name === '.git' || name === '.instr' || name === 'node_modules') continue;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) textsBelow(root, path, texts);
    else if (/\.(?:mdc?|txt)$|^\.?[A-Za-z]+$/.test(name)) {
      try {
        texts.set(path, readFileSync(join(root, path), 'utf8'));
      } catch {
        // A link to a folder, or a broken link.
      }
    }
  }
  return texts;
}

function outside(git: (...args: string[]) => string): number {
  const untracked = git('ls-files', '--others')
    .split('\n')
    .filter(path => path !== '' && path !== 'instr.yaml' && !path.startsWith('.instr/'));
  const changed = git('diff', '--', '.')
    .split('\n')
    .filter(line => line !== '');
  return untracked.length + changed.length;
}
