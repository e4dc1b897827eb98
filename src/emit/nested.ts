import type { Reads, TargetSpec } from '../generated/types/target.ts';
import { aboutFolder, isWhole } from '../kinds/about-folder.ts';
import { mainDocument } from '../kinds/document/main-document.ts';
import type { ContentDraft, DocumentDraft, Draft } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { importLine } from '../load/imports.ts';
import { chooseLayout } from '../load/layout.ts';
import type { LayoutReader } from '../load/main-files.ts';
import { strings } from '../model/data.ts';
import type { Item } from '../model/model.ts';
import { alternatives, filesOfFolder, nestedNames } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';

/**
 * Guards whose text goes to a main file of the folder that their globs lie below, by that folder: those that say
 * `placement: nested`, and for a tool without scoped rules those that are about a whole folder.
 */
export function nestedGuards(
  guards: readonly Item[],
  { reads }: TargetSpec,
  hasRules: boolean,
): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>();
  if (!reads || nestedNames(reads).length === 0) return found;
  const { read, start } = reads.nested!;
  for (const guard of guards) {
    const { folder, whole } = aboutFolder(guard);
    if (folder === undefined) continue;
    const wanted =
      guard.fields.get('placement') === 'nested'
        ? read === true || (start !== 'root' && start !== 'here')
        : read === true && !hasRules && whole;
    if (!wanted) continue;
    const others = found.get(folder);
    if (others) others.push(guard);
    else found.set(folder, [guard]);
  }
  return found;
}

/** Globs of a guard that a main file of the folder does not say: it is about all that lies there. */
export const narrowerGlobs = (guard: Item, folder: string): string[] =>
  strings(guard.fields.get('globs')).filter(glob => !isWhole(glob, folder));

/** A main file of a folder: the texts of its guards, in order. `main` is the target's main document. */
export function nestedDraft(
  folder: string,
  guards: readonly Item[],
  request: TargetRequest,
  main: { readonly place: string; readonly path: string },
): DocumentDraft {
  const names = nestedNames(request.spec.reads!);
  const own = main.path.slice(main.path.lastIndexOf('/') + 1);
  const path = `${folder}/${names.includes(own) ? own : names[0]!}`;
  return {
    kind: 'document',
    path,
    request,
    place: main.place,
    file: mainDocument(path),
    prose: new Set(),
    lists: new Map(),
    documents: [],
    guards,
    pinned: true,
  };
}

/**
 * `output.layout: once` below the root: one main file in each folder for all tools that read it, a line that imports it
 * or a file of its own for the others.
 */
export function layOutNested(drafts: readonly Draft[]): Draft[] {
  const root = new Set(drafts.map(({ path }) => path));
  const nested = drafts.filter(draft => draft.kind === 'document').filter(({ guards }) => guards);
  const folders = groupBy(nested, ({ path }) => path.slice(0, path.lastIndexOf('/')));
  const moved = new Map<Draft, Draft[]>();
  for (const [folder, all] of folders) {
    const [first] = all;
    const same = all.every(({ guards }) => guards!.every((guard, at) => guard === first!.guards![at]));
    // Files that say different things to different tools stay apart.
    if (!same || all.some(({ guards }) => guards!.length !== first!.guards!.length)) continue;
    const layout = chooseLayout(all.map(draft => readerIn(draft, root)));
    for (const draft of all) {
      const source = layout.sources.get(draft.request.spec.id);
      if (source === undefined) continue;
      const own = draft.path.slice(folder.length + 1);
      const state = layout.files.get(own);
      const path = `${folder}/${source}`;
      const text: DocumentDraft = { ...draft, path, file: { ...draft.file, path } };
      const line: ContentDraft[] =
        typeof state === 'object'
          ? [
              {
                kind: 'content',
                path: draft.path,
                request: draft.request,
                place: draft.place,
                body: `${importLine(own, state.imports)}\n`,
                format: 'markdown',
                executable: false,
              },
            ]
          : [];
      moved.set(draft, [text, ...line]);
    }
  }
  return drafts.flatMap(draft => moved.get(draft) ?? [draft]);
}

/** A tool as it reads the files of one folder: by its names below the root. */
function readerIn({ path, request }: DocumentDraft, root: ReadonlySet<string>): LayoutReader {
  const { spec } = request;
  const reads = spec.reads!;
  const above = filesOfFolder(reads, '', name => root.has(name), false);
  const covered = above.paths.length > 0 && !above.standIn;
  const { otherwise, nested: _, places: __, ...others } = reads;
  const files = (reads.nested!.files ?? reads.files).filter(
    step => !alternatives(step).some(name => name.includes('/')),
  );
  const inFolder: Reads = { ...others, files, ...(otherwise && !covered && { otherwise }) };
  const own = path.slice(path.lastIndexOf('/') + 1);
  return { spec: { ...spec, reads: inFolder }, own, places: [], ownOnly: false, plain: true, needs: [] };
}
