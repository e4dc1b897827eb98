import type { Draft } from '../kinds/draft.ts';
import { Omissions } from '../kinds/omissions.ts';
import { asksFor, type Place } from '../kinds/places.ts';
import { kindOf } from '../kinds/table.ts';
import { describeCollection } from '../model/collections.ts';
import type { Collection, Item } from '../model/model.ts';
import { universalFiles } from '../spec/universal.ts';
import { isBundle, planBundles } from './bundles.ts';
import { omitBesideSection } from './omit.ts';
import { skillFolders, universalFolder } from './skill-folders.ts';
import { listedAt, type TargetPlan } from './target-plan.ts';

/** Drafts the items of a collection at the places that the target has for them, else at the fallback of the catalogue. */
export function placeItems(collection: Collection, plan: TargetPlan): readonly Draft[] {
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
    lists.set(
      block,
      items.map(item => ({ item })),
    );
    for (const item of items) omitBesideSection(item, collection, plan);
    return [];
  }
  const place: Place = { name: collection, file: universalFiles(collection)!, fallback: true };
  if (!searchesUniversal(collection, plan)) lists.set(block, listedAt(place, items, plan));
  return kindOf(place.file).plan(place, { ...plan, items });
}

/** Whether a tool searches the universal directory itself, so that its main file needs no list of what is there. */
function searchesUniversal(collection: Collection, { request, context }: TargetPlan): boolean {
  const { universalDir } = context;
  if (collection === 'skills')
    return skillFolders(request, universalDir).includes(universalFolder(universalDir));
  const { agents = [] } = request.spec.reads?.also ?? {};
  return collection === 'agents' && agents.includes(universalFolder(universalDir, 'agents'));
}

/** Several places of one collection complete each other: only what none of them writes is an omission. */
function fillPlaces(unsorted: readonly Place[], collection: Collection, plan: TargetPlan): Draft[] {
  const { request, omissions } = plan;
  // Advice on what a bundle leaves out is more specific than advice on a missing field, and the first one counts.
  const places = [...unsorted.filter(isBundle), ...unsorted.filter(place => !isBundle(place))];
  const filled = places.map(place => {
    const own = new Omissions(request);
    const items = withoutSwitchedOff(place, plan.items[collection], collection, own);
    const planning = { ...plan, omissions: own, items };
    const drafts = isBundle(place)
      ? planBundles(place, planning, plan.model)
      : kindOf(place.file).plan(place, planning);
    return { own, drafts };
  });
  for (const { own } of filled) {
    omissions.unwritten.push(...own.unwritten);
    for (const path of own.tooWide) omissions.tooWide.add(path);
  }
  const [first, ...others] = filled.map(({ own }) => own);
  const missing = others.map(({ found }) => new Set(found.map(({ source }) => source)));
  for (const omission of first!.found)
    if (missing.every(paths => isPartOf(omission.source, paths))) omissions.take(omission);
  for (const [path, advice] of first!.leftOut)
    if (others.every(({ leftOut }) => leftOut.has(path))) omissions.leftOut.set(path, advice);
  return filled.flatMap(({ drafts }) => drafts);
}

/** Whether a path, or the one of a value that it lies in, is among others. */
const isPartOf = (path: string, others: ReadonlySet<string>): boolean =>
  others.has(path) || [...path.matchAll(/[.[]/g)].some(({ index }) => others.has(path.slice(0, index)));

/** Leaves out items that are switched off, unless the place has a field for that or the source sets the tool's own key. */
function withoutSwitchedOff(
  { file }: Place,
  items: readonly Item[],
  collection: Collection,
  omissions: Omissions,
): readonly Item[] {
  if (asksFor(file, ['enabled', 'disabled'])) return items;
  const isOff = (item: Item) =>
    item.computed.has('disabled') &&
    item.fields.get('disabled') === true &&
    item.native?.get('disabled') !== true;
  const why = `The source switches it off, and ${omissions.title} has no field that says so: it is left out.`;
  for (const item of items.filter(isOff)) omissions.item(item, collection, why, true);
  return items.filter(item => !isOff(item));
}
