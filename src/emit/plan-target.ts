import { meantFor } from '../kinds/audience.ts';
import type { DocumentDraft, Draft, ListedItem } from '../kinds/draft.ts';
import { entriesDrafts, scriptDrafts, settingsDrafts } from '../kinds/entries/plan.ts';
import { itemDrafts } from '../kinds/items/plan.ts';
import { Omissions, textOf } from '../kinds/omissions.ts';
import type { Omission } from '../kinds/output.ts';
import { documentPath, fill, itemPath, topicPath } from '../kinds/paths.ts';
import {
  activeFiles,
  asksFor,
  type EntriesFile,
  type ItemFiles,
  type Place,
  type ScriptFiles,
  type SettingsFile,
} from '../kinds/places.ts';
import type { PlanContext } from '../kinds/plan-context.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { holds } from '../kinds/write/fields.ts';
import { nativeHooks } from '../kinds/write/hooks.ts';
import { proseText } from '../kinds/write/prose-text.ts';
import { collections, describeCollection } from '../model/collections.ts';
import { strings } from '../model/data.ts';
import { type Activation, activationOf } from '../model/guards.ts';
import type { Collection, DocumentText, Item, Model } from '../model/model.ts';
import { universalFiles } from '../spec/universal.ts';
import { plain } from '../text/traced.ts';
import { guardCommand, guardSkill } from './guard-skills.ts';
import { narrowerGlobs, nestedDraft, nestedGuards } from './nested.ts';
import type { LeftOut } from './unreached.ts';

/** Every draft of one target, and what it has no place for. */
export function planTarget(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
): { drafts: Draft[]; omissions: Omission[]; leftOut: LeftOut } {
  const omissions = new Omissions(request);
  const drafts: Draft[] = [];
  const places = activeFiles(request.spec, request.version, request.options);
  const placesOf = (of: string) => places.filter(({ file }) => 'of' in file && file.of === of);
  const lists = new Map<string, ListedItem[]>();
  const items = { ...model.items };
  for (const collection of collections) items[collection] = meantFor(items[collection], request.spec);
  const documents = meantFor(model.documents, request.spec);

  const main = places.find(({ file }) => file.kind === 'document' && file.of === 'instructions');
  if (main?.file.kind === 'document' && !request.output) {
    const hasRules = placesOf('guards').length > 0;
    for (const [folder, guards] of nestedGuards(items.guards, request.spec, hasRules)) {
      const path = fill(main.file.path, request);
      drafts.push(nestedDraft(folder, guards, request, { place: main.name, path }));
      items.guards = items.guards.filter(guard => !guards.includes(guard));
      for (const guard of guards) {
        sectionOmissions(guard, 'guards', request, omissions);
        for (const glob of narrowerGlobs(guard, folder))
          omissions.add(
            `${guard.path}.globs`,
            glob,
            `The main file of ${folder}/ is about every file there.`,
          );
      }
    }
  }

  // Rules for every file stand in the main document where a tool has no way of its own to say so.
  const takes = (activation: Activation) =>
    placesOf('guards').some(place => takesActivation(place, activation));
  const always = takes('always') ? [] : items.guards.filter(guard => activationOf(guard) === 'always');
  if (always.length > 0)
    lists.set(
      'general-rules',
      always.map(item => ({ item })),
    );
  for (const item of always) sectionOmissions(item, 'guards', request, omissions);
  items.skills = chosenSkills(items.skills, request, omissions);
  if (
    context.languageSkill &&
    placesOf('skills').length > 0 &&
    mayAdd(context.languageSkill, items.skills, request)
  ) {
    items.skills = [...items.skills, context.languageSkill];
  }
  const called = items.guards.filter(guard => {
    const activation = activationOf(guard);
    return (activation === 'description' || activation === 'manual') && !takes(activation);
  });
  const elsewhere = new Set([...always, ...called]);
  items.guards = items.guards.filter(guard => !elsewhere.has(guard));
  const asked = calledItems(called, items, placesOf, omissions);
  items.skills = [...items.skills, ...asked.skills];
  items.commands = [...items.commands, ...asked.commands];
  if (placesOf('guards').length === 0 && request.guardsAsSkills && placesOf('skills').length > 0) {
    const guards = items.guards.filter(guard => strings(guard.fields.get('content')).length > 0);
    const taken = new Set(items.skills.map(({ name }) => name.toLowerCase()));
    const wanted = guards
      .map(guard => ({ guard, skill: guardSkill(guard, taken) }))
      .filter(({ skill }) => isWanted(skill, request));
    const asSkills = wanted.map(({ skill }) => skill);
    items.skills = [...items.skills, ...asSkills];
    if (request.guardsSkillsListing && asSkills.length > 0)
      lists.set(
        'guard-skills',
        asSkills.map(item => ({ item, path: topicPath(item, placesOf('skills')[0], request, context) })),
      );
    const gone = new Set(wanted.map(({ guard }) => guard));
    // `includeSkills` leaves these no skill: the main document takes them.
    items.guards = guards.filter(guard => !gone.has(guard));
  }

  for (const collection of collections) {
    const own = placesOf(collection);
    if (own.length > 0) {
      drafts.push(...allPlaces(own, items[collection], collection, request, context, omissions));
      continue;
    }
    const { block, without } = describeCollection(collection);
    if (without === 'prose' || items[collection].length === 0) continue;
    if (without === 'files') {
      const place = { name: collection, file: universalFiles(collection)! };
      drafts.push(...itemDrafts(place, items[collection], collection, request, context, omissions, true));
      lists.set(
        block,
        items[collection].map(item => ({ item, path: itemPath(place.file, item, request, context) })),
      );
    } else if (without === 'section') {
      lists.set(
        block,
        items[collection].map(item => ({ item })),
      );
      for (const item of items[collection]) sectionOmissions(item, collection, request, omissions);
    } else {
      for (const item of items[collection]) omissions.item(item, collection);
    }
  }

  for (const place of places) {
    if (place.file.kind === 'settings')
      drafts.push(...settingsDrafts(place as Place<SettingsFile>, request, context.literal));
  }
  for (const { name, file } of places) {
    if (file.kind !== 'document') continue;
    const prose = new Set(
      file.of === 'local'
        ? model.local.length > 0
          ? ['local']
          : []
        : model.sections.map(section => section.key),
    );
    const own = new Map(file.of === 'local' ? [] : lists);
    for (const { section, with: other, when } of file.sections?.replace ?? []) {
      if (!holds(when, request.options)) continue;
      if (prose.delete(section)) {
        own.set(
          other,
          items.topics.map(item => ({
            item,
            path: topicPath(item, placesOf('topics')[0], request, context),
          })),
        );
      }
    }
    for (const { section, of } of file.sections?.index ?? []) {
      const place = placesOf(of)[0];
      const listed = items[of as Collection];
      if (place && listed.length > 0)
        own.set(
          section,
          listed.map(item => ({ item, path: topicPath(item, place, request, context) })),
        );
    }
    const texts = file.of === 'local' ? [] : documents;
    if (prose.size === 0 && own.size === 0 && texts.length === 0) continue;
    drafts.push({
      kind: 'document',
      // Private notes must never land in the shared file that `output` names.
      path: documentPath(fill(file.path, request), request, file.of === 'local'),
      request,
      place: name,
      file,
      documents: texts,
      prose,
      lists: own,
    } satisfies DocumentDraft);
  }
  omitUndocumented(model, documents, places, lists, omissions);
  for (const { path, fields } of documents)
    for (const [field, value] of fields)
      omissions.add(`${path}.${field}`, textOf(value), omissions.adviceFor('documents', field, value));
  for (const { path, text, advice } of model.unplaced) omissions.add(path, text, advice);
  return { drafts, omissions: omissions.found, leftOut: omissions.leftOut };
}

