import { resolve } from 'node:path';
import type { Placement } from '../../emit/placed.ts';
import { viewNoCommit, viewPathOutside } from '../../generated/diagnostics.ts';
import type { Limit, TargetSpec } from '../../generated/types/target.ts';
import { memoryDisk } from '../../host/overlay.ts';
import { pathBelow } from '../../host/relative-path.ts';
import { type Loaded, type LoadedPart, sizeOf } from '../../spec/loading/limits.ts';
import { loadTexts } from '../../spec/loading/load.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { compileProject } from '../compile.ts';
import { sourcesOfFiles } from '../explain/explain-line.ts';
import { filesOfCommit } from '../git/queries.ts';
import { knownSpecs } from '../open/known-specs.ts';
import { type OpenFailure, openProject } from '../open/open.ts';
import { projectRoot } from '../open/root.ts';
import { targetNamed } from '../open/targets.ts';
import { mayBeInstructions } from '../project-files.ts';
import type { CompileContext, InDirectory, WithReport } from '../session/world.ts';
import { projectTexts } from './texts.ts';

/** The tool to view, and its situation. */
export interface ViewRequest {
  /** An id, a label, or another name. */
  readonly as: string;
  /** The start folder of the session, relative to the working folder. */
  readonly at: string;
  /** Files that the tool has read, relative to the working folder. */
  readonly files: readonly string[];
}

/** A range of lines of one file that the tool loads. */
export interface ViewPart extends LoadedPart {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

/** An item that the tool lists and loads on demand. */
export interface OnDemand {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

/** What a tool loads. */
export interface View {
  readonly root: string;
  readonly spec: TargetSpec;
  readonly version: string;
  readonly parts: readonly ViewPart[];
  readonly onDemand: readonly OnDemand[];
  readonly limit?: Limit;
  readonly cut?: { readonly path: string; readonly line: number };
}

/** The text that a tool loads in a folder of the project, in order. Nothing is written. */
export async function viewProject(
  { as, at, files }: ViewRequest,
  context: CompileContext,
): Promise<View | OpenFailure> {
  const { custom } = await knownSpecs(context, context.report);
  const spec = targetNamed(as, custom, context.report)?.spec;
  if (!spec) return 'wrong-request';
  const { root } = projectRoot(context);
  const folder = pathInProject(at, root, context);
  const read = files.flatMap(file => pathInProject(file, root, context) ?? []);
  if (folder === undefined || read.length < files.length) return 'wrong-request';
  // Findings about other tools are dropped.
  const report = (found: Diagnostic) => {
    if (found.target === undefined || found.target === spec.id) context.report(found);
  };
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report });
  if (typeof compiled === 'string') return compiled;
  const texts = projectTexts(compiled.root, compiled.entries, context.disk);
  const placed = compiled.placed.filter(({ target }) => target === spec.id);
  const wanted = compiled.requests.find(other => other.spec.id === spec.id);
  const given = placed.filter(item => item.name !== undefined && isGiven(item, read));
  const situation = {
    at: folder,
    read,
    always: [...new Set(given.map(({ path }) => path))].sort(compareCodeUnits),
    ...(wanted && { options: wanted.options }),
  };
  return {
    root: compiled.root,
    spec,
    version: wanted?.version ?? spec.defaultVersion,
    ...describe(loadTexts(spec, texts, situation)),
    onDemand: onDemand(placed.filter(item => !given.includes(item))),
  };
}

/** The path from the root of a path relative to the working folder; `''` for the root. */
function pathInProject(
  path: string,
  root: string,
  { cwd, report }: InDirectory & WithReport,
): string | undefined {
  const below = pathBelow(root, resolve(cwd, path));
  if (below === undefined) report(viewPathOutside({ path }));
  return below;
}

function describe({ parts, limit, cut }: Loaded): Pick<View, 'parts' | 'limit' | 'cut'> {
  return {
    parts: parts.map(part => ({
      ...part,
      startLine: 1,
      endLine: Math.max(1, part.text.split('\n').length - (part.text.endsWith('\n') ? 1 : 0)),
      bytes: sizeOf(part.text, 'bytes'),
      tokens: sizeOf(part.text, 'tokens'),
    })),
    ...(limit && { limit }),
    ...(cut && { cut: { path: cut.path, line: cut.line } }),
  };
}

/** Whether an item is loaded when the tool has read these files. */
const isGiven = ({ always, globs }: Placement, read: readonly string[]): boolean =>
  always || (globs !== undefined && read.some(compileGlobs(globs)));

/** Items with files that a session has not loaded. */
function onDemand(placed: readonly Placement[]): OnDemand[] {
  return placed
    .flatMap(({ of, name, path, always }) => (name === undefined || always ? [] : [{ kind: of, name, path }]))
    .sort((a, b) => compareCodeUnits(a.kind, b.kind) || compareCodeUnits(a.path, b.path));
}

/** The view at a commit, branch or tag. */
export async function viewCommit(
  reference: string,
  request: ViewRequest,
  context: CompileContext,
): Promise<View | OpenFailure> {
  const { root } = projectRoot(context);
  const files = filesOfCommit(root, reference, mayBeInstructions);
  if (!files) {
    context.report(viewNoCommit({ reference }));
    return 'wrong-request';
  }
  const disk = memoryDisk(root, files);
  return viewProject(request, { ...context, disk, report: () => {} });
}

/** A patch between two views. */
export async function compareViews(before: View, after: View, name: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  return createTwoFilesPatch(`as of ${name}`, 'as of now', asText(before), asText(after), '', '', {
    context: 3,
  });
}

const asText = ({ parts }: View): string =>
  parts.map(({ path, text }) => `── ${path}\n${text.endsWith('\n') ? text : `${text}\n`}`).join('');

/** Lines of an output that come from consecutive lines of one source. */
export interface OriginRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly file: string;
  /** The first line in the source. */
  readonly line: number;
}

/** The origins of the lines of outputs, by path. */
export async function originsOfParts(
  parts: readonly Pick<ViewPart, 'path' | 'endLine'>[],
  context: CompileContext,
): Promise<ReadonlyMap<string, readonly OriginRange[]>> {
  const project = await openProject({ ...context, report: () => {} });
  const ends = new Map<string, number>();
  for (const { path, endLine } of parts) ends.set(path, Math.max(endLine, ends.get(path) ?? 0));
  const found = project && (await sourcesOfFiles(new Set(ends.keys()), project, context));
  return new Map([...(found ?? [])].map(([path, lines]) => [path, rangesOf(lines.slice(0, ends.get(path)))]));
}

function rangesOf(
  lines: readonly ({ readonly file?: string; readonly line?: number } | undefined)[],
): OriginRange[] {
  const ranges: OriginRange[] = [];
  for (const [index, origin] of lines.entries()) {
    const { file, line } = origin ?? {};
    if (file === undefined || line === undefined) continue;
    const last = ranges.at(-1);
    const follows =
      last?.endLine === index && last.file === file && line - last.line === index + 1 - last.startLine;
    if (follows) ranges[ranges.length - 1] = { ...last, endLine: index + 1 };
    else ranges.push({ startLine: index + 1, endLine: index + 1, file, line });
  }
  return ranges;
}
