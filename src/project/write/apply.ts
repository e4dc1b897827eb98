import { dirname, join } from 'node:path';
import { projectMoves, takenOver } from '../../generated/diagnostics.ts';
import { sha256 } from '../../host/hash.ts';
import { type Clock, HostError, ignoreHostErrors } from '../../host/host.ts';
import { isSameText } from '../../plan/canonical.ts';
import {
  formatWrittenFiles,
  isEmptyManifest,
  manifestPath,
  partOf,
  printManifest,
  privateManifestPath,
} from '../../plan/manifest.ts';
import {
  lostWords,
  type PlanEntry,
  type Present,
  type ReadPresent,
  type WritePlan,
} from '../../plan/plan.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { unusedName } from '../../text/free-name.ts';
import { memoize } from '../../text/memo.ts';
import { parentOf } from '../../text/paths.ts';
import { posixWord } from '../../text/shell.ts';
import { committedInGit } from '../git/queries.ts';
import { dropRunFolders, execute } from './journal.ts';
import { reportFailure } from './locked.ts';
import { presentReader } from './present.ts';
import { readWrittenFiles, recordText } from './records.ts';
import { sealText } from './seal.ts';
import {
  type Backup,
  ensureState,
  type ProjectState,
  printRun,
  type Run,
  type RunStep,
  recordedRuns,
  type StoredFile,
  statePath,
} from './state.ts';

/** The result of a run; with `ok: false`, nothing changed, and the reason was reported. */
export interface Committed {
  readonly ok: boolean;
  readonly written: number;
  readonly deleted: number;
  readonly backups: readonly Backup[];
}

/** The result of a run that changed nothing. */
export const unchanged = { written: 0, deleted: 0, backups: [] };

/** Reports that a file changed during a run. */
export const reportMoved = (path: string, report: Report): void =>
  report(projectMoves({ path }, { file: path }));

/**
 * Whether a plan changes the disk, and whether it changes files under version control: private files differ between
 * machines. `read` returns the text of a manifest.
 */
export function workOf({ entries, manifest }: WritePlan, read: (path: string) => string | undefined) {
  const isNews = (path: string, view = (text: string) => text) => {
    const part = partOf(manifest, path);
    const text = read(path);
    if (text === undefined && isEmptyManifest(part)) return false;
    return view(printManifest(part)) !== view(text?.replace(/\r\n/g, '\n') ?? '');
  };
  const changed = entries.filter(entry => entry.action !== 'keep');
  const work = changed.length > 0 || [manifestPath, privateManifestPath].some(path => isNews(path));
  const isShared = () =>
    changed.some(entry => !entry.private && !entry.modeOnly) || isNews(manifestPath, withoutLocalFacts);
  return { work, sharedWork: work && isShared() };
}

/** A manifest without facts that need no compile: executable bits, which not every system stores, and originals. */
const withoutLocalFacts = (text: string): string =>
  text.replace(/,"executable":true/g, '').replace(/,\n {2}"originals": \{\n[^}]*\n {2}\}/, '');

/**
 * Applies a plan completely or not at all. The caller holds the lock and has recovered the project. Contents are
 * staged, a journal is written and synced, then every file is renamed to its place. After a crash, the next run
 * completes or reverts the run. Copies and host failures are reported. `moved` is a file that changed since planning:
 * nothing was written, and the caller plans again or reports it. `undoes` is a run that this one reverts: its record
 * is removed, and so are the folders that it made.
 */
export async function commitPlan(
  plan: WritePlan,
  state: ProjectState,
  clock: Clock,
  report: Report,
  undoes?: Run,
): Promise<Committed & { readonly moved?: string }> {
  const present = presentReader(state.root, state.disk);
  const work = plan.entries.filter(entry => entry.action !== 'keep');
  const moved = work.find(entry => !sameAsPlanned(entry.before, present(entry.path)));
  if (moved) return { ok: false, ...unchanged, moved: moved.path };
  const prepared = await prepare(work, plan, present, state, clock(), undoes);
  const fail = (error: HostError) => {
    reportFailure(error, state, report);
    return { ok: false, ...unchanged };
  };
  if (prepared instanceof HostError) return fail(prepared);
  const failure = execute(prepared.run, state);
  if (failure) return fail(failure);
  ignoreHostErrors(() => dropRunFolders(state));
  const { backups } = prepared;
  const lost = new Map(work.map(({ path, difference }) => [path, difference?.lostFields]));
  for (const backup of backups) report(takeoverNote(backup, lost.get(backup.path)));
  const deleted = work.filter(entry => entry.action === 'delete').length;
  return { ok: true, written: work.length - deleted, deleted, backups };
}

