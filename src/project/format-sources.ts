import { join, resolve } from 'node:path';
import { formatNotSource, formatSkipped, noSuchSource } from '../generated/diagnostics.ts';
import { pathBelow } from '../host/relative-path.ts';
import { decodeSource, withByteOrderMark } from '../syntax/decode.ts';
import { formatSource } from '../syntax/format.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { entryOf } from './move-in/upgrade.ts';
import { projectRoot } from './open/root.ts';
import { listSources } from './project-files.ts';
import type { CompileContext, WithDisk, WithReport } from './session/world.ts';
import { writeSources } from './write/write-sources.ts';

/** A request to format sources. */
export interface FormatRequest {
  /** Files and folders, relative to the working folder. By default all sources of the project. */
  readonly files: readonly string[];
  /** Whether to only list the files that would change. */
  readonly check: boolean;
}

/** The result of formatting sources. */
export interface FormatOutcome {
  readonly root: string;
  /** Files with another layout, with their new text. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The number of sources. */
  readonly checked: number;
}

/** Formats sources in one run that `prs undo` can revert. A file with syntax errors is reported and left unchanged. */
export async function formatProject(
  { files, check }: FormatRequest,
  context: CompileContext,
): Promise<FormatOutcome | undefined> {
  const { disk, report } = context;
  const { root, config } = projectRoot(context);
  const asked = files.length > 0;
  const paths = asked ? namedSources(files, root, context) : listSources(root, disk);
  const entry = config === undefined ? undefined : entryOf(config, context);
  const changed: { path: string; text: string }[] = [];
  for (const path of paths) {
    const bytes = disk.readBytes(join(root, path));
    const own = asked || path.startsWith('.instr/') || path === entry;
    const text = bytes && layOut(path, bytes, own ? report : asSkipped(path, report));
    if (bytes && text !== undefined && text !== new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
      changed.push({ path, text });
  }
  if (!check && !(await writeSources(root, changed, context))) return undefined;
  return { root, files: changed, checked: paths.length };
}

/** The formatted text of a file, with its byte order mark; `undefined` if it has syntax errors. */
export function layOut(name: string, bytes: Uint8Array, report: Report): string | undefined {
  const source = decodeSource(name, bytes, report);
  const text = source && formatSource(source, report);
  return text === undefined ? undefined : withByteOrderMark(bytes, text);
}

/**
 * Reports the first error of a source as a warning. Outside `.instr`, a source may be a fixture that is invalid on
 * purpose.
 */
function asSkipped(path: string, report: Report): Report {
  let isReported = false;
  return ({ message, span }: Diagnostic) => {
    if (isReported) return;
    isReported = true;
    report(formatSkipped({ path, problem: message }, span ? { span } : { file: path }));
  };
}

/** Resolves named files, and the sources in named folders, to paths below the root. */
function namedSources(
  files: readonly string[],
  root: string,
  { cwd, disk, report }: WithDisk & WithReport & { readonly cwd: string },
): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const at = resolve(cwd, file);
    const path = pathBelow(root, at);
    const kind = disk.stat(at)?.kind;
    if (path === undefined || kind === undefined) report(noSuchSource({ path: file }, { file }));
    else if (kind === 'directory')
      for (const below of listSources(at, disk)) found.add(path === '' ? below : `${path}/${below}`);
    else if (path.endsWith('.prs')) found.add(path);
    else report(formatNotSource({ path: file }, { file }));
  }
  return [...found].sort();
}
