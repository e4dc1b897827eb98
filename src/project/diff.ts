import { diffEntry, type FileDiff } from '../plan/diff.ts';
import type { PlanEntry } from '../plan/plan.ts';
import { type Compiled, compileProject } from './compile.ts';
import { targetEntries } from './config/targets.ts';
import type { BuildChoice } from './open/builds.ts';
import { type OpenFailure, openProject } from './open/open.ts';
import type { CompileContext } from './session/world.ts';

/** A request to compare outputs with existing files. */
export interface DiffRequest extends Omit<BuildChoice, 'allBuilds'> {
  /** Whether to compare all targets. Otherwise the named ones are compared, or the first enabled one. */
  readonly all: boolean;
  /** Whether to show whole files instead of hunks. */
  readonly full: boolean;
}

/** A planned file with its difference from the existing one. */
export interface FileDifference extends FileDiff {
  readonly entry: PlanEntry;
  /** Permission bits of the existing file, if they change. */
  readonly modeBefore?: number;
}

/** The changes that a compile would make. */
export interface Differences {
  readonly compiled: Compiled;
  /** Files that a compile would write, replace or delete. */
  readonly files: readonly FileDifference[];
  /** Files that are not owned and equal: a compile only records them. */
  readonly adopted: readonly PlanEntry[];
  /** Enabled targets that were not compared, because the request asked for neither all nor some. */
  readonly notCompared: readonly string[];
}

/**
 * Compares the outputs with the existing files. Files in conflict are compared as if they were replaced, so they are no
 * errors here.
 */
export async function diffProject(
  request: DiffRequest,
  context: CompileContext,
): Promise<Differences | OpenFailure> {
  const isFirstOnly = !request.targets && !request.all && !request.builds;
  const [first, ...notCompared] = isFirstOnly ? await enabledTargets(context) : [];
  const targets = first === undefined ? request.targets : [first];
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
  return { compiled, files, adopted, notCompared };
}

/** The enabled targets. Findings are dropped, because the compile reports them. */
async function enabledTargets(context: CompileContext): Promise<readonly string[]> {
  const project = await openProject({ ...context, report: () => {} });
  const entries = project ? targetEntries(project.loaded.config) : [];
  return entries.flatMap(({ name, config }) => (config.enabled === false ? [] : [name]));
}
