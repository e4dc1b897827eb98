import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isOver } from '../../emit/limits.ts';
import { textAt } from '../../host/host.ts';
import { askedOutside, forgetOutside } from '../../host/outside.ts';
import { isEmptyManifest, manifestPath, partOf, printManifest } from '../../plan/manifest.ts';
import { type Lock, printLock } from '../../registry/lock.ts';
import type { RegistryOverrides } from '../../registry/overrides.ts';
import type { Parse } from '../../session/documents.ts';
import { singleSession } from '../../session/session.ts';
import type { Compiling } from '../../session/world.ts';
import { compareCode } from '../../text/order.ts';
import { type Compiled, type CompileRequest, compileProject } from '../compile.ts';
import {
  type ExecutableFacts,
  executableFacts,
  isRecorded,
  joinExecutables,
  type RecordedExecutable,
} from '../executables.ts';
import { LOCK_FILE, openLock } from '../lock.ts';
import { type ChangedFile, changedFiles, changedText } from '../preview-update.ts';
import type { Entry, Traced } from './cache.ts';
import { type Change, isReached } from './change.ts';
import { type Ask, noteReads, type SourceReads } from './reads.ts';
import { traceDisk } from './trace.ts';

/** Something that a compile says, as far as two of them can be compared by it. */
export interface Said {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly file?: string;
}

/** What a change does to a project. Nothing of it is said of a project that is not as its sources say. */
export interface ProjectPlan {
  /** What version control would see, the lock and the manifest among them. */
  readonly files: readonly ChangedFile[];
  readonly executable: readonly ExecutableFacts[];
  /** What a compile says after the change and not before. */
  readonly findings: readonly Said[];
  /** Targets beyond a limit that they kept before. */
  readonly over: readonly string[];
  /** Why nothing can be written here. */
  readonly error?: string;
}

/** What a change does that reaches nothing. */
export const nothing: ProjectPlan = { files: [], executable: [], findings: [], over: [] };

/** A project as it is. */
export interface Baseline {
  readonly said: readonly Said[];
  readonly over: readonly string[];
  readonly sources: readonly SourceReads[];
  readonly files: readonly ChangedFile[];
  /** Why a compile would not leave everything as it is. */
  readonly error?: string;
  /** There are errors, so that not all may have been read. */
  readonly broken: boolean;
}

/** A project after the change, with what it read for that. */
export interface Changed {
  readonly sources: readonly SourceReads[];
  readonly plan: ProjectPlan;
}

/** One compile that writes nothing, with all that decided what it says. */
async function compileTraced(
  request: Omit<CompileRequest, 'mode' | 'trial'>,
  context: Compiling,
  parse: Parse,
): Promise<{
  readonly compiled: Compiled | undefined;
  readonly said: readonly Said[];
  readonly traced: Traced;
}> {
  const found: Diagnostic[] = [];
  const report = (one: Diagnostic) => void (one.severity !== 'info' && found.push(one));
  const trace = traceDisk(context.disk, context.cwd, context.clock().getTime());
  const variables = new Set<string>();
  const variableAsked = (name: string) => void variables.add(name);
  const world = { ...context, disk: trace.disk, report, variableAsked };
  forgetOutside();
  const compiled = await compileProject(
    { ...request, mode: 'plan', trial: true },
    world,
    singleSession(world, parse),
  );
  const traced = { reads: trace.reads(), variables: [...variables], outside: [...askedOutside()] };
  return { compiled: typeof compiled === 'string' ? undefined : compiled, said: found.map(saidBy), traced };
}

const saidBy = ({ code, severity, message, file, span }: Diagnostic): Said => {
  const name = span?.source.name ?? file;
  return {
    code,
    severity: severity as Said['severity'],
    message,
    ...(name !== undefined && { file: name }),
  };
};

