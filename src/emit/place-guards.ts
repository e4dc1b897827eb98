import type { DocumentDraft } from '../kinds/draft.ts';
import { fill } from '../kinds/paths.ts';
import { asksFor } from '../kinds/places.ts';
import { kindOf } from '../kinds/table.ts';
import { strings } from '../model/data.ts';
import { type Activation, activationOf } from '../model/guards.ts';
import type { Item } from '../model/model.ts';
import { isWanted } from './choose-skills.ts';
import { guardCommand, guardSkill } from './guard-skills.ts';
import { narrowerGlobs, nestedDraft, nestedGuards } from './nested.ts';
import { omitBesideSection, omitName } from './omit.ts';
import { listedAt, type Placing } from './placing.ts';

/** Guards whose text goes to the main file of a folder: its drafts. The others stay to be placed. */
export function placeNested(placing: Placing): DocumentDraft[] {
  const { request, items, placesOf, omissions, withoutRules } = placing;
  const [main] = placesOf('instructions');
  if (!main || request.output) return [];
  const hasRules = withoutRules || placesOf('guards').length > 0;
  return [...nestedGuards(items.guards, request.spec, hasRules)].map(([folder, guards]) => {
    items.guards = items.guards.filter(guard => !guards.includes(guard));
    for (const guard of guards) {
      omitBesideSection(guard, 'guards', placing);
      for (const glob of narrowerGlobs(guard, folder))
        omissions.add(`${guard.path}.globs`, glob, `The main file of ${folder}/ is about every file there.`);
    }
    return nestedDraft(folder, guards, request, { place: main.name, path: fill(main.file.path, request) });
  });
}

/** Whether a target has rule files that can say that they are read in this way. */
const takes = ({ placesOf }: Placing, activation: Activation): boolean =>
  placesOf('guards').some(({ file }) => kindOf(file).activationsOf?.(file).includes(activation));

/** Moves rules without globs into the main document where a tool has no rule files for them. */
export function placeAlways(placing: Placing): void {
  const { items, lists } = placing;
  if (takes(placing, 'always')) return;
  const always = items.guards.filter(guard => activationOf(guard) === 'always');
  if (always.length === 0) return;
  items.guards = items.guards.filter(guard => !always.includes(guard));
  lists.set(
    'general-rules',
    always.map(item => ({ item })),
  );
  for (const item of always) omitBesideSection(item, 'guards', placing);
}

/** Guards that are read when they are called, in a way that no rule file of the target can say: skills, else commands. */
export function placeCalled(placing: Placing): void {
  const { items } = placing;
  const called = items.guards.filter(guard => {
    const activation = activationOf(guard);
    return (activation === 'description' || activation === 'manual') && !takes(placing, activation);
  });
  const { skills, commands } = calledItems(called, placing);
  items.guards = items.guards.filter(guard => !called.includes(guard));
  items.skills = [...items.skills, ...skills];
  items.commands = [...items.commands, ...commands];
}

/**
 * Guards that tools read when their description fits are skills, where a target has them; those that only people call
 * are skills that say so, else commands.
 */
function calledItems(
  guards: readonly Item[],
  placing: Placing,
): { readonly skills: Item[]; readonly commands: Item[] } {
  const { items, placesOf, omissions } = placing;
  const { skills, commands } = items;
  const found = { skills: [] as Item[], commands: [] as Item[] };
  const taken = new Set(skills.map(({ name }) => name.toLowerCase()));
  const called = new Set(commands.map(({ name }) => name.toLowerCase()));
  const [asSkills, asCommands] = [placesOf('skills'), placesOf('commands')];
  const keepsForPeople = asSkills.some(({ file }) => asksFor(file, ['disableModelInvocation']));
  for (const guard of guards) {
    const isManual = activationOf(guard) === 'manual';
    omitName(guard, placing);
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

/**
 * Guards as skills, where the target has these and no rule files; what `includeSkills` leaves out stays a guard. Where it is
 * to do without rules and has no skills either, its main file lists them with its skills.
 */
export function placeAsSkills(placing: Placing): void {
  const { request, items, lists, placesOf, withoutRules } = placing;
  const [place] = placesOf('skills');
  if (placesOf('guards').length > 0 || !request.guardsAsSkills || !(place || withoutRules)) return;
  const guards = items.guards.filter(guard => strings(guard.fields.get('content')).length > 0);
  const taken = new Set(items.skills.map(({ name }) => name.toLowerCase()));
  const wanted = guards
    .map(guard => ({ guard, skill: guardSkill(guard, taken) }))
    .filter(({ skill }) => isWanted(skill, request));
  const asSkills = wanted.map(({ skill }) => skill);
  items.skills = [...items.skills, ...asSkills];
  if (place && request.guardsSkillsListing && asSkills.length > 0)
    lists.set('guard-skills', listedAt(place, asSkills, placing));
  const gone = new Set(wanted.map(({ guard }) => guard));
  for (const guard of gone) omitName(guard, placing);
  items.guards = guards.filter(guard => !gone.has(guard));
}
