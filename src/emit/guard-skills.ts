import { strings } from '../model/data.ts';
import { activationOf } from '../model/guards.ts';
import { withOrigins } from '../model/item-origins.ts';
import type { Data, Item } from '../model/model.ts';
import { originsOf } from '../model/sourced.ts';
import { type Helpers, renderTemplate } from '../spec/template.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { perObject } from '../text/memo.ts';
import { plain } from '../text/traced.ts';

/**
 * A guard as a skill: the description carries the globs, for tools that cannot match paths themselves. A skill of the
 * same name keeps it.
 */
export const guardSkill = (guard: Item, taken: ReadonlySet<string>): Item =>
  taken.has(guard.name.toLowerCase()) ? asRenamedSkill(guard) : asSkill(guard);

const asSkill = perObject((guard: Item) => makeSkill(guard, guard.name));
const asRenamedSkill = perObject((guard: Item) => makeSkill(guard, `${guard.name}-rules`));

function makeSkill(guard: Item, name: string): Item {
  const globs = strings(guard.fields.get('globs'));
  const own = strings(guard.fields.get('description')).join(' ');
  // A description that is for this tool alone is not changed.
  const isOwn = own !== '' && guard.own?.has('description');
  const description = isOwn ? own : describe(own, globs, guard.name);
  const fields = new Map<string, Data>([...guard.fields, ['name', name], ['description', description]]);
  // The content already holds what the guard requires, and a skill would name it as a skill.
  fields.delete('requires');
  if (activationOf(guard) === 'manual') fields.set('disableModelInvocation', true);
  // A skill lies in a folder of its name, and has keys of its own.
  const { written: _, ...rest } = guard;
  const made = [...originsOf(guard, 'description'), ...originsOf(guard, 'globs')];
  return {
    ...rest,
    name,
    fields,
    computed: new Set([...guard.computed, 'globs']),
    ...withOrigins(guard, 'description', made),
  };
}

/** A guard that only people call as a command. */
export function guardCommand(guard: Item, taken: ReadonlySet<string>): Item {
  const skill = guardSkill(guard, taken);
  const fields = new Map(skill.fields);
  fields.delete('disableModelInvocation');
  return { ...skill, fields };
}

/** The words stand in a template, from which import reads them back. */
function describe(own: string, globs: readonly string[], name: string): string {
  const description = globs.length === 0 ? own : own.replace(/[.\s]+$/, '');
  const text = renderTemplate(
    builtinTemplate('body:rule-description')!,
    { description, globs, name },
    noLayout,
  );
  return plain(text).trim();
}

/** A description is one line: nothing in it is laid out. */
const noLayout: Helpers = { part: () => '', bullet: () => '', fields: () => '', prose: () => '' };
