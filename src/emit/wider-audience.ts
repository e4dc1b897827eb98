import type { Report } from '../diagnostics/diagnostic.ts';
import { audienceWider } from '../generated/diagnostics.ts';
import { isFor, notMeantFor } from '../kinds/audience.ts';
import {
  type DocumentDraft,
  type Draft,
  type EntriesDraft,
  foldedPath,
  isMain,
  listedIn,
  type MainPart,
} from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { collections, itemsOfEach } from '../model/collections.ts';
import type { Item, Model } from '../model/model.ts';
import { filesOfFolder } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { fewNames, fewQuoted } from '../text/names.ts';

/** An entry that is not meant for a target, and the file in which the target reads it all the same. */
interface Reading {
  readonly request: TargetRequest;
  readonly path: string;
  readonly entry: MainPart;
}

/**
 * Reports entries that tools read although they are meant for other tools, because they share a file with these. `plan`
 * gives the drafts of one target.
 */
export function reportWiderAudience(
  model: Model,
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  plan: (model: Model, request: TargetRequest) => readonly Draft[],
  report: Report,
): void {
  const mains = [...byPath.values()].map(drafts => drafts.filter(isMain)).filter(found => found.length > 0);
  const readings = requests.flatMap((request): Reading[] => {
    const items = collections.flatMap(name => notMeantFor(model.items[name], request.spec));
    const entries: MainPart[] = [...notMeantFor(model.documents, request.spec), ...items];
    if (entries.length === 0) return [];
    const inMains = mainsOf(request, mains).flatMap(drafts => {
      const there = new Set(drafts.flatMap(pathsIn));
      return entries.flatMap(entry =>
        there.has(entry.path) ? [{ request, path: drafts[0]!.path, entry }] : [],
      );
    });
    const inOtherFiles = items.flatMap(item =>
      filesWith(item, plan(onlyFor(model, item), request), byPath).map(path => ({
        request,
        path,
        entry: item,
      })),
    );
    return [...inMains, ...inOtherFiles];
  });
  const audienceOf = ({ entry }: Reading) =>
    fewNames(requests.filter(({ spec }) => isFor(entry.audience, spec)).map(({ spec }) => spec.id)) ||
    'none of the enabled tools';
  // One report for the entries of one audience in one file, with all targets that read them.
  const byTarget = groupBy(readings, one => [one.request.spec.id, one.path, audienceOf(one)].join('\0'));
  const same = groupBy(byTarget.values(), all => [all[0].path, ...all.map(one => one.entry.path)].join('\0'));
  for (const groups of same.values()) {
    const [first] = groups[0];
    const holes = {
      path: first.path,
      entries: fewQuoted(groups[0].map(({ entry }) => entry.path)),
      others: fewNames(groups.map(([one]) => one.request.spec.id)),
      verb: groups.length === 1 ? 'reads' : 'read',
      meant: audienceOf(first),
    };
    report(audienceWider(holes, { file: first.path, about: first.entry.path, span: first.request.at }));
  }
}

/** The main files that a target loads, its own included. */
function mainsOf(
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

const pathsIn = (draft: DocumentDraft): string[] => [
  ...draft.documents.map(({ path }) => path),
  ...listedIn(draft).map(({ item }) => item.path),
];

/** The files among `drafts`, which would be written for an item, that are written with it for others. */
function filesWith(
  item: Item,
  drafts: readonly Draft[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
): readonly string[] {
  const found = drafts.filter(draft => {
    if (draft.kind === 'document' || (draft.kind === 'content' && draft.resource !== undefined)) return false;
    const others = byPath.get(foldedPath(draft)) ?? [];
    return (
      draft.path === item.origin ||
      others.some(other =>
        other.kind === 'entries'
          ? draft.kind === 'entries' && haveEqualEdit(draft, other)
          : other.kind === 'content' && other.item?.path === item.path,
      )
    );
  });
  return [...new Set(found.map(({ path }) => path))];
}

/** The model of one item alone, meant for every tool. */
function onlyFor(model: Model, item: Item): Model {
  const { audience: _, origin: __, ...open } = item;
  const items = itemsOfEach(name => (model.items[name].includes(item) ? [open] : []));
  return { ...model, documents: [], sections: [], local: [], unplaced: [], items };
}

const haveEqualEdit = (a: EntriesDraft, b: EntriesDraft): boolean =>
  a.edits.some(({ kind, path, value }) =>
    b.edits.some(
      other =>
        other.kind === kind &&
        other.path.join('\0') === path.join('\0') &&
        // A key of its own is the entry's; one at the top may be of other entries, too.
        path.length > 1 &&
        (kind === 'set' || JSON.stringify(other.value) === JSON.stringify(value)),
    ),
  );
