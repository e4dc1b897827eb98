import { type Draft, fieldIn, fieldsOf, itemsOf, list, setField, withField } from './draft.ts';
import { isNegation, reportNegation } from './lists.ts';
import { joinResources, noOrigin } from './origins.ts';
import type { Node, SkillOrigin } from './program.ts';
import type { Run } from './run.ts';

/** Lists that may hold `!x`. */
const negatable = ['references', 'requires'] as const;

/** Removes the negations that are left when everything is merged; returns the origin of each skill with its files. */
export function finishSkills(draft: Draft, run: Run): ReadonlyMap<string, SkillOrigin> {
  const origins = new Map<string, SkillOrigin>();
  const block = draft.blocks.get('skills');
  for (const [name, declared] of fieldsOf(block)) {
    const skill = negatable.reduce(
      (node, key) => dropNegations(node, key, `skills.${name}.${key}`, run),
      declared,
    );
    setField(block!, name, skill);
    const origin = draft.skills.get(name) ?? noOrigin;
    const files = itemsOf(fieldIn(skill, 'references')).flatMap(item =>
      item.kind === 'scalar' && item.resource ? [item.resource] : [],
    );
    origins.set(name, { ...origin, resources: joinResources(origin.resources, files) });
  }
  return origins;
}

/** Reports and removes each `!x` that was merged into no list with `x`. */
function dropNegations(skill: Node, key: string, path: string, run: Run): Node {
  const value = fieldIn(skill, key);
  if (skill.kind !== 'object' || value?.kind !== 'list' || !value.items.some(isNegation)) return skill;
  for (const item of value.items) if (isNegation(item)) reportNegation(item, path, run);
  const items = value.items.filter(item => !isNegation(item));
  return withField(skill, key, list(items, value.steps));
}
