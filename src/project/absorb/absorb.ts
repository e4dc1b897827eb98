import { resolve } from 'node:path';
import { absorbRefused, absorbUnedited } from '../../generated/diagnostics.ts';
import { relativePath } from '../../host/relative-path.ts';
import type { Manifest } from '../../plan/manifest.ts';
import { didYouMean } from '../../text/similar.ts';
import type { BuildChoice } from '../open/builds.ts';
import type { OpenFailure } from '../open/open.ts';
import type { CompileContext } from '../session/world.ts';
import { readOwned } from '../write/records.ts';
import { writeSources } from '../write/write-sources.ts';
import { applyEdits } from './apply-edits.ts';
import { type EditedFile, openEdited, recordApplied } from './edited-file.ts';
import { type AbsorbedHunk, resultOf } from './hunks.ts';
import type { Decide } from './try-candidate.ts';
import { adoptFiles, adoptServers, deleteItems, findNewFiles } from './whole-files.ts';
import { comparerOf, linesOfBytes, type SourceChange, Workspace } from './workspace.ts';

/** Which files are absorbed, and whether sources are written. */
export interface AbsorbRequest extends Pick<BuildChoice, 'builds'> {
  /** Paths that the user named; absent: every edited generated file. */
  readonly files: readonly string[];
  /** New files in places where tools read items, and new servers in their settings, also become sources. */
  readonly added: boolean;
  /** Nothing is written. */
  readonly dryRun: boolean;
  /** Decides about an edit with several possible places; absent: the most likely place. */
  readonly decide?: Decide;
}

/** The outcome of absorbing. */
export interface Absorbed {
  readonly root: string;
  readonly hunks: readonly AbsorbedHunk[];
  /** Sources that change. */
  readonly sources: readonly SourceChange[];
  /** The sources are written. */
  readonly written: boolean;
}

/**
 * Applies edits of generated files to the sources. Each edit is tried in memory first: it is kept when a compile of
 * the changed sources produces the edited file line by line. Other edits are refused, with a reason. A workspace that
 * is kept between runs caches what was derived from unchanged files.
 */
export async function absorbProject(
  request: AbsorbRequest,
  context: CompileContext,
  workspace: Workspace = new Workspace(context, { builds: request.builds }),
): Promise<Absorbed | OpenFailure> {
  const start = await workspace.compile();
  if (typeof start === 'string') return start;
  workspace.trial = start;
  const nothing: Absorbed = { root: workspace.root, hunks: [], sources: [], written: false };
  if (start.compiled.broken) {
    for (const error of start.errors) context.report(error);
    return nothing;
  }
  const manifest = readOwned(workspace.disk, workspace.root, context.report);
  if (!manifest) return nothing;
  const { edited, refused, deleted, added } = await findEdits(request, manifest, workspace, context);
  const applied = await applyEdits(edited, workspace, request.decide ?? 'likeliest');
  const { trial } = workspace;
  const hunks = [...refused, ...applied, ...(await deleteItems(deleted, workspace))];
  hunks.push(...(await adoptFiles(added, workspace)));
  if (request.added) hunks.push(...(await adoptServers(manifest, workspace)));
  const open = new Set(hunks.filter(({ state }) => state === 'refused').map(({ file }) => file));
  for (const { file, line, reason, state } of hunks)
    if (state === 'refused') context.report(absorbRefused({ path: file, line, reason: reason! }, { file }));
  const sources = workspace.changed;
  const files = sources.map(({ path, before, after }) => {
    return { path, text: after ?? '', isNew: before === undefined, gone: after === undefined };
  });
  const written =
    !request.dryRun &&
    sources.length > 0 &&
    (await writeSources(workspace.root, files, context, one => recordApplied(one, edited, open, trial)));
  return { root: workspace.root, hunks, sources, written };
}

/**
 * The edited files, edits that cannot be tried, named files that were deleted, and new files that become sources.
 * Named files without an edit are reported.
 */
async function findEdits(
  request: AbsorbRequest,
  manifest: Manifest,
  workspace: Workspace,
  context: CompileContext,
) {
  const { compiled, entries } = workspace.trial;
  const named = request.files.map(file => relativePath(compiled.root, resolve(context.cwd, file)));
  const isWanted = (path: string) => named.length === 0 || named.includes(path);
  const isSearched = request.added || named.length > 0;
  const added = isSearched ? (await findNewFiles(manifest, workspace, named)).filter(isWanted) : [];
  const deleted = named.filter(path => entries.get(path)?.state === 'new' && manifest.files.has(path));
  const known = new Set([...added, ...deleted]);
  const edited: EditedFile[] = [];
  const refused: AbsorbedHunk[] = [];
  for (const [path, entry] of entries) {
    const { state, reason } = entry;
    if (!isWanted(path) || (state !== 'drifted' && !(state === 'conflict' && manifest.files.has(path))))
      continue;
    known.add(path);
    const disk = state === 'drifted' ? linesOfBytes(entry.before!.read()) : undefined;
    const isSame = disk && comparerOf(await workspace.outputOf(path));
    const file = disk && openEdited(entry, disk, manifest, workspace.root, isSame);
    if (file) edited.push(file);
    else {
      const why =
        state === 'conflict'
          ? `the generated content has no place in it any more: it ${reason ?? 'says something else'}`
          : disk
            ? 'its sources changed since it was generated, and no commit has the generated text'
            : 'it is no text';
      refused.push(resultOf({ at: 0, removed: [], added: [] }, path, { reason: why }));
    }
  }
  for (const path of named.filter(one => !known.has(one))) {
    const hint = entries.has(path) ? undefined : didYouMean(path, entries.keys()) || undefined;
    context.report(absorbUnedited({ path }, { file: path, ...(hint && { hint }) }));
  }
  return { edited, refused, deleted, added };
}
