import { join, resolve } from 'node:path';
import { formatNotSource, formatSkipped, noSuchSource } from '../generated/diagnostics.ts';
import { decodeSource, withByteOrderMark } from '../syntax/decode.ts';
import { formatSource } from '../syntax/format.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { entryOf } from './move-in/upgrade.ts';
import { pathBelow, projectRoot } from './open/root.ts';
import { listSources } from './project-files.ts';
import type { CompileContext, WithDisk, WithReport } from './session/world.ts';
import { writeSources } from './write/write-sources.ts';

/** Which sources are laid out, and whether they are written. */
export interface FormatRequest {
  /** Files and folders, relative to the working directory; none: every source of the project. */
  readonly files: readonly string[];
  /** Only look which files would change. */
  readonly check: boolean;
}

/** What laying out sources changed, or would change. */
export interface FormatOutcome {
  readonly root: string;
  /** Files whose layout is another one; the others are as they should be. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** How many sources were looked at. */
  readonly checked: number;
}

/**
 * Brings sources to the one layout, all in one run that `prs undo` takes back. A file that cannot be understood is
 * reported and left as it is; the others are laid out nevertheless.
 */
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

/** The text of a file in the one layout, with its byte order mark; `undefined` when it cannot be understood. */
export function layOut(name: string, bytes: Uint8Array, report: Report): string | undefined {
  const source = decodeSource(name, bytes, report);
  const text = source && formatSource(source, report);
  return text === undefined ? undefined : withByteOrderMark(bytes, text);
}

/** Elsewhere a source may be a fixture that is meant to be wrong: its first mistake is a warning. */
function asSkipped(path: string, report: Report): Report {
  let isReported = false;
  return ({ message, span }: Diagnostic) => {
    if (isReported) return;
    isReported = true;
    report(formatSkipped({ path, problem: message }, span ? { span } : { file: path }));
  };
}

/** Paths below the root of files, and of all sources in folders, that somebody named; each once. */
function namedSources(
  files: readonly string[],
  root: string,
  { cwd, disk, report }: WithDisk & WithReport & { readonly cwd: string },
): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const at = resolve(cwd, file);
    const path = at === resolve(root) ? '' : pathBelow(root, at);
    const kind = disk.stat(at)?.kind;
    if (path === undefined || kind === undefined) report(noSuchSource({ path: file }, { file }));
    else if (kind === 'directory')
      for (const below of listSources(at, disk)) found.add(path === '' ? below : `${path}/${below}`);
    else if (path.endsWith('.prs')) found.add(path);
    else report(formatNotSource({ path: file }, { file }));
  }
  return [...found].sort();
}
