import { sourcesOfFiles } from '../explain/explain-line.ts';
import { openProject } from '../open/open.ts';
import type { CompileContext } from '../session/world.ts';
import type { ViewPart } from './view.ts';

/** Lines of a file that came from lines of one source that follow one another as well. */
export interface OriginRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly file: string;
  /** Line of the source that the first of them came from. */
  readonly line: number;
}

/** Where the lines of each generated file of these parts came from, by path. */
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
