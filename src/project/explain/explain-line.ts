import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type MappedLine, mapLines } from '../../emit/line-map.ts';
import { lineChanged, lineMissing, outputUnknown } from '../../generated/diagnostics.ts';
import { textAt } from '../../host/host.ts';
import type { OutputFile } from '../../kinds/output.ts';
import { singleSession } from '../../session/session.ts';
import type { Compiling } from '../../session/world.ts';
import { didYouMean } from '../../text/similar.ts';
import { projectRegistries } from '../gather/registries.ts';
import type { Project } from '../open/open.ts';
import type { Explained } from './explain.ts';
import { copiedLine, entriesOf } from './line-entries.ts';
import { originsOfLine } from './shared-lines.ts';

/** `RULES.md:12`: a file and one of its lines; the file as the user wrote it. */
export function lineAddress(subject: string): { readonly file: string; readonly line: number } | undefined {
  const match = /^(.+):(\d+)$/.exec(subject);
  return match ? { file: match[1]!, line: Number(match[2]) } : undefined;
}

/**
 * Which lines of the sources a line of a generated file came from, or what laid it out. Everything that prevents an
 * answer has been reported when the result is `undefined`; a line that is not ours gives an empty list.
 */
export async function explainLine(
  { file, line }: { readonly file: string; readonly line: number },
  project: Project,
  context: Compiling,
): Promise<readonly Explained[] | undefined> {
  const path = relative(project.root, resolve(context.cwd, file)).split(sep).join('/');
  const output = isAbsolute(path) ? undefined : await findOutput(path, project, context);
  if (!output) return undefined;
  const present = textAt(context.disk, join(project.root, path))?.replaceAll('\r\n', '\n');
  const planned = plannedText(output);
  const lines = (present ?? planned ?? '').split('\n');
  const wanted = lines[line - 1];
  if (wanted === undefined) {
    context.report(lineMissing({ path, line, count: lines.length }));
    return undefined;
  }
  if (output.kind === 'shared') return entriesOf(wanted, await originsOfLine(present ?? '', line, output));
  const map = await linesOfOutput(output, planned!);
  const at = nearest(map, wanted, line - 1);
  if (at === -1) {
    context.report(lineChanged({ path, line }, { file: path }));
    return undefined;
  }
  if (output.copied) return [copiedLine(output.copied, wanted, at + 1)];
  if (wanted.trim() === '') return [];
  const { keys, format } = output;
  if (keys && (format === 'json' || format === 'yaml'))
    return entriesOf(wanted, await originsOfLine(planned!, at + 1, { format, edits: keys }));
  return entriesOf(wanted, map[at]!.runs);
}

/**
 * For every line of a generated file the place in the sources that it came from; `undefined` for lines that the layout
 * made, and altogether for a file that is not generated as a whole.
 */
export async function sourcesOfLines(
  path: string,
  project: Project,
  context: Compiling,
): Promise<readonly (Explained | undefined)[] | undefined> {
  const output = await findOutput(path, project, { ...context, report: () => {} });
  if (output?.kind !== 'whole') return undefined;
  const map = await linesOfOutput(output, plannedText(output)!);
  return map.map(({ text, runs }) =>
    text.trim() === '' ? undefined : entriesOf(text, runs).find(({ file }) => file !== undefined),
  );
}

/**
 * For every line of a file as it lies there the place in the sources that it came from; none for lines that the layout
 * made, or somebody else. Lines are found again by what they say, the nearest first.
 */
export async function sourcesPerLine(
  output: OutputFile,
  present: string,
): Promise<readonly (Explained | undefined)[]> {
  const lines = present.replaceAll('\r\n', '\n').split('\n');
  const sourceIn = (entries: readonly Explained[]) => entries.find(({ file }) => file !== undefined);
  const planned = plannedText(output);
  if (planned === undefined) {
    const origins = await originsOfLines(output, lines.join('\n'));
    return Promise.all(lines.map(async (_, at) => sourceIn(await origins(at))));
  }
  const map = planned.split('\n').map(text => ({ text, runs: [] }));
  const origins = await originsOfLines(output, planned);
  return Promise.all(
    lines.map(async (line, at) => {
      const there = line.trim() === '' ? -1 : nearest(map, line, at);
      return there === -1 ? undefined : sourceIn(await origins(there));
    }),
  );
}

/** What made each line of a text that an output has: the places in the sources, or the layout. */
export async function originsOfLines(
  output: OutputFile,
  text: string,
): Promise<(at: number) => Promise<readonly Explained[]>> {
  const lines = text.split('\n');
  if (output.kind === 'shared')
    return async at => {
      const line = lines[at];
      return line === undefined ? [] : entriesOf(line, await originsOfLine(text, at + 1, output));
    };
  const { copied, keys, format } = output;
  if (copied) return async at => [copiedLine(copied, lines[at] ?? '', at + 1)];
  const map = await linesOfOutput(output, text);
  return async at => {
    const line = lines[at] ?? '';
    if (line.trim() === '') return [];
    if (keys && (format === 'json' || format === 'yaml'))
      return entriesOf(line, await originsOfLine(text, at + 1, { format, edits: keys }));
    return entriesOf(line, map[at]?.runs ?? []);
  };
}

const plannedText = (output: OutputFile): string | undefined => {
  if (output.kind === 'shared') return undefined;
  const { content } = output;
  return typeof content === 'string' ? content : new TextDecoder().decode(content()).replaceAll('\r\n', '\n');
};

/** The lines of a file with their origins; what was copied has none but itself. */
async function linesOfOutput(
  { made }: Extract<OutputFile, { kind: 'whole' }>,
  text: string,
): Promise<readonly MappedLine[]> {
  return made ? mapLines(made, text) : text.split('\n').map(line => ({ text: line, runs: [] }));
}

/** Compiles, with origins, until a build gives the file. */
async function findOutput(
  path: string,
  project: Project,
  context: Compiling,
): Promise<OutputFile | undefined> {
  const silent = () => {};
  const trace = { trace: true };
  const known = new Set<string>();
  const registries = projectRegistries(project, {}, context);
  const session = singleSession(context);
  for (const choice of [{}, { allBuilds: true }]) {
    const chosen = await session.builds(project, choice, silent);
    for (const build of chosen === 'wrong-request' ? [] : chosen.builds) {
      const loaded = await session.program(project, build.entry, registries, context.report);
      const model = await session.model(loaded, project, build, silent, trace);
      const { files } = await session.formattedOutputs(model, build, project, loaded.sources, silent, trace);
      for (const output of files) known.add(output.path);
      const file = files.find(output => output.path === path);
      if (file) return file;
    }
  }
  const hint = `${didYouMean(path, known)}\`prs compile --dry-run\` lists the generated files.`;
  context.report(outputUnknown({ path }, { hint }));
  return undefined;
}

/** The place of a line in a text, the closest one when it stands there more than once. */
function nearest(lines: readonly MappedLine[], wanted: string, at: number): number {
  if (lines[at]?.text === wanted) return at;
  let best = -1;
  for (const [index, { text }] of lines.entries()) {
    if (text === wanted && (best === -1 || Math.abs(index - at) < Math.abs(best - at))) best = index;
  }
  return best;
}
