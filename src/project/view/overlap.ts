import type { Overlap as EntryOverlap } from '../../emit/overlap.ts';
import type { Placement } from '../../emit/placed.ts';
import { loadTexts, type ProjectTexts } from '../../spec/loading/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import { groupBy } from '../../text/group.ts';
import { compileProject } from '../compile.ts';
import type { OpenFailure } from '../open/open.ts';
import type { CompileContext } from '../session/world.ts';
import { projectTexts } from './texts.ts';

/** How often a tool loads the main text. */
export interface Overlap {
  readonly target: string;
  /** The files that contain it in the current layout. */
  readonly files: readonly string[];
  readonly copies: number;
  /** The number of copies in the layout `once`. */
  readonly once: number;
  /** Entries that the tool misreads in files of other tools. */
  readonly elsewhere?: readonly Omit<EntryOverlap, 'request' | 'imported'>[];
}

/** Counts the copies of the main text that each enabled tool loads. */
export async function listOverlaps(context: CompileContext): Promise<readonly Overlap[] | OpenFailure> {
  const now = await compileProject({ mode: 'plan', force: true }, context);
  if (typeof now === 'string') return now;
  const quiet: CompileContext = { ...context, report: () => {} };
  const once = await compileProject({ mode: 'plan', force: true, layout: 'once' }, quiet);
  if (typeof once === 'string') return once;
  const count = ({ root, entries, placed }: typeof now, target: LoadedSpec) =>
    copies(target, projectTexts(root, entries, context.disk), mainFiles(placed));
  return now.requests.map(({ loaded }) => {
    const files = count(now, loaded);
    const elsewhere = now.overlaps.flatMap(({ request, imported: _, ...one }) =>
      request.loaded === loaded ? [one] : [],
    );
    return {
      target: loaded.spec.id,
      files,
      copies: files.length,
      once: count(once, loaded).length,
      ...(elsewhere.length > 0 && { elsewhere }),
    };
  });
}

/** The parts of the main text in each main file. */
function mainFiles(placed: readonly Placement[]): MainFiles {
  const mains = groupBy(
    placed.filter(({ of }) => of === 'instructions'),
    ({ path }) => path,
  );
  return new Map([...mains].map(([path, all]) => [path, new Set(all.flatMap(({ parts = [] }) => parts))]));
}

type MainFiles = ReadonlyMap<string, ReadonlySet<string>>;

/** The files, at the root, that contain the part of the main text that the tool loads most often. */
function copies({ spec }: LoadedSpec, texts: ProjectTexts, mains: MainFiles): string[] {
  const loaded = loadTexts(spec, texts, { at: '', read: [] }).parts.flatMap(({ path }) =>
    [...(mains.get(path) ?? [])].map(part => ({ part, path })),
  );
  const copiesOfParts = [...groupBy(loaded, ({ part }) => part).values()];
  // Among parts with the same count, one of the largest file.
  const size = ([first]: readonly string[]) => (first === undefined ? 0 : mains.get(first)!.size);
  const isMore = (a: readonly string[], b: readonly string[]) =>
    (a.length - b.length || size(a) - size(b)) > 0;
  return copiesOfParts
    .map(copies => copies.map(({ path }) => path))
    .reduce<string[]>((most, paths) => (isMore(paths, most) ? paths : most), []);
}
