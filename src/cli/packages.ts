import { basename } from 'node:path';
import type { Compiled, CompileRequest } from '../project/compile.ts';
import { compileProject } from '../project/compile.ts';
import type { Differences, DiffRequest } from '../project/diff.ts';
import { diffProject } from '../project/diff.ts';
import { inPackage, type Packages } from '../project/packages.ts';
import { singleSession } from '../project/session/session.ts';
import type { CompileContext } from '../project/session/world.ts';
import { statusOf } from '../project/status.ts';
import { validateProject } from '../project/validate.ts';
import type { CommandResult } from './command.ts';
import { type CompileView, compileData, compileText } from './report/compile.ts';
import { diffData, diffText } from './report/diff.ts';
import { plural } from './report/files.ts';
import { statusData, statusLine } from './report/status.ts';

/* Commands over all packages of a repository, with one report. */

interface PackageResult<T> {
  readonly path: string;
  readonly result: T;
}

/** Runs a function in every package in sequence; shared files are parsed once. */
async function inEach<T>(
  { all, parse }: Packages,
  context: CompileContext,
  run: (context: CompileContext, session: ReturnType<typeof singleSession>) => Promise<T | string>,
): Promise<PackageResult<T>[]> {
  const done: PackageResult<T>[] = [];
  for (const one of all) {
    context.progress(one.path);
    const world = inPackage(one, context);
    const result = await run(world, singleSession(world, parse));
    if (typeof result !== 'string') done.push({ path: one.path, result });
  }
  return done;
}

const none = (root: string): CommandResult => ({ exitCode: 2, root });

/** `prs compile` over packages. */
export async function compilePackages(
  packages: Packages,
  request: CompileRequest,
  context: CompileContext,
  view: Omit<CompileView, 'milliseconds' | 'brief'>,
): Promise<CommandResult> {
  const { root, all } = packages;
  if (all.length === 0) return none(root);
  const start = Date.now();

  const done = await inEach<Compiled>(packages, context, (world, session) =>
    compileProject(request, world, session),
  );
  const milliseconds = Date.now() - start;
  const work = done.some(({ result }) => result.sharedWork);
  const text = (width: number) =>
    done
      .map(({ path, result }) => `${path}: ${compileText(result, { ...view, brief: true }, width)}`)
      .join('');
  return {
    ...(view.check && work && { exitCode: 1 }),
    root,
    data: {
      packages: done.map(({ path, result }) => ({ package: path, ...compileData(result, context) })),
    },
    summary: width => `${text(width)}${plural(done.length, 'package')} · ${milliseconds} ms\n`,
  };
}

/** `prs diff` over packages. */
export async function diffPackages(
  packages: Packages,
  request: DiffRequest,
  context: CompileContext,
  exitCode: boolean,
): Promise<CommandResult> {
  const { root, all } = packages;
  if (all.length === 0) return none(root);
  const done = await inEach<Differences>(packages, context, world => diffProject(request, world));
  return {
    ...(exitCode && done.some(({ result }) => result.files.length > 0) && { exitCode: 1 }),
    root,
    data: { packages: done.map(({ path, result }) => ({ package: path, ...diffData(result) })) },
    text: () => done.map(({ path, result }) => `${path}: ${diffText(result, request.full)}`).join(''),
    content: true,
    paged: true,
  };
}

/** `prs validate` over packages. */
export async function validatePackages(
  packages: Packages,
  policies: readonly string[] | undefined,
  context: CompileContext,
): Promise<CommandResult> {
  const { root, all } = packages;
  if (all.length === 0) return none(root);
  const done = await inEach(packages, context, (world, session) =>
    validateProject({ files: [], policies }, world, session),
  );
  const checked = done.reduce((sum, { result }) => sum + result.checked, 0);
  return {
    root,
    data: { packages: done.map(({ path, result }) => ({ package: path, checked: result.checked })) },
    notes: () => `${plural(checked, 'file')} checked in ${plural(done.length, 'package')}.\n`,
  };
}

/** `prs status` over packages: a line for each. */
export async function statusPackages(packages: Packages, context: CompileContext): Promise<CommandResult> {
  const { root, all } = packages;
  if (all.length === 0) return none(root);
  const done = await inEach(packages, context, world => statusOf(world));
  return {
    root,
    data: {
      packages: done.map(({ path, result }) => ({
        package: path,
        ...statusData(basename(result.root), result, context),
      })),
    },
    text: () => done.map(({ path, result }) => statusLine(path, result)).join(''),
  };
}
