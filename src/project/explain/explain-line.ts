import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { OutputFile } from '../../emit/output.ts';
import { lineChanged, lineMissing, outputUnknown } from '../../generated/diagnostics.ts';
import { buildModel } from '../../model/build.ts';
import { markLines, type WrittenLine } from '../../resolve/marks.ts';
import type { Program } from '../../resolve/program.ts';
import { didYouMean } from '../../text/similar.ts';
import { projectRegistries } from '../gather/registries.ts';
import { type Build, chooseBuilds } from '../open/builds.ts';
import type { Context } from '../open/context.ts';
import type { Project } from '../open/open.ts';
import { emitBuild } from '../outputs.ts';
import { loadProgram } from '../program.ts';
import type { Explained } from './explain.ts';
import { partsIn, sourcesOf, type Traced } from './trace-line.ts';

/** `RULES.md:12`: a file and one of its lines; the file as the user wrote it. */
export function lineAddress(subject: string): { readonly file: string; readonly line: number } | undefined {
  const match = /^(.+):(\d+)$/.exec(subject);
  return match ? { file: match[1]!, line: Number(match[2]) } : undefined;
}

/**
 * Which lines of the sources a line of a generated file came from. Everything that prevents an answer has been
 * reported when the result is `undefined`; a line that the compiler lays out itself gives an empty list.
 */
export async function explainLine(
  { file, line }: { readonly file: string; readonly line: number },
  project: Project,
  context: Context,
): Promise<readonly Explained[] | undefined> {
  const path = relative(project.root, resolve(context.cwd, file)).split(sep).join('/');
  const made = isAbsolute(path) ? undefined : await findOutput(path, project, context);
  if (!made) return undefined;
  const bytes = context.disk.readBytes(join(project.root, path));
  const present = bytes && new TextDecoder().decode(bytes).split(/\r?\n/);
  const planned = made.text?.split('\n');
  const lines = present ?? planned ?? [];
  const wanted = lines[line - 1];
  if (wanted === undefined) {
    context.report(lineMissing({ path, line, count: lines.length }));
    return undefined;
  }
  // A settings file is the user's too: its lines are known by what they say alone.
  const at = planned ? nearest(planned, wanted, line - 1) : -1;
  if (planned && at === -1) {
    context.report(lineChanged({ path, line }, { file: path }));
    return undefined;
  }
  const found = planned ? await sourcesOf(planned, at, made) : partsIn(wanted, made.marked.lines);
  return found.map(explained);
}

interface Made extends Traced {
  /** What compile would write; absent for a file that is not wholly ours. */
  readonly text: string | undefined;
}

/** Compiles until a build gives the file, and that build once more with marks. */
async function findOutput(path: string, project: Project, context: Context): Promise<Made | undefined> {
  const silent: Context = { ...context, report: () => {} };
  const known = new Set<string>();
  const registries = projectRegistries(project, {}, context);
  for (const choice of [{}, { allBuilds: true }]) {
    const chosen = chooseBuilds(project, choice, silent);
    for (const build of chosen === 'wrong-request' ? [] : chosen.builds) {
      const { program, sources } = await loadProgram(project, build.entry, registries, context);
      const files = await emit(program, build, project, silent, sources);
      for (const output of files) known.add(output.path);
      const file = files.find(output => output.path === path);
      if (!file) continue;
      const marked = markLines(program);
      const again = (await emit(marked.program, build, project, silent, sources)).find(
        output => output.path === path,
      );
      const text = file.kind === 'whole' && typeof file.content === 'string' ? file.content : undefined;
      const markedText = again?.kind === 'whole' && typeof again.content === 'string' ? again.content : '';
      return { marked, program, text, markedText };
    }
  }
  const hint = `${didYouMean(path, known)}\`prs compile --dry-run\` lists the generated files.`;
  context.report(outputUnknown({ path }, { hint }));
  return undefined;
}

async function emit(
  program: Program,
  build: Build,
  project: Project,
  context: Context,
  sources: readonly string[],
): Promise<readonly OutputFile[]> {
  const { guardRequiresDepth } = project.loaded.config.validation;
  const model = buildModel(program, { guardRequiresDepth }, context.report);
  return (await emitBuild(model, build, project, context, sources)).files;
}

/** The place of a line in a text, the closest one when it stands there more than once. */
function nearest(lines: readonly string[], wanted: string, at: number): number {
  if (lines[at] === wanted) return at;
  let best = -1;
  for (const [index, line] of lines.entries()) {
    if (line === wanted && (best === -1 || Math.abs(index - at) < Math.abs(best - at))) best = index;
  }
  return best;
}

const explained = ({ path, text, step, line, column }: WrittenLine): Explained => ({
  path,
  value: text,
  operation: step.operation,
  file: step.span.source.name,
  line,
  column,
  ...(step.layer.registry !== undefined && { registry: step.layer.registry }),
  ...(step.layer.version !== undefined && { version: step.layer.version }),
});
