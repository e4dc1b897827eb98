import type { Reads } from '../generated/types/target.ts';
import { selectForTarget, variantsFor } from '../kinds/audience.ts';
import { mainDocument } from '../kinds/document/plan.ts';
import type { DocumentDraft, ListedItem } from '../kinds/draft.ts';
import { coversFolder, folderOfGlobs } from '../kinds/items/plan.ts';
import type { DocumentContent, PlanContext } from '../kinds/kind.ts';
import { withFields } from '../kinds/native/shapes.ts';
import { Omissions, omissionText } from '../kinds/omissions.ts';
import { activationsOf, activeFiles, fillOptions, itemPath, type Place, usesField } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { noLayout } from '../kinds/write/convention.ts';
import { isCollection, itemsOfEach } from '../model/collections.ts';
import { strings } from '../model/data.ts';
import { type Activation, activationOf } from '../model/guards.ts';
import type { Collection, Data, Item, Model } from '../model/model.ts';
import { originsOf, withOrigins } from '../model/origin.ts';
import { nestedNames } from '../spec/reads.ts';
import { partOf } from '../spec/spec.ts';
import { renderTemplate } from '../spec/template.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { groupBy } from '../text/group.ts';
import { memoize, memoizeByObject } from '../text/memo.ts';
import { plainText } from '../text/traced.ts';
import { changedPlace, type PlanChanges } from './overlap.ts';
import { toolsAsPermissions } from './server-tools.ts';

/** The state that the passes over one target share: each pass takes items out of `items`, or adds others. */
export interface TargetPlan {
  readonly model: Model;
  readonly request: TargetRequest;
  readonly context: PlanContext;
  readonly omissions: Omissions;
  /** The places of the target's version, in spec order. */
  readonly places: readonly Place[];
  readonly placesOf: (part: string) => readonly Place[];
  readonly items: Record<Collection, readonly Item[]>;
  /** Section to the items that it lists, because they have no file of their own. */
  readonly lists: Map<string, readonly ListedItem[]>;
  readonly document: DocumentContent;
  /** Whether rules become skills, because other tools would read rule files regardless of conditions. */
  readonly withoutRules: boolean;
}

/** The plan of a target before any pass: all items of the model that apply to it. */
export function startPlan(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
  changes: PlanChanges = {},
): TargetPlan {
  const { spec, version, options } = request;
  const places = activeFiles(spec, version, options).flatMap(place => changedPlace(place, changes) ?? []);
  const placesOf = (part: string) => places.filter(({ file }) => partOf(file) === part);
  const meant = itemsOfEach(name => variantsFor(selectForTarget(model.items[name], spec), spec));
  const items = { ...meant, ...toolsAsPermissions(meant, placesOf) };
  const lists = new Map<string, readonly ListedItem[]>();
  const index = (part: string) => {
    const [place] = placesOf(part);
    return place && isCollection(part) ? itemsWithPaths(place, items[part], { request, context }) : undefined;
  };
  const { sections, local } = model;
  return {
    model,
    request,
    context,
    omissions: new Omissions(request),
    places,
    placesOf,
    items,
    lists,
    document: { sections, local, texts: selectForTarget(model.documents, spec), lists, index },
    withoutRules: changes.withoutRules === true,
  };
}

/** Items with the paths of their own files at a place; without paths where they share a file. */
export const itemsWithPaths = (
  { file }: Place,
  items: readonly Item[],
  { request, context }: Pick<TargetPlan, 'request' | 'context'>,
): ListedItem[] =>
  items.map(item => ({ item, path: file.kind === 'items' ? itemPath(file, item, request, context) : '' }));

const shownInSection: ReadonlySet<string> = new Set(['title', 'description', 'content', 'globs']);

/** Adds omissions for the fields of an item that its section in the main document does not show. */
export function omitHiddenFields(
  item: Item,
  collection: Collection,
  { request, omissions }: TargetPlan,
): void {
  const why = `The section in the main file of ${request.spec.id} shows name, description and content only.`;
  const hidden = [...item.fields].filter(([field]) => !shownInSection.has(field));
  omissions.item({ ...item, fields: new Map(hidden) }, collection, why, true);
}

