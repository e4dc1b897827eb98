import { type CompileRequest, compileProject } from '../project/compile.ts';
import { type DiffRequest, diffProject } from '../project/diff.ts';
import type { OpenFailure } from '../project/open/open.ts';
import { inPackage, type Packages } from '../project/packages.ts';
import { type Session, singleSession } from '../project/session/session.ts';
import type { CompileContext } from '../project/session/world.ts';
import { statusOf } from '../project/status.ts';
import { validateProject } from '../project/validate.ts';
import type { CommandResult, Outcome } from './command.ts';
import { type CompileView, compileData, compileText } from './report/compile.ts';
import { diffData, diffText } from './report/diff.ts';
import { statusData, statusLine } from './report/status.ts';
import { plural } from './report/table.ts';

/* Commands over all packages of a repository, with one report. */

interface PackageResult<T> {
  readonly path: string;
  readonly result: T;
}

/**
 * Runs a function in every package in sequence; shared files are parsed once. Returns one result, with the data of each
 * package.
 */
async function inEach<T>(
  { root, all, parse }: Packages,
  context: CompileContext,
  run: (context: CompileContext, session: Session) => Promise<T | OpenFailure>,
  dataOf: (result: T) => Record<string, unknown>,
  resultOf: (done: readonly PackageResult<T>[]) => CommandResult,
): Promise<Outcome> {
  if (all.length === 0) return 'no-configuration';
  const done: PackageResult<T>[] = [];
  for (const one of all) {
    context.progress(one.path);
    const world = inPackage(one, context);
    const result = await run(world, singleSession(world, parse));
    if (typeof result !== 'string') done.push({ path: one.path, result });
  }
  const packages = done.map(({ path, result }) => ({ package: path, ...dataOf(result) }));
  return { root, data: { packages }, ...resultOf(done) };
}

/** `prs compile` over packages. */
export async function compilePackages(
  packages: Packages,
  request: CompileRequest,
  context: CompileContext,
  view: Omit<CompileView, 'milliseconds' | 'brief'>,
): Promise<Outcome> {
  const start = Date.now();
  return inEach(
    packages,
    context,
    (world, session) => compileProject(request, world, session),
    compiled => compileData(compiled, context),
    done => {
      const last = `${plural(done.length, 'package')} · ${Date.now() - start} ms\n`;
      const texts = (width: number) =>
        done.map(({ path, result }) => `${path}: ${compileText(result, { ...view, brief: true }, width)}`);
      return {
        ...(view.check && done.some(({ result }) => result.sharedWork) && { exitCode: 1 }),
        summary: width => texts(width).join('') + last,
      };
    },
  );
}

/** `prs diff` over packages. */
export const diffPackages = (
  packages: Packages,
  request: DiffRequest,
  context: CompileContext,
  exitCode: boolean,
): Promise<Outcome> =>
  inEach(
    packages,
    context,
    world => diffProject(request, world),
    diffData,
    done => ({
      ...(exitCode && done.some(({ result }) => result.files.length > 0) && { exitCode: 1 }),
      text: () => done.map(({ path, result }) => `${path}: ${diffText(result, request.full)}`).join(''),
      content: true,
      paged: true,
    }),
  );

/** `prs validate` over packages. */
export const validatePackages = (
  packages: Packages,
  policies: readonly string[] | undefined,
  context: CompileContext,
): Promise<Outcome> =>
  inEach(
    packages,
    context,
    (world, session) => validateProject({ files: [], policies }, world, session),
    ({ checked }) => ({ checked }),
    done => {
      const checked = done.reduce((sum, { result }) => sum + result.checked, 0);
      const notes = `${plural(checked, 'file')} checked in ${plural(done.length, 'package')}.\n`;
      return { notes: () => notes };
    },
  );

/** `prs status` over packages: a line for each. */
export const statusPackages = (packages: Packages, context: CompileContext): Promise<Outcome> =>
  inEach(
    packages,
    context,
    world => statusOf(world),
    status => statusData(status, context),
    done => ({ text: () => done.map(({ path, result }) => statusLine(path, result)).join('') }),
  );
