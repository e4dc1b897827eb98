import { splitList } from '../text/split-list.ts';
import { strings } from './data.ts';
import type { Data, Fields, Item, Unplaced } from './model.ts';
import { originsOf, withOrigins } from './origin.ts';

/** When a tool loads a guard: with matching files, always, when its description fits, or on request. */
export type Activation = 'scoped' | 'always' | 'description' | 'manual';

/** The activation of a guard: the one it declares, else `scoped` with globs and `always` without. */
export function activationOf(guard: Item): Activation {
  const stated = guard.fields.get('activation');
  if (stated === 'always' || stated === 'description' || stated === 'manual') return stated;
  return globsOf(guard).length > 0 ? 'scoped' : 'always';
}

/** The same for variants of guards for single tools, which are composed with the guards of all tools. */
export function composeVariants(guards: readonly Item[], depth: number, unplaced: Unplaced[]): Item[] {
  return composeGuards(guards, depth, unplaced).map(guard => {
    if (!guard.variants) return guard;
    const variants = [...guard.variants].map(([tool, variant]) => {
      const others = guards.map(other => (other.path === guard.path ? variant : other));
      const made = composeGuards(others, depth, []).find(({ path }) => path === guard.path);
      return [tool, made ?? variant] as const;
    });
    return { ...guard, variants: new Map(variants) };
  });
}

/**
 * Composes the content of each guard from its own and that of the guards it requires, each once, down to
 * `depth`. A guard without globs that another one requires has no output of its own, unless it declares an
 * activation. A guard without any text has no place in any target. A guard with only a description uses it as
 * its text.
 */
export function composeGuards(guards: readonly Item[], depth: number, unplaced: Unplaced[]): Item[] {
  const byName = new Map(guards.map(guard => [guard.name, guard]));
  const named = new Set(guards.flatMap(guard => strings(guard.fields.get('requires'))));
  const reached = new Set<string>();
  const composed: Item[] = [];
  const isFragment = (guard: Item) =>
    globsOf(guard).length === 0 && named.has(guard.name) && !guard.fields.has('activation');
  for (const guard of guards) {
    if (isFragment(guard)) continue;
    const chain = requiredBy(guard, byName, depth);
    for (const required of chain) reached.add(required.name);
    const texts = chain.flatMap(item => strings(item.fields.get('content')));
    const content = (texts.length > 0 ? texts : strings(guard.fields.get('description'))).join('\n\n');
    const globs = globsOf(guard);
    if (content.trim() === '') addEmpty(guard, globs, unplaced);
    else {
      const from = texts.length > 0 ? 'content' : 'description';
      const origins = chain.flatMap(item => originsOf(item, from));
      const fields = composedFields(guard, globs, content);
      composed.push({ ...guard, ...withOrigins(guard, 'content', origins), fields });
    }
  }
  for (const guard of guards) if (isFragment(guard)) addUnplaced(guard, reached.has(guard.name), unplaced);
  return composed;
}

/** The fields of a guard with its activation; globs are dropped unless it is `scoped`. */
function composedFields(guard: Item, globs: readonly string[], content: string): Fields {
  const activation = activationOf(guard);
  return new Map<string, Data>([
    ...guard.fields,
    ['globs', activation === 'scoped' ? globs : []],
    ['content', content],
    ['activation', activation],
  ]);
}

/** The patterns of a guard. One text may contain several separated by commas, as in rule files of tools. */
export function globsOf({ fields }: Pick<Item, 'fields'>): string[] {
  const globs = fields.get('globs');
  return typeof globs === 'string' ? splitList(globs) : strings(globs);
}

function addEmpty(guard: Item, globs: readonly string[], unplaced: Unplaced[]): void {
  unplaced.push({
    path: globs.length > 0 ? `${guard.path}.globs` : guard.path,
    text: globs.length > 0 ? globs.join(', ') : guard.name,
    advice: 'A guard is written where it has content: give it a text, or remove it.',
  });
}

/**
 * Records the parts of a guard without globs that no file contains: all of it, or all but its content when it
 * is required.
 */
function addUnplaced(guard: Item, required: boolean, unplaced: Unplaced[]): void {
  for (const [field, value] of guard.fields) {
    if (guard.computed.has(field) || (required && field === 'content')) continue;
    const advice = required
      ? 'Only the content of a required guard is written; put what the tool must know into it.'
      : 'No guard requires it: give it `applyTo`, or name it in the `requires` of another guard.';
    for (const text of strings(value)) unplaced.push({ path: `${guard.path}.${field}`, text, advice });
  }
}

/** A guard and the guards it requires, breadth first, without duplicates. */
function requiredBy(guard: Item, byName: ReadonlyMap<string, Item>, depth: number): Item[] {
  const chain = [guard];
  const seen = new Set([guard.name]);
  let level: Item[] = [guard];
  for (let step = 0; step < depth && level.length > 0; step++) {
    const next: Item[] = [];
    for (const item of level) {
      for (const name of strings(item.fields.get('requires'))) {
        const required = byName.get(name);
        if (!required || seen.has(name)) continue;
        seen.add(name);
        next.push(required);
      }
    }
    chain.push(...next);
    level = next;
  }
  return chain;
}
