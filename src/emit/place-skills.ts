import type { TargetRequest } from '../kinds/request.ts';
import { strings } from '../model/data.ts';
import { activationOf } from '../model/guards.ts';
import { withOrigins } from '../model/item-origins.ts';
import type { Data, Item } from '../model/model.ts';
import { originsOf } from '../model/sourced.ts';
import { type Helpers, renderTemplate } from '../spec/template.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { perObject } from '../text/memo.ts';
import { plain } from '../text/traced.ts';
import type { TargetPlan } from './target-plan.ts';

/** Reduces the skills to those that `includeSkills` names, and adds the bundled one where the target has skills. */
export function chooseSkills({ request, context, items, placesOf, omissions }: TargetPlan): [] {
  for (const skill of items.skills)
    if (!isIncluded(skill, request)) omissions.whole(skill, '`includeSkills` of this target leaves it out.');
  const chosen = items.skills.filter(skill => isIncluded(skill, request));
  const { languageSkill: own } = context;
  const adds = own && placesOf('skills').length > 0 && isIncluded(own, request);
  items.skills = adds && !chosen.some(({ name }) => name === own.name) ? [...chosen, own] : chosen;
  return [];
}

/** Whether `includeSkills` lets a skill through. */
export const isIncluded = ({ name }: Item, { includeSkills }: TargetRequest): boolean =>
  includeSkills === true || includeSkills.has(name);

/**
 * A guard as a skill: the description carries the globs, for tools that cannot match paths themselves. A skill in `taken`,
 * names in lower case, keeps its name.
 */
export const guardSkill = (guard: Item, taken: ReadonlySet<string>): Item =>
  taken.has(guard.name.toLowerCase()) ? asRenamedSkill(guard) : asSkill(guard);

// Drafts of earlier runs are found by the item, so a guard gives the same skill again.
const asSkill = perObject((guard: Item) => makeSkill(guard, guard.name));
const asRenamedSkill = perObject((guard: Item) => makeSkill(guard, `${guard.name}-rules`));

function makeSkill(guard: Item, name: string): Item {
  const globs = strings(guard.fields.get('globs'));
  const text = strings(guard.fields.get('description')).join(' ');
  // A description that is for this tool alone is not changed.
  const isOwn = text !== '' && guard.own?.has('description');
  const description = isOwn ? text : describe(text, globs, guard.name);
  const fields = new Map<string, Data>([...guard.fields, ['name', name], ['description', description]]);
  // The content already holds what the guard requires, and a skill would name it as a skill.
  fields.delete('requires');
  if (activationOf(guard) === 'manual') fields.set('disableModelInvocation', true);
  // A skill lies in a folder of its name, and has keys of its own.
  const { written: _, ...rest } = guard;
  const made = [...originsOf(guard, 'description'), ...originsOf(guard, 'globs')];
  const computed = new Set([...guard.computed, 'globs']);
  return { ...rest, name, fields, computed, ...withOrigins(guard, 'description', made) };
}

/** A guard that only people call as a command. */
export function guardCommand(guard: Item, taken: ReadonlySet<string>): Item {
  const skill = guardSkill(guard, taken);
  const fields = new Map(skill.fields);
  fields.delete('disableModelInvocation');
  return { ...skill, fields };
}

/** The words are in a template, from which import reads them back. */
function describe(own: string, globs: readonly string[], name: string): string {
  const description = globs.length === 0 ? own : own.replace(/[.\s]+$/, '');
  const values = { description, globs, name };
  return plain(renderTemplate(builtinTemplate('body:rule-description')!, values, noLayout)).trim();
}

/** A description is one line without layout. */
const noLayout: Helpers = { part: () => '', bullet: () => '', fields: () => '', prose: () => '' };
