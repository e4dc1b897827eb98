import type { Reads } from '../generated/types/target.ts';
import type { DocumentDraft, Draft } from '../kinds/draft.ts';
import { chooseLayout } from '../load/layout.ts';
import type { LayoutReader } from '../load/main-files.ts';
import { alternatives, filesOfFolder } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { importLineAt } from './layout-once.ts';

/**
 * `output.layout: once` below the root: one main file in each folder for all tools that read it, and an import line or a
 * file of its own for the others. Files with different rules for different tools are not merged.
 */
export function layOutNested(drafts: readonly Draft[]): Draft[] {
  const paths = new Set(drafts.map(({ path }) => path));
  const nested = drafts.filter(
    (draft): draft is DocumentDraft => draft.kind === 'document' && !!draft.guards,
  );
  const folders = groupBy(nested, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1));
  const moved = new Map<Draft, Draft[]>();
  for (const [folder, all] of folders) {
    const guards = all[0].guards!;
    const isSame = (draft: DocumentDraft) =>
      draft.guards!.length === guards.length &&
      guards.every((guard, index) => guard === draft.guards![index]);
    if (!all.every(isSame)) continue;
    const layout = chooseLayout(all.map(draft => readerIn(draft, paths)));
    for (const draft of all) {
      const source = layout.sources.get(draft.request.spec.id);
      if (source === undefined) continue;
      const own = draft.path.slice(folder.length);
      const path = folder + source;
      const text: DocumentDraft = { ...draft, path, file: { ...draft.file, path } };
      moved.set(draft, [text, ...importLineAt(own, draft, layout.files.get(own), folder)]);
    }
  }
  return drafts.flatMap(draft => moved.get(draft) ?? [draft]);
}

/** A tool as it reads the files of one folder: by its names below the root. */
function readerIn({ path, request: { spec } }: DocumentDraft, root: ReadonlySet<string>): LayoutReader {
  const { otherwise, nested, places: _, ...reads } = spec.reads!;
  const above = filesOfFolder(spec.reads!, '', name => root.has(name), false);
  const isCovered = above.paths.length > 0 && !above.standIn;
  const files = (nested!.files ?? reads.files).filter(
    step => !alternatives(step).some(name => name.includes('/')),
  );
  const inFolder: Reads = { ...reads, files, ...(otherwise && !isCovered && { otherwise }) };
  const own = path.slice(path.lastIndexOf('/') + 1);
  return { spec: { ...spec, reads: inFolder }, own, places: [], ownOnly: false, plain: true, needs: [] };
}
