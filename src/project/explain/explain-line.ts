import { isAbsolute, join, resolve } from 'node:path';
import { mapLines } from '../../emit/line-map.ts';
import { lineChanged, lineMissing, outputUnknown } from '../../generated/diagnostics.ts';
import { readTextAt } from '../../host/host.ts';
import { relativePath } from '../../host/relative-path.ts';
import type { OutputFile, SharedFile, WholeFile } from '../../kinds/output.ts';
import { scalarText } from '../../model/data.ts';
import type { NameOrigin, Origin, ValueOrigin } from '../../model/model.ts';
import { writtenAt } from '../../resolve/written-at.ts';
import { groupBy } from '../../text/group.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Run } from '../../text/traced.ts';
import { readableText } from '../../text/variables.ts';
import { tracedOutputs } from '../make-outputs.ts';
import type { Project } from '../open/open.ts';
import { singleSession } from '../session/session.ts';
import type { CompileContext } from '../session/world.ts';
import { type Explained, entryAt } from './explain.ts';
import { readStructure } from './shared-lines.ts';

/** Parses `RULES.md:12` to a file, as written, and a line. */
export function lineAddress(subject: string): { readonly file: string; readonly line: number } | undefined {
  const match = /^(.+):(\d+)$/.exec(subject);
  return match ? { file: match[1]!, line: Number(match[2]) } : undefined;
}

/**
 * Returns the source lines, or the layout, that a line of an output came from; empty for a line that is not owned.
 * `undefined` after a report.
 */
export async function explainLine(
  { file, line }: { readonly file: string; readonly line: number },
  project: Project,
  context: CompileContext,
): Promise<readonly Explained[] | undefined> {
  const { path, output } = await openOutput(file, project, context);
  if (!output) return undefined;
  const present = readTextAt(context.disk, join(project.root, path));
  const { lines, originsAt } = await originsIn(output, present ?? plannedText(output) ?? '');
  if (lines[line - 1] === undefined) {
    context.report(lineMissing({ path, line, count: lines.length }));
    return undefined;
  }
  const origins = originsAt(line - 1);
  if (!origins) context.report(lineChanged({ path, line }, { file: path }));
  return origins;
}

/** The path of a named file from the root, and its output, if any. */
async function openOutput(
  file: string,
  project: Project,
  context: CompileContext,
): Promise<{ readonly path: string; readonly output: OutputFile | undefined }> {
  const path = relativePath(project.root, resolve(context.cwd, file));
  return { path, output: isAbsolute(path) ? undefined : await findOutput(path, project, context) };
}

/** Lines of an output that come from one declaration, 1-based. */
export interface ExplainedLines {
  readonly from: number;
  readonly to: number;
  /** The first of its source lines; `path` is the declaration. */
  readonly entry: Explained;
}

/**
 * Lists which declaration each range of lines of an output came from. Lines of the layout are left out. `undefined` if
 * the project generates no such file.
 */
export async function explainFile(
  file: string,
  project: Project,
  context: CompileContext,
): Promise<readonly ExplainedLines[] | undefined> {
  const { path, output } = await openOutput(file, project, { ...context, report: () => {} });
  if (!output) return undefined;
  return linesBySource(
    output,
    readTextAt(context.disk, join(project.root, path)) ?? plannedText(output) ?? '',
  );
}

/** Which declaration each range of lines of an existing file came from. */
export async function linesBySource(output: OutputFile, text: string): Promise<readonly ExplainedLines[]> {
  const found: ExplainedLines[] = [];
  for (const [at, source] of (await sourcesPerLine(output, text)).entries()) {
    if (!source) continue;
    const entry = { ...source, path: declarationOf(source.path) };
    const last = found.at(-1);
    if (last && last.entry.file === entry.file && last.entry.path === entry.path)
      found[found.length - 1] = { ...last, to: at + 1 };
    else found.push({ from: at + 1, to: at + 1, entry });
  }
  return found;
}

