import { relative, resolve, sep } from 'node:path';
import { absorbRefused, absorbUnedited } from '../../generated/diagnostics.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { Compiling } from '../../session/world.ts';
import { didYouMean } from '../../text/similar.ts';
import type { BuildChoice } from '../open/builds.ts';
import type { Unusable } from '../open/open.ts';
import { readOwned } from '../write/records.ts';
import { bringHome } from './bring-home.ts';
import type { Decide } from './choices.ts';
import { baseOf, type Edited, linesBefore, linesOfBytes, recordHome } from './edited.ts';
import { type SourceChange, type Trial, Workshop } from './trial.ts';
import type { WholeFiles } from './whole-files.ts';
import type { AbsorbedHunk } from './work.ts';

/** Which files are absorbed, and whether sources are written. */
export interface AbsorbRequest extends Pick<BuildChoice, 'builds'> {
  /** Files as the user names them; none: every generated file that was edited. */
  readonly files: readonly string[];
  /** Files that somebody added where tools read items become sources, too. */
  readonly added: boolean;
  /** A file of an item whose edits the sources cannot say becomes a source of its own, for the tools that read it. */
  readonly apart?: boolean;
  /** Nothing is written. */
  readonly dryRun: boolean;
  /** Who decides about an edit that fits in two places; the likeliest counts where nobody does. */
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
 * Takes edits of generated files home into the sources. Each is tried in memory first: it counts when a compile of the
 * changed sources gives the edited file, line for line. What cannot come home is reported with its reason. A workshop
 * that lasts has what still stands.
 */
export async function absorbProject(
  request: AbsorbRequest,
  context: Compiling,
  shop: Workshop = new Workshop(context, { builds: request.builds }),
): Promise<Absorbed | Unusable> {
  const start = await shop.compile();
  if (typeof start === 'string') return start;
  const nothing: Absorbed = { root: shop.root, hunks: [], sources: [], written: false };
  if (start.compiled.broken) {
    for (const error of start.errors) context.report(error);
    return nothing;
  }
  const manifest = readOwned(shop.disk, shop.root, context.report);
  if (!manifest) return nothing;
  const { edited, lost, gone, come } = await findEdited(request, start, manifest, shop, context);
  const home = await bringHome(edited, shop, start, request.decide ?? 'likeliest', request.apart === true);
  const whole = await takeWhole(gone, come, home.trial, shop);
  const hunks = [...lost, ...home.hunks, ...whole.hunks];
  const project = request.added ? await shop.project() : undefined;
  if (project) {
    const { adoptServers } = await import('./servers.ts');
    hunks.push(...(await adoptServers(project, manifest, shop, whole.trial)).hunks);
  }
  for (const { file, line, reason, state } of hunks)
    if (state === 'refused') context.report(absorbRefused({ path: file, line, reason: reason! }, { file }));
  const sources = shop.changed;
  const written =
    !request.dryRun && sources.length > 0 && (await writeHome(sources, edited, home.trial, shop, context));
  return { root: shop.root, hunks, sources, written };
}

/** What a run is about. */
interface Wanted {
  readonly edited: readonly Edited[];
  /** Edits of files of which nobody knows what they said. */
  readonly lost: readonly AbsorbedHunk[];
  /** Generated files that are named and not there. */
  readonly gone: readonly string[];
  /** Files that are to become sources. */
  readonly come: readonly string[];
}

/** Files that are no longer there, and those that came. */
async function takeWhole(
  gone: readonly string[],
  come: readonly string[],
  start: Trial,
  shop: Workshop,
): Promise<WholeFiles> {
  const project = gone.length + come.length > 0 ? await shop.project() : undefined;
  if (!project) return { hunks: [], trial: start };
  const { adoptFiles, deleteItems } = await import('./whole-files.ts');
  const deleted = await deleteItems(gone, shop, start);
  const adopted = await adoptFiles(come, project, shop, deleted.trial);
  return { hunks: [...deleted.hunks, ...adopted.hunks], trial: adopted.trial };
}

/** The files that were edited, or those that are named. */
async function findEdited(
  { files, added }: AbsorbRequest,
  start: Trial,
  manifest: Manifest,
  shop: Workshop,
  context: Compiling,
): Promise<Wanted> {
  const { compiled, entries } = start;
  const drifted = new Map([...entries].filter(([, { state }]) => state === 'drifted'));
  const named = files.map(file => relative(compiled.root, resolve(context.cwd, file)).split(sep).join('/'));
  const isMissing = (path: string) => entries.get(path)?.state === 'new' && manifest.files.has(path);
  const gone = named.filter(isMissing);
  const project = added || named.length > 0 ? await shop.project() : undefined;
  const { findNewFiles } = await import('./whole-files.ts');
  const unknown = project ? await findNewFiles(project, start, manifest, shop, named) : [];
  const come = unknown.filter(path => (named.length > 0 ? named.includes(path) : added));
  const isWanted = (path: string) => named.length === 0 || named.includes(path);
  const spoiled = [...entries.values()].filter(
    ({ path, state }) => state === 'conflict' && manifest.files.has(path) && isWanted(path),
  );
  for (const path of named) {
    if (spoiled.some(entry => entry.path === path)) continue;
    if (drifted.has(path) || gone.includes(path) || come.includes(path)) continue;
    const hint = entries.has(path) ? undefined : didYouMean(path, entries.keys()) || undefined;
    context.report(absorbUnedited({ path }, { file: path, ...(hint && { hint }) }));
  }
  const paths = new Set(named.length > 0 ? named.filter(path => drifted.has(path)) : drifted.keys());
  const { edited, lost } = await openEdited([...paths], drifted, manifest, shop);
  const stays = spoiled.map(({ path, reason }) =>
    stayingWhole(
      path,
      `what is generated has no place in it any more: it ${reason ?? 'says something else'}`,
    ),
  );
  return { edited, lost: [...lost, ...stays], gone, come };
}

/** A file of which nothing can come home. */
const stayingWhole = (file: string, reason: string): AbsorbedHunk => ({
  file,
  line: 1,
  at: 0,
  removed: [],
  added: [],
  state: 'refused',
  to: [],
  reason,
});

async function openEdited(
  paths: readonly string[],
  drifted: Trial['entries'],
  manifest: Manifest,
  shop: Workshop,
): Promise<Pick<Wanted, 'edited' | 'lost'>> {
  const edited: Edited[] = [];
  const lost: AbsorbedHunk[] = [];
  for (const path of paths) {
    const entry = drifted.get(path)!;
    const disk = linesOfBytes(entry.before!.read());
    const known = disk && (await baseOf(entry, manifest, shop.root));
    if (known) {
      const { shared } = entry;
      const format = shared && { format: shared.format };
      const saysSame = await shop.comparer(path);
      const hasOwnLayout = manifest.files.get(path)?.adopted;
      const { asGenerated } = await import('./layout.ts');
      edited.push({
        path,
        shared: shared !== undefined,
        ...format,
        disk: hasOwnLayout && saysSame ? await asGenerated(disk, known.base, saysSame) : disk,
        written: disk,
        ...known,
        saysSame,
        hasOwnLayout,
        linesBefore: await linesBefore(entry, manifest, shop.root),
        refused: new Map(),
      });
      continue;
    }
    const reason = disk
      ? 'its sources changed since it was generated, and what it said then is in no commit'
      : 'it is no text';
    lost.push(stayingWhole(path, reason));
  }
  return { edited, lost };
}

/** Writes the sources in one run. Files of which nothing stays behind are as if they had been generated so. */
async function writeHome(
  sources: readonly SourceChange[],
  edited: readonly Edited[],
  trial: Trial,
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
  return writeSources(shop.root, files, context, manifest => recordHome(manifest, edited, trial));
}