/** Moves `nested` guards, and without scoped rules those about a whole folder, to its main file. */
export function placeNestedRules(plan: TargetPlan): DocumentDraft[] {
  const { request, items, placesOf, omissions } = plan;
  const { reads } = request.spec;
  const [main] = placesOf('instructions');
  const names = reads ? nestedNames(reads) : [];
  if (!main || request.output || !reads || names.length === 0) return [];
  const hasRules = plan.withoutRules || placesOf('guards').length > 0;
  const nested = new Set(items.guards.filter(guard => isNested(guard, reads, hasRules)));
  items.guards = items.guards.filter(guard => !nested.has(guard));
  const own = fillOptions(main.file.path, request).split('/').at(-1)!;
  return [...groupBy(nested, guard => folderOfGlobs(guard).folder!)].map(
    ([folder, guards]): DocumentDraft => {
      for (const guard of guards) {
        omitHiddenFields(guard, 'guards', plan);
        for (const glob of strings(guard.fields.get('globs')).filter(one => !coversFolder(one, folder)))
          omissions.add(
            `${guard.path}.globs`,
            glob,
            `The main file of ${folder}/ is about every file there.`,
          );
      }
      const path = `${folder}/${names.includes(own) ? own : names[0]!}`;
      return {
        kind: 'document',
        path,
        request,
        place: main.name,
        file: mainDocument(path),
        prose: new Set(),
        lists: new Map(),
        documents: [],
        guards,
        pinned: true,
      };
    },
  );
}

function isNested(guard: Item, { nested }: Reads, hasRules: boolean): boolean {
  const { folder, whole } = folderOfGlobs(guard);
  if (folder === undefined || !nested) return false;
  const { read, start } = nested;
  return guard.fields.get('placement') === 'nested'
    ? read === true || (start !== 'root' && start !== 'here')
    : read === true && !hasRules && whole;
}

function takeGuards({ items, placesOf }: TargetPlan, ...activations: Activation[]): readonly Item[] {
  const written = placesOf('guards').flatMap(({ file }) => activationsOf(file));
  const isTaken = (guard: Item) => {
    const activation = activationOf(guard);
    return activations.includes(activation) && !written.includes(activation);
  };
  const taken = items.guards.filter(isTaken);
  items.guards = items.guards.filter(guard => !isTaken(guard));
  return taken;
}

/** Lists rules without globs in the main document when the tool has no rule files for them. */
export function listAlwaysRules(plan: TargetPlan): void {
  const always = takeGuards(plan, 'always').map(item => ({ item }));
  if (always.length > 0) plan.lists.set('general-rules', always);
  for (const { item } of always) omitHiddenFields(item, 'guards', plan);
}

/** Filters skills by `includeSkills`, and adds the bundled one when the target has skills. */
export function chooseSkills({ request, context, items, placesOf, omissions }: TargetPlan): void {
  for (const skill of items.skills)
    if (!isIncluded(skill, request))
      omissions.excludedItem(skill, '`includeSkills` of this target leaves it out.');
  const chosen = items.skills.filter(skill => isIncluded(skill, request));
  const { languageSkill } = context;
  const adds = languageSkill && placesOf('skills').length > 0 && isIncluded(languageSkill, request);
  items.skills =
    adds && !chosen.some(({ name }) => name === languageSkill.name) ? [...chosen, languageSkill] : chosen;
}

const isIncluded = ({ name }: Item, { includeSkills }: TargetRequest): boolean =>
  includeSkills === true || includeSkills.has(name);

/**
 * Places guards that are loaded on demand and have no rule file in the target. Those loaded by description
 * become skills. Those loaded by the user become user-invoked skills, else commands.
 */
export function placeManualRules(plan: TargetPlan): void {
  const { items, placesOf, omissions } = plan;
  const [takenSkills, takenCommands] = [lowerNames(items.skills), lowerNames(items.commands)];
  const [hasSkills, hasCommands] = [placesOf('skills').length > 0, placesOf('commands').length > 0];
  const keepsForPeople = placesOf('skills').some(({ file }) => usesField(file, ['disableModelInvocation']));
  for (const guard of takeGuards(plan, 'description', 'manual')) {
    const isManual = activationOf(guard) === 'manual';
    omitName(guard, plan);
    if (isManual ? keepsForPeople : hasSkills)
      items.skills = [...items.skills, guardSkill(guard, takenSkills)];
    else if (isManual && hasCommands)
      items.commands = [...items.commands, guardCommand(guard, takenCommands)];
    else omissions.item(guard, 'guards', noPlaceForActivation);
  }
}

const noPlaceForActivation =
  'Its `activation` needs a place that this tool does not have: use `always` or `scoped`.';

const lowerNames = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.map(({ name }) => name.toLowerCase()));

function omitName({ name, fields, path }: Item, { omissions }: TargetPlan): void {
  const own = fields.get('name');
  const why = 'Where it becomes a skill or a command it has the name of its entry.';
  if (own !== undefined && own !== name) omissions.add(`${path}.name`, omissionText(own), why);
}

