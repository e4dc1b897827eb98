import type { Draft } from '../kinds/draft.ts';
import type { Documented } from '../kinds/kind.ts';
import { Omissions } from '../kinds/omissions.ts';
import { asksFor, type Place } from '../kinds/places.ts';
import { kindOf } from '../kinds/table.ts';
import { describeCollection } from '../model/collections.ts';
import type { Collection, Item } from '../model/model.ts';
import { universalFiles } from '../spec/universal.ts';
import { isBundle, planBundles } from './bundles.ts';
import { omitBesideSection } from './omit.ts';
import { listedAt, type Placing } from './placing.ts';
import { foldersOf, universalFolder } from './skill-folders.ts';

/** The items of a collection at the places that the target has for them, else where the catalogue says. */
export function placeItems(collection: Collection, document: Documented, placing: Placing): readonly Draft[] {
  const { items: all, lists, placesOf, omissions } = placing;
  const items = all[collection];
  const own = placesOf(collection);
  if (own.length > 0) return fillAll(own, items, collection, document, placing);
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
    for (const item of items) omitBesideSection(item, collection, placing);
    return [];
  }
  const place: Place = { name: collection, file: universalFiles(collection)!, fallback: true };
  if (!findsItself(collection, placing)) lists.set(block, listedAt(place, items, placing));
  return kindOf(place.file).plan(place, { ...placing, items, document });
}

/** A tool that looks through the universal directory lists what lies there itself, whatever its version writes. */
function findsItself(collection: Collection, { request, context: { universalDir } }: Placing): boolean {
  if (collection === 'skills')
    return foldersOf(request, universalDir).includes(universalFolder(universalDir));
  const { agents = [] } = request.spec.reads?.also ?? {};
  return collection === 'agents' && agents.includes(universalFolder(universalDir, 'agents'));
}

/** Several places of one collection complete each other: only what none of them writes is an omission. */
function fillAll(
  unsorted: readonly Place[],
  items: readonly Item[],
  collection: Collection,
  document: Documented,
  placing: Placing,
): Draft[] {
  const { request, context, omissions } = placing;
  // What a bundle leaves out of an item it names is told more closely than that others have no field for the name.
  const places = [...unsorted.filter(isBundle), ...unsorted.filter(place => !isBundle(place))];
  const sinks = places.map(() => new Omissions(request));
  const drafts = places.flatMap((place, index) => {
    const own = sinks[index]!;
    const started = withoutSwitchedOff(place, items, collection, own);
    const planning = { request, context, omissions: own, items: started, document };
    return isBundle(place) ? planBundles(place, planning, placing) : kindOf(place.file).plan(place, planning);
  });
  for (const { unwritten, tooWide } of sinks) {
    omissions.unwritten.push(...unwritten);
    for (const path of tooWide) omissions.tooWide.add(path);
  }
  const [first, ...others] = sinks;
  const missing = others.map(({ found }) => new Set(found.map(({ source }) => source)));
  for (const omission of first!.found)
    if (missing.every(set => isAmong(omission.source, set))) omissions.take(omission);
  for (const [path, advice] of first!.leftOut)
    if (others.every(({ leftOut }) => leftOut.has(path))) omissions.leftOut.set(path, advice);
  return drafts;
}

/** Whether a path, or the one of a value that it lies in, is among others. */
const isAmong = (path: string, others: ReadonlySet<string>): boolean =>
  others.has(path) || [...path.matchAll(/[.[]/g)].some(({ index }) => others.has(path.slice(0, index)));

/** Items without those that are switched off, unless the place of the tool can say that they are, or the source says it there. */
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
  if (!items.some(isOff) || asksFor(file, ['enabled', 'disabled'])) return items;
  const why = `The source switches it off, and ${omissions.title} has no field that says so: it is left out.`;
  for (const item of items.filter(isOff)) omissions.item(item, collection, why, true);
  return items.filter(item => !isOff(item));
}
