import type { FileSpec, ItemFiles } from '../generated/types/target.ts';
import { selectForTarget, variantsFor } from '../kinds/audience.ts';
import type { ContentDraft, Draft } from '../kinds/draft.ts';
import { draftsAt, resourceDrafts } from '../kinds/items/plan.ts';
import type { PlaceContext, PlanContext } from '../kinds/kind.ts';
import { Omissions, omissionText, proseText } from '../kinds/omissions.ts';
import { type Place, usesField } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { planPlace } from '../kinds/table.ts';
import { collections, describeCollection, isCollection, keyOfItem } from '../model/collections.ts';
import { strings } from '../model/data.ts';
import type { Collection, Item, Model } from '../model/model.ts';
import { itemText } from '../model/origin.ts';
import { bundleFolder, itemPlaces, pathInBundle, universalFiles } from '../spec/item-places.ts';
import { partOf } from '../spec/spec.ts';
import { isObject } from '../text/data.ts';
import { normalizePath } from '../text/paths.ts';
import { joinTexts, plainText, traced } from '../text/traced.ts';
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

/** Plans one target. Each pass drafts or moves the parts of the model that it has a place for. */
export function planTarget(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  changes?: PlanChanges,
): Pick<TargetPlan, 'omissions'> & { readonly drafts: readonly Draft[] } {
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

/** Whether a place is for bundles: folders with a manifest and copies of the items that it names. */
const isBundle = (place: Place): place is Place<ItemFiles> =>
  place.file.kind === 'items' && place.file.of === 'plugins';

/** Plans the manifest of each bundle and copies of the items that it names; the others are omissions. */
function planBundles(place: Place<ItemFiles>, planning: PlaceContext, model: Model): Draft[] {
  const { omissions } = planning;
  return planning.items.flatMap(bundle => {
    if (bundle.fields.get('origin') !== 'own') {
      omissions.item(bundle, 'plugins', omissions.adviceFor('plugins', 'marketplace'));
      return [];
    }
    const members = membersOf(bundle, place.file, planning, model);
    const manifest = { ...bundle, fields: withoutMembers(bundle, members) };
    return [
      ...planPlace(place, { ...planning, items: [manifest] }),
      ...members.flatMap(member => planMember(member, bundle, place, planning)),
    ];
  });
}

/** The items of a collection that a bundle names, and the part for them. */
interface Members {
  readonly collection: Collection;
  readonly part: FileSpec;
  readonly items: readonly Item[];
}

/** The members of a bundle by the parts of a place. Fields without a part remain and become omissions. */
function membersOf(
  bundle: Item,
  { parts = {} }: ItemFiles,
  { request, omissions }: PlaceContext,
  model: Model,
): Members[] {
  const { includeSkills: included } = request;
  return Object.values(parts).flatMap(part => {
    const collection = collections.find(name => name === partOf(part));
    if (!collection || !bundle.fields.has(collection)) return [];
    const items = strings(bundle.fields.get(collection)).flatMap((name, index) => {
      const path = `${bundle.path}.${collection}[${index}]`;
      const called = (item: Item) => item.name === name || keyOfItem(collection, item.name) === name;
      const found = model.items[collection].filter(called);
      if (found.length === 0)
        omissions.add(path, name, 'Nothing is called so: declare it, or remove the name.');
      const isChosen = collection !== 'skills' || included === true || included.has(name);
      if (!isChosen) omissions.add(path, name, '`includeSkills` leaves it out.');
      const meant = isChosen ? selectForTarget(found, request.spec) : [];
      return variantsFor(meant, request.spec).map(item => memberOf(item, path));
    });
    return [{ collection, part, items }];
  });
}

/** The copy of an item in a bundle; its own `into` does not apply. */
const memberOf = ({ into: _, origin: __, keptAt: ___, ...item }: Item, path: string): Item => ({
  ...item,
  path,
});

const withoutMembers = ({ fields }: Item, members: readonly Members[]): Item['fields'] =>
  new Map([...fields].filter(([name]) => !members.some(({ collection }) => collection === name)));

/** Plans the members of a bundle one by one, so that one that cannot be copied does not affect the others. */
function planMember(
  { part, items }: Members,
  bundle: Item,
  { name, file }: Place<ItemFiles>,
  { request, context, document, omissions }: PlaceContext,
): Draft[] {
  const place = { name, file: inFolder(part, folderOf(file, bundle)) };
  return items.flatMap(item => {
    const own = new Omissions(request);
    const drafts = needsProject(item)
      ? undefined
      : planPlace(place, { request, context, document, omissions: own, items: [item] });
    const [unwritten] = own.unwritten;
    if (!drafts || unwritten) {
      omissions.add(item.path, item.name, unwritten ? (unwritten.advice ?? unwritten.problem) : notCarried);
      return [];
    }
    for (const { source, text } of own.found) omissions.add(source, text, notInBundle);
    return drafts;
  });
}

const folderOf = (file: ItemFiles, { name, written }: Item): string =>
  `${bundleFolder(file).replace('{name}', written?.file ?? name)}/`;

function inFolder(part: FileSpec, folder: string): FileSpec {
  const path = folder + pathInBundle(part);
  if (part.kind !== 'items') return { ...part, path };
  const { dir: _, ...rest } = part;
  return { ...rest, path };
}

const notInBundle = 'Bundles have no place for it; the copy in the project has it where the tool takes it.';

const notCarried =
  'It runs something of this project, which a bundle does not carry: publish the program, and start it by its name.';

/** Whether a hook or server runs a file of the project, or has to run in the project. */
function needsProject({ fields }: Item): boolean {
  const cwd = fields.get('cwd');
  if (isObject(fields.get('script'))) return true;
  if (typeof cwd === 'string' && cwd !== 'project' && !/^[/\\~$]|^[A-Za-z]:/.test(cwd)) return true;
  return strings(fields.get('argv')).some(isOwnFile);
}

/** Whether a word of a command is a project file: a relative path, or a script file name. */
const isOwnFile = (word: string): boolean =>
  /^\.{1,2}[/\\]/.test(word) ||
  (/^[^/\\~$@-].*\.(?:[cm]?[jt]s|py|rb|pl|php|sh|ps1)$/.test(word) && !word.includes('://'));
