import { join } from 'node:path';
import type { Budget } from '../emit/limits.ts';
import type { ChangedFile } from '../generated/types/report.ts';
import { withFiles } from '../host/overlay.ts';
import { diffEntry, diffTexts, type Hunk } from '../plan/diff.ts';
import type { PlanEntry } from '../plan/plan.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { type Compiled, compileProject } from './compile.ts';
import { LOCK_FILE, type Locked } from './lock.ts';
import type { OpenFailure } from './open/open.ts';
import { pinSources } from './pin.ts';
import type { CompileContext, WithDisk } from './session/world.ts';
import type { SourceFile } from './write/write-sources.ts';
import { withSources } from './write/write-sources.ts';

/** The effect of a compile. */
export interface CompilePreview {
  readonly files: readonly ChangedFile[];
  readonly budgets: readonly Budget[];
  /** Errors and warnings. */
  readonly findings: readonly Diagnostic[];
  /** The entries of the plan; none after errors. */
  readonly entries: readonly PlanEntry[];
}

/** The effect of an update. */
export interface UpdatePreview extends CompilePreview {
  readonly root: string;
  readonly locked: Locked;
}

/**
 * Previews `prs update` and a compile, with new executables accepted. Nothing is written. Returns only the root after
 * an error was reported.
 */
export async function previewUpdate(
  names: readonly string[] | 'all' | undefined,
  context: CompileContext,
): Promise<UpdatePreview | OpenFailure | { readonly root: string }> {
  const pinned = await pinSources(names, context, true);
  if (typeof pinned === 'string') return pinned;
  const { root, locked } = pinned;
  if (!locked) return { root };
  const disk = withFiles(context.disk, root, [[LOCK_FILE, { content: locked.acceptedText }]]);
  return { root, locked, ...(await previewCompile({ ...context, disk })) };
}

/** Previews a compile in which files in conflict are replaced. */
export async function previewCompile(context: CompileContext): Promise<CompilePreview> {
  const findings: Diagnostic[] = [];
  const report = (found: Diagnostic) => void (found.severity !== 'info' && findings.push(found));
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report });
  if (typeof compiled === 'string') return { files: [], budgets: [], findings, entries: [] };
  const { budgets, entries } = compiled;
  return { files: await changedFiles(compiled), budgets, findings, entries };
}

/** The files that a compile would write or delete, without private ones. */
export async function changedFiles({ entries }: Pick<Compiled, 'entries'>): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const entry of entries) {
    if (entry.action === 'keep' || entry.private) continue;
    const { hunks } = await diffEntry(entry, { full: false });
    files.push({ path: entry.path, state: entry.state, ...countLines(hunks) });
  }
  return files;
}

/** The change of a text; `undefined` if it is equal. */
export async function changedText(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<ChangedFile | undefined> {
  if (before === after) return undefined;
  const state = before === undefined ? 'new' : after === undefined ? 'removed' : 'changed';
  return { path, state, ...countLines(await diffTexts(before ?? '', after ?? '', false)) };
}

function countLines(hunks: readonly Hunk[]): Pick<ChangedFile, 'added' | 'removed'> {
  const lines = hunks.flatMap(hunk => hunk.lines.map(line => line[0]));
  const count = (sign: string) => lines.filter(one => one === sign).length;
  return { added: count('+'), removed: count('-') };
}

/** The findings and the plan of a trial compile. */
interface Tried {
  readonly findings: readonly Diagnostic[];
  readonly compiled: Compiled | undefined;
  /** Paths that the compile would write or keep. */
  readonly planned: ReadonlySet<string>;
}

/** Compiles a project as if files were written. */
export async function tryFiles(
  files: readonly SourceFile[],
  root: string,
  context: CompileContext,
): Promise<Tried> {
  const { findings, report } = collectFindings();
  const disk = withSources(files, root, context.disk);
  const compiled = await compileProject({ mode: 'plan' }, { ...context, disk, report, progress: () => {} });
  if (typeof compiled === 'string') return { findings, compiled: undefined, planned: new Set() };
  return { findings, compiled, planned: new Set(compiled.entries.map(({ path }) => path)) };
}

/** Content of the files that exist after the run of a plan, by path. */
export function plannedContent(
  entries: readonly PlanEntry[],
  root: string,
  { disk }: WithDisk,
): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { path, action, content } of entries) {
    const bytes = action === 'delete' ? undefined : (content ?? disk.readBytes(join(root, path)));
    if (bytes) found.set(path, bytes);
  }
  return found;
}
