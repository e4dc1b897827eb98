import { delimiter, isAbsolute, join } from 'node:path';
import { textShadowed } from '../../generated/diagnostics.ts';
import type { ToolState } from '../../generated/types/report.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { expandHome } from '../../host/home.ts';
import { loadTexts } from '../../spec/loading/load.ts';
import { readablePaths } from '../../spec/reads.ts';
import { fewNames } from '../../text/names.ts';
import { type Compiled, compileProject } from '../compile.ts';
import { knownSpecs } from '../open/known-specs.ts';
import type { OpenFailure } from '../open/open.ts';
import { projectRoot } from '../open/root.ts';
import type { CompileContext, WithDisk, WithEnvironment } from '../session/world.ts';
import { projectTexts } from '../view/texts.ts';

/** The states of all tools. `root` is absent outside a project. */
export interface Health {
  readonly root?: string;
  readonly tools: readonly ToolState[];
}

/**
 * Reports which tools are installed, and what the enabled ones would load. Nothing is written or started. Warns about
 * texts that a tool does not load.
 */
export async function checkHealth(context: CompileContext): Promise<Health | OpenFailure> {
  const { specs } = await knownSpecs(context, context.report);
  const signs = signFinder(specs, context);
  const { root, config } = projectRoot(context);
  if (config === undefined && context.configPath !== undefined) return 'wrong-request';
  const compiled =
    config === undefined ? undefined : await compileProject({ mode: 'plan', force: true }, context);
  if (typeof compiled === 'string') return compiled;
  const tools = specs.map((spec): ToolState => {
    const enabled = compiled?.requests.some(request => request.spec.id === spec.id) ?? false;
    return {
      target: spec.id,
      title: spec.title,
      enabled,
      found: signs(spec),
      sought: spec.installed !== undefined,
      ...(enabled ? readingOf(spec, compiled!, context) : { reads: [] }),
      ...(spec.proof && { proof: spec.proof }),
    };
  });
  warn(tools, context);
  return { ...(config !== undefined && { root }), tools };
}

/** The files that an enabled tool would load, and the files written for it that it would not load. */
function readingOf(
  spec: TargetSpec,
  { root, entries, placed }: Compiled,
  { disk }: CompileContext,
): Pick<ToolState, 'reads' | 'shadowed'> {
  const texts = projectTexts(root, entries, disk);
  const reads = loadTexts(spec, texts, { at: '', read: [] }).parts.map(({ path }) => path);
  const own = placed
    .filter(({ target, of, path }) => target === spec.id && of === 'instructions' && !path.includes('/'))
    .map(({ path }) => path);
  // A place that the load model does not name is loaded by rules of its own.
  const known = new Set(spec.reads ? readablePaths(spec.reads) : []);
  const unread = [...new Set(own)].filter(path => known.has(path) && !reads.includes(path));
  return { reads, ...(unread.length > 0 && { shadowed: { files: unread, by: reads } }) };
}

function warn(tools: readonly ToolState[], { report }: CompileContext): void {
  for (const { target, shadowed } of tools) {
    if (shadowed)
      report(
        textShadowed(
          { target, files: fewNames(shadowed.files), by: fewNames(shadowed.by) || 'nothing' },
          { file: shadowed.by[0] ?? shadowed.files[0]!, target },
        ),
      );
  }
}

type InstallSign = ToolState['found'][number];

/** Returns a function that finds the signs of a tool. Each folder is listed once, and no program is started. */
export function signFinder(
  specs: readonly TargetSpec[],
  { disk, environment }: WithDisk & WithEnvironment,
  platform: string = process.platform,
): (spec: TargetSpec) => InstallSign[] {
  const search = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute);
  const endings =
    platform === 'win32' ? (environment.PATHEXT ?? '.EXE;.CMD;.BAT').toLowerCase().split(';') : [''];
  const extensions = specs
    .flatMap(({ installed }) => installed?.extensionFolders ?? [])
    .map(folder => expandHome(folder, environment, platform))
    .flatMap(folder => look(() => disk.list(folder)?.map(({ name }) => join(folder, name))) ?? []);
  const program = (name: string): InstallSign[] => {
    for (const path of search.flatMap(folder => endings.map(ending => join(folder, name + ending)))) {
      const stat = look(() => disk.stat(path));
      if (stat?.kind === 'file' && (stat.executable || platform === 'win32'))
        return [{ kind: 'program', path }];
    }
    return [];
  };
  const extension = (id: string): InstallSign[] => {
    const path = extensions.find(folder => isExtension(folder, id));
    return path === undefined ? [] : [{ kind: 'extension', path }];
  };
  const app = (written: string): InstallSign[] => {
    const path = expandHome(written, environment, platform);
    return look(() => disk.stat(path)) ? [{ kind: 'app', path }] : [];
  };
  return ({ installed }) => [
    ...(installed?.programs ?? []).flatMap(program),
    ...(installed?.extensions ?? []).flatMap(extension),
    ...(installed?.apps ?? []).flatMap(app),
  ];
}

/** Whether a folder contains an extension: `publisher.name-1.2.3`, sometimes with the platform. */
function isExtension(folder: string, id: string): boolean {
  const name = folder.split(/[\\/]/).at(-1)!.toLowerCase();
  return name === id || (name.startsWith(`${id}-`) && /^\d/.test(name.slice(id.length + 1)));
}

/** Calls a function; `undefined` if access is denied. */
function look<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
