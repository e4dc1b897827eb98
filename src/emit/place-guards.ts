import type { Reads } from '../generated/types/target.ts';
import { aboutFolder, isWhole } from '../kinds/about-folder.ts';
import { mainDocument } from '../kinds/document/main-document.ts';
import type { DocumentDraft } from '../kinds/draft.ts';
import { fill } from '../kinds/paths.ts';
import { asksFor } from '../kinds/places.ts';
import { kindOf } from '../kinds/table.ts';
import { strings } from '../model/data.ts';
import { type Activation, activationOf } from '../model/guards.ts';
import type { Item } from '../model/model.ts';
import { nestedNames } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { omitBesideSection, omitName } from './omit.ts';
import { guardCommand, guardSkill, isIncluded } from './place-skills.ts';
import { listedAt, type TargetPlan } from './target-plan.ts';

/**
 * Puts guards into the main file of the folder that their globs lie below: those with `placement: nested`, and for a tool
 * without scoped rules those that are about a whole folder.
 */
export function placeNestedRules(plan: TargetPlan): DocumentDraft[] {
  const { request, items, placesOf, omissions } = plan;
  const { reads } = request.spec;
  const [main] = placesOf('instructions');
  const names = reads ? nestedNames(reads) : [];
  if (!main || request.output || !reads || names.length === 0) return [];
  const hasRules = plan.withoutRules || placesOf('guards').length > 0;
  const nested = groupBy(
    items.guards.filter(guard => isNested(guard, reads, hasRules)),
    guard => aboutFolder(guard).folder!,
  );
  items.guards = items.guards.filter(guard => ![...nested.values()].some(all => all.includes(guard)));
  const own = fill(main.file.path, request).split('/').at(-1)!;
  return [...nested].map(([folder, guards]): DocumentDraft => {
    for (const guard of guards) {
      omitBesideSection(guard, 'guards', plan);
      for (const glob of strings(guard.fields.get('globs')).filter(one => !isWhole(one, folder)))
        omissions.add(`${guard.path}.globs`, glob, `The main file of ${folder}/ is about every file there.`);
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
  });
}

function isNested(guard: Item, { nested }: Reads, hasRules: boolean): boolean {
  const { folder, whole } = aboutFolder(guard);
  if (folder === undefined || !nested) return false;
  const { read, start } = nested;
  return guard.fields.get('placement') === 'nested'
    ? read === true || (start !== 'root' && start !== 'here')
    : read === true && !hasRules && whole;
}

/** Whether a target has rule files with this activation. */
const hasRuleFiles = ({ placesOf }: TargetPlan, activation: Activation): boolean =>
  placesOf('guards').some(({ file }) => kindOf(file).activationsOf?.(file).includes(activation));

/** Takes the guards with one of these activations out of the items, unless the target has rule files with it. */
function takeGuards(plan: TargetPlan, ...activations: Activation[]): Item[] {
  const missing = activations.filter(activation => !hasRuleFiles(plan, activation));
  const isTaken = (guard: Item) => missing.includes(activationOf(guard));
  const taken = plan.items.guards.filter(isTaken);
  plan.items.guards = plan.items.guards.filter(guard => !isTaken(guard));
  return taken;
}

/** Lists rules without globs in the main document where a tool has no rule files for them. */
export function placeAlwaysRules(plan: TargetPlan): [] {
  const always = takeGuards(plan, 'always').map(item => ({ item }));
  if (always.length > 0) plan.lists.set('general-rules', always);
  for (const { item } of always) omitBesideSection(item, 'guards', plan);
  return [];
}

/**
 * Places guards with an activation by call that no rule file of the target has. Those that the tool reads when their
 * description fits become skills. Those that only people call become skills for people, else commands.
 */
export function placeCalledRules(plan: TargetPlan): [] {
  const { items, placesOf, omissions } = plan;
  const names = ({ name }: Item) => name.toLowerCase();
  const [takenSkills, takenCommands] = [new Set(items.skills.map(names)), new Set(items.commands.map(names))];
  const [hasSkills, hasCommands] = [placesOf('skills').length > 0, placesOf('commands').length > 0];
  const keepsForPeople = placesOf('skills').some(({ file }) => asksFor(file, ['disableModelInvocation']));
  for (const guard of takeGuards(plan, 'description', 'manual')) {
    const isManual = activationOf(guard) === 'manual';
    omitName(guard, plan);
    if (isManual ? keepsForPeople : hasSkills)
      items.skills = [...items.skills, guardSkill(guard, takenSkills)];
    else if (isManual && hasCommands)
      items.commands = [...items.commands, guardCommand(guard, takenCommands)];
    else omissions.item(guard, 'guards', noPlaceForActivation);
  }
  return [];
}

const noPlaceForActivation =
  'Its `activation` needs a place that this tool does not have: use `always` or `scoped`.';

/**
 * Turns guards into skills where the target has skills and no rule files; what `includeSkills` leaves out stays a guard.
 * A target that is planned without rules and has no skills lists them in its main file.
 */
export function placeRulesAsSkills(plan: TargetPlan): [] {
  const { request, items, lists, placesOf, withoutRules } = plan;
  const [place] = placesOf('skills');
  if (placesOf('guards').length > 0 || !request.guardsAsSkills || !(place || withoutRules)) return [];
  const guards = items.guards.filter(guard => strings(guard.fields.get('content')).length > 0);
  const taken = new Set(items.skills.map(({ name }) => name.toLowerCase()));
  const skills = new Map(guards.map(guard => [guard, guardSkill(guard, taken)]));
  const isTaken = (guard: Item) => isIncluded(skills.get(guard)!, request);
  const made = guards.filter(isTaken).map(guard => skills.get(guard)!);
  items.skills = [...items.skills, ...made];
  items.guards = guards.filter(guard => !isTaken(guard));
  if (place && request.guardsSkillsListing && made.length > 0)
    lists.set('guard-skills', listedAt(place, made, plan));
  for (const guard of guards.filter(isTaken)) omitName(guard, plan);
  return [];
}