/** The entry of a block that contains a value: `guards.api` for `guards.api.content`, `identity` for `identity[0]`. */
const declarationOf = (path: string): string => /^[^.[]+(?:\.(?:"[^"]*"|[^.[]+))?/.exec(path)?.[0] ?? path;

/**
 * The source of each line of some outputs; `undefined` for lines of the layout. Files that are only partly generated
 * are left out.
 */
export async function sourcesOfFiles(
  paths: ReadonlySet<string>,
  project: Project,
  context: CompileContext,
): Promise<ReadonlyMap<string, readonly (Explained | undefined)[]>> {
  const found = new Map<string, readonly (Explained | undefined)[]>();
  const isDone = () => [...paths].every(path => found.has(path));
  for await (const files of outputsOf(project, { ...context, report: () => {} })) {
    for (const output of files)
      if (output.kind === 'whole' && paths.has(output.path) && !found.has(output.path))
        found.set(output.path, await sourcesPerLine(output, plannedText(output)!));
    if (isDone()) break;
  }
  return found;
}

/** The source of each line of an existing file; `undefined` for lines of the layout or of the user. */
export async function sourcesPerLine(
  output: OutputFile,
  present: string,
): Promise<readonly (Explained | undefined)[]> {
  const { lines, originsAt } = await originsIn(output, present);
  return lines.map((line, at) =>
    line.trim() === '' ? undefined : originsAt(at)?.find(({ file }) => file !== undefined),
  );
}

/**
 * The lines of an existing file, and a function that returns the origins of one; `undefined` for a line that the output
 * does not have. Lines are matched by text, the nearest first.
 */
async function originsIn(output: OutputFile, present: string) {
  const text = present.replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  const planned = plannedText(output);
  const origins = await originsOfLines(output, planned ?? text);
  const find = planned === undefined ? (_line: string, at: number) => at : finderIn(planned);
  const originsAt = (at: number) => {
    const place = find(lines[at]!, at);
    return place === undefined ? undefined : origins(place);
  };
  return { lines, originsAt };
}

/** Returns a function that gives the origins of a line by its index. */
export async function originsOfLines(
  output: OutputFile,
  text: string,
): Promise<(at: number) => readonly Explained[]> {
  const lines = text.split('\n');
  const copied = output.kind === 'whole' ? output.copied : undefined;
  const runsAt = copied ? () => [] : await findRuns(output, text);
  return at => {
    const line = lines[at] ?? '';
    if (copied) return [copiedLine(copied, line, at + 1)];
    return line.trim() === '' ? [] : entriesOf(line, runsAt(at));
  };
}

async function findRuns(output: OutputFile, text: string): Promise<(at: number) => readonly Run<Origin>[]> {
  const structure = structureOf(output);
  if (structure) return readStructure(text, structure);
  const map = output.kind === 'whole' && output.unformatted ? await mapLines(output.unformatted, text) : [];
  return at => map[at]?.runs ?? [];
}

function structureOf(output: OutputFile): Pick<SharedFile, 'format' | 'edits'> | undefined {
  if (output.kind === 'shared') return output;
  const { keys, format } = output;
  return keys && (format === 'json' || format === 'yaml') ? { format, edits: keys } : undefined;
}

const plannedText = (output: OutputFile): string | undefined => {
  if (output.kind === 'shared') return undefined;
  const { content } = output;
  return typeof content === 'string' ? content : new TextDecoder().decode(content()).replaceAll('\r\n', '\n');
};

/** Compiles with origins: the default build, then all builds. */
async function* outputsOf(project: Project, context: CompileContext): AsyncGenerator<readonly OutputFile[]> {
  const session = singleSession(context);
  for (const choice of [{}, { allBuilds: true }]) yield* tracedOutputs(project, choice, session, context);
}

/** Compiles builds until one of them contains the file. */
async function findOutput(
  path: string,
  project: Project,
  context: CompileContext,
): Promise<OutputFile | undefined> {
  const known = new Set<string>();
  for await (const files of outputsOf(project, context)) {
    for (const output of files) known.add(output.path);
    const file = files.find(output => output.path === path);
    if (file) return file;
  }
  const hint = `${didYouMean(path, known)}\`prs compile --dry-run\` lists the generated files.`;
  context.report(outputUnknown({ path }, { hint }));
  return undefined;
}

/** Returns a function that finds the nearest line with the same text. */
function finderIn(text: string): (line: string, at: number) => number | undefined {
  const lines = text.split('\n');
  const places = groupBy(lines.keys(), at => lines[at]);
  return (line, at) =>
    places.get(line)?.reduce((best, place) => (Math.abs(place - at) < Math.abs(best - at) ? place : best));
}

/**
 * The origins of a line as entries of a report, in order, without duplicates. The layout is only listed if nothing else
 * made the line.
 */
export function entriesOf(line: string, runs: readonly Run<Origin>[]): Explained[] {
  const values = runs.flatMap(({ origin, at, start, end, exact }) =>
    origin.kind === 'value' ? valueEntries(origin, at, exact ? at + end - start : at) : [],
  );
  const names = runs
    .flatMap(({ origin }) => (origin.kind === 'name' ? [nameEntry(origin)] : []))
    .filter(name => !values.some(value => isBelow(value.path, name.path) && isSameLine(value, name)));
  // The longest literal text of the layout represents the line.
  const laidOut = runs.filter(({ origin }) => origin.kind === 'layout');
  const made = laidOut.sort((a, b) => b.end - b.start - (a.end - a.start))[0]?.origin;
  if (values.length + names.length === 0 && made?.kind === 'layout')
    return [{ path: made.by, value: line.trim(), operation: 'layout' }];
  const seen = new Set<string>();
  return [...names, ...values].filter(({ path, file, line: at }) => {
    const key = `${path}\n${file}\n${at}`;
    return !seen.has(key) && seen.add(key);
  });
}

const isSameLine = (one: Explained, other: Explained): boolean =>
  one.file === other.file && one.line === other.line;

const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

function valueEntries({ path, node }: ValueOrigin, from: number, to: number): Explained[] {
  const text = scalarText(node);
  const lines = text.split('\n');
  const first = text.slice(0, from).split('\n').length - 1;
  return writtenAt(node, from, to).map(({ span, step }, index) => ({
    path,
    value: readableText((lines[first + index] ?? lines.at(-1)!).trim()),
    ...entryAt(step, span),
  }));
}

const nameEntry = ({ path, text, step }: NameOrigin): Explained => ({
  path,
  value: text,
  ...entryAt(step, step.span),
});

/** The entry for a line of a copied file: the same line of the original. */
function copiedLine(
  { item, resource }: NonNullable<WholeFile['copied']>,
  text: string,
  line: number,
): Explained {
  const file = item.resources.find(({ path }) => path === resource)?.file;
  const name = item.origins?.name;
  const siblingFolder = name?.kind === 'name' ? name.step.span.source.name.replace(/[^/]*$/, '') : '';
  return {
    path: `${item.path}/${resource}`,
    value: text.trim(),
    operation: 'declare',
    file: file ?? `${siblingFolder}${resource}`,
    line,
    column: 1,
  };
}