/** Stages a run and writes its journal. After a failure, which is returned, nothing of it is left. */
async function prepare(
  work: readonly PlanEntry[],
  plan: WritePlan,
  present: ReadPresent,
  state: ProjectState,
  time: Date,
  undoes: Run | undefined,
): Promise<{ readonly run: Run; readonly backups: readonly Backup[] } | HostError> {
  const { root, disk } = state;
  let folder: string | undefined;
  let backups: Backup[] = [];
  try {
    for (const { path } of work) disk.admit(join(root, path));
    ensureState(state);
    const id = nextId(state, time);
    folder = join(state.runs, id);
    disk.makeDirectory(join(folder, 'new'));
    disk.makeDirectory(join(folder, 'old'));
    backups = keepBackups(work, state, time);
    remember(plan, state);
    const run = stage(work, plan, present, state, { id, time, undoes });
    const draft = join(folder, 'draft');
    disk.writeBytes(draft, new TextEncoder().encode(printRun(run, state)), { exclusive: true });
    await disk.sync(draft);
    disk.rename(draft, state.journal);
    return { run, backups };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    ignoreHostErrors(() => folder && disk.removeTree(folder));
    ignoreHostErrors(() => dropBackups(backups, state));
    return error;
  }
}

/**
 * Records hashes of what will be written. A content that is not written after all, or a truncated record, does no harm.
 */
function remember({ entries, manifest }: WritePlan, state: ProjectState): void {
  const text = formatWrittenFiles(readWrittenFiles(state.disk, state.root), entries, manifest.files);
  if (text === undefined) return;
  const { disk, written } = state;
  disk.writeBytes(written, new TextEncoder().encode(sealText(text, 'written', state)));
}

function sameAsPlanned(planned: Present | undefined, now: Present | undefined): boolean {
  if (!planned || !now) return planned === now;
  if (planned.kind !== now.kind || planned.real !== now.real || planned.mode !== now.mode) return false;
  if (planned.obstacle?.kind !== now.obstacle?.kind) return false;
  return Buffer.compare(planned.read(), now.read()) === 0;
}

/** An id for the run. Ids sort in order of runs, also if the clock was set back. Existing folders are skipped. */
function nextId(state: ProjectState, time: Date): string {
  const last = recordedRuns(state)[0]?.id;
  const stamp = `${time.toISOString().slice(0, 19).replace(/[:-]/g, '')}Z`;
  for (let number = last === undefined ? 1 : Number.parseInt(last, 10) + 1; ; number++) {
    const id = `${String(number).padStart(8, '0')}-${stamp}`;
    if (!state.disk.lstat(join(state.runs, id))) return id;
  }
}

/** Stages new contents, links existing ones, and returns the steps of the run. */
function stage(
  work: readonly PlanEntry[],
  plan: WritePlan,
  present: ReadPresent,
  state: ProjectState,
  { id, time, undoes }: { readonly id: string; readonly time: Date; readonly undoes: Run | undefined },
): Run {
  const { root, disk } = state;
  const folder = join(state.runs, id);
  let number = 0;
  const write = ({ content, mode, link, before }: PlanEntry): string => {
    const name = String(number++);
    const path = join(folder, 'new', name);
    if (link === undefined) {
      disk.writeBytes(path, content!, { mode, exclusive: true });
      // The mode of an existing file is kept regardless of the umask.
      if (before?.kind === 'file') disk.setMode(path, mode);
    } else disk.makeLink(link, path);
    return name;
  };
  const save = (path: string, found: Present): StoredFile => {
    const absolute = join(root, path);
    const link = found.kind === 'link' ? disk.readLink(absolute) : undefined;
    const common = { sha256: sha256(found.read()), mode: found.mode };
    if (link !== undefined) return { ...common, link };
    const saved = String(number++);
    const copy = join(folder, 'old', saved);
    disk.writeBytes(copy, found.read(), { mode: found.mode, exclusive: true });
    disk.setMode(copy, found.mode);
    return { ...common, saved };
  };
  const stepOf = (entry: PlanEntry): RunStep => {
    const { path, action, state, before, shared, sha256, mode, link } = entry;
    const kind = action === 'delete' ? 'delete' : 'write';
    const after = { sha256, mode, ...(link !== undefined && { link }) };
    return {
      path,
      kind,
      state,
      ...(kind === 'write' && { staged: write(entry), after }),
      ...(before && !before.obstacle && { before: save(path, before) }),
      ...(shared && { format: shared.format, keys: shared.changes, created: shared.created }),
    };
  };
  const all = [...work, ...recordEntries(plan, present, state)];
  const steps = (['delete', 'write'] as const).flatMap(kind =>
    all.filter(({ action }) => action === kind).map(stepOf),
  );
  return {
    version: 1,
    id,
    time: time.toISOString(),
    steps,
    directories: missingFolders(work, state),
    emptied: foldersLeft(work, undoes?.directories),
    ...(undoes && { undoes: undoes.id }),
  };
}