/** Compiles a project as it is, from what its lock pins alone, and keeps what that says. */
export async function compileAsIs(context: Compiling, entry: Entry, parse: Parse): Promise<Baseline> {
  const { observe, all } = noteReads();
  const { compiled, said, traced } = await compileTraced(
    { frozen: true, registryOverrides: { observe } },
    context,
    parse,
  );
  const files = compiled ? await changedFiles(compiled) : [];
  const error = said.find(({ severity }) => severity === 'error');
  const why =
    error?.message ??
    (compiled?.sharedWork
      ? `It is not as its sources say (${files[0]?.path ?? manifestPath}); run \`prs compile\` there first.`
      : undefined);
  const baseline = {
    said,
    over: overIn(compiled),
    sources: all(),
    files,
    broken: compiled?.broken ?? true,
    ...(why !== undefined && { error: why }),
  };
  entry.write('as it is', baseline, traced);
  return baseline;
}

const overIn = (compiled: Compiled | undefined): string[] =>
  (compiled?.budgets ?? []).filter(isOver).map(({ target }) => target);

/** Compiles a project as if the change had been made, its source moved and what is executable accepted. */
export async function compileChanged(
  before: Baseline,
  change: Change,
  context: Compiling,
  parse: Parse,
  registryOverrides: RegistryOverrides,
): Promise<Changed & { readonly traced: Traced; readonly asks: ReadonlyMap<string, Ask> }> {
  const present = await openLock(context.cwd, { disk: context.disk, report: () => {} });
  const lock = typeof present === 'string' ? undefined : present;
  const { observe, all, asks } = noteReads();
  const found: RecordedExecutable[] = [];
  const entries = await filterAsync(
    lock?.lock.entries ?? [],
    async place => !(await isReached(change, place)),
  );
  const from: Lock = { ...lock?.lock, entries };
  const request = { locking: { from, found }, registryOverrides: { ...registryOverrides, observe } };
  const { compiled, said, traced } = await compileTraced(request, context, parse);
  const known = new Set(before.said.map(comparable));
  const error = said.find(({ severity }) => severity === 'error');
  const fresh = found.filter(one => !isRecorded(one, lock?.lock));
  const text = compiled && printLock({ entries: compiled.pinned(), executables: joinExecutables(found) });
  const plan: ProjectPlan = {
    files: compiled && !error ? await filesOf(compiled, lock?.text, text, context) : [],
    executable: [...new Map(fresh.map(one => [`${one.name} ${one.sha256}`, executableFacts(one)])).values()],
    findings: said.filter(one => !known.has(comparable(one))),
    over: overIn(compiled).filter(target => !before.over.includes(target)),
    ...(error && { error: error.message }),
  };
  const sources = await filterAsync(all(), place => isReached(change, place));
  return { sources, plan, traced, asks };
}

/** The same thing said of another commit is not new. */
const comparable = ({ code, message, file = '' }: Said): string =>
  `${code} ${file} ${message}`.replace(/@[0-9a-f]{12}(?=:)/g, '');

/** The files that change, with the lock and the record of ownership when any of them does. */
async function filesOf(
  compiled: Compiled,
  lockBefore: string | undefined,
  lockAfter: string | undefined,
  { disk, cwd }: Compiling,
): Promise<ChangedFile[]> {
  const files = await changedFiles(compiled);
  if (files.length === 0) return [];
  const { manifest } = compiled;
  const shared = manifest && partOf(manifest, manifestPath);
  const recordAfter = shared && !isEmptyManifest(shared) ? printManifest(shared) : undefined;
  const recordBefore = textAt(disk, join(cwd, ...manifestPath.split('/')));
  const beside = [
    await changedText(LOCK_FILE, lockBefore, lockAfter),
    await changedText(manifestPath, recordBefore, recordAfter),
  ];
  return [...files, ...beside.flatMap(file => file ?? [])].sort((a, b) => compareCode(a.path, b.path));
}

/** What of a list is wanted. */
export async function filterAsync<T>(all: readonly T[], wants: (one: T) => Promise<boolean>): Promise<T[]> {
  const wanted = await Promise.all(all.map(wants));
  return all.filter((_, at) => wanted[at]);
}
