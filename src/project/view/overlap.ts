import type { Placed } from '../../emit/placed.ts';
import { importLine } from '../../load/imports.ts';
import { chooseLayout } from '../../load/layout.ts';
import { loadTexts, type ProjectTexts } from '../../load/load.ts';
import type { LayoutReader } from '../../load/main-files.ts';
import type { Compiling } from '../../session/world.ts';
import { builtinIds, builtinSpec } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import { compileProject } from '../compile.ts';
import type { Unusable } from '../open/open.ts';
import { projectRoot } from '../open/root.ts';
import { mainPath } from '../open/targets.ts';
import { projectTexts } from './texts.ts';

/** How often a tool loads the main text. */
export interface Overlap {
  readonly target: string;
  /** The files that bring it, as laid out now. */
  readonly files: readonly string[];
  readonly copies: number;
  /** Copies under the layout `once`. */
  readonly once: number;
}

/**
 * Copies of the main text that each tool loads, by its load model: of the enabled targets of the project, or of all
 * tools where there is none.
 */
export async function listOverlaps(context: Compiling): Promise<readonly Overlap[] | Unusable> {
  if (projectRoot(context).config === undefined) return overlapsOfAll();
  const now = await compileProject({ mode: 'plan', force: true }, context);
  if (typeof now === 'string') return now;
  const quiet: Compiling = { ...context, report: () => {} };
  const once = await compileProject({ mode: 'plan', force: true, layout: 'once' }, quiet);
  if (typeof once === 'string') return once;
  const count = ({ root, entries, placed }: typeof now, target: LoadedSpec) =>
    copies(target, projectTexts(root, entries, context.disk), mainPaths(placed));
  return now.requests.map(({ loaded }) => {
    const files = count(now, loaded);
    return { target: loaded.spec.id, files, copies: files.length, once: count(once, loaded).length };
  });
}

const mainPaths = (placed: readonly Placed[]): ReadonlySet<string> =>
  new Set(placed.flatMap(({ of, path }) => (of === 'instructions' ? [path] : [])));

/** Paths of main texts that the tool loads at the root of the project, one for each time. */
function copies({ spec }: LoadedSpec, texts: ProjectTexts, mains: ReadonlySet<string>): string[] {
  return loadTexts(spec, texts, { at: '', read: [] })
    .parts.map(({ path }) => path)
    .filter(path => mains.has(path));
}

/** Without a project: every tool with a plain main file of its own. */
function overlapsOfAll(): Overlap[] {
  const text = 'text';
  const loaded = builtinIds().map(id => builtinSpec(id)!);
  const readers = loaded.flatMap((one): (LayoutReader & { readonly loaded: LoadedSpec })[] => {
    const own = mainPath(one);
    if (own === undefined) return [];
    const { spec } = one;
    return [
      { loaded: one, spec, own, places: spec.reads?.places ?? [], ownOnly: false, plain: true, needs: [] },
    ];
  });
  const each = new Map(readers.map(({ own }) => [own, text]));
  const layout = chooseLayout(readers);
  const once = new Map(
    [...layout.files].map(([path, file]) => [path, file === 'text' ? text : importLine(path, file.imports)]),
  );
  const mains = (texts: ReadonlyMap<string, string>) =>
    new Set([...texts].flatMap(([path, content]) => (content === text ? [path] : [])));
  return readers.map(({ loaded: one }) => {
    const files = copies(one, each, mains(each));
    return { target: one.spec.id, files, copies: files.length, once: copies(one, once, mains(once)).length };
  });
}
