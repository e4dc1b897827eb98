import { basename, dirname, join } from 'node:path';
import { ejectStale } from '../generated/diagnostics.ts';
import { userFolders } from '../host/home.ts';
import type { Disk } from '../host/host.ts';
import { manifestPath } from '../plan/manifest.ts';
import { textOfFile } from '../text/bytes.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { unusedName } from '../text/free-name.ts';
import { compareCodeUnits } from '../text/order.ts';
import { configNames, localConfigPath } from '../text/places.ts';
import { type Compiled, compileProject } from './compile.ts';
import { committedInGit } from './git/queries.ts';
import { installHooks } from './merge/install.ts';
import type { OpenFailure } from './open/open.ts';
import type { CompileContext } from './session/world.ts';
import { locked } from './write/locked.ts';
import { openState, statePath } from './write/state.ts';
import { writeOutputs } from './write/write.ts';

/** What ejecting removes, and what stays. */
export interface Ejected {
  readonly root: string;
  /** Removed files, relative to the root, without the local state. */
  readonly removed: readonly string[];
  /** Files below `.instr` that stay, because a file of a tool refers to them. */
  readonly needed: readonly string[];
  /** Files of the tools, which stay unchanged. */
  readonly files: readonly string[];
  /** Those of `files` that Git ignored by configuration. */
  readonly unignored: readonly string[];
  /** The commit that contains removed files. */
  readonly commit?: string;
  /** Absolute path of the folder with copies of files that no commit contains. */
  readonly copies?: string;
}

export interface EjectRequest {
  readonly dryRun: boolean;
  /** Whether to eject although the outputs are not up to date. */
  readonly force: boolean;
}

/**
 * Removes the configuration, the sources below `.instr`, the manifest, the state and the Git setup. Files of tools stay
 * unchanged. The content of each removed file is in a commit, or copied to the user's state folder. Returns `undefined`
 * after a report.
 */
export async function ejectProject(
  request: EjectRequest,
  context: CompileContext,
): Promise<Ejected | OpenFailure | undefined> {
  const { disk, environment, report, clock } = context;
  const { findings, report: collect } = collectFindings();
  const compiled = await compileProject({ mode: 'plan', trial: true }, { ...context, report: collect });
  if (typeof compiled === 'string') {
    findings.forEach(report);
    return compiled;
  }
  const { root } = compiled;
  const reason = request.force ? undefined : reasonAgainst(compiled);
  if (reason !== undefined) {
    report(ejectStale({ reason }));
    return undefined;
  }
  const outputs = compiled.entries.filter(({ state }) => state !== 'removed' && state !== 'source');
  const lists = outputs
    .filter(({ path }) => /^\.git(?:ignore|attributes)$/.test(path))
    .map(({ path }) => path);
  const files = outputs.map(({ path }) => path).filter(path => !lists.includes(path));
  const own = ownFiles(compiled, disk).filter(path => !files.includes(path));
  const texts = files.flatMap(path => textOfFile(disk.readBytes(join(root, path)) ?? new Uint8Array()) ?? []);
  // A hook may run a script below `.instr`. Sources and records are only mentioned.
  const onlyNamed = new Set([...compiled.sources, ...compiled.inputs, manifestPath]);
  const needed = own.filter(path => !onlyNamed.has(path) && texts.some(text => text.includes(path)));
  const removed = own.filter(path => !needed.includes(path));
  const contents = new Map(removed.map(path => [path, disk.readBytes(join(root, path)) ?? new Uint8Array()]));
  const committed = committedInGit(root, contents);
  const uncommitted = removed.filter(path => path !== manifestPath && !committed?.paths.has(path));
  const time = clock().toISOString().slice(0, 19).replace(/:/g, '-');
  const saved = join(userFolders(environment).state, 'ejected', `${basename(root)}-${time}`);
  // Another project of this name may have been ejected within the same second.
  const copies = unusedName(saved, path => disk.lstat(path) !== undefined);
  const isIgnoring = lists.includes('.gitignore');
  const ejected: Ejected = {
    root,
    removed,
    needed,
    files,
    unignored: isIgnoring ? outputs.filter(one => one.private).map(({ path }) => path) : [],
    ...(committed && committed.paths.size > 0 && { commit: committed.commit }),
    ...(uncommitted.length > 0 && { copies }),
  };
  if (request.dryRun) return ejected;
  for (const path of uncommitted) {
    disk.makeDirectory(dirname(join(copies, path)));
    disk.writeBytes(join(copies, path), contents.get(path)!, { mode: 0o600, exclusive: true });
  }
  if (!(await dropLists(lists, root, context))) return undefined;
  installHooks(root, [], disk, true);
  const state = openState(root, disk);
  const done = await locked(state, report, () => {
    for (const path of removed) state.disk.removeFile(join(root, path));
    state.disk.removeTree(join(root, statePath));
    for (const folder of foldersOf([...removed, `${statePath}/lock`]))
      state.disk.removeEmptyDirectory(join(root, folder));
    return true;
  });
  return done ? ejected : undefined;
}

function reasonAgainst({ broken, sharedWork, entries }: Compiled): string | undefined {
  if (broken) return 'its sources have errors, which `prs validate` shows';
  const stale = entries.find(
    ({ action, state }) => action !== 'keep' || state === 'conflict' || state === 'drifted',
  );
  if (stale) return `${stale.path} is not what the sources say`;
  return sharedWork ? `${manifestPath} is not up to date` : undefined;
}

/**
 * Files that only this program reads: configurations, the lock file, and everything below `.instr` folders. Links, and
 * files behind links, are not among them.
 */
function ownFiles({ root, inputs }: Compiled, disk: Disk): string[] {
  const below = (folder: string): string[] =>
    (disk.list(join(root, folder)) ?? []).flatMap(({ name, kind }) => {
      const path = `${folder}/${name}`;
      if (path === statePath) return [];
      return kind === 'directory' ? below(path) : [path];
    });
  const isOwn = (path: string) => /^instr\.(?:ya?ml|lock)$/.test(path) || /(?:^|\/)\.instr\//.test(path);
  const found = [...inputs.filter(isOwn), localConfigPath, ...below('.instr')];
  const realRoot = disk.realpath(root) ?? root;
  // The configuration is deleted last, so that the command can be repeated.
  return [...new Set(found)]
    .filter(path => disk.realpath(join(root, path)) === join(realRoot, path))
    .sort(
      (a, b) => Number(configNames.includes(a)) - Number(configNames.includes(b)) || compareCodeUnits(a, b),
    );
}

/** Removes the lines of the compiler from `.gitignore` and `.gitattributes`. */
async function dropLists(lists: readonly string[], root: string, context: CompileContext): Promise<boolean> {
  if (lists.length === 0) return true;
  const { disk, clock, report } = context;
  const keep = (path: string) => !lists.includes(path);
  const { ok } = await writeOutputs({ root, disk, clock, files: [], force: false, keep }, report);
  return ok;
}

/** The `.instr` folders of files, inner ones first. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...folders]
    .filter(folder => /(?:^|\/)\.instr(?:\/|$)/.test(folder))
    .sort()
    .reverse();
}
