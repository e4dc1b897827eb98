import type { TargetRequest } from '../kinds/request.ts';
import type { Item } from '../model/model.ts';
import type { Placing } from './placing.ts';

/**
 * Reduces the skills to those that the target is to have, and adds the bundled one where the target has a place for
 * skills.
 */
export function chooseSkills({ request, context, items, placesOf, omissions }: Placing): void {
  for (const skill of items.skills) {
    if (!isWanted(skill, request)) omissions.whole(skill, '`includeSkills` of this target leaves it out.');
  }
  const chosen = items.skills.filter(skill => isWanted(skill, request));
  const { languageSkill: own } = context;
  const adds =
    own &&
    placesOf('skills').length > 0 &&
    isWanted(own, request) &&
    !chosen.some(({ name }) => name === own.name);
  items.skills = adds ? [...chosen, own] : chosen;
}

/** Whether `includeSkills` lets a skill through. */
export const isWanted = ({ name }: Item, { includeSkills }: TargetRequest): boolean =>
  includeSkills === true || includeSkills.has(name);
