/** Reports texts that a tool loads twice, or by mistake, from the main files of other tools. */

import { audienceWider, mainFileDoubled, mainFileShadowed, textRepeats } from '../generated/diagnostics.ts';
import { isForTarget, selectForOthers } from '../kinds/audience.ts';
import {
  alwaysRules,
  type DocumentDraft,
  type Draft,
  type EntriesDraft,
  foldedPath,
  isMain,
  isMainOfRoot,
  listedItemsOf,
  type MainPart,
} from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { collections, itemsOfEach } from '../model/collections.ts';
import type { Item, Model } from '../model/model.ts';
import type { Layout } from '../spec/loading/layout.ts';
import { filesOfFolder, readablePaths } from '../spec/reads.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { groupBy } from '../text/group.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import { plainText } from '../text/traced.ts';
import { loadedPaths } from './layout-once.ts';

/** Reports unshared main files of other targets that a tool loads instead of or besides its own. */
export function reportMainOverlaps(
  requests: readonly TargetRequest[],
  drafts: readonly Draft[],
  report: Report,
): void {
  const mains = drafts.filter(isMain);
  const byPath = groupBy(mains, ({ path }) => path);
  const byRequest = groupBy(mains, ({ request }) => request);
  // Some tools load equal files once; here all files count as different.
  const texts = new Map([...byPath.keys()].map(path => [path, path]));
  for (const request of requests) {
    const { spec, at } = request;
    const paths = (byRequest.get(request) ?? []).map(({ path }) => path);
    const [own] = paths;
    if (!spec.reads || own === undefined) continue;
    const loaded = loadedPaths(request.spec, texts);
    const others = loaded.filter(path => !paths.includes(path));
    // If a tool's own file is not in its `reads`, the spec does not describe when it is loaded.
    const isUndescribed = !readablePaths(spec.reads).includes(own) && spec.reads.mode === 'all';
    const isDoubled = loaded.includes(own) || isUndescribed;
    for (const file of isDoubled ? others : others.slice(0, 1)) {
      const by = fewNames(byPath.get(file)!.map(({ request: { spec: writer } }) => writer.id));
      const where = { file, span: at, target: spec.id };
      const holes = { target: spec.id, own, file, by };
      report(isDoubled ? mainFileDoubled(holes, where) : mainFileShadowed(holes, where));
    }
  }
}

/** Reports texts that targets load repeatedly under the layout `once`, with their size in `written`. */
export function reportRepeatedTexts(
  drafts: readonly Draft[],
  layout: Layout,
  written: ReadonlyMap<string, string>,
  report: Report,
): void {
  const mains = drafts.filter(isMainOfRoot);
  const files = groupBy(
    mains.flatMap(draft => fullParts(draft).map(part => ({ part, path: draft.path }))),
    ({ part }) => part,
  );
  const rulesOf = groupBy(alwaysRules(drafts), ({ draft }) => draft.request);
  for (const request of new Set(mains.map(one => one.request))) {
    const target = request.spec.id;
    const reportRepeat = (paths: readonly string[], what: string, copies: string, size: number) => {
      const holes = { target, what, files: fewNames(paths), copies, size };
      report(textRepeats(holes, { file: paths[0]!, span: request.at, target }));
    };
    const main = layout.repeated.get(target);
    if (main) {
      const shortest = Math.min(...main.map(path => written.get(path)?.length ?? 0));
      reportRepeat(main, 'the main text', `${main.length} times`, shortest * (main.length - 1));
      continue;
    }
    const loaded = new Set(loadedPaths(request.spec, written));
    const ownRules = new Map((rulesOf.get(request) ?? []).map(({ draft, rule }) => [rule.path, draft.path]));
    const twice = [...files].flatMap(([part, all]) => {
      const own = ownRules.get(part.path);
      const paths = new Set(all.map(({ path }) => path).filter(path => loaded.has(path)));
      const found = [...(own === undefined ? [] : [own]), ...paths];
      return found.length > 1 && isForTarget(part.audience, request.spec) ? [{ part, files: found }] : [];
    });
    if (twice.length === 0) continue;
    const size = twice.reduce((sum, one) => sum + lengthOf(one.part) * (one.files.length - 1), 0);
    const names = fewQuoted(twice.map(({ part }) => part.path));
    reportRepeat([...new Set(twice.flatMap(one => one.files))], names, 'more than once', size);
  }
}

const fullParts = (draft: DocumentDraft): MainPart[] => [
  ...draft.documents,
  ...listedItemsOf(draft).flatMap(({ item, path }) => (path === undefined ? [item] : [])),
];

function lengthOf(part: MainPart): number {
  const text = 'text' in part ? plainText(part.text) : part.fields.get('content');
  return typeof text === 'string' ? text.length : 0;
}

/** An entry that is not meant for a target, and the file in which the target reads it anyway. */
interface MisreadEntry {
  readonly request: TargetRequest;
  readonly path: string;
  readonly entry: MainPart;
}

/** Reports entries that tools read although they are meant only for others that share the file. */
export function reportWiderAudience(
  model: Model,
  requests: readonly TargetRequest[],
  byPath: ReadonlyMap<string, readonly Draft[]>,
  plan: (model: Model, request: TargetRequest) => readonly Draft[],
  report: Report,
): void {
  const mains = [...byPath.values()].map(drafts => drafts.filter(isMain)).filter(found => found.length > 0);
  const misread = requests.flatMap((request): MisreadEntry[] => {
    const items = collections.flatMap(name => selectForOthers(model.items[name], request.spec));
    const entries: MainPart[] = [...selectForOthers(model.documents, request.spec), ...items];
    if (entries.length === 0) return [];
    const inMains = loadedMains(request, mains).flatMap(drafts => {
      const paths = new Set(drafts.flatMap(pathsIn));
      return entries
        .filter(entry => paths.has(entry.path))
        .map(entry => ({ request, path: drafts[0]!.path, entry }));
    });
    const inOtherFiles = items.flatMap(entry =>
      filesWith(entry, plan(onlyFor(model, entry), request), byPath).map(path => ({ request, path, entry })),
    );
    return [...inMains, ...inOtherFiles];
  });
  const audienceOf = ({ entry }: MisreadEntry) =>
    fewNames(requests.filter(({ spec }) => isForTarget(entry.audience, spec)).map(({ spec }) => spec.id)) ||
    'none of the enabled tools';
  // One report per audience and file, with all targets that read it.
  const byTarget = groupBy(misread, one => [one.request.spec.id, one.path, audienceOf(one)].join('\0'));
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

function loadedMains(
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
  ...listedItemsOf(draft).map(({ item }) => item.path),
];

/** Of the files that would be written for an item, those that are written with the item for others. */
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
        // A nested key belongs to the entry; a top-level key may contain other entries, too.
        path.length > 1 &&
        (kind === 'set' || JSON.stringify(other.value) === JSON.stringify(value)),
    ),
  );
