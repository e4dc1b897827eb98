import { basename, dirname, join, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { Disk } from '../../host/host.ts';
import { relativePath } from '../../host/relative-path.ts';
import { manifestPath } from '../../plan/manifest.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../../text/diagnostics/report.ts';
import { compileGlobs, globBase } from '../../text/globs.ts';
import { type Absorbed, absorbProject } from '../absorb/absorb.ts';
import { type Compiled, type CompileRequest, compileProject } from '../compile.ts';
import type { OpenFailure, Project } from '../open/open.ts';
import type { ReadPaths } from '../session/dependencies.ts';
import { persistentSession, type Session } from '../session/session.ts';
import type { CompileContext } from '../session/world.ts';
import { statePath } from '../write/state.ts';

/** One compile of a watch. */
export interface Round {
  readonly result: Compiled | OpenFailure;
  readonly diagnostics: readonly Diagnostic[];
  readonly milliseconds: number;
  /** Whether nothing changed since the last round. */
  readonly idle: boolean;
  /** Whether to clear the screen. */
  readonly clear: boolean;
  /** Edits of outputs that were absorbed before the compile. */
  readonly absorbed?: Absorbed;
}

export interface WatchRequest extends CompileRequest {
  /** Whether to absorb edits of outputs where the result is certain. */
  readonly absorb?: boolean;
}

interface RawDetails {
  readonly watchedPath: string;
}

/** The path of a raw event: of a watched file, or of a member of a watched folder. */
const rawPath = ({ watchedPath }: RawDetails, name: string | undefined, { files }: ReadPaths): string =>
  basename(watchedPath) === name && files.has(watchedPath) ? watchedPath : join(watchedPath, name ?? '');

/**
 * Compiles, and compiles again when an input changes: sources, configuration, resources, searched folders, and missing
 * files. Errors do not stop the watch, compiles do not overlap, and its own writes do not start one. It runs until the
 * process is stopped. `starting` is called before each compile.
 */
export async function watchProject(
  request: WatchRequest,
  context: CompileContext,
  events: {
    readonly starting: () => void;
    readonly finished: (round: Round) => void | Promise<void>;
  },
): Promise<never> {
  const chokidar = await import('chokidar');
  let read: ReadPaths = { files: new Set(), directories: new Set() };
  let own = new Set<string>();
  let records = new Set<string>();
  let lastFindings = '';
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  /** Paths that changed since the last round started. */
  const pending = new Set<string>();
  const session = persistentSession(context);
  let settings = readWatchSettings(undefined, context.disk);

  const round = async () => {
    pending.clear();
    session.change();
    settings = readWatchSettings(await session.project(() => {}), context.disk);
    events.starting();
    const { result, diagnostics, ...rest } = await compileRound(request, context, session);
    read = session.readPaths();
    if (typeof result !== 'string') {
      const written = result.entries.filter(({ state }) => state !== 'source');
      own = new Set(written.map(({ path }) => join(result.root, path)));
      records = new Set([join(result.root, manifestPath), join(result.root, statePath)]);
    }
    const findings = diagnostics.map(({ code, message }) => code + message).join('\n');
    const idle = findings === lastFindings && typeof result !== 'string' && !result.work;
    lastFindings = findings;
    await events.finished({ result, diagnostics, idle, clear: settings.clear, ...rest });
    const outputs = request.absorb ? [...own].map(file => dirname(file)) : [];
    follow(foldersOf(read, [...settings.folders, ...outputs], context.disk));
  };

  const schedule = (delay: number) => {
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = round().finally(() => {
        running = undefined;
        if (again) {
          again = false;
          schedule(settings.debounce);
        }
      });
      running.catch(fail);
    }, delay);
  };
  let fail: (error: unknown) => void = () => {};
  /** Whether a change of the path requires a compile. */
  const concerns = (path: string): boolean =>
    !records.has(path) &&
    !settings.excludes(path) &&
    (own.has(path) ? request.absorb === true : matters(path, read) || settings.includes(path));
  const see = (path: string) => {
    if (!concerns(path)) return;
    pending.add(path);
    schedule(settings.debounce);
  };
  /** The last watcher follows the inputs of the last round; earlier ones stay until it is ready. */
  const watchers: FSWatcher[] = [];
  let followed: ReadonlySet<string> = new Set();
  const follow = (folders: ReadonlySet<string>) => {
    if (isSameSet(folders, followed)) return;
    followed = folders;
    const watcher = chokidar.watch([...folders], { ignoreInitial: true, depth: 0, atomic: false });
    watchers.push(watcher);
    watcher.on('error', error => fail(error));
    watcher.on('ready', () => {
      for (const before of watchers.splice(0, Math.max(watchers.indexOf(watcher), 0))) void before.close();
      // Another compile finds changes in a new folder before it was watched.
      schedule(0);
    });
    watcher.on('all', (_event, path) => {
      // It reads the file first; `raw` has reported the same change by then.
      if (!pending.has(path)) see(path);
    });
    // `all` only reports the first of several changes within a moment, and nothing about a replaced file until it is
    // watched again.
    watcher.on('raw', (_event, name, details) => {
      see(rawPath(details as RawDetails, name, read));
    });
  };
  try {
    return await new Promise<never>((_resolve, reject) => {
      fail = reject;
      schedule(0);
    });
  } finally {
    clearTimeout(timer);
    await Promise.all(watchers.map(watcher => watcher.close()));
  }
}

