import { type DocumentDraft, type Draft, itemOf, listedItemsOf, partOfDraft } from '../kinds/draft.ts';
import type { OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/places.ts';
import { activationOf, globsOf } from '../model/guards.ts';
import { groupBy } from '../text/group.ts';
import { compareCodeUnits } from '../text/order.ts';

/** A file, or an entry of one, with content for a target. */
export interface Placement {
  readonly target: string;
  /** `instructions` or `local` for documents, else the collection of the item. */
  readonly of: string;
  readonly name?: string;
  readonly item?: string;
  readonly path: string;
  /** Whether the tool always loads it: a document, or a rule without a condition. */
  readonly always: boolean;
  /** For a rule that is loaded with matching files: its globs. */
  readonly globs?: readonly string[];
  /** The content of a document: paths of texts and items, and section keys. */
  readonly parts?: readonly string[];
}

export const placementsOf = (drafts: readonly Draft[], baseDir: string): Placement[] =>
  drafts.flatMap((draft): Placement[] => {
    const path = placeIn({ baseDir }, draft.path);
    const target = draft.request.spec.id;
    if (draft.kind === 'document')
      return [{ target, of: draft.file.of, path, always: true, parts: partsOf(draft) }];
    const item = itemOf(draft);
    if (!item) return [];
    const of = partOfDraft(draft) ?? item.path.split('.')[0] ?? '';
    const activation = of === 'guards' ? activationOf(item) : undefined;
    const globs = activation === 'scoped' ? { globs: globsOf(item) } : {};
    return [
      { target, of, name: item.name, item: item.path, path, always: activation === 'always', ...globs },
    ];
  });

/** Always-loaded rules by target, with paths relative to the folder in which the tools are started. */
export function alwaysLoaded(drafts: readonly Draft[]): ReadonlyMap<string, readonly string[]> {
  const rules = placementsOf(drafts, '').filter(({ of, always }) => of === 'guards' && always);
  const pathsOf = (all: readonly Placement[]) => [...new Set(all.map(({ path }) => path))];
  const byTarget = groupBy(rules, ({ target }) => target);
  return new Map([...byTarget].map(([id, all]) => [id, pathsOf(all).sort(compareCodeUnits)]));
}

const partsOf = (draft: DocumentDraft): string[] => [
  ...draft.documents.map(document => document.path),
  ...draft.prose,
  ...listedItemsOf(draft).map(({ item }) => item.path),
  ...(draft.guards ?? []).map(guard => guard.path),
];

/** Output texts by path relative to the folder in which the tools are started. */
export function textsBelow(baseDir: string, files: readonly OutputFile[]): ReadonlyMap<string, string> {
  const start = placeIn({ baseDir }, 'x').slice(0, -1);
  const texts = new Map<string, string>();
  for (const file of files)
    if (file.kind === 'whole' && typeof file.content === 'string' && file.path.startsWith(start))
      texts.set(file.path.slice(start.length), file.content);
  return texts;
}
