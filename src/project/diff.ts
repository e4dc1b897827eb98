import { diffEntry, type FileDiff } from '../plan/diff.ts';
import type { PlanEntry } from '../plan/plan.ts';
import { type Compiled, compileProject } from './compile.ts';
import { targetEntries } from './config/targets.ts';
import type { BuildChoice } from './open/builds.ts';
import { type OpenFailure, openProject } from './open/open.ts';
import type { CompileContext } from './session/world.ts';

/** Which outputs are compared with the files that are there. */
export interface DiffRequest extends Omit<BuildChoice, 'allBuilds'> {
  /** All targets; otherwise those that are named, or the first enabled one. */
  readonly all: boolean;
  /** Whole files instead of hunks with three lines of context. */
  readonly full: boolean;
}

/** A planned file with its difference from the one that is there. */
export interface FileDifference extends FileDiff {
  readonly entry: PlanEntry;
  /** Permission bits before, when they change. */
  readonly modeBefore?: number;
}

/** What a compile would change. */
export interface Differences {
  readonly compiled: Compiled;
  /** Files that compile would write, take over or delete. */
  readonly files: readonly FileDifference[];
  /** Files that are not ours yet but already equal: compile only records them. */
  readonly adopted: readonly PlanEntry[];
}

/**
 * Compares what compile would write with what is there. Files that are in the way are compared as if they were taken
 * over: seeing the difference is what the command is for, so they are no errors here.
 */
export async function diffProject(
  request: DiffRequest,
  context: CompileContext,
): Promise<Differences | OpenFailure> {
  const targets = request.targets ?? (request.all || request.builds ? undefined : await firstTarget(context));
  const compiled = await compileProject(
    { mode: 'plan', force: true, removeOriginals: true, targets, builds: request.builds },
    context,
  );
  if (typeof compiled === 'string') return compiled;
  const changes = compiled.entries.filter(({ action }) => action !== 'keep');
  const files: FileDifference[] = [];
  for (const entry of changes) {
    const { before, mode, action } = entry;
    const exists = before && !before.obstacle;
    const modeBefore = exists && before.mode !== mode && action === 'write' ? before.mode : undefined;
    const difference = await diffEntry(entry, { full: request.full });
    files.push({ entry, ...difference, ...(modeBefore !== undefined && { modeBefore }) });
  }
  const adopted = compiled.entries.filter(({ state, action }) => state === 'adopted' && action === 'keep');
  return { compiled, files, adopted };
}

/** The name of the first enabled target of the configuration; it is read again by compile, which reports for both. */
async function firstTarget(context: CompileContext): Promise<readonly string[] | undefined> {
  const project = await openProject({ ...context, report: () => {} });
  const first =
    project && targetEntries(project.loaded.config).find(({ config }) => config.enabled !== false);
  return first && [first.name];
}
