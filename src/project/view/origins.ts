import { sourcesOfLines } from '../explain/explain-line.ts';
import { openProject } from '../open/open.ts';
import type { Compiling } from '../session/world.ts';
import type { View } from './view.ts';

/** Lines of a file that came from lines of one source that follow one another as well. */
export interface OriginRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly file: string;
  /** Line of the source that the first of them came from. */
  readonly line: number;
}

/** Where the lines of each generated part of a view came from, by path. */
export async function originsOfParts(
  { parts }: View,
  context: Compiling,
): Promise<ReadonlyMap<string, readonly OriginRange[]>> {
  const project = await openProject({ ...context, report: () => {} });
  const found = new Map<string, readonly OriginRange[]>();
  for (const { path, endLine } of project ? parts : []) {
    const lines = await sourcesOfLines(path, project!, context);
    if (lines) found.set(path, rangesOf(lines.slice(0, endLine)));
  }
  return found;
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
