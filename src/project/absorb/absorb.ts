import { relative, resolve, sep } from 'node:path';
import { absorbRefused, absorbUnedited } from '../../generated/diagnostics.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { Compiling } from '../../session/world.ts';
import { didYouMean } from '../../text/similar.ts';
import type { BuildChoice } from '../open/builds.ts';
import type { Unusable } from '../open/open.ts';
import { readOwned } from '../write/records.ts';
import { type AbsorbedHunk, bringHome } from './bring-home.ts';
import { baseOf, type Edited, linesOfBytes, recordHome } from './edited.ts';
import { type SourceChange, type Trial, Workshop } from './trial.ts';

export interface AbsorbRequest extends Pick<BuildChoice, 'builds'> {
  /** Files as the user names them; none: every generated file that was edited. */
  readonly files: readonly string[];
  /** Nothing is written. */
  readonly dryRun: boolean;
}

export interface Absorbed {
  readonly root: string;
  readonly hunks: readonly AbsorbedHunk[];
  /** Sources that change. */
  readonly sources: readonly SourceChange[];
  /** The sources are written. */
  readonly written: boolean;
}

/**
 * Takes edits of generated files home into the sources. Each is tried in memory first: it counts when a compile of the
 * changed sources gives the edited file, line for line. What cannot come home is reported with its reason.
 */
export async function absorbProject(
  request: AbsorbRequest,
  context: Compiling,
): Promise<Absorbed | Unusable> {
  const shop = new Workshop(context, { builds: request.builds });
  const start = await shop.compile();
  if (typeof start === 'string') return start;
  const nothing: Absorbed = { root: shop.root, hunks: [], sources: [], written: false };
  if (start.compiled.broken) {
    for (const error of start.errors) context.report(error);
    return nothing;
  }
  const manifest = readOwned(shop.disk, shop.root, context.report);
  if (!manifest) return nothing;
  const { edited, lost } = await findEdited(request, start, manifest, context);
  const hunks = [...lost, ...(await bringHome(edited, shop, start))];
  for (const { file, line, reason, state } of hunks)
    if (state === 'refused') context.report(absorbRefused({ path: file, line, reason: reason! }, { file }));
  const sources = shop.changed;
  const written = !request.dryRun && sources.length > 0 && (await writeHome(sources, edited, shop, context));
  return { root: shop.root, hunks, sources, written };
}

/** The files that a run is about, those that were edited or those of them that are named, and what nothing is known of. */
async function findEdited(
  { files }: AbsorbRequest,
  { compiled, entries }: Trial,
  manifest: Manifest,
  context: Compiling,
): Promise<{ readonly edited: readonly Edited[]; readonly lost: readonly AbsorbedHunk[] }> {
  const drifted = new Map([...entries].filter(([, { state }]) => state === 'drifted'));
  const wanted = files.map(file => relative(compiled.root, resolve(context.cwd, file)).split(sep).join('/'));
  for (const path of wanted) {
    if (drifted.has(path)) continue;
    const hint = entries.has(path) ? undefined : didYouMean(path, entries.keys()) || undefined;
    context.report(absorbUnedited({ path }, { file: path, ...(hint && { hint }) }));
  }
  const paths = new Set(wanted.length > 0 ? wanted.filter(path => drifted.has(path)) : drifted.keys());
  const edited: Edited[] = [];
  const lost: AbsorbedHunk[] = [];
  for (const path of paths) {
    const entry = drifted.get(path)!;
    const disk = linesOfBytes(entry.before!.read());
    const base = disk && (await baseOf(entry, manifest, compiled.root));
    if (base) {
      edited.push({ path, shared: entry.shared !== undefined, disk, base, refused: new Map() });
      continue;
    }
    const reason = disk
      ? 'its sources changed since it was generated, and what it said then is in no commit'
      : 'it is no text';
    lost.push({ file: path, line: 1, at: 0, removed: [], added: [], state: 'refused', to: [], reason });
  }
  return { edited, lost };
}

/** Writes the sources in one run. Files of which nothing stays behind are as if they had been generated so. */
async function writeHome(
  sources: readonly SourceChange[],
  edited: readonly Edited[],
  shop: Workshop,
  context: Compiling,
): Promise<boolean> {
  const { writeSources } = await import('../write/write-sources.ts');
  const files = sources.map(({ path, before, after }) => ({
    path,
    text: after ?? '',
    isNew: before === undefined,
    gone: after === undefined,
  }));
  return writeSources(shop.root, files, context, manifest => recordHome(manifest, edited));
}