/** The manifests as files to write; an empty manifest is deleted. */
function recordEntries({ manifest }: WritePlan, present: ReadPresent, state: ProjectState): PlanEntry[] {
  return [privateManifestPath, manifestPath].flatMap((path): PlanEntry[] => {
    const part = partOf(manifest, path);
    const before = present(path);
    if (isEmptyManifest(part)) return before ? [fileEntry(path, before, undefined)] : [];
    const content = new TextEncoder().encode(recordText(part, path, state));
    if (before && isSameText(before.read(), content)) return [];
    const mode = before?.kind === 'file' ? before.mode : 0o644;
    return [fileEntry(path, before, { content, mode })];
  });
}

/** The entry of a file that is no output of a target. Without `after`, it is deleted. */
export function fileEntry(
  path: string,
  before: Present | undefined,
  after: (Pick<PlanEntry, 'mode' | 'link'> & { readonly content: Uint8Array }) | undefined,
  needsBackup = false,
): PlanEntry {
  const content = after?.content ?? before?.read() ?? new Uint8Array();
  return {
    path,
    targets: [],
    state: !after ? 'removed' : before ? 'changed' : 'new',
    action: after ? 'write' : 'delete',
    mode: before?.mode ?? 0o644,
    bytes: content.length,
    sha256: sha256(content),
    needsBackup,
    ...after,
    ...(before && { before }),
  };
}

/** Folders to create, outer ones first. */
function missingFolders(work: readonly PlanEntry[], { root, disk }: ProjectState): string[] {
  const missing: string[] = [];
  const exists = memoize((folder: string): boolean => {
    if (folder === '') return true;
    const isThere = exists(parentOf(folder)) && disk.stat(join(root, folder))?.kind === 'directory';
    if (!isThere) missing.push(folder);
    return isThere;
  });
  for (const { action, path } of work) if (action === 'write') exists(parentOf(path));
  return missing.sort();
}

/**
 * Folders of deleted files, inner ones first, which are removed if they are empty. An undo only removes folders that
 * its run made.
 */
function foldersLeft(work: readonly PlanEntry[], made: readonly string[] | undefined): string[] {
  const left = new Set<string>();
  for (const { action, path } of work) {
    if (action !== 'delete') continue;
    for (let folder = parentOf(path); folder; folder = parentOf(folder)) {
      if (!made || made.includes(folder)) left.add(folder);
    }
  }
  return [...left].sort().reverse();
}

const isReplaced = (entry: PlanEntry) => entry.needsBackup && entry.before && !entry.before.obstacle;

/**
 * Copies each replaced file that is not owned, unless the last commit contains its content. Returns where each content
 * is.
 */
function keepBackups(work: readonly PlanEntry[], { root, disk }: ProjectState, time: Date): Backup[] {
  const taken = work.filter(isReplaced);
  if (taken.length === 0) return [];
  const committed = committedInGit(
    root,
    new Map(
      taken.filter(({ before }) => before!.kind === 'file').map(({ path, before }) => [path, before!.read()]),
    ),
  );
  const stamp = `${statePath}/backups/${time.toISOString().replace(/:/g, '-')}`;
  const folder = unusedName(stamp, name => disk.lstat(join(root, name)) !== undefined);
  return taken.map(({ path, before }) => {
    if (committed?.paths.has(path)) return { path, commit: committed.commit };
    const copy = `${folder}/${path}`;
    disk.makeDirectory(dirname(join(root, copy)));
    disk.writeBytes(join(root, copy), before!.read(), {
      mode: before!.mode | 0o600,
      exclusive: true,
    });
    return { path, copy };
  });
}

/** The finding about a replaced file: where its old content is, how to restore it, and which fields are lost. */
function takeoverNote({ path, copy, commit }: Backup, lostFields: readonly string[] = []): Diagnostic {
  const holes = copy
    ? { where: `its old content is in ${copy}`, restore: `cp ${posixWord(copy)} ${posixWord(path)}` }
    : {
        where: `commit ${commit} has its old content`,
        restore: `git checkout ${commit} -- ${posixWord(path)}`,
      };
  const group = {
    all: 'files were taken over',
    group: copy ? 'have a copy' : 'are in the last commit as they were',
    note: holes.restore,
    lost: lostFields,
    hint: '`prs undo` reverts the whole run; the command next to a file restores its old content.',
  };
  const where =
    lostFields.length > 0 ? `${holes.where}${lostWords({ kind: 'content', lostFields })}` : holes.where;
  return takenOver({ path, ...holes, where }, { file: path, group });
}

/** Removes the copies after a failure. */
function dropBackups(backups: readonly Backup[], { root, disk }: ProjectState): void {
  for (const { copy } of backups) {
    if (copy === undefined) continue;
    disk.removeFile(join(root, copy));
    for (let folder = parentOf(copy); folder !== statePath; folder = parentOf(folder))
      if (!disk.removeEmptyDirectory(join(root, folder))) break;
  }
}