/** Whether files of guards at a place can say that they are read in a way. */
const takesActivation = ({ file }: Place, activation: Activation): boolean =>
  file.kind === 'items' && (file.activation ?? scopedOnly).includes(activation);

const scopedOnly: readonly Activation[] = ['scoped'];

/**
 * Guards that tools read when their description fits are skills, where a target has them; those that only people call
 * are skills that say so, else commands.
 */
function calledItems(
  guards: readonly Item[],
  { skills, commands }: Pick<Model['items'], 'skills' | 'commands'>,
  placesOf: (of: string) => readonly Place[],
  omissions: Omissions,
): { skills: Item[]; commands: Item[] } {
  const found = { skills: [] as Item[], commands: [] as Item[] };
  const taken = new Set(skills.map(({ name }) => name.toLowerCase()));
  const called = new Set(commands.map(({ name }) => name.toLowerCase()));
  const [asSkills, asCommands] = [placesOf('skills'), placesOf('commands')];
  const keepsForPeople = asSkills.some(
    ({ file }) =>
      'frontmatter' in file && file.frontmatter?.some(({ from }) => from === 'disableModelInvocation'),
  );
  for (const guard of guards) {
    const isManual = activationOf(guard) === 'manual';
    if (isManual ? keepsForPeople : asSkills.length > 0) found.skills.push(guardSkill(guard, taken));
    else if (isManual && asCommands.length > 0) found.commands.push(guardCommand(guard, called));
    else
      omissions.item(
        guard,
        'guards',
        'Its `activation` needs a place that this tool does not have: use `always` or `scoped`.',
      );
  }
  return found;
}