/** Compiles. If outputs were edited, absorbs the edits and compiles again. */
async function compileRound(
  request: WatchRequest,
  context: CompileContext,
  session: Session,
): Promise<Omit<Round, 'idle' | 'clear'>> {
  const start = Date.now();
  const { findings: diagnostics, report } = collectFindings();
  const compile = () => compileProject(request, { ...context, report }, session);
  let result = await compile();
  const isEdited = typeof result !== 'string' && result.entries.some(({ state }) => state === 'drifted');
  const absorbed = request.absorb && isEdited ? await absorbEdits(request, context) : undefined;
  if (absorbed?.written) {
    diagnostics.length = 0;
    session.change();
    result = await compile();
  }
  diagnostics.push(...(absorbed?.refused ?? []));
  const milliseconds = Date.now() - start;
  return { result, diagnostics, milliseconds, ...(absorbed && absorbed.hunks.length > 0 && { absorbed }) };
}

/** Absorbs edits. Ambiguous edits are refused. */
async function absorbEdits(
  { builds }: WatchRequest,
  context: CompileContext,
): Promise<(Absorbed & { readonly refused: readonly Diagnostic[] }) | undefined> {
  const { findings: refused, report } = collectFindings();
  const request = {
    files: [],
    added: false,
    dryRun: false,
    decide: 'certain',
    ...(builds && { builds }),
  } as const;
  const absorbed = await absorbProject(request, { ...context, report });
  return typeof absorbed === 'string' ? undefined : { ...absorbed, refused };
}

/** Whether a compile read the path, its folder, or something below it. */
function matters(path: string, { files, directories }: ReadPaths): boolean {
  if (files.has(path) || directories.has(path) || directories.has(dirname(path))) return true;
  const below = path + sep;
  for (const seen of [files, directories]) for (const one of seen) if (one.startsWith(below)) return true;
  return false;
}

/** The existing folders to watch. Watching folders survives editors that replace files. */
function foldersOf({ files, directories }: ReadPaths, further: readonly string[], disk: Disk): Set<string> {
  const folders = new Set<string>();
  for (let folder of [...[...files].map(dirname), ...directories, ...further]) {
    while (!folders.has(folder) && disk.stat(folder)?.kind !== 'directory' && dirname(folder) !== folder)
      folder = dirname(folder);
    folders.add(folder);
  }
  return folders;
}

const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every(one => b.has(one));

/** Milliseconds to wait for further changes. */
const defaultDebounce = 50;

/** The maximum number of folders to search for `watch.include`. */
const maximumFolders = 5000;

/**
 * Reads the `watch` settings. Inputs are always watched, so the default of `include` adds nothing; `folders` are watched
 * in addition to those of inputs.
 */
function readWatchSettings(project: Project | undefined, disk: Disk) {
  const { root = '', loaded } = project ?? {};
  const {
    include = [],
    exclude = [],
    debounce = defaultDebounce,
    clearScreen = false,
  } = loaded?.config.watch ?? {};
  const [isIncluded, isExcluded] = [compileGlobs(include), compileGlobs(exclude)];
  const bases = include.map(pattern => join(root, globBase(pattern).base));
  return {
    debounce,
    clear: clearScreen,
    folders: foldersBelow(bases, disk),
    includes: (path: string) => isIncluded(relativePath(root, path)),
    excludes: (path: string) => isExcluded(relativePath(root, path)),
  };
}

function foldersBelow(bases: readonly string[], disk: Disk): string[] {
  const found = new Set<string>();
  const search = (folder: string): void => {
    if (found.size >= maximumFolders || found.has(folder)) return;
    const entries = disk.list(folder);
    if (!entries) return;
    found.add(folder);
    for (const { name, kind } of entries) {
      if (kind === 'directory' && name !== 'node_modules' && name !== '.git') search(join(folder, name));
    }
  };
  bases.forEach(search);
  return [...found];
}
