import { type AdoptOptions, adoptProject } from '../project/adopt/adopt.ts';
import { type Compiled, compileProject } from '../project/compile.ts';
import { type ConversionOptions, convertProject } from '../project/move-in/foreign.ts';
import type { CompileContext } from '../project/session/world.ts';
import { adoptData, adoptText } from './report/adopt.ts';
import { foreignData, foreignText } from './report/foreign.ts';

/** The members of a result about existing instructions that became sources. */
interface MovedIn {
  readonly root: string;
  readonly data: Record<string, unknown>;
  readonly text: string;
}

/** Converts the sources of another compiler. */
export async function convertForeign(
  source: Parameters<typeof convertProject>[0],
  options: ConversionOptions,
  context: CompileContext,
): Promise<MovedIn | undefined> {
  const outcome = await convertProject(source, options, context);
  if (!outcome) return undefined;
  const planned = await planNextCompile(options.dryRun, context);
  const text = await foreignText(outcome, options.dryRun, planned);
  return { root: outcome.root, data: foreignData(outcome), text };
}

/** Makes every existing text a source as it is. */
export async function adoptExisting(
  options: AdoptOptions,
  context: CompileContext,
): Promise<MovedIn | undefined> {
  const outcome = await adoptProject(options, context);
  if (!outcome) return undefined;
  const planned = await planNextCompile(options.dryRun, context);
  return { root: outcome.root, data: adoptData(outcome), text: adoptText(outcome, options.dryRun, planned) };
}

/** The plan of the first compile after `init` or `migrate`; `undefined` while the sources have errors. */
export async function planNextCompile(
  dryRun: boolean,
  context: CompileContext,
): Promise<Compiled | undefined> {
  if (dryRun) return undefined;
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report: () => {} });
  return typeof compiled === 'string' || compiled.broken ? undefined : compiled;
}
