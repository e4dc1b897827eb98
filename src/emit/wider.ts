import type { Report } from '../diagnostics/diagnostic.ts';
import { audienceWider } from '../generated/diagnostics.ts';
import { isFor, notMeantFor } from '../kinds/audience.ts';
import { type DocumentDraft, type Draft, type EntriesDraft, foldedPath, isMain } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { collections, itemsOfEach } from '../model/collections.ts';
import type { Item, Model } from '../model/model.ts';
import { filesOfFolder } from '../spec/reads.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import type { Pieces } from '../text/pieces.ts';
import type { Span } from '../text/source.ts';
import type { MainPart } from './homes.ts';

/** Entries that are not meant for a target, and the shared file in which it reads them all the same. */
interface Wider {
  readonly path: string;
  readonly entries: readonly MainPart[];
  readonly meant: string;
  readonly targets: string[];
  /** Where the configuration names the first of these targets. */
  readonly at: Span | undefined;
}

/**
 * Reports targets that read more than was meant for them, because they share a file with others. `plan` gives the
 * drafts of one target. In pieces.
 */
export function* reportWider(
  model: Model,
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  plan: (model: Model, request: TargetRequest) => readonly Draft[],
  report: Report,
): Pieces<void> {
  const mains = mainFiles(byPath);
  const found = new Map<string, Wider>();
  const meantFor = ({ audience }: MainPart) =>
    fewNames(requests.filter(({ spec }) => isFor(audience, spec)).map(({ spec }) => spec.id)) ||
    'none of the enabled tools';
  const add = (path: string, all: readonly MainPart[], { spec, at }: TargetRequest) => {
    for (const meant of new Set(all.map(meantFor))) {
      const entries = all.filter(entry => meantFor(entry) === meant);
      const key = [path, ...entries.map(entry => entry.path)].join('\0');
      const known = found.get(key);
      if (known) known.targets.push(spec.id);
      else found.set(key, { path, entries, meant, targets: [spec.id], at });
    }
  };
  for (const request of requests) {
    const documents = notMeantFor(model.documents, request.spec);
    const items = collections.flatMap(name => notMeantFor(model.items[name], request.spec));
    if (documents.length === 0 && items.length === 0) continue;
    for (const drafts of mainFilesOf(request, mains)) {
      const there = new Set(drafts.flatMap(pathsIn));
      add(
        drafts[0]!.path,
        [...documents, ...items].filter(({ path }) => there.has(path)),
        request,
      );
    }
    for (const [path, entries] of itemsInFiles(model, items, request, byPath, plan))
      add(path, entries, request);
    yield;
  }
  for (const { path, entries, meant, targets, at } of found.values()) {
    const holes = {
      path,
      entries: fewQuoted(entries.map(entry => entry.path)),
      others: fewNames(targets),
      verb: targets.length === 1 ? 'reads' : 'read',
      meant,
    };
    report(audienceWider(holes, { file: path, about: entries[0]?.path, span: at }));
  }
}

/** The written main documents, by path. */
const mainFiles = (byPath: ReadonlyMap<string, readonly Draft[]>): (readonly DocumentDraft[])[] =>
  [...byPath.values()].flatMap(drafts => {
    const found = drafts.filter(isMain);
    return found.length > 0 ? [found] : [];
  });

/** Those of them that a target loads, its own included. */
function mainFilesOf(
  request: TargetRequest,
  mains: readonly (readonly DocumentDraft[])[],
): (readonly DocumentDraft[])[] {
  const paths = new Set(mains.map(([first]) => first!.path));
  const { reads } = request.spec;
  const loaded = new Set(reads ? filesOfFolder(reads, '', path => paths.has(path), false).paths : []);
  return mains.filter(
    drafts => loaded.has(drafts[0]!.path) || drafts.some(draft => draft.request === request),
  );
}

const pathsIn = ({ documents, lists }: DocumentDraft): string[] => [
  ...documents.map(({ path }) => path),
  ...[...lists.values()].flatMap(listed => listed.map(({ item }) => item.path)),
];

/** Files of items and structured files that a target reads, with what they hold of `items`. */
function itemsInFiles(
  model: Model,
  items: readonly Item[],
  request: TargetRequest,
  byPath: ReadonlyMap<string, readonly Draft[]>,
  plan: (model: Model, request: TargetRequest) => readonly Draft[],
): Map<string, MainPart[]> {
  const found = new Map<string, MainPart[]>();
  for (const item of items) {
    for (const draft of plan(onlyFor(model, item), request)) {
      if (draft.kind === 'document' || (draft.kind === 'content' && draft.resource !== undefined)) continue;
      const others = byPath.get(foldedPath(draft)) ?? [];
      const there =
        draft.path === item.origin ||
        others.some(other =>
          other.kind === 'entries'
            ? draft.kind === 'entries' && shareEdit(draft, other)
            : other.kind === 'content' && other.item?.path === item.path,
        );
      const known = found.get(draft.path);
      if (there && !known?.includes(item)) found.set(draft.path, [...(known ?? []), item]);
    }
  }
  return found;
}

/** The model of one item alone, meant for every tool. */
function onlyFor(model: Model, item: Item): Model {
  const { audience: _, origin: __, ...open } = item;
  const items = itemsOfEach(name => (model.items[name].includes(item) ? [open] : []));
  return { ...model, documents: [], sections: [], local: [], unplaced: [], items };
}

const shareEdit = (a: EntriesDraft, b: EntriesDraft): boolean =>
  a.edits.some(({ kind, path, value }) =>
    b.edits.some(
      other =>
        other.kind === kind &&
        other.path.join('\0') === path.join('\0') &&
        // The rest of the model does not change what an entry becomes.
        path.length > 1 &&
        (kind === 'set' || JSON.stringify(other.value) === JSON.stringify(value)),
    ),
  );
