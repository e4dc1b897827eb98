import { basename, dirname, join } from 'node:path';
import { ejectStale } from '../generated/diagnostics.ts';
import { committedInGit } from '../host/git.ts';
import { userFolders } from '../host/home.ts';
import type { Disk } from '../host/host.ts';
import { manifestPath } from '../plan/manifest.ts';
import { textOfFile } from '../text/bytes.ts';
import { collectFindings } from '../text/diagnostics/report.ts';
import { compareCodeUnits } from '../text/order.ts';
import { localConfigPath } from '../text/places.ts';
import { type Compiled, compileProject } from './compile.ts';
import { installHooks } from './merge/install.ts';
import type { OpenFailure } from './open/open.ts';
import type { CompileContext } from './session/world.ts';
import { locked } from './write/commit.ts';
import { openState, statePath } from './write/state.ts';
import { writeOutputs } from './write/write.ts';

/** What leaving the compiler removes from a project, and what stays. */
export interface Ejected {
  readonly root: string;
  /** Files that are removed, relative to the root; the state of this machine is not listed. */
  readonly removed: readonly string[];
  /** Files below `.instr` that a file of a tool refers to; they stay. */
  readonly needed: readonly string[];
  /** Files of the tools, which stay as they are. */
  readonly files: readonly string[];
  /** Of these, those that Git ignored because the configuration said so. */
  readonly unignored: readonly string[];
  /** The commit that holds removed files. */
  readonly commit?: string;
  /** Absolute path of the folder with copies of removed files that no commit holds. */
  readonly copies?: string;
}

/** How a project is left. */
export interface EjectRequest {
  readonly dryRun: boolean;
  /** Also when the files of the tools are not what the sources say. */
  readonly force: boolean;
}

/**
 * Removes the configuration, the sources below `.instr`, the records and what was set up in Git; the files of the tools
 * stay as they are. Of each removed file there is a commit that holds exactly its content, or a copy in the user's state
 * folder. What prevents it has been reported; the result then is `undefined`.
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
  // A hook may run a script that lies there; sources and records are only named.
  const onlyNamed = new Set([...compiled.sources, ...compiled.inputs, manifestPath]);
  const needed = own.filter(path => !onlyNamed.has(path) && texts.some(text => text.includes(path)));
  const removed = own.filter(path => !needed.includes(path));
  const contents = new Map(removed.map(path => [path, disk.readBytes(join(root, path)) ?? new Uint8Array()]));
  const committed = committedInGit(root, contents);
  const uncommitted = removed.filter(path => path !== manifestPath && !committed?.paths.has(path));
  const time = clock().toISOString().slice(0, 19).replace(/:/g, '-');
  const copies = join(userFolders(environment).state, 'ejected', `${basename(root)}-${time}`);
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
 * Files that only this program reads: configurations, the lock, and all below `.instr`, also of folders below. What a link
 * leads to is somebody else's: neither links nor files behind them are among these.
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
  // The configuration goes last: as long as it is there, the command can be repeated.
  return [...new Set(found)]
    .filter(path => disk.realpath(join(root, path)) === join(realRoot, path))
    .sort(
      (a, b) => Number(/^instr\.ya?ml$/.test(a)) - Number(/^instr\.ya?ml$/.test(b)) || compareCodeUnits(a, b),
    );
}

/** Takes our lines out of `.gitignore` and `.gitattributes`; lines of the user stay. */
async function dropLists(lists: readonly string[], root: string, context: CompileContext): Promise<boolean> {
  if (lists.length === 0) return true;
  const { disk, clock, report } = context;
  const { ok } = await writeOutputs(
    {
      root,
      disk,
      clock,
      files: [],
      force: false,
      removeOriginals: false,
      keep: path => !lists.includes(path),
      sources: new Set(),
      isSearched: () => false,
      readersOf: async () => [],
      alsoReadAt: () => [],
    },
    report,
  );
  return ok;
}

/** The folders of files, inner ones first. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...folders]
    .filter(folder => /(?:^|\/)\.instr(?:\/|$)/.test(folder))
    .sort()
    .reverse();
}
