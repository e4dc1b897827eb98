import { targetEntries } from '../config/targets.ts';
import type { PlanEntry } from '../plan/plan.ts';
import type { BuildChoice } from './builds.ts';
import { type Compiled, compileProject } from './compile.ts';
import type { Context } from './context.ts';
import { openProject, type Unusable } from './open.ts';

export interface DiffRequest extends Omit<BuildChoice, 'allBuilds'> {
  /** All targets; otherwise those that are named, or the first enabled one. */
  readonly all: boolean;
  /** Whole files instead of hunks with three lines of context. */
  readonly full: boolean;
}

export interface FileDifference {
  readonly entry: PlanEntry;
  /** Unified format; empty when the content cannot be shown line by line, or is the same. */
  readonly patch: string;
  readonly binary: boolean;
  /** Permission bits before, when they change. */
  readonly modeBefore?: number;
}

export interface Differences {
  readonly compiled: Compiled;
  /** Files that compile would write, take over or delete. */
  readonly files: readonly FileDifference[];
}

/**
 * Compares what compile would write with what is there. Files that are in the way are compared as if they were taken
 * over: seeing the difference is what the command is for, so they are no errors here.
 */
export async function diffProject(request: DiffRequest, context: Context): Promise<Differences | Unusable> {
  const targets = request.targets ?? (request.all || request.builds ? undefined : await firstTarget(context));
  const compiled = await compileProject(
    { mode: 'plan', force: true, targets, builds: request.builds },
    context,
  );
  if (typeof compiled === 'string') return compiled;
  const changes = compiled.entries.filter(({ action }) => action !== 'keep');
  const { structuredPatch, formatPatch } = await import('diff');
  const files = changes.map((entry): FileDifference => {
    const before = entry.before?.obstacle ? undefined : entry.before;
    const texts = [before?.read(), entry.action === 'delete' ? undefined : entry.content].map(readText);
    const modeBefore =
      before && before.mode !== entry.mode && entry.action === 'write' ? before.mode : undefined;
    const common = { entry, ...(modeBefore !== undefined && { modeBefore }) };
    const [old, next] = texts;
    if (old === undefined || next === undefined) return { ...common, patch: '', binary: true };
    const from = before ? `a/${entry.path}` : '/dev/null';
    const to = entry.action === 'delete' ? '/dev/null' : `b/${entry.path}`;
    const lines = request.full ? Number.MAX_SAFE_INTEGER : 3;
    const patch = structuredPatch(from, to, old, next, '', '', { context: lines });
    return { ...common, patch: patch.hunks.length > 0 ? formatPatch(patch) : '', binary: false };
  });
  return { compiled, files };
}

/** The name of the first enabled target of the configuration; it is read again by compile, which reports for both. */
async function firstTarget(context: Context): Promise<readonly string[] | undefined> {
  const project = await openProject({ ...context, report: () => {} });
  const first =
    project && targetEntries(project.loaded.config).find(({ config }) => config.enabled !== false);
  return first && [first.name];
}

/** `undefined` for what is no text. */
function readText(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return '';
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
