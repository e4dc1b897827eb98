import { join, resolve } from 'node:path';
import { configNotFound } from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { mapPlaces } from '../text/diagnostics/report.ts';
import { compileGlobs } from '../text/globs.ts';
import { configNames } from '../text/places.ts';
import type { Source, Span } from '../text/source.ts';
import { openConfig } from './open/open.ts';
import { projectRoot } from './open/root.ts';
import { ignoredPaths } from './project-files.ts';
import { keepDocuments, type Parse } from './session/documents.ts';
import type { CompileContext } from './session/world.ts';

/** One configuration of a repository with several. */
export interface Package {
  /** Absolute path of its folder. */
  readonly root: string;
  /** The path relative to the folder of the run; `.` for that folder. */
  readonly path: string;
}

/** The packages of a run. */
export interface Packages {
  /** Absolute path of the folder to which paths in results are relative. */
  readonly root: string;
  readonly all: readonly Package[];
  readonly parse: Parse;
}

const skipped: ReadonlySet<string> = new Set(['node_modules', '.git', '.instr']);

/**
 * The packages of a run. With `recursive`: all configurations below the working folder. By default: the packages that
 * the configuration lists, and itself. `undefined` for a single project. A repository without any is reported.
 */
export async function findPackages(
  context: CompileContext,
  recursive: boolean | undefined,
): Promise<Packages | undefined> {
  if (recursive === false) return undefined;
  const { report } = context;
  if (recursive) {
    const root = resolve(context.cwd);
    const all = search(root, context, () => true);
    if (all.length === 0) report(configNotFound());
    return { root, all, parse: keepDocuments() };
  }
  const { root } = projectRoot({ ...context, report: () => {} });
  const patterns = (await openConfig({ ...context, report: () => {} }))?.config.packages;
  if (!patterns) return undefined;
  const matches = compileGlobs(patterns);
  return { root, all: search(root, context, path => path === '.' || matches(path)), parse: keepDocuments() };
}

function search(root: string, { disk }: CompileContext, wants: (path: string) => boolean): Package[] {
  const ignored = ignoredPaths(root, disk);
  const found: Package[] = [];
  let level = ['.'];
  while (level.length > 0) {
    const next: string[] = [];
    for (const path of level) {
      const entries = disk.list(join(root, path)) ?? [];
      if (wants(path) && entries.some(({ name, kind }) => kind !== 'directory' && configNames.includes(name)))
        found.push({ root: join(root, path), path });
      for (const { name, kind } of entries)
        if (kind === 'directory' && !skipped.has(name)) next.push(`${fromRoot(path, name)}/`);
    }
    const out = ignored(next);
    level = next.filter(path => !out.has(path)).map(path => path.slice(0, -1));
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The context of a package. Paths in findings are relative to the folder of the run. */
export const inPackage = (
  one: Package,
  { configPath: _config, ...context }: CompileContext,
): CompileContext => ({
  ...context,
  cwd: one.root,
  report: prefixing(one.path, context.report),
});

/** The path of a file of a package, relative to the folder of the run. */
export const fromRoot = (path: string, file: string): string => (path === '.' ? file : `${path}/${file}`);

function prefixing(path: string, report: Report): Report {
  if (path === '.') return report;
  const sources = new Map<Source, Source>();
  // Names of registry files do not depend on the folder.
  const name = (file: string) => (/:/.test(file) ? file : fromRoot(path, file));
  const span = (one: Span): Span => {
    let source = sources.get(one.source);
    if (!source) {
      source = { ...one.source, name: name(one.source.name) };
      sources.set(one.source, source);
    }
    return { ...one, source };
  };
  return found => report(mapPlaces(found, span, name));
}
