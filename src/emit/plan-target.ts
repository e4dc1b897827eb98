import type { ContentDraft, Draft } from '../kinds/draft.ts';
import { draftsAt, resourceDrafts } from '../kinds/items/plan.ts';
import type { PlanContext } from '../kinds/kind.ts';
import { Omissions, omissionText, proseText } from '../kinds/omissions.ts';
import { type Place, usesField } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { planPlace } from '../kinds/table.ts';
import { collections, describeCollection, isCollection } from '../model/collections.ts';
import type { Collection, Item, Model } from '../model/model.ts';
import { itemText } from '../model/origin.ts';
import { itemPlaces, universalFiles } from '../spec/item-places.ts';
import { partOf } from '../spec/spec.ts';
import { normalizePath } from '../text/paths.ts';
import { joinTexts, plainText, traced } from '../text/traced.ts';
import { isBundle, planBundles } from './bundles.ts';
import type { PlanChanges } from './overlap.ts';
import { isReadUnchanged } from './pinned.ts';
import { skillFolders, universalFolder } from './share-skills.ts';
import {
  chooseSkills,
  itemsWithPaths,
  listAlwaysRules,
  omitHiddenFields,
  placeManualRules,
  placeNestedRules,
  rulesToSkills,
  startPlan,
  type TargetPlan,
  textsToSkills,
} from './target-plan.ts';

export interface PlannedTarget {
  readonly drafts: readonly Draft[];
  readonly omissions: Omissions;
}

/** Plans one target. Each pass drafts or moves the parts of the model that it has a place for. */
export function planTarget(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  changes?: PlanChanges,
): PlannedTarget {
  const plan = startPlan(model, request, context, changes);
  const drafts: Draft[] = [...placeKept(plan), ...placeNestedRules(plan)];
  listAlwaysRules(plan);
  chooseSkills(plan);
  placeManualRules(plan);
  rulesToSkills(plan);
  textsToSkills(plan);
  for (const collection of collections) drafts.push(...placeItems(collection, plan));
  for (const place of plan.places)
    if (!isCollection(partOf(place.file))) drafts.push(...planPlace(place, { ...plan, items: [] }));
  omitRest(plan);
  return { drafts, omissions: plan.omissions };
}

/** Plans items at the files that they name (`into`), if the tool has such a place. They get no other file. */
function placeKept(plan: TargetPlan): Draft[] {
  if (plan.request.output !== undefined) return [];
  return (['guards', 'commands', 'agents', 'skills', 'checks'] as const).flatMap(collection => {
    const all: Draft[] = [];
    plan.items[collection] = plan.items[collection].filter(item => {
      const drafts = (item.keptAt ?? []).flatMap(path => keptDrafts(item, path, plan));
      all.push(...drafts);
      return drafts.length === 0;
    });
    return all;
  });
}

function keptDrafts(item: Item, path: string, plan: TargetPlan): readonly ContentDraft[] {
  if (normalizePath(path) !== path || path.split('/').includes('..')) return [];
  const { request, context } = plan;
  const places = itemPlaces(request.spec, context.universalDir);
  const place = places.find(({ nameIn }) => nameIn(path) !== undefined);
  if (!place) return [];
  const { name, file } = place;
  const head = item.written?.head;
  if ((file?.format ?? 'markdown') === 'markdown' && head !== undefined)
    return draftsAsWritten(item, head, path, { request, place: name });
  return file === undefined ? [] : draftsAt(path, item, { name: name!, file }, plan);
}

function draftsAsWritten(
  item: Item,
  head: string,
  path: string,
  where: Pick<ContentDraft, 'request' | 'place'>,
): readonly ContentDraft[] {
  const content = item.fields.get('content');
  const text = typeof content === 'string' ? content : '';
  const lines = item.origins ? traced(head, item.origins.name) : head;
  const main: ContentDraft = {
    kind: 'content',
    ...where,
    item,
    path,
    rows: plainText(lines) === '' ? [] : [{ key: '', text: lines }],
    body: joinTexts([itemText(item, 'content', text), text === '' ? '' : '\n']),
    format: 'markdown',
    executable: false,
  };
  return [main, ...resourceDrafts(item, path, where)];
}