/** A target without a main document (or local file) has no place for prose (or notes). */
function omitUndocumented(
  model: Model,
  texts: readonly DocumentText[],
  places: readonly Place[],
  lists: ReadonlyMap<string, readonly ListedItem[]>,
  omissions: Omissions,
): void {
  const documents = new Set(places.flatMap(({ file }) => (file.kind === 'document' ? [file.of] : [])));
  if (!documents.has('instructions')) {
    for (const { path } of [...texts, ...model.sections])
      omissions.leftOut.set(path, omissions.adviceFor('instructions'));
    for (const { path, text } of texts) omissions.add(path, plain(text), omissions.adviceFor('instructions'));
    for (const { path, title, content } of model.sections) {
      const text = [...(title === undefined ? [] : [plain(title)]), proseText(content)].join('\n');
      omissions.add(path, text, omissions.adviceFor('instructions'));
    }
    for (const listed of lists.values()) for (const { item } of listed) omissions.item(item, 'instructions');
  }
  if (!documents.has('local') && model.local.length > 0)
    omissions.add('local', proseText(model.local), omissions.adviceFor('local'));
}

function chosenSkills(
  skills: readonly Item[],
  request: TargetRequest,
  omissions: Omissions,
): readonly Item[] {
  const wanted = request.includeSkills;
  if (wanted === true) return skills;
  for (const skill of skills) {
    if (!wanted.has(skill.name))
      omissions.item(skill, 'skills', '`includeSkills` of this target leaves it out.', true);
  }
  return skills.filter(skill => wanted.has(skill.name));
}

const isWanted = ({ name }: Item, { includeSkills }: TargetRequest): boolean =>
  includeSkills === true || includeSkills.has(name);

const mayAdd = (skill: Item, present: readonly Item[], request: TargetRequest): boolean =>
  isWanted(skill, request) && !present.some(({ name }) => name === skill.name);

/** Several places of one collection complete each other: only what none of them writes is an omission. */
function allPlaces(
  places: readonly Place[],
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
): Draft[] {
  const sinks = places.map(() => new Omissions(request));
  const drafts = places.flatMap((place, index) =>
    placeDrafts(place, items, collection, request, context, sinks[index]!),
  );
  const [first, ...others] = sinks.map(sink => sink.found);
  const missing = others.map(found => new Set(found.map(({ source }) => source)));
  omissions.found.push(...first!.filter(({ source }) => missing.every(set => set.has(source))));
  for (const [path, advice] of sinks[0]!.leftOut)
    if (sinks.every(({ leftOut }) => leftOut.has(path))) omissions.leftOut.set(path, advice);
  return drafts;
}

function placeDrafts(
  place: Place,
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
): Draft[] {
  const { file } = place;
  const placed =
    collection === 'guards' ? items.filter(guard => takesActivation(place, activationOf(guard))) : items;
  const started = withoutSwitchedOff(file, placed, collection, request, omissions);
  if (file.kind === 'entries')
    return entriesDrafts(place as Place<EntriesFile>, started, collection, request, omissions);
  if (file.kind === 'scripts')
    return scriptDrafts(place as Place<ScriptFiles>, started, request, context.literal, omissions);
  if (file.kind !== 'items') return [];
  const native = file.hooks
    ? nativeHooks(started, file.hooks, request, omissions).map(({ item }) => item)
    : started;
  return itemDrafts(place as Place<ItemFiles>, native, collection, request, context, omissions, false);
}

/** What the source switches off is written where the tool can be told so, and left out where it would be started. */
function withoutSwitchedOff(
  file: Place['file'],
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  omissions: Omissions,
): readonly Item[] {
  const isOff = (item: Item) => item.computed.has('disabled') && item.fields.get('disabled') === true;
  if (!items.some(isOff) || asksFor(file, ['enabled', 'disabled'])) return items;
  for (const item of items.filter(isOff))
    omissions.item(
      item,
      collection,
      `The source switches it off, and ${request.spec.title} has no field that says so: it is left out.`,
      true,
    );
  return items.filter(item => !isOff(item));
}

/** Places in a section: the fields that the section's template shows. */
const shownInSection: ReadonlySet<string> = new Set(['description', 'content', 'globs']);

function sectionOmissions(
  item: Item,
  collection: Collection,
  request: TargetRequest,
  omissions: Omissions,
): void {
  for (const [field, value] of item.fields) {
    if (item.computed.has(field) || shownInSection.has(field)) continue;
    omissions.add(
      `${item.path}.${field}`,
      textOf(value),
      `The section in the main file of ${request.spec.id} shows name, description and content only.`,
    );
  }
  for (const resource of item.resources)
    omissions.add(`${item.path}/${resource.path}`, resource.path, omissions.adviceFor(collection));
}