/**
 * Converts guards to skills when the target has skills and no rule files; guards outside `includeSkills` stay
 * guards. A target that is planned without rules and has no skills lists them in its main file.
 */
export function rulesToSkills(plan: TargetPlan): void {
  const { request, items, lists, placesOf, withoutRules } = plan;
  const [place] = placesOf('skills');
  if (placesOf('guards').length > 0 || !request.guardsAsSkills || !(place || withoutRules)) return;
  const taken = lowerNames(items.skills);
  const made: Item[] = [];
  const left: Item[] = [];
  for (const guard of items.guards.filter(({ fields }) => strings(fields.get('content')).length > 0)) {
    const skill = guardSkill(guard, taken);
    if (isIncluded(skill, request)) {
      made.push(skill);
      omitName(guard, plan);
    } else left.push(guard);
  }
  items.skills = [...items.skills, ...made];
  items.guards = left;
  if (place && request.guardsSkillsListing && made.length > 0)
    lists.set('guard-skills', itemsWithPaths(place, made, plan));
}

/**
 * Converts commands and workflows to skills, when the target has no place for them and its skills take them. Those
 * outside `includeSkills` and those with the name of a skill stay. Only people call a command; the tool may load a
 * workflow by itself, because its text would otherwise be in the main document.
 */
export function textsToSkills(plan: TargetPlan): void {
  const { request, items, placesOf } = plan;
  for (const collection of ['commands', 'workflows'] as const) {
    const place = placesOf('skills').find(
      ({ file }) => file.kind === 'items' && file.takes?.includes(collection),
    );
    if (!place || placesOf(collection).length > 0) continue;
    const isForPeople = collection === 'commands' && usesField(place.file, ['disableModelInvocation']);
    const taken = lowerNames(items.skills);
    const isTaken = (item: Item) => !taken.has(item.name.toLowerCase()) && isIncluded(item, request);
    const made = items[collection].filter(isTaken).map(isForPeople ? asUserSkill : asTextSkill);
    items.skills = [...items.skills, ...made];
    items[collection] = items[collection].filter(item => !isTaken(item));
  }
}

const asTextSkill = memoizeByObject((item: Item): Item => {
  const { written: _, ...rest } = item;
  const fields = new Map<string, Data>([['name', item.name], ...item.fields]);
  if (strings(fields.get('description')).length === 0)
    fields.set('description', filled('command-description', { name: item.name }));
  return { ...rest, fields };
});

const asUserSkill = memoizeByObject(
  (item: Item): Item => withFields(asTextSkill(item), { disableModelInvocation: true }),
);

/** A guard as a skill, with its globs in the description. Existing skills, in `taken`, keep their names. */
const guardSkill = (guard: Item, taken: ReadonlySet<string>): Item =>
  skillNamed(guard)(taken.has(guard.name.toLowerCase()) ? `${guard.name}-rules` : guard.name);

// Cached by guard, because drafts of earlier runs are found by the item.
const skillNamed = memoizeByObject((guard: Item) => memoize((name: string) => makeSkill(guard, name)));

function makeSkill(guard: Item, name: string): Item {
  const globs = strings(guard.fields.get('globs'));
  const text = strings(guard.fields.get('description')).join(' ');
  // A description in an overlay for this tool is not changed.
  const isOwn = text !== '' && guard.own?.has('description');
  const description = isOwn ? text : describe(text, globs, guard.name);
  const { fields } = withFields(guard, {
    name,
    description,
    // The content already contains the required guards, and `requires` of a skill names skills.
    requires: undefined,
    ...(activationOf(guard) === 'manual' && { disableModelInvocation: true }),
  });
  // A skill has a folder with its name, and other keys.
  const { written: _, ...rest } = guard;
  const made = [...originsOf(guard, 'description'), ...originsOf(guard, 'globs')];
  const computed = new Set([...guard.computed, 'globs']);
  return { ...rest, name, fields, computed, ...withOrigins(guard, 'description', made) };
}

const guardCommand = (guard: Item, taken: ReadonlySet<string>): Item =>
  withFields(guardSkill(guard, taken), { disableModelInvocation: undefined });

/** The words are in a template, so that import can parse them. */
function describe(own: string, globs: readonly string[], name: string): string {
  const description = globs.length === 0 ? own : own.replace(/[.\s]+$/, '');
  return filled('rule-description', { description, globs, name });
}

const filled = (body: string, values: Readonly<Record<string, Data>>): string =>
  plainText(renderTemplate(builtinTemplate(`body:${body}`)!, values, noLayout)).trim();
