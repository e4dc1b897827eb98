import type { DocumentDraft, Draft } from '../kinds/draft.ts';
import type { OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import { activationOf } from '../model/guards.ts';
import { partOf } from '../spec/part-of.ts';
import { compareCode } from '../text/order.ts';

/** A file, or an entry of one, that holds something for a target. */
export interface Placed {
  readonly target: string;
  /** `instructions` or `local` for documents, otherwise the collection of the item. */
  readonly of: string;
  /** Name of the item; documents have none. */
  readonly name?: string;
  /** Path of the item in the program. */
  readonly item?: string;
  readonly path: string;
  /** Whether the tool always loads it: a document, or a rule without a condition. */
  readonly always: boolean;
  /** What a document holds: paths of texts and items, and sections. */
  readonly holds?: readonly string[];
}

/** Lists which file holds what for each target, from the drafts of every path. */
export function placedOf(byPath: ReadonlyMap<string, readonly Draft[]>, baseDir: string): Placed[] {
  return [...byPath.values()].flat().flatMap((draft): Placed[] => {
    const path = placeIn({ baseDir }, draft.path);
    const target = draft.request.spec.id;
    if (draft.kind === 'document')
      return [{ target, of: draft.file.of, path, always: true, holds: partsOf(draft) }];
    if (draft.kind !== 'content' || !draft.item || draft.resource !== undefined) return [];
    const file = draft.place === undefined ? undefined : draft.request.spec.files[draft.place];
    const of = (file && partOf(file)) ?? draft.item.path.split('.')[0] ?? '';
    const always = of === 'guards' && activationOf(draft.item) === 'always';
    return [{ target, of, name: draft.item.name, item: draft.item.path, path, always }];
  });
}

/** Rules without a condition by target, by their paths below the folder that the tools are started in. */
export function alwaysLoaded(
  byPath: ReadonlyMap<string, readonly Draft[]>,
): ReadonlyMap<string, readonly string[]> {
  const always = new Map<string, Set<string>>();
  const add = (draft: Draft) => {
    if (!isAlways(draft)) return;
    const { id } = draft.request.spec;
    always.set(id, (always.get(id) ?? new Set()).add(draft.path));
  };
  byPath.forEach(drafts => void drafts.forEach(add));
  return new Map([...always].map(([id, paths]) => [id, [...paths].sort(compareCode)]));
}

/** Whether a draft is a rule without a condition. */
function isAlways(draft: Draft): boolean {
  if (draft.kind !== 'content' || !draft.item || draft.place === undefined || draft.resource !== undefined)
    return false;
  const file = draft.request.spec.files[draft.place];
  return file !== undefined && partOf(file) === 'guards' && activationOf(draft.item) === 'always';
}

const partsOf = ({ documents, prose, lists, guards = [] }: DocumentDraft): string[] => [
  ...documents.map(document => document.path),
  ...prose,
  ...[...lists.values()].flat().map(({ item }) => item.path),
  ...guards.map(guard => guard.path),
];

/** Written texts by their path below the folder that the tools are started in. */
export function textsBelow(baseDir: string, files: readonly OutputFile[]): ReadonlyMap<string, string> {
  const start = placeIn({ baseDir }, 'x').slice(0, -1);
  const texts = new Map<string, string>();
  for (const file of files)
    if (file.kind === 'whole' && typeof file.content === 'string' && file.path.startsWith(start))
      texts.set(file.path.slice(start.length), file.content);
  return texts;
}