/** Plans the items of a collection at the places of the target, else at the fallback of the catalogue. */
function placeItems(collection: Collection, plan: TargetPlan): readonly Draft[] {
  const { lists, placesOf, omissions } = plan;
  const items = plan.items[collection];
  const own = placesOf(collection);
  if (own.length > 0) return fillPlaces(own, collection, plan);
  const { block, without } = describeCollection(collection);
  if (without === 'prose' || items.length === 0) return [];
  if (without === 'omission') {
    for (const item of items) omissions.item(item, collection);
    return [];
  }
  if (without === 'section') {
    const listed = items.map(item => ({ item }));
    lists.set(block, listed);
    for (const item of items) omitHiddenFields(item, collection, plan);
    return [];
  }
  const place: Place = { name: collection, file: universalFiles(collection)!, fallback: true };
  if (!searchesUniversal(collection, plan)) lists.set(block, itemsWithPaths(place, items, plan));
  return planPlace(place, { ...plan, items });
}

function searchesUniversal(collection: Collection, { request, context }: TargetPlan): boolean {
  const { universalDir } = context;
  if (collection === 'skills')
    return skillFolders(request, universalDir).includes(universalFolder(universalDir));
  const { agents = [] } = request.spec.reads?.also ?? {};
  return collection === 'agents' && agents.includes(universalFolder(universalDir, 'agents'));
}

/** Several places of one collection complement each other: only what none of them contains is an omission. */
function fillPlaces(unsorted: readonly Place[], collection: Collection, plan: TargetPlan): Draft[] {
  const { request, omissions } = plan;
  // Bundles come first: their advice is more specific than that about a missing field, and the first advice
  // counts.
  const places = [...unsorted.filter(isBundle), ...unsorted.filter(place => !isBundle(place))];
  const all: Omissions[] = [];
  const drafts = places.flatMap(place => {
    const own = new Omissions(request);
    all.push(own);
    const items = withoutSwitchedOff(place, plan.items[collection], collection, own);
    const planning = { ...plan, omissions: own, items };
    return isBundle(place) ? planBundles(place, planning, plan.model) : planPlace(place, planning);
  });
  for (const { unwritten, tooWide } of all) {
    omissions.unwritten.push(...unwritten);
    for (const path of tooWide) omissions.tooWide.add(path);
  }
  const [first, ...others] = all;
  const missing = others.map(({ found }) => new Set(found.map(({ source }) => source)));
  for (const { source, text, advice } of first!.found)
    if (missing.every(paths => isPartOf(source, paths))) omissions.add(source, text, advice);
  for (const [path, advice] of first!.leftOut)
    if (others.every(({ leftOut }) => leftOut.has(path))) omissions.leftOut.set(path, advice);
  return drafts;
}

const isPartOf = (path: string, others: ReadonlySet<string>): boolean =>
  others.has(path) || [...path.matchAll(/[.[]/g)].some(({ index }) => others.has(path.slice(0, index)));

/** Leaves out disabled items, unless the place has a field for that or an overlay sets the native key. */
function withoutSwitchedOff(
  { file }: Place,
  items: readonly Item[],
  collection: Collection,
  omissions: Omissions,
): readonly Item[] {
  const isOff = (item: Item) =>
    item.computed.has('disabled') &&
    item.fields.get('disabled') === true &&
    item.native?.get('disabled') !== true;
  if (!items.some(isOff) || usesField(file, ['enabled', 'disabled'])) return items;
  const why = `The source switches it off, and ${omissions.title} has no field that says so: it is left out.`;
  for (const item of items.filter(isOff)) omissions.item(item, collection, why, true);
  return items.filter(item => !isOff(item));
}

/** Omits prose of a target without a main file, fields of documents, and unplaced texts. */
function omitRest({ model, request, omissions, placesOf, document, lists }: TargetPlan): void {
  const { texts, sections, local } = document;
  if (placesOf('instructions').length === 0) {
    const advice = omissions.adviceFor('instructions');
    for (const { path } of [...texts, ...sections]) omissions.leftOut.set(path, advice);
    for (const { path, text } of texts) omissions.add(path, plainText(text), advice);
    for (const { path, title, content } of sections)
      omissions.add(path, (title ? `${plainText(title)}\n` : '') + proseText(content), advice);
    for (const { item } of [...lists.values()].flat()) omissions.item(item, 'instructions');
  }
  if (placesOf('local').length === 0 && local.length > 0)
    omissions.add('local', proseText(local), omissions.adviceFor('local'));
  for (const text of texts) {
    if (isReadUnchanged(text, model.documents, request.spec)) continue;
    for (const [field, value] of text.fields)
      omissions.add(
        `${text.path}.${field}`,
        omissionText(value),
        omissions.adviceFor('documents', field, value),
      );
  }
  for (const { path, text, advice } of model.unplaced) omissions.add(path, text, advice);
}
