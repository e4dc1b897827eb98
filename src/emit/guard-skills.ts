import { strings } from '../model/data.ts';
import { activationOf } from '../model/guards.ts';
import { withOrigins } from '../model/item-origins.ts';
import type { Data, Item } from '../model/model.ts';
import { originsOf } from '../model/sourced.ts';

/**
 * A guard as a skill: the description carries the globs, for tools that cannot match paths themselves. A skill of the
 * same name keeps it.
 */
export function guardSkill(guard: Item, taken: ReadonlySet<string>): Item {
  const globs = strings(guard.fields.get('globs')).join(', ');
  const own = strings(guard.fields.get('description')).join(' ');
  const description = describe(own, globs, guard.name);
  const name = taken.has(guard.name.toLowerCase()) ? `${guard.name}-rules` : guard.name;
  const fields = new Map<string, Data>([...guard.fields, ['name', name], ['description', description]]);
  // The content already holds what the guard requires, and a skill would name it as a skill.
  fields.delete('requires');
  if (activationOf(guard) === 'manual') fields.set('disableModelInvocation', true);
  const made = [...originsOf(guard, 'description'), ...originsOf(guard, 'globs')];
  return {
    ...guard,
    name,
    fields,
    computed: new Set([...guard.computed, 'globs']),
    ...withOrigins(guard, 'description', made),
  };
}

function describe(own: string, globs: string, name: string): string {
  if (globs === '') return own === '' ? `Rules of ${name}` : own;
  return own === '' ? `Rules for ${globs}` : `${own.replace(/[.\s]+$/, '')}. Applies to: ${globs}`;
}
