import { join } from 'node:path';
import type { Budget } from '../emit/limits.ts';
import { overlayDisk } from '../host/overlay.ts';
import { diffEntry, diffTexts, type Hunk } from '../plan/diff.ts';
import type { PlanState } from '../plan/plan.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { type Compiled, compileProject } from './compile.ts';
import { LOCK_FILE, type Locked } from './lock.ts';
import type { OpenFailure } from './open/open.ts';
import { pinSources } from './pin.ts';
import type { CompileContext } from './session/world.ts';
import type { SourceFile } from './write/write-sources.ts';
import { withFiles } from './write/write-sources.ts';

/** One file that a compile would write or delete, with the lines that it gains and loses. */
export interface ChangedFile {
  readonly path: string;
  readonly state: PlanState;
  readonly added: number;
  readonly removed: number;
}

/** What a compile would leave behind. */
export interface CompilePreview {
  readonly files: readonly ChangedFile[];
  readonly budgets: readonly Budget[];
  /** Errors and warnings of that compile. */
  readonly findings: readonly Diagnostic[];
}

/** What an update would do. */
export interface UpdatePreview extends CompilePreview {
  readonly root: string;
  readonly locked: Locked;
}

/**
 * What `prs update` and a compile after it would change, as if somebody had accepted what is newly executable. Nothing
 * is written. `undefined` in the place of a preview: the sources cannot be read, which has been reported.
 */
export async function previewUpdate(
  names: readonly string[] | 'all' | undefined,
  context: CompileContext,
): Promise<UpdatePreview | OpenFailure | { readonly root: string }> {
  const pinned = await pinSources(names, context, { preview: true });
  if (typeof pinned === 'string') return pinned;
  const { root, locked } = pinned;
  if (!locked) return { root };
  const disk = overlayDisk(context.disk);
  disk.writeBytes(join(root, LOCK_FILE), new TextEncoder().encode(locked.acceptedText));
  return { root, locked, ...(await previewCompile({ ...context, disk })) };
}

/** What a compile of a project would change; files in the way count as if they were taken over. */
export async function previewCompile(context: CompileContext): Promise<CompilePreview> {
  const findings: Diagnostic[] = [];
  const report = (found: Diagnostic) => void (found.severity !== 'info' && findings.push(found));
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report });
  if (typeof compiled === 'string') return { files: [], budgets: [], findings };
  return { files: await changedFiles(compiled), budgets: compiled.budgets, findings };
}

/** The files that a compile would write or delete, those that only this machine has left out. */
export async function changedFiles({ entries }: Pick<Compiled, 'entries'>): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const entry of entries) {
    if (entry.action === 'keep' || entry.private) continue;
    const { hunks } = await diffEntry(entry, { full: false });
    files.push({ path: entry.path, state: entry.state, ...countLines(hunks) });
  }
  return files;
}

/** A text that would be another one; `undefined` where there is none, or where it stays. */
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

/** What a compile says and would do if files were written. */
interface Tried {
  readonly findings: readonly Diagnostic[];
  /** What it would do; `undefined` where it does not come that far. */
  readonly compiled: Compiled | undefined;
}

/** Compiles a project as if files were written; nothing is. */
export async function tryFiles(
  files: readonly SourceFile[],
  root: string,
  context: CompileContext,
): Promise<Tried> {
  const { findings, report } = collectFindings();
  const disk = withFiles(files, root, context.disk);
  const compiled = await compileProject({ mode: 'plan' }, { ...context, disk, report, progress: () => {} });
  return { findings, compiled: typeof compiled === 'string' ? undefined : compiled };
}

/** Paths of the files that it would write or keep. */
export const plannedPaths = ({ compiled }: Tried): ReadonlySet<string> =>
  new Set((compiled?.entries ?? []).map(({ path }) => path));
